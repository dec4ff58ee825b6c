/* model/base/group_by.h - hash aggregation: a number for each distinct key, in order of first appearance. */
#ifndef TT_MODEL_BASE_GROUP_BY_H
#define TT_MODEL_BASE_GROUP_BY_H

#include <stdint.h>

#include "model/base/mem.h"

typedef struct tt_group_key { /* string ids, indices, numbers; unused parts 0 */
    uint64_t a, b, c;
} tt_group_key;

typedef struct tt_groups {
    TT_VEC(tt_group_key) key; /* by group */
    uint32_t *slot;           /* open addressing: group + 1 */
    size_t n_slots;
    uint32_t last; /* what was put last: often the next one is the same */
} tt_groups;

void tt_groups_init(tt_groups *g);
void tt_groups_free(tt_groups *g);
/* The group of the key; a new one has the number g->key.n had before. */
uint32_t tt_groups_put(tt_groups *g, tt_group_key key);
/* The same, without hashing where it is the key that *hint was used with before: a place of the caller's for keys that
 * are likely the same, such as those of one name; 0 at first. */
uint32_t tt_groups_put_like(tt_groups *g, tt_group_key key, uint32_t *hint);

typedef struct tt_stat { /* count, sum and extremes of int64 values */
    int64_t n, total, max, min;
} tt_stat;
static inline void tt_stat_add(tt_stat *s, int64_t v)
{
    if (!s->n || v > s->max) s->max = v;
    if (!s->n || v < s->min) s->min = v;
    s->n++;
    s->total += v;
}
/* total / n, rounded half up; INT64_MIN (unknown) without values. */
int64_t tt_stat_mean(const tt_stat *s);
static inline double tt_pct(double part, double whole) { return whole > 0 ? 100.0 * part / whole : __builtin_nan(""); }
/* The same of device time, which nested or repeated rows may count more than once: never above 100. */
static inline double tt_pct_of_all(double part, double whole) { return tt_pct(part < whole ? part : whole, whole); }

#endif
