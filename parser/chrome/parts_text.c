/* parser/chrome/parts_text.c - presents the texts of several files as one. See parts_text.h. */
#include "parser/chrome/parts_text.h"

#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/mem.h"

struct part {
    uint64_t base;
    tt_text_source *text;
};

struct tt_parts_text {
    tt_text_source source; /* first: tt_parts_text_take() returns its address, which leads back here */
    TT_VEC(struct part) parts;
};

tt_parts_text *tt_parts_text_new(void) { return tt_calloc(1, sizeof(tt_parts_text)); }

void tt_parts_text_add(tt_parts_text *p, uint64_t base, tt_text_source *text)
{
    *tt_vec_push(&p->parts) = (struct part){base, text};
}

void tt_parts_text_clear(tt_parts_text *p)
{
    for (size_t i = 0; i < p->parts.n; i++) p->parts.at[i].text->close(p->parts.at[i].text);
    p->parts.n = 0;
}

void tt_parts_text_free(tt_parts_text *p)
{
    tt_parts_text_clear(p);
    tt_vec_free(&p->parts);
    free(p);
}

static int64_t read_parts(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    tt_parts_text *p = (tt_parts_text *)(void *)self;
    size_t lo = 0, hi = p->parts.n; /* find the first part behind the offset */
    TT_BISECT(lo, hi, i, p->parts.at[i].base <= offset);
    if (!lo) return 0; /* offset in a part that is no trace */
    const struct part *part = &p->parts.at[lo - 1];
    return part->text->read(part->text, offset - part->base, out, cap);
}

static void close_parts(tt_text_source *self) { tt_parts_text_free((tt_parts_text *)(void *)self); }

tt_text_source *tt_parts_text_take(tt_parts_text *p)
{
    if (!p->parts.n) return NULL;
    if (p->parts.n == 1 && !p->parts.at[0].base) { /* return the text itself for a single file */
        p->parts.n = 0;
        return p->parts.at[0].text;
    }
    tt_parts_text *all = tt_parts_text_new();
    all->source = (tt_text_source){.read = read_parts, .close = close_parts};
    all->parts.at = p->parts.at, all->parts.n = p->parts.n, all->parts.cap = p->parts.cap;
    p->parts.at = NULL;
    p->parts.n = p->parts.cap = 0;
    return &all->source;
}
