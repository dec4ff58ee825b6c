/* model/base/interval_set.h - sets of half-open intervals [t0, t1) on the time axis; the one place for interval
 * algebra. A set is an array sorted by t0, disjoint, without empty members; touching members are joined. */
#ifndef TT_MODEL_BASE_INTERVAL_SET_H
#define TT_MODEL_BASE_INTERVAL_SET_H

#include <stdbool.h>

#include "model/base/mem.h"

typedef struct tt_iv {
    int64_t t0, t1;
} tt_iv;
typedef TT_VEC(tt_iv) tt_ivs; /* zero-initialised is the empty set; free with tt_vec_free */

void tt_ivs_add(tt_ivs *s, int64_t t0, int64_t t1); /* append raw; call tt_ivs_normalise before use as a set */
/* Append an interval that does not begin before the last one: joined with it if they meet. True: it is a member of
 * its own. */
bool tt_ivs_extend(tt_ivs *s, int64_t t0, int64_t t1);
void tt_ivs_normalise(tt_ivs *s); /* sort, drop empty, join overlapping and touching. O(n log n), O(n) if sorted */
tt_ivs tt_ivs_intersect(const tt_ivs *a, const tt_ivs *b); /* O(n + m) */
tt_ivs tt_ivs_subtract(const tt_ivs *a, const tt_ivs *b);  /* a without b */
tt_ivs tt_ivs_union(const tt_ivs *a, const tt_ivs *b);
/* The union of n sets, which it frees. O(members * log n). */
tt_ivs tt_ivs_unite(tt_ivs *sets, size_t n);
int64_t tt_ivs_length(const tt_ivs *s);
/* Length of the set inside [t0, t1). O(log n + members hit). */
int64_t tt_ivs_length_in(const tt_ivs *s, int64_t t0, int64_t t1);

#endif
