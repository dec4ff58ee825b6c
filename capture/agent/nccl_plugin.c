/* capture/agent/nccl_plugin.c - the profiler plugin that NCCL and RCCL load by NCCL_PROFILER_PLUGIN: the exported
 * structures of all versions, which differ in their descriptors alone. See nccl/nccl_abi.h, nccl/calls.h.
 *
 * The plugin attaches the recorder, like CUDA and NVTX, so it works without both. Its functions never fail: an error
 * would change what NCCL does. */
#include <string.h>
#include <unistd.h>

#include "capture/agent/attach.h"
#include "capture/agent/enter.h"
#include "capture/agent/nccl/calls.h"
#include "capture/agent/nccl/nccl_abi.h"

#define EXPORT __attribute__((visibility("default")))

/* Name of what version 1 gives as a number; NULL: unknown. */
#define NAMED(list, number) ((number) < sizeof(list) / sizeof *(list) ? (list)[number] : NULL)

static const int masks[] = {[1] = NCCL_COLL | NCCL_P2P | NCCL_PROXY_OP,
                            [2] = NCCL_COLL | NCCL_P2P | NCCL_PROXY_OP,
                            [3] = NCCL_COLL | NCCL_P2P | NCCL_KERNEL_CH,
                            [4] = NCCL_COLL | NCCL_P2P | NCCL_KERNEL_CH,
                            [5] = NCCL_COLL | NCCL_P2P | NCCL_KERNEL_CH | NCCL_GROUP_API | NCCL_COLL_API,
                            [6] = NCCL_COLL | NCCL_P2P | NCCL_KERNEL_CH | NCCL_GROUP_API | NCCL_COLL_API};

/* ---- init ---- */

/* Attach, and make the context of a communicator; NULL, without events: nothing is recorded. */
static tt_nccl_comm *begin(void **context, int *mask, uint32_t version)
{
    tt_nccl_comm *c = NULL;
    *context = NULL;
    *mask = 0;
    if (!tt_enter()) return NULL;
    tt_recorder *r = tt_recorder_get();
    if (tt_recorder_attach(NULL) && r->set.traces >> TT_TRACE_NCCL & 1) c = tt_nccl_comm_begin(r, version);
    tt_exit();
    *context = c;
    /* the mask is the process's: one communicator without room must not silence the others */
    if (c || (r->set.traces >> TT_TRACE_NCCL & 1 && tt_recorder_ready(r))) *mask = masks[version];
    return c;
}

static int begin_described(void **context, int *mask, uint32_t version, uint64_t hash, const char *name, int nodes,
                           int size, int rank)
{
    tt_nccl_comm *c = begin(context, mask, version);
    if (!c || !tt_enter()) return NCCL_SUCCESS;
    tt_nccl_comm_describe(tt_recorder_get(), c, hash, name, nodes, size, rank);
    tt_exit();
    return NCCL_SUCCESS;
}

static int init_1(void **context, int *mask)
{
    begin(context, mask, 1);
    return NCCL_SUCCESS;
}
static int init_2(void **context, int *mask)
{
    begin(context, mask, 2);
    return NCCL_SUCCESS;
}
static int init_3(void **context, int *mask)
{
    begin(context, mask, 3);
    return NCCL_SUCCESS;
}
static int init_4(void **context, int *mask, const char *name, uint64_t hash, int nodes, int size, int rank, void *log)
{
    (void)log;
    return begin_described(context, mask, 4, hash, name, nodes, size, rank);
}
static int init_5(void **context, uint64_t hash, int *mask, const char *name, int nodes, int size, int rank, void *log)
{
    (void)log;
    return begin_described(context, mask, 5, hash, name, nodes, size, rank);
}
static int init_6(void **context, uint64_t hash, int *mask, const char *name, int nodes, int size, int rank, void *log)
{
    (void)log;
    return begin_described(context, mask, 6, hash, name, nodes, size, rank);
}

/* ---- events ---- */

/* Versions 1 to 3 name the communicator in each event. */
static tt_nccl_task coll_1(tt_recorder *r, tt_nccl_comm *c, const nccl_event_1 *e)
{
    static const char *const functions[] = NCCL_FUNCTIONS, *const types[] = NCCL_TYPES,
                             *const algorithms[] = NCCL_ALGORITHMS, *const protocols[] = NCCL_PROTOCOLS;
    const nccl_coll_1 *d = &e->of.coll1;
    tt_nccl_comm_describe(r, c, d->hash, d->name, 0, 0, e->rank);
    return (tt_nccl_task){NAMED(functions, d->func),
                          NAMED(types, d->type),
                          NAMED(algorithms, d->algorithm),
                          NAMED(protocols, d->protocol),
                          d->seq,
                          d->count,
                          d->root,
                          d->channels};
}

static tt_nccl_task coll_2(tt_recorder *r, tt_nccl_comm *c, const nccl_event_1 *e)
{
    const nccl_coll_2 *d = &e->of.coll2;
    tt_nccl_comm_describe(r, c, d->hash, d->name, 0, 0, e->rank);
    return (tt_nccl_task){d->func, d->type, d->algorithm, d->protocol, d->seq, d->count, d->root, d->channels};
}

static tt_nccl_task coll_3(tt_recorder *r, tt_nccl_comm *c, const nccl_event_1 *e)
{
    const nccl_coll_3 *d = &e->of.coll3;
    tt_nccl_comm_describe(r, c, d->hash, d->name, 0, 0, e->rank);
    return (tt_nccl_task){d->func, d->type, d->algorithm, d->protocol, d->seq, d->count, d->root, d->channels};
}

static tt_nccl_task coll_4(const nccl_coll_4 *d)
{
    return (tt_nccl_task){d->func, d->type, d->algorithm, d->protocol, d->seq, d->count, d->root, d->channels};
}

static tt_nccl_task p2p_1(tt_recorder *r, tt_nccl_comm *c, const nccl_event_1 *e)
{
    static const char *const functions[] = NCCL_FUNCTIONS, *const types[] = NCCL_TYPES;
    const nccl_p2p_1 *d = &e->of.p2p1;
    tt_nccl_comm_describe(r, c, d->hash, d->name, 0, 0, e->rank);
    return (tt_nccl_task){.func = NAMED(functions, d->func),
                          .type = NAMED(types, d->type),
                          .seq = UINT64_MAX,
                          .count = d->count,
                          .other = d->peer};
}

static tt_nccl_task p2p_2(tt_recorder *r, tt_nccl_comm *c, const nccl_event_1 *e)
{
    const nccl_p2p_2 *d = &e->of.p2p2;
    tt_nccl_comm_describe(r, c, d->hash, d->name, 0, 0, e->rank);
    return (tt_nccl_task){.func = d->func, .type = d->type, .seq = UINT64_MAX, .count = d->count, .other = d->peer};
}

static tt_nccl_task p2p_4(const nccl_p2p_4 *d)
{
    return (tt_nccl_task){.func = d->func,
                          .type = d->type,
                          .seq = UINT64_MAX,
                          .count = d->count,
                          .other = d->peer,
                          .channels = d->channels};
}

static void *on_event_1(tt_recorder *r, tt_nccl_comm *c, const nccl_event_1 *e, int version)
{
    tt_nccl_task t;
    switch (e->kind) {
    case NCCL_COLL:
        t = version == 1   ? coll_1(r, c, e)
            : version == 2 ? coll_2(r, c, e)
            : version == 3 ? coll_3(r, c, e)
                           : coll_4(&e->of.coll4);
        return tt_nccl_coll(r, c, &t, NULL);
    case NCCL_P2P:
        t = version == 1 ? p2p_1(r, c, e) : version < 4 ? p2p_2(r, c, e) : p2p_4(&e->of.p2p4);
        return tt_nccl_p2p(r, c, &t);
    case NCCL_PROXY_OP: /* it may work for another process, whose handle means nothing here */
        return e->of.proxy_op.pid == getpid() ? tt_nccl_part(r, e->parent) : NULL;
    case NCCL_KERNEL_CH: return tt_nccl_part(r, e->parent);
    default: return NULL;
    }
}

static void *on_event_5(tt_recorder *r, tt_nccl_comm *c, const nccl_event_5 *e)
{
    const nccl_coll_api *a = &e->of.coll_api;
    tt_nccl_task t;
    switch (e->kind) {
    case NCCL_GROUP_API: return tt_nccl_group();
    case NCCL_COLL_API:
        t = (tt_nccl_task){.func = a->func, .type = a->type, .seq = UINT64_MAX, .count = a->count, .other = a->root};
        return tt_nccl_api(r, c, &t, e->parent, a->captured);
    case NCCL_COLL: t = coll_4(&e->of.coll4); return tt_nccl_coll(r, c, &t, e->parent);
    case NCCL_P2P: t = p2p_4(&e->of.p2p4); return tt_nccl_p2p(r, c, &t);
    case NCCL_KERNEL_CH: return tt_nccl_part(r, e->parent);
    default: return NULL;
    }
}

static int start(void *context, void **event, const void *descriptor, int version)
{
    tt_recorder *r = tt_recorder_get();
    *event = NULL;
    if (!context || !descriptor || !(atomic_load_explicit(&r->gate, memory_order_acquire) & TT_GATE_ATTACHED)) {
        return NCCL_SUCCESS;
    }
    if (!tt_enter()) return NCCL_SUCCESS;
    *event = version < 5 ? on_event_1(r, context, descriptor, version) : on_event_5(r, context, descriptor);
    tt_exit();
    return NCCL_SUCCESS;
}

static int start_1(void *context, void **event, void *d) { return start(context, event, d, 1); }
static int start_2(void *context, void **event, void *d) { return start(context, event, d, 2); }
static int start_3(void *context, void **event, void *d) { return start(context, event, d, 3); }
static int start_4(void *context, void **event, void *d) { return start(context, event, d, 4); }
static int start_5(void *context, void **event, void *d) { return start(context, event, d, 5); }

static int stop(void *event)
{
    tt_recorder *r = tt_recorder_get();
    if (!event || !(atomic_load_explicit(&r->gate, memory_order_acquire) & TT_GATE_ATTACHED)) return NCCL_SUCCESS;
    if (!tt_enter()) return NCCL_SUCCESS;
    tt_nccl_stop(r, event);
    tt_exit();
    return NCCL_SUCCESS;
}

static int change(void *event, int state, void *arguments)
{
    (void)event;
    (void)state;
    (void)arguments;
    return NCCL_SUCCESS;
}

static int finalize(void *context)
{
    if (!context || !tt_enter()) return NCCL_SUCCESS;
    tt_nccl_comm_end(tt_recorder_get(), context);
    tt_exit();
    return NCCL_SUCCESS;
}

/* ---- the structures ---- */

#define STRUCTURE(version, type, start)                                                                                \
    EXPORT extern const type ncclProfiler_v##version;                                                                  \
    const type ncclProfiler_v##version = {"tracetty", init_##version, start, stop, change, finalize}

STRUCTURE(1, nccl_profiler_1, start_1);
STRUCTURE(2, nccl_profiler_1, start_2);
STRUCTURE(3, nccl_profiler_1, start_3);
STRUCTURE(4, nccl_profiler_4, start_4);
STRUCTURE(5, nccl_profiler_5, start_5);
STRUCTURE(6, nccl_profiler_5, start_5);
