/* tui/charts/stacked_bar.c - stacked bars and their legend. */
#include "tui/charts/stacked_bar.h"

#include <string.h>

void tt_stacked_bar(tt_canvas *c, int y, int x, int w, const tt_stack_part *part, const int64_t *ns, int n,
                    int64_t longest)
{
    double scale = longest > 0 ? (double)w / (double)longest : 0, at = 0;
    for (int i = 0; i < n; i++) {
        if (ns[i] <= 0) continue;
        int from = (int)(at * scale + 0.5), to = (int)((at + (double)ns[i]) * scale + 0.5);
        at += (double)ns[i];
        if (to > w) to = w;
        if (to > from) tt_fill_paint(c, y, x + from, to - from, tt_paint_hue(part[i].hue, 0));
    }
}

int tt_stack_legend(tt_canvas *c, int y, int x, const tt_stack_part *part, int n)
{
    int at = x;
    for (int i = 0; i < n; i++) {
        int w = 5 + (int)strlen(part[i].title);
        if (at + w > c->w) break;
        tt_fill_paint(c, y, at, 2, tt_paint_hue(part[i].hue, 0));
        tt_put(c, y, at + 3, TT_ROLE_DIM, part[i].title, -1);
        at += w;
    }
    return at - x;
}
