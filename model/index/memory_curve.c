/* model/index/memory_curve.c - memory records as staircases, with the highest values of every block of points so
 * that a plot of a few hundred columns never looks at more than its edges. */
#include "model/index/memory_curve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/group_by.h"
#include "model/base/mem.h"
#include "model/trace/analysis_cache.h"

enum { BLOCK = 64 };

static bool has_total(const tt_memory_record *m) { return m->allocated != TT_UNKNOWN || m->reserved != TT_UNKNOWN; }

/* The CPU's id is -1 or 0. */
static int32_t id_of(const tt_memory_record *m) { return m->device_type == 0 ? 0 : m->device_id; }

static tt_group_key device_key(const tt_memory_record *m)
{
    return (tt_group_key){.a = (uint16_t)m->device_type, .b = (uint32_t)id_of(m)};
}

static void name_of(tt_memory_series *s)
{
    if (s->type == TT_DEVICE_PINNED) {
        snprintf(s->name, sizeof s->name, "GPU_PINNED");
    } else if (s->type == 0 || (s->type < 0 && s->id < 0)) {
        snprintf(s->name, sizeof s->name, "CPU");
    } else {
        snprintf(s->name, sizeof s->name, "%s%d", s->type == 20 ? "NPU" : "GPU", s->id < 0 ? 0 : s->id);
    }
}

/* Memory size of each device that the trace describes, by group of its id. */
typedef struct sizes {
    tt_groups ids;
    TT_VEC(int64_t) bytes;
} sizes;

static void find_sizes(const tt_trace *st, sizes *z)
{
    tt_groups_init(&z->ids);
    for (uint32_t i = 0; i < st->n_devices; i++)
        if (tt_groups_put(&z->ids, (tt_group_key){.a = (uint64_t)st->devices[i].id}) == z->bytes.n)
            *tt_vec_push(&z->bytes) = st->devices[i].memory_bytes;
}

static int64_t capacity(sizes *z, const tt_memory_series *s)
{
    if (s->type <= 0 || s->type == TT_DEVICE_PINNED) return TT_UNKNOWN;
    uint32_t at = tt_groups_put(&z->ids, (tt_group_key){.a = (uint64_t)(int64_t)s->id});
    return at < z->bytes.n ? z->bytes.at[at] : TT_UNKNOWN;
}

static void raise(tt_memory_point *p, const tt_memory_point *v)
{
    if (v->allocated > p->allocated) {
        p->allocated = v->allocated;
        p->at = v->at;
    }
    if (v->reserved > p->reserved) p->reserved = v->reserved;
}

static const tt_memory_point nothing = {TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN};

static void finish(tt_memory_series *s)
{
    s->block = tt_calloc(s->n / BLOCK + 1, sizeof *s->block);
    tt_memory_point all = nothing;
    for (uint32_t i = 0; i < s->n; i++) {
        if (i % BLOCK == 0) s->block[i / BLOCK] = nothing;
        raise(&s->block[i / BLOCK], &s->at[i]);
        raise(&all, &s->at[i]);
        if (s->at[i].allocated != TT_UNKNOWN) s->end = s->at[i].allocated;
    }
    s->peak = all.allocated;
    s->peak_at = all.at;
    s->reserved = all.reserved;
}

static int by_device(const void *a, const void *b)
{
    const tt_memory_series *x = a, *y = b;
    bool xc = x->type <= 0 || x->type == TT_DEVICE_PINNED, yc = y->type <= 0 || y->type == TT_DEVICE_PINNED;
    if (xc != yc) return xc ? 1 : -1;
    if (x->trace != y->trace) return x->trace < y->trace ? -1 : 1;
    return x->type != y->type ? (x->type < y->type ? -1 : 1) : (x->id > y->id) - (x->id < y->id);
}

typedef TT_VEC(tt_memory_series) series_list;

static void add_store(const tt_session *session, uint32_t trace, series_list *out)
{
    const tt_trace *st = session->traces[trace];
    size_t first = out->n; /* first series of this trace; series are by group of the device */
    tt_groups devices;
    sizes known = {0};
    tt_groups_init(&devices);
    find_sizes(st, &known);
    for (uint32_t i = 0; i < st->n_memory; i++) { /* number of points per device */
        const tt_memory_record *m = &st->memory[i];
        if (!has_total(m)) continue;
        size_t at = first + tt_groups_put(&devices, device_key(m));
        if (at == out->n) {
            tt_memory_series *s = tt_vec_push(out);
            *s = (tt_memory_series){.trace = trace, .type = m->device_type, .id = id_of(m), .end = TT_UNKNOWN};
            s->device = (uint64_t)(uint16_t)s->type << 16 | (uint16_t)s->id;
            name_of(s);
            s->device_bytes = capacity(&known, s);
        }
        out->at[at].n++;
    }
    for (size_t i = first; i < out->n; i++) {
        tt_memory_series *s = &out->at[i];
        s->at = tt_calloc(s->n, sizeof *s->at);
        s->n = 0;
    }
    for (uint32_t i = 0; i < st->n_memory; i++) {
        const tt_memory_record *m = &st->memory[i];
        if (!has_total(m)) continue;
        tt_memory_series *s = &out->at[first + tt_groups_put(&devices, device_key(m))];
        s->at[s->n++] = (tt_memory_point){m->ts + session->offset_ns[trace], m->allocated, m->reserved};
    }
    tt_groups_free(&devices);
    tt_groups_free(&known.ids);
    tt_vec_free(&known.bytes);
}

/* Curves of the traces [from, to). */
static tt_memory_curves *curves_of(const tt_session *s, uint32_t from, uint32_t to)
{
    tt_memory_curves *c = tt_calloc(1, sizeof *c);
    series_list list = {0};
    for (uint32_t i = from; i < to; i++) {
        c->records |= s->traces[i]->n_memory > 0;
        add_store(s, i, &list);
    }
    for (size_t i = 0; i < list.n; i++) finish(&list.at[i]);
    if (list.n) qsort(list.at, list.n, sizeof *list.at, by_device);
    c->at = list.at;
    c->n = (uint32_t)list.n;
    return c;
}

tt_memory_curves *tt_memory_curves_new(const tt_session *s) { return curves_of(s, 0, s->n_traces); }

static void *build(const tt_session *s, uint32_t trace) { return curves_of(s, trace, trace + 1); }

static void release(void *curves) { tt_memory_curves_free(curves); }

const tt_memory_curves *tt_memory_curves_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"memory curves", build, release};
    return tt_analysis_get(s, trace, &kind);
}

void tt_memory_curves_free(tt_memory_curves *c)
{
    if (!c) return;
    for (uint32_t i = 0; i < c->n; i++) {
        free(c->at[i].at);
        free(c->at[i].block);
    }
    free(c->at);
    free(c);
}

/* First point after t. */
static uint32_t after(const tt_memory_series *s, int64_t t)
{
    uint32_t lo = 0, hi = s->n;
    TT_BISECT(lo, hi, i, s->at[i].at <= t);
    return lo;
}

uint32_t tt_memory_series_point(const tt_memory_series *s, int64_t t)
{
    uint32_t i = after(s, t);
    return i ? i - 1 : TT_NONE;
}

tt_memory_point tt_memory_series_highest(const tt_memory_series *s, int64_t t0, int64_t t1)
{
    tt_memory_point p = nothing;
    uint32_t from = after(s, t0), to = after(s, t1 - 1);
    if (from) from--; /* include the point that holds at t0 */
    for (uint32_t i = from; i < to;) {
        if (i % BLOCK == 0 && i + BLOCK <= to) {
            raise(&p, &s->block[i / BLOCK]);
            i += BLOCK;
        } else {
            raise(&p, &s->at[i++]);
        }
    }
    return p;
}
