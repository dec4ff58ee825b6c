/* Nesting in one pass over sorted slices: see nesting.h. */
#include "model/build/passes/nesting.h"

#include <stdlib.h>

#define DEPTH_MAX 60000u

void tt_nest_begin(tt_nest *n, int64_t resolution_ns)
{
    *n = (tt_nest){.tolerance = resolution_ns > 1 ? resolution_ns : 0, .lanes = 1};
}

void tt_nest_free(tt_nest *n)
{
    for (int i = 0; i < 2; i++) tt_vec_free(&n->layer[i]);
    for (int i = 0; i < TT_NEST_LANES; i++) tt_vec_free(&n->lane[i]);
    tt_vec_free(&n->moved);
}

/* Remove slices that cross the new one and end earlier: they contain nothing that the later one does not. So ends
 * never grow towards the top, the stack is the path to the root, and each slice is examined once. */
static tt_row push_layer(tt_nest_stack *k, tt_row row, int64_t start, int64_t end)
{
    while (k->n && (k->at[k->n - 1].end <= start || k->at[k->n - 1].end < end)) k->n--;
    tt_row parent = k->n ? k->at[k->n - 1].row : TT_NONE;
    *tt_vec_push(k) = (tt_nest_open){end, row};
    return parent;
}

static bool fits(tt_nest_stack *k, int64_t start, int64_t end, int64_t tolerance)
{
    while (k->n) {
        int64_t top = k->at[k->n - 1].end;
        /* ended, or overlaps the next sibling by rounding only */
        if (top > start && !(end > top && top - start <= tolerance)) break;
        k->n--;
    }
    return !k->n || end - k->at[k->n - 1].end <= tolerance;
}

void tt_nest_push(tt_nest *n, tt_row row, int64_t start, int64_t end, bool python, tt_row *parent, uint16_t *depth)
{
    *parent = push_layer(&n->layer[python], row, start, end);
    uint32_t l = 0;
    while (!fits(&n->lane[l], start, end, n->tolerance) && l + 1 < TT_NEST_LANES) l++;
    tt_nest_stack *lane = &n->lane[l];
    uint32_t d = lane->n < DEPTH_MAX ? (uint32_t)lane->n : DEPTH_MAX;
    if (lane->n < DEPTH_MAX) *tt_vec_push(lane) = (tt_nest_open){end, row};
    if (d + 1 > n->lane_depths[l]) n->lane_depths[l] = d + 1;
    *depth = (uint16_t)d;
    if (l) {
        struct tt_nest_moved *m = tt_vec_push(&n->moved);
        m->row = row;
        m->lane = l;
        if (l + 1 > n->lanes) n->lanes = l + 1;
    }
}

uint32_t tt_nest_end(tt_nest *n, uint16_t *depth)
{
    uint32_t base[TT_NEST_LANES], total = 0;
    for (uint32_t l = 0; l < n->lanes; l++) {
        base[l] = total;
        total += n->lane_depths[l];
    }
    for (size_t i = 0; i < n->moved.n; i++) {
        uint32_t d = depth[n->moved.at[i].row] + base[n->moved.at[i].lane];
        depth[n->moved.at[i].row] = (uint16_t)(d < UINT16_MAX ? d : UINT16_MAX - 1);
    }
    return total < UINT16_MAX ? total : UINT16_MAX;
}
