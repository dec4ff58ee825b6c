/* model/base/group_by.h - hash aggregation: each distinct key gets a group number, in order of first appearance. */
#ifndef TT_MODEL_BASE_GROUP_BY_H
#define TT_MODEL_BASE_GROUP_BY_H

#include <stdint.h>

#include "model/base/mem.h"

typedef struct tt_group_key { /* string ids, indices, numbers; unused parts 0 */
    uint64_t a, b, c;
} tt_group_key;

typedef struct tt_groups {
    TT_VEC(tt_group_key) key; /* key of each group */
    uint32_t *slot;           /* open addressing table: group number + 1; 0 = empty */
    size_t n_slots;
    uint32_t last; /* group of the last key put; the next key is often the same */
} tt_groups;

void tt_groups_init(tt_groups *g);
void tt_groups_free(tt_groups *g);
/* The group number of the key. A new key gets the number that g->key.n had before. */
uint32_t tt_groups_put(tt_groups *g, tt_group_key key);
/* Like tt_groups_put(), but skips hashing when the key is the last one that was put with this hint. The caller keeps
 * one hint (0 at first) for keys that are likely equal, such as the keys of one name. */
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
/* Percentage of device time, at most 100: nested or repeated rows can count more than once. */
static inline double tt_pct_of_all(double part, double whole) { return tt_pct(part < whole ? part : whole, whole); }

#endif
