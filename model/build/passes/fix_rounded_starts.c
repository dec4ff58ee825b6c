/* Reconstructs a tree that was written breadth first: parents of successive slices come in slice order, so a single
 * forward pointer finds them all. See fix_rounded_starts.h. */
#include "model/build/passes/fix_rounded_starts.h"

#include <stdlib.h>

#define AHEAD 8 /* number of parents compared when a slice lies on a border */

struct node {
    tt_rec *rec;
    uint32_t level;
    int64_t used; /* end of its last child so far */
};

struct tree {
    struct node *at;
    size_t n;
    size_t parent; /* last found parent, when not at the root */
    bool at_root;
    int64_t root_used;
    int64_t jitter;
    size_t budget; /* remaining steps: bounds the time for hostile files */
};

static int64_t end_of(const tt_rec *r) { return r->ts + r->dur; }

/* How far the slice exceeds the node, -1 if by more than its uncertainty. */
static int64_t cost(const struct tree *t, const struct node *p, const tt_rec *r)
{
    int64_t left = p->rec->ts - r->ts, right = end_of(r) - end_of(p->rec);
    if (left > t->jitter || right > t->jitter || r->ts < p->used - t->jitter) return -1;
    return (left > 0 ? left : 0) + (right > 0 ? right : 0);
}

/* Move the slice into [low, high) if its uncertainty allows. */
static void move(tt_rec *r, int64_t low, int64_t high, int64_t jitter)
{
    int64_t ts = r->ts < low ? low : r->ts, dur = r->dur;
    if (ts + dur > high) ts = high - dur;
    if (ts < low) {
        ts = low;
        dur = high - low;
    }
    int64_t by = ts > r->ts ? ts - r->ts : r->ts - ts;
    if (by > jitter || r->dur - dur > jitter || dur < 0) return;
    r->ts = ts;
    r->dur = dur;
}

/* The parent of the next slice: NULL with *root set, or NULL if none is found. */
static struct node *parent_of(struct tree *t, const tt_rec *r, bool *root)
{
    *root = t->at_root && r->ts >= t->root_used - t->jitter;
    if (*root) return NULL;
    size_t i = t->at_root ? 0 : t->parent;
    for (; i < t->n && t->budget; i++, t->budget--) {
        int64_t least = cost(t, &t->at[i], r);
        if (least < 0) continue;
        size_t best = i;
        for (size_t k = i + 1; least > 0 && k < t->n && k < i + AHEAD && t->at[k].level == t->at[i].level; k++) {
            int64_t c = cost(t, &t->at[k], r);
            if (c >= 0 && c < least) least = c, best = k;
        }
        t->at_root = false;
        t->parent = best;
        return &t->at[best];
    }
    return NULL;
}

void tt_fix_rounded_starts(const tt_rounded_start *items, size_t n, int64_t jitter_ns)
{
    struct tree t = {.at_root = true, .root_used = INT64_MIN / 2, .jitter = jitter_ns, .budget = 16 * n + 64};
    t.at = tt_malloc(n * sizeof *t.at);
    for (size_t i = 0; i < n; i++) {
        tt_rec *r = items[i].rec;
        if (items[i].launch) {
            const tt_rec *around = t.n ? t.at[t.n - 1].rec : NULL;
            if (around) move(r, around->ts, end_of(around), jitter_ns);
            continue;
        }
        bool root;
        struct node *p = parent_of(&t, r, &root);
        uint32_t level = p ? p->level + 1 : 0;
        if (p) {
            int64_t low = p->used > p->rec->ts ? p->used : p->rec->ts;
            move(r, low, end_of(p->rec), jitter_ns);
            p->used = end_of(r);
        } else if (root) {
            move(r, t.root_used, INT64_MAX / 2, jitter_ns);
            t.root_used = end_of(r);
        }
        t.at[t.n++] = (struct node){r, level, INT64_MIN / 2};
    }
    free(t.at);
}
