/* model/tables/communication/collectives.c - finds the collectives of a trace.
 *
 * A collective is a host range marked by its library (nccl:all_reduce), with the kernels launched inside or carrying
 * its External id. Since PyTorch 2 kernels belong to record_param_comms instead: then each kernel is a collective of
 * its own, named by the recorded metadata or by its kernel name. */
#include "model/tables/communication/comm.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/group_by.h"
#include "model/base/sort_by.h"
#include "model/summary/stub.h"
#include "model/tables/analysis/names/comm_names.h"
#include "model/tables/analysis/names/element_type.h"
#include "model/tables/analysis/names/kernel_class.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/trace/analysis_cache.h"

typedef struct part { /* range of a collective, during collection */
    uint32_t node;
    bool device;
    tt_iv range;
} part;

typedef struct sizes { /* source of a collective's size */
    bool host; /* the host states the size; else it is the sum of its kernels, where kernels of one operator repeat one
                  size */
    uint32_t external_id; /* operator of the last counted kernel */
} sizes;

typedef struct builder {
    const tt_trace *s;
    const tt_name_classes *names;
    tt_collectives *c;
    TT_VEC(part) parts;
    tt_groups by_row, by_ext; /* groups of marked ranges */
    TT_VEC(uint32_t) of_ext;
    TT_VEC(sizes) sizes; /* by node */
    uint32_t marks;      /* number of marked ranges: they are the first nodes */
    tt_row *outer;       /* by row: the outermost marked range around it or itself, TT_NONE; NULL: no marked range */
} builder;

/* Product of the list at *p ("[32, 64]"), which moves behind it; -1 when it is no list of numbers. */
static int64_t list_elements(const char **p)
{
    int64_t product = 1;
    bool any = false;
    const char *q = *p + 1;
    while (*q && *q != ']') {
        char *end;
        if (*q == '[') return -1;
        int64_t v = strtoll(q, &end, 10);
        if (end == q) {
            q++;
            continue;
        }
        any = true;
        if (__builtin_mul_overflow(product, v, &product)) return -1;
        q = end;
    }
    *p = *q ? q + 1 : q;
    return any ? product : 0;
}

/* Bytes of all inputs: shapes "[[53120], []]", types ["float", "Int"]. TT_UNKNOWN if an input with elements has an
 * unknown type. */
static int64_t input_bytes(const char *shapes, const char *types)
{
    int64_t sum = 0;
    bool any = false;
    const char *p = strchr(shapes, '['), *type = strchr(types, '"');
    if (!p || !type) return TT_UNKNOWN;
    for (p++; (p = strchr(p, '[')) != NULL;) {
        int64_t n = list_elements(&p);
        const char *end = type ? strchr(type + 1, '"') : NULL;
        if (n < 0 || !end) return any ? sum : TT_UNKNOWN;
        int64_t size = tt_element_bytes(type + 1, (size_t)(end - type - 1));
        if (n > 0 && !size) return TT_UNKNOWN;
        sum += n * size;
        any |= n > 0;
        type = strchr(end + 1, '"');
    }
    return any ? sum : TT_UNKNOWN;
}

int64_t tt_collective_bytes(const tt_trace *s, uint32_t coll, bool result)
{
    const tt_collective_args *c = &s->colls[coll];
    const char *dtype = tt_str(&s->strings, c->dtype);
    int64_t size = tt_element_bytes(dtype, strlen(dtype)), n = result ? c->out_nelems : c->in_nelems;
    if (!coll || n == TT_UNKNOWN || n < 0 || !size) return TT_UNKNOWN;
    return __builtin_mul_overflow(n, size, &n) ? TT_UNKNOWN : n;
}

static int64_t coll_bytes(const tt_trace *s, uint32_t coll) { return tt_collective_bytes(s, coll, false); }

static bool is_mark(const builder *b, tt_row r)
{
    tt_kind k = tt_row_kind(b->s, r);
    if (k == TT_KIND_COMMUNICATION) return true;
    return (k == TT_KIND_CPU_OP || k == TT_KIND_ANNOTATION) && (tt_name_class(b->names, b->s, r) & TT_NAME_COMM);
}

/* Find the outermost marked ranges in one pass, as parents precede their children. */
static void find_outer(builder *b)
{
    const tt_trace *s = b->s;
    for (tt_row r = 0; r < s->n; r++) {
        bool mark = is_mark(b, r);
        if (mark && !b->outer) {
            b->outer = tt_malloc(s->n * sizeof *b->outer);
            memset(b->outer, 0xFF, s->n * sizeof *b->outer); /* fill with TT_NONE */
        }
        if (!b->outer) continue;
        if (s->parent[r] != TT_NONE) b->outer[r] = b->outer[s->parent[r]];
        if (mark && b->outer[r] == TT_NONE) b->outer[r] = r;
    }
}

static const char *text(const builder *b, tt_sid id) { return tt_str(&b->s->strings, id); }

/* Metadata of the collective that a host slice, or its parent (record_param_comms), belongs to; 0 = none. */
static uint32_t coll_around(const builder *b, tt_row r)
{
    const uint32_t kinds = 1u << TT_KIND_CPU_OP | 1u << TT_KIND_ANNOTATION | 1u << TT_KIND_COMMUNICATION;
    for (int level = 0; level < 2 && r != TT_NONE; level++, r = b->s->parent[r]) {
        uint32_t coll = kinds >> tt_row_kind(b->s, r) & 1 ? b->s->op_args[b->s->detail[r]].coll : 0;
        if (coll) return coll;
    }
    return 0;
}

/* Set group and number of the call where still unknown. */
static void describe(builder *b, uint32_t node, uint32_t coll)
{
    const tt_collective_args *x = &b->s->colls[coll];
    tt_collective *c = &b->c->at.at[node];
    if (!*c->group && !*c->ranks) {
        c->group = text(b, x->group);
        c->ranks = text(b, x->ranks);
    }
    if (c->seq == TT_UNKNOWN) c->seq = x->seq;
    if (!c->coll) c->coll = coll;
}

static uint32_t add_node(builder *b, const char *name, tt_row row, int64_t start, int64_t bytes)
{
    *tt_vec_push(&b->c->at) = (tt_collective){
        .name = name, .group = "", .ranks = "", .row = row, .start = start, .bytes = bytes, .seq = TT_UNKNOWN};
    *tt_vec_push(&b->sizes) = (sizes){.host = bytes != TT_UNKNOWN};
    return (uint32_t)b->c->at.n - 1;
}

/* Fill in from a kernel's arguments what the host does not state. */
static void describe_by_kernel(builder *b, uint32_t node, const tt_activity *d, uint32_t coll)
{
    tt_collective *c = &b->c->at.at[node];
    sizes *size = &b->sizes.at[node];
    int64_t bytes = coll_bytes(b->s, coll);
    uint32_t external_id = b->s->external_id[d->row];
    describe(b, node, coll);
    if (size->host || bytes == TT_UNKNOWN || (c->bytes != TT_UNKNOWN && external_id == size->external_id)) return;
    c->bytes = c->bytes == TT_UNKNOWN ? bytes : c->bytes + bytes;
    size->external_id = external_id;
}

static void add_range(builder *b, uint32_t node, tt_row r)
{
    bool device = tt_kind_is_device(tt_row_kind(b->s, r));
    *tt_vec_push(&b->parts) = (part){node, device, {b->s->start[r], tt_row_end(b->s, r)}};
}

static void add_marks(builder *b)
{
    const tt_trace *s = b->s;
    find_outer(b);
    for (tt_row r = 0; b->outer && r < s->n; r++) {
        if (b->outer[r] != r) continue;
        const tt_op_args *a = &s->op_args[s->detail[r]];
        uint32_t coll = coll_around(b, r);
        int64_t bytes = coll_bytes(s, a->coll);
        if (bytes == TT_UNKNOWN) bytes = input_bytes(text(b, a->shapes), text(b, a->types));
        if (bytes == TT_UNKNOWN) bytes = coll_bytes(s, coll);
        uint32_t node = add_node(b, tt_row_name(s, r), r, s->start[r], bytes);
        describe(b, node, coll);
        add_range(b, node, r);
        tt_groups_put(&b->by_row, (tt_group_key){.a = r});
        if (!s->external_id[r]) continue;
        uint32_t at = tt_groups_put(&b->by_ext, (tt_group_key){.a = s->external_id[r]});
        if (at == b->of_ext.n) *tt_vec_push(&b->of_ext) = node;
    }
    b->marks = (uint32_t)b->c->at.n;
}

/* The marked range a kernel belongs to, TT_NONE. */
static uint32_t mark_of_kernel(builder *b, const tt_activity *d)
{
    const tt_trace *s = b->s;
    tt_row mark = d->launch == TT_NONE || !b->outer ? TT_NONE : b->outer[d->launch];
    uint32_t external_id = s->external_id[d->row];
    if (mark != TT_NONE) {
        uint32_t node = tt_groups_put(&b->by_row, (tt_group_key){.a = mark});
        return node < b->marks ? node : TT_NONE;
    }
    if (!external_id || s->external != TT_EXTERNAL_OPERATORS) return TT_NONE;
    uint32_t at = tt_groups_put(&b->by_ext, (tt_group_key){.a = external_id});
    while (at >= b->of_ext.n) *tt_vec_push(&b->of_ext) = TT_NONE;
    return b->of_ext.at[at];
}

/* "nccl:allreduce" from the metadata of the kernel or its operator, else the kernel's bare name. */
static const char *kernel_title(builder *b, const tt_activity *d, uint32_t coll)
{
    const tt_trace *s = b->s;
    const char *kernel = tt_row_name(s, d->row), *library = tt_comm_kernel_library(kernel);
    const char *name = text(b, s->colls[coll].name);
    size_t n;
    if (tt_row_kind(s, d->row) == TT_KIND_COLLECTIVE) return tt_row_name(s, d->row);
    if (*name) return tt_arena_printf(&b->c->arena, "%s:%s", library ? library : "comm", name);
    kernel = tt_comm_bare_name(kernel, &n);
    return tt_arena_strndup(&b->c->arena, kernel, n);
}

static bool add_kernels(builder *b)
{
    const tt_trace *s = b->s;
    bool own = false;
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        tt_kind kind = tt_row_kind(s, d->row);
        if (kind != TT_KIND_COLLECTIVE && (kind != TT_KIND_KERNEL || !tt_comm_kernel(b->names, s, d))) continue;
        /* a collective shown whole by the profiler is a call of its own, whatever marks it on the host */
        uint32_t node = kind == TT_KIND_COLLECTIVE ? TT_NONE : mark_of_kernel(b, d);
        tt_row op = tt_activity_operator(s, d);
        uint32_t coll = d->coll ? d->coll : coll_around(b, op);
        if (node == TT_NONE) {
            int64_t start = s->start[d->launch == TT_NONE ? d->row : d->launch];
            node = add_node(b, kernel_title(b, d, coll), d->row, start, TT_UNKNOWN);
            own = true;
        }
        describe_by_kernel(b, node, d, coll);
        add_range(b, node, d->row);
    }
    return own;
}

static bool on_host(const char *name)
{
    const char *library = tt_comm_op_library(name);
    return !library || strcmp(library, "gloo") == 0 || strcmp(library, "mpi") == 0 || strcmp(library, "ucc") == 0;
}

/* Set the times for computing waits, from n parts by start. */
static void measure(tt_collective *c, const part *p, size_t n)
{
    bool device = false, host = on_host(c->name);
    for (size_t i = 0; i < n; i++) device |= p[i].device;
    int64_t sum = 0;
    c->ns = c->kernel = TT_UNKNOWN;
    c->end = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        if (p[i].device != device) continue;
        int64_t ns = p[i].range.t1 - p[i].range.t0;
        sum += ns;
        if ((device || host) && (c->ns == TT_UNKNOWN || ns > c->ns)) c->ns = ns;
        if (p[i].range.t1 > c->end) c->end = p[i].range.t1;
        if (device && c->kernel == TT_UNKNOWN) c->kernel = p[i].range.t0;
    }
    c->total = device ? sum : c->ns;
}

/* Assign ranges to their nodes. Nodes that only enqueue are dropped with their ranges if unmarked kernels represent
 * the collectives. */
static void finish(builder *b, bool own_kernels)
{
    tt_collectives *c = b->c;
    size_t kept = 0, n;
    TT_SORT_BY(b->parts.at, b->parts.n, TT_ASC(part, node), TT_ASC(part, range.t0), TT_DESC(part, range.t1));
    for (size_t i = 0; i < b->parts.n; i += n) {
        uint32_t node = b->parts.at[i].node;
        tt_collective x = c->at.at[node];
        for (n = 1; i + n < b->parts.n && b->parts.at[i + n].node == node;) n++;
        if (own_kernels && node < b->marks && n == 1 && !on_host(x.name)) continue;
        x.first = (uint32_t)c->ranges.n;
        x.n = (uint32_t)n;
        for (size_t k = 0; k < n; k++) {
            *tt_vec_push(&c->ranges) = b->parts.at[i + k].range;
            *tt_vec_push(&c->on_device) = b->parts.at[i + k].device;
        }
        measure(&x, &b->parts.at[i], n);
        c->at.at[kept++] = x;
    }
    c->at.n = kept;
    TT_SORT_BY(c->at.at, kept, TT_ASC(tt_collective, start), TT_ASC(tt_collective, row));
}

/* The collectives of a summary, as found when it was made. */
static tt_collectives *of_summary(const tt_tts_calls *from)
{
    tt_collectives *c = tt_calloc(1, sizeof *c);
    tt_vec_reserve(&c->at, from->at.n + 1);
    for (size_t i = 0; i < from->at.n; i++) {
        const tt_tts_call *x = &from->at.at[i];
        *tt_vec_push(&c->at) = (tt_collective){.name = x->name,
                                               .group = x->group,
                                               .ranks = x->ranks,
                                               .row = x->row,
                                               .start = x->start,
                                               .bytes = x->bytes,
                                               .seq = x->seq,
                                               .coll = x->coll,
                                               .first = x->first,
                                               .n = x->n,
                                               .ns = x->ns,
                                               .total = x->total,
                                               .end = x->end,
                                               .kernel = x->kernel};
    }
    for (size_t i = 0; i < from->ranges.n; i++) {
        *tt_vec_push(&c->ranges) = (tt_iv){from->ranges.at[i].t0, from->ranges.at[i].t1};
        *tt_vec_push(&c->on_device) = from->ranges.at[i].device;
    }
    return c;
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_summary *summary = tt_summary_of(session->traces[trace]);
    if (summary) return of_summary(tt_summary_calls(summary));
    builder b = {.s = session->traces[trace], .names = tt_name_classes_get(session, trace)};
    b.c = tt_calloc(1, sizeof *b.c);
    tt_groups_init(&b.by_row);
    tt_groups_init(&b.by_ext);
    add_marks(&b);
    finish(&b, add_kernels(&b));
    free(b.outer);
    tt_groups_free(&b.by_row);
    tt_groups_free(&b.by_ext);
    tt_vec_free(&b.of_ext);
    tt_vec_free(&b.sizes);
    tt_vec_free(&b.parts);
    return b.c;
}

static void release(void *value)
{
    tt_collectives *c = value;
    tt_vec_free(&c->at);
    tt_vec_free(&c->ranges);
    tt_vec_free(&c->on_device);
    tt_arena_free(&c->arena);
    free(c);
}

const tt_collectives *tt_collectives_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"collectives", build, release};
    return tt_analysis_get(s, trace, &kind);
}
