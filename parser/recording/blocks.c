/* parser/recording/blocks.c - reads the blocks of a spool one after another. See reader_internal.h.
 *
 * Behind a damaged block the next good one is searched: by its magic, with a later number and the right checksum. So
 * damage costs only the block that it hits, and a truncated file its last one. */
#include <stdlib.h>
#include <string.h>

#include "parser/recording/reader_internal.h"

enum {
    CHUNK = 1 << 16,       /* bytes searched at a time */
    TRIES_MOST = 256,      /* most false blocks, as each costs a checksum */
    SKIPPED_MOST = 1 << 24 /* most blocks missing between two good ones */
};

/* Read until s->in holds n bytes, unless the file ends before. */
static bool want(spool *s, size_t n)
{
    if (n > s->in_cap) {
        s->in_cap = n;
        s->in = tt_realloc(s->in, s->in_cap, 1);
    }
    while (s->in_n < n && s->status == TT_OK) {
        size_t k = 0;
        s->status = tt_segments_read(&s->files, (char *)s->in + s->in_n, n - s->in_n, &k, &s->err);
        if (s->status == TT_ERR_CANCELLED) s->status = TT_OK; /* keep what was read */
        if (!k) break;
        s->in_n += k;
        atomic_fetch_add_explicit(&s->progress->text_bytes, k, memory_order_relaxed);
    }
    return s->in_n >= n && s->status == TT_OK;
}

static void skip(spool *s, size_t n)
{
    s->in_n -= n;
    s->offset += n;
    if (s->in_n) memmove(s->in, s->in + n, s->in_n);
}

/* Go on to the next place that may be a block; false at the end of the file. */
static bool look_on(spool *s)
{
    skip(s, 1);
    while (s->status == TT_OK && !atomic_load(&s->progress->cancel)) {
        const unsigned char *found = s->in_n ? memmem(s->in, s->in_n, TT_SPOOL_MAGIC, 4) : NULL;
        if (found) {
            skip(s, (size_t)(found - s->in));
            return true;
        }
        if (s->in_n > 3) skip(s, s->in_n - 3);
        size_t before = s->in_n;
        want(s, s->in_n + CHUNK);
        if (s->in_n == before) return false;
    }
    return false;
}

static void count_problem(spool *s, tt_problem_kind kind, uint64_t offset, const char *what)
{
    tt_problem_add(&s->h.problems, kind, (int64_t)offset, what, strlen(what));
}

/* The block, which is complete, begins a segment of a ring: numbers before it may be missing. */
static bool begins_segment(const spool *s, const tt_spool_block *head)
{
    const tt_spool_segment *r = (const void *)(s->in + sizeof *head);
    return head->len >= sizeof *r && r->h.type == TT_SPOOL_SEGMENT && r->h.a == TT_SPOOL_SEGMENT_BEGIN &&
           r->h.size >= sizeof *r;
}

/* Judge a complete block with an unexpected number by the number of the block behind it. True: it belongs here, and
 * head->seq is its number. */
static bool in_place(spool *s, tt_spool_block *head)
{
    tt_spool_block next;
    size_t at = sizeof *head + head->len;
    bool later = head->seq > s->seq && head->seq - s->seq <= SKIPPED_MOST;
    if (head->seq == s->seq || (s->lost && later)) return true;
    if (begins_segment(s, head)) return true; /* the reader knows the number of the segment */
    bool more = want(s, at + sizeof next);
    if (more) memcpy(&next, s->in + at, sizeof next);
    more = more && !memcmp(next.magic, TT_SPOOL_MAGIC, 4);
    if (later && (!more || next.seq == head->seq + 1)) {
        count_problem(s, TT_PROBLEM_MALFORMED_EVENT, s->offset, "blocks that are missing");
        s->f.lost = true;
        return true;
    }
    bool hit = more ? next.seq == s->seq + 1 && next.seq != head->seq + 1 : head->seq > s->seq;
    if (!hit) return false; /* a repetition of an earlier block */
    count_problem(s, TT_PROBLEM_MALFORMED_EVENT, s->offset, "number of a block");
    head->seq = s->seq;
    return true;
}

/* Fault of the block at the start of s->in; NULL = none. */
static const char *fault(spool *s, tt_spool_block *head, bool *cut)
{
    *cut = !want(s, sizeof *head);
    if (*cut) return "block header";
    memcpy(head, s->in, sizeof *head);
    if (!tt_spool_block_fits(head)) return "block header";
    *cut = !want(s, sizeof *head + head->len);
    if (*cut) return "block";
    s->tries++;
    if (tt_spool_sum(s->in + sizeof *head, head->len) != head->sum) return "block with a wrong checksum";
    return in_place(s, head) ? NULL : "block that was there before";
}

bool tt_spool_next_block(spool *s, uint32_t *len)
{
    tt_spool_block head;
    const char *first = NULL;
    uint64_t offset = 0;
    bool cut, first_cut = false;
    if (s->in_n) skip(s, s->in_n < s->taken ? s->in_n : s->taken);
    s->taken = 0;
    for (unsigned good = s->tries; s->status == TT_OK; good = s->tries) {
        const char *what = fault(s, &head, &cut);
        if (!what) {
            if (first) count_problem(s, TT_PROBLEM_MALFORMED_EVENT, offset, first);
            s->tries = good;
            s->lost = false;
            s->seq = head.seq + 1;
            s->taken = sizeof head + head.len;
            *len = head.len;
            return true;
        }
        if (!s->in_n && !first) return false; /* the file ends behind a block, as it should */
        if (!first) {
            first = what;
            first_cut = cut;
            offset = s->offset;
        }
        s->f.lost = s->lost = true;
        if (s->tries >= TRIES_MOST || !look_on(s)) break;
    }
    if (first && s->status == TT_OK)
        count_problem(s, first_cut ? TT_PROBLEM_TRUNCATED : TT_PROBLEM_MALFORMED_EVENT, offset, first);
    return false;
}
