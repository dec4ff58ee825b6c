/* parser/source/source_recent.c - the text decoded last, for readers that move back and forth in it. */
#include "parser/source/source_impl.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)1 << 20)

/* Copy the text at offset `at` as far as the recent blocks have it. */
static size_t from_recent(const tt_recent *r, uint64_t at, char *out, size_t cap)
{
    for (int i = 0; i < 2; i++) {
        const tt_recent_block *b = &r->block[i];

        if (at >= b->at && at - b->at < b->n) {
            size_t from = (size_t)(at - b->at);

            if (cap > b->n - from) cap = b->n - from;
            memcpy(out, b->text + from, cap);
            return cap;
        }
    }
    return 0;
}

/* Decode the next block on the way to `at`; false = the text ends before `at` or cannot be read (*failed). */
static bool decode_towards(tt_recent *r, tt_source *s, uint64_t at, bool *failed)
{
    tt_recent_block old = r->block[1];

    tt_source_seek(s, at);
    do {
        if (!old.text) old.text = tt_malloc(BLOCK);
        old.at = s->at;
        *failed = tt_source_decode(s, old.text, BLOCK, &old.n) < 0;
        r->block[1] = r->block[0];
        r->block[0] = old;
        if (*failed) r->block[0].n = 0;
        if (*failed || old.n == 0) return false;
        old = r->block[1];
    } while (s->at <= at);
    return true;
}

int64_t tt_recent_read(tt_recent *r, tt_source *s, uint64_t at, char *out, size_t cap)
{
    bool failed = false;
    size_t got = from_recent(r, at, out, cap);

    if (!got && decode_towards(r, s, at, &failed)) got = from_recent(r, at, out, cap);
    return failed ? -1 : (int64_t)got;
}

void tt_recent_free(tt_recent *r)
{
    free(r->block[0].text);
    free(r->block[1].text);
    *r = (tt_recent){0};
}
