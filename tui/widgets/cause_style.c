/* tui/widgets/cause_style.c - colours and letters of causes, and their legend. */
#include "tui/widgets/cause_style.h"

#include <ctype.h>
#include <string.h>

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/analysis/device/wait_cause.h"

_Static_assert((int)TT_CAUSES == (int)TT_WAIT_COUNT_ + (int)TT_WORK_CLASS_COUNT_, "a role for each category");

static const char letters[TT_CAUSES] = {'i', 's', 'r', 'o', 'b', 'l', 'q', '?', 'c', 'n', 'm'};

tt_style tt_cause_style(unsigned category)
{
    return (tt_style)(category < TT_CAUSES ? (unsigned)TT_ROLE_CAUSE_INPUT + category : (unsigned)TT_ROLE_TEXT);
}

char tt_cause_letter(unsigned category) { return category < TT_CAUSES ? letters[category] : ' '; }

bool tt_cause_needs_letter(const tt_canvas *c) { return c->mono || c->few || c->ascii; }

void tt_cause_put(tt_canvas *c, int y, int x, unsigned category)
{
    if (tt_cause_needs_letter(c))
        tt_put_char(c, y, x, tt_cause_style(category) | TT_REVERSE,
                    (uint32_t)toupper((unsigned char)tt_cause_letter(category)));
    else /* a block character rather than a coloured blank: a copied screen loses blanks at line ends */
        tt_put_char(c, y, x, tt_cause_style(category), tt_glyph_of(c, TT_G_BLOCK));
}

int tt_cause_legend(tt_canvas *c, int y, int x, int w, unsigned which)
{
    int used = 0;
    for (unsigned k = 0; k < TT_CAUSES; k++) { /* classes of work first, because most time is spent in them */
        unsigned i = (k + TT_WAIT_COUNT_) % TT_CAUSES;
        const char *text = i < TT_WAIT_COUNT_ ? tt_wait_text[i] : tt_work_class_name[i - TT_WAIT_COUNT_];
        int n = (int)tt_text_width(text, strlen(text)) + 2, gap = used > 0 ? 3 : 0;
        if (!(which >> i & 1)) continue;
        if (used + gap + n > w) break;
        if (gap) tt_put(c, y, x + used, TT_ROLE_TEXT, "   ", gap);
        tt_put(c, y, x + used + gap + 1, TT_ROLE_TEXT, " ", 1);
        tt_cause_put(c, y, x + used + gap, i);
        tt_put(c, y, x + used + gap + 2, TT_ROLE_TEXT, text, n - 2);
        used += gap + n;
    }
    return used;
}
