/* model/tables/compare/tree_match.h - matches two operator trees, place by place.
 *
 * From the roots down, the children of two matched places are aligned, in this order: equal names (each occurs once
 * in a merged tree); names that differ by a version or a device, repeated ones by likeness; operators that launch
 * similar work; at last the only entry left on either side inside one operator, since two libraries may do the same
 * job. Below such a guess only names and device work match. If one side has an extra level (an operator inside one
 * of its own family, "what runs it: A" and A), the operator of the other side matches both levels.
 *
 * Likeness of two operators: the share of kernels, copies and sets, by short name and per call, that both launch
 * down to four levels below; if neither launches any, the share of operators. A place without a partner stays alone
 * with everything below; its time is included in the operators around it. */
#ifndef TT_MODEL_TABLES_COMPARE_TREE_MATCH_H
#define TT_MODEL_TABLES_COMPARE_TREE_MATCH_H

#include "model/tables/compare/side_tree.h"

typedef enum tt_tree_how {
    TT_TREE_ALONE,  /* on one side only */
    TT_TREE_NAME,   /* equal names */
    TT_TREE_FAMILY, /* equal short names */
    TT_TREE_ALIKE,  /* other names, at least half of their launches agree, of two names or more */
    TT_TREE_PLACE,  /* other names, the only ones left inside the same operator */
} tt_tree_how;

typedef struct tt_tree_pair {
    uint32_t place[TT_SIDES]; /* place by side; TT_NONE: missing on this side */
    bool again[TT_SIDES];     /* the place also belongs to the row around this one: the other side has an extra level */
    uint32_t up;              /* index of the pair around it, TT_NONE */
    uint32_t depth;
    tt_tree_how how;
} tt_tree_pair;
typedef TT_VEC(tt_tree_pair) tt_tree_pairs;

/* Match two trees: depth first, siblings in the order of the new side, entries only in the base behind their
 * predecessor. Symmetric: swapped sides give equal pairs. O(n log n), plus per sibling list up to LIKENESS_MOST
 * comparisons of at most 256 names each, within a family and again among the rest: larger families match in order,
 * and further names are not compared. */
enum { TT_TREE_LIKENESS_MOST = 16384 };
void tt_tree_match(const tt_side_tree side[TT_SIDES], tt_tree_pairs *out);

#endif
