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

void tt_ivs_add(tt_ivs *s, int64_t t0,
                int64_t t1); /* Append without keeping the order; call tt_ivs_normalise() before using it as a set. */
/* Append an interval that begins no earlier than the last member: it is joined with that member if they meet. True:
 * it is a new member. */
bool tt_ivs_extend(tt_ivs *s, int64_t t0, int64_t t1);
void tt_ivs_normalise(tt_ivs *s); /* Sort, drop empty intervals, join overlapping and touching ones. O(n log n); O(n) if
                                     sorted already. */
tt_ivs tt_ivs_intersect(const tt_ivs *a, const tt_ivs *b); /* Intersection of a and b. O(n + m). */
tt_ivs tt_ivs_subtract(const tt_ivs *a, const tt_ivs *b);  /* The parts of a that are not in b. */
tt_ivs tt_ivs_union(const tt_ivs *a, const tt_ivs *b);
/* Union of n sets; frees them. O(members * log n). */
tt_ivs tt_ivs_unite(tt_ivs *sets, size_t n);
int64_t tt_ivs_length(const tt_ivs *s);
/* Length of the set inside [t0, t1). O(log n + members in it). */
int64_t tt_ivs_length_in(const tt_ivs *s, int64_t t0, int64_t t1);

#endif
