/* model/tables/compare/tree_match.h - two operator trees, place by place.
 *
 * From the roots down, what is inside two places that met is aligned: first those of the same name (merged trees have
 * each once), then those whose names differ by a version or a device, repeated ones by likeness; then operators that
 * launch alike work; at last the only one that is left on either side inside the same operator, as where two libraries
 * do the same. Inside of what met by such a guess only names and device work meet.
 * Where one side has a level more (an operator inside one of its own family, "what runs it: A" and A), the operator of
 * the other side meets both.
 * Likeness: the share of kernels, copies and sets, by short name and per call, that both launch down to four levels
 * below (where neither launches any: of operators). What has no partner stays alone with everything below it; its time
 * is also that of the operators around it. */
#ifndef TT_MODEL_TABLES_COMPARE_TREE_MATCH_H
#define TT_MODEL_TABLES_COMPARE_TREE_MATCH_H

#include "model/tables/compare/side_tree.h"

typedef enum tt_tree_how {
    TT_TREE_ALONE,  /* on one side only */
    TT_TREE_NAME,   /* of the same name */
    TT_TREE_FAMILY, /* of the same short name */
    TT_TREE_ALIKE,  /* other names, at least half of what they launch is the same, of two names or more */
    TT_TREE_PLACE,  /* other names, the only ones left inside the same operator */
} tt_tree_how;

typedef struct tt_tree_pair {
    uint32_t place[TT_SIDES]; /* TT_NONE: not on this side */
    bool again[TT_SIDES];     /* the place is also that of the row around this one: the other side has a level more */
    uint32_t up;              /* pair around it, TT_NONE */
    uint32_t depth;
    tt_tree_how how;
} tt_tree_pair;
typedef TT_VEC(tt_tree_pair) tt_tree_pairs;

/* Depth first, brothers in the order of the new side, those of the base alone behind the one before them. The same
 * pairs when the sides are exchanged. O(n log n), and for each list of brothers up to LIKENESS_MOST comparisons, of at
 * most 256 names each, within a family and as many of what is left: larger families meet in their order, and more of
 * other names are not compared. */
enum { TT_TREE_LIKENESS_MOST = 16384 };
void tt_tree_match(const tt_side_tree side[TT_SIDES], tt_tree_pairs *out);

#endif
