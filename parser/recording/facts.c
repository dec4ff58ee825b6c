/* parser/recording/facts.c - facts beyond a single record: least sizes of records, names, the event that a wait waited
 * for, occupancy of a launch. See facts.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/text/demangle.h"
#include "model/text/text_safety.h"
#include "parser/recording/facts.h"

/* ---- records ---- */

size_t tt_spool_least(unsigned type)
{
    static const uint16_t least[TT_SPOOL_TYPES_] = {
        [TT_SPOOL_META] = sizeof(tt_spool_text),       [TT_SPOOL_STRING] = sizeof(tt_spool_text),
        [TT_SPOOL_RANGE] = sizeof(tt_spool_range),     [TT_SPOOL_OPEN] = sizeof(tt_spool_range),
        [TT_SPOOL_MARK] = sizeof(tt_spool_mark),       [TT_SPOOL_COUNTER] = sizeof(tt_spool_counter),
        [TT_SPOOL_THREAD] = sizeof(tt_spool_thread),   [TT_SPOOL_STEP] = sizeof(tt_spool_step),
        [TT_SPOOL_STATE] = sizeof(tt_spool_state),     [TT_SPOOL_CLOCK] = sizeof(tt_spool_clock),
        [TT_SPOOL_API] = sizeof(tt_spool_api),         [TT_SPOOL_KERNEL] = offsetof(tt_spool_kernel, submitted),
        [TT_SPOOL_COPY] = sizeof(tt_spool_copy),       [TT_SPOOL_SET] = sizeof(tt_spool_copy),
        [TT_SPOOL_SYNC] = sizeof(tt_spool_sync),       [TT_SPOOL_OVERHEAD] = sizeof(tt_spool_overhead),
        [TT_SPOOL_MEMORY] = sizeof(tt_spool_memory),   [TT_SPOOL_DEVICE] = TT_SPOOL_DEVICE_LEAST,
        [TT_SPOOL_CONTEXT] = sizeof(tt_spool_context), [TT_SPOOL_GRAPH] = TT_SPOOL_GRAPH_LEAST,
        [TT_SPOOL_DROPS] = sizeof(tt_spool_drops),     [TT_SPOOL_END] = sizeof(tt_spool_end),
        [TT_SPOOL_EVENT] = sizeof(tt_spool_event),     [TT_SPOOL_POOL] = sizeof(tt_spool_pool),
        [TT_SPOOL_UNIFIED] = sizeof(tt_spool_unified), [TT_SPOOL_SEGMENT] = sizeof(tt_spool_segment),
        [TT_SPOOL_STACK] = sizeof(tt_spool_stack),     [TT_SPOOL_COMM] = sizeof(tt_spool_comm),
        [TT_SPOOL_COLL] = sizeof(tt_spool_call)};
    return type < TT_SPOOL_TYPES_ ? least[type] : 0;
}

bool tt_spool_block_fits(const tt_spool_block *b)
{
    return !memcmp(b->magic, TT_SPOOL_MAGIC, 4) && b->len <= TT_SPOOL_BLOCK_MOST && b->len % 8 == 0;
}

bool tt_spool_record_fits(const tt_spool_rec *r, size_t rest)
{
    return r->size >= sizeof *r && r->size % 8 == 0 && r->size <= rest && r->size >= tt_spool_least(r->type);
}

unsigned tt_spool_graph_flags(const tt_spool_graph *g) { return g->h.size < sizeof *g ? 0 : g->flags; }

/* ---- names ---- */

void tt_spool_facts_free(tt_spool_facts *f)
{
    tt_strings_free(&f->text);
    tt_vec_free(&f->by_id);
    tt_vec_free(&f->demangled);
    tt_vec_free(&f->devices);
    tt_vec_free(&f->events);
    tt_vec_free(&f->shades);
    tt_vec_free(&f->launchers);
    tt_vec_free(&f->forwards);
    tt_vec_free(&f->unfinished);
    tt_vec_free(&f->comms);
    tt_vec_free(&f->calls);
}

const char *tt_spool_string(const tt_spool_facts *f, uint32_t id)
{
    bool known = id < f->by_id.n && f->by_id.at[id];
    return known ? tt_str(&f->text, f->by_id.at[id]) : f->lost && id ? TT_SPOOL_LOST_NAME : "";
}

const tt_spool_comm *tt_spool_comm_of(const tt_spool_facts *f, uint32_t number)
{
    for (size_t i = 0; i < f->comms.n; i++)
        if (f->comms.at[i].h.a == number) return &f->comms.at[i];
    return NULL;
}

const char *tt_spool_category(unsigned cat)
{
    static const char *const names[] = {
#define X(id, spelling) spelling,
        TT_SPOOL_CATEGORIES(X)
#undef X
    };
    return names[cat < TT_SPOOL_CAT_COUNT_ ? cat : TT_SPOOL_CAT_USER];
}

static const char *memory_kind(unsigned kind)
{
    static const char *const names[] = {"Unknown", "Pageable", "Pinned",        "Device",
                                        "Array",   "Managed",  "Device Static", "Managed Static"};
    return names[kind < sizeof names / sizeof *names ? kind : 0];
}

const char *tt_spool_copy_name(const tt_spool_copy *c, char *out, size_t cap)
{
    static const char *const names[] = {"Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                        "AtoD",    "DtoA", "DtoD", "HtoH", "PtoP"};
    snprintf(out, cap, "Memcpy %s (%s -> %s)", names[c->copy_kind < sizeof names / sizeof *names ? c->copy_kind : 0],
             memory_kind(c->src_kind), memory_kind(c->dst_kind));
    return out;
}

const char *tt_spool_set_name(const tt_spool_copy *c, char *out, size_t cap)
{
    snprintf(out, cap, "Memset (%s)", memory_kind(c->dst_kind));
    return out;
}

const char *tt_spool_sync_name(uint32_t kind)
{
    static const char *const names[] = {"Unknown Sync", "Event Sync", "Stream Wait Event", "Stream Sync",
                                        "Context Sync"};
    return names[kind < sizeof names / sizeof *names ? kind : 0];
}

const char *tt_spool_overhead_name(uint32_t kind)
{
    static const char *const names[] = {"Unknown",
                                        "Activity Buffer Flush",
                                        "Instrumentation",
                                        "Resource",
                                        "Runtime Triggered Module Loading",
                                        "Lazy Function Loading",
                                        "Command Buffer Full",
                                        "Activity Buffer Request",
                                        "UVM Activity Init"};
    if (kind == 1) return "Driver Compiler";
    return names[!(kind & 0xFFFF) && kind >> 16 < sizeof names / sizeof *names ? kind >> 16 : 0];
}

const char *tt_spool_graph_name(uint32_t graph, char *out, size_t cap)
{
    snprintf(out, cap, "CUDA Graph %" PRIu32, graph);
    return out;
}

const char *tt_spool_pool_name(uint32_t operation)
{
    static const char *const names[] = {"Memory Pool", "Memory Pool Created", "Memory Pool Destroyed",
                                        "Memory Pool Trimmed"};
    return names[operation < sizeof names / sizeof *names ? operation : 0];
}

const char *tt_spool_unified_name(uint32_t what)
{
    static const char *const names[] = {
#define X(id, number, name, row) [number] = name,
        TT_SPOOL_UNIFIED_KINDS(X)
#undef X
    };
    return what && what < sizeof names / sizeof *names ? names[what] : "Unified Memory";
}

const char *tt_spool_unified_row(uint32_t what)
{
    static const char *const rows[] = {
#define X(id, number, name, row) [number] = row,
        TT_SPOOL_UNIFIED_KINDS(X)
#undef X
    };
    return what && what < sizeof rows / sizeof *rows ? rows[what] : "UM";
}

bool tt_spool_unified_is_moment(const tt_spool_unified *u)
{
    return u->h.a == TT_SPOOL_UM_CPU_FAULT || u->h.a == TT_SPOOL_UM_THRASHING || u->h.a == TT_SPOOL_UM_REMOTE_MAP;
}

int64_t tt_spool_unified_device(const tt_spool_unified *u)
{
    uint32_t at = u->h.a == TT_SPOOL_UM_HTOD || u->h.a == TT_SPOOL_UM_REMOTE_MAP ? u->dst : u->src;
    if (u->h.a == TT_SPOOL_UM_CPU_FAULT) return -1;
    if (u->h.a == TT_SPOOL_UM_THRASHING) { /* the first of the devices that compete for it */
        uint32_t mask = u->src;
        for (at = 0; mask && !(mask & 1); mask >>= 1) at++;
    }
    return at <= INT32_MAX ? (int64_t)at : -1;
}

int64_t tt_spool_submitted(const tt_spool_kernel *k) { return k->h.size >= sizeof *k ? k->submitted : 0; }

const char *tt_spool_kernel_name(const tt_spool_facts *f, uint32_t id)
{
    bool known = id < f->demangled.n && f->demangled.at[id];
    return known ? tt_str(&f->text, f->demangled.at[id]) : tt_spool_string(f, id);
}

void tt_spool_learn_kernel(tt_spool_facts *f, uint32_t id)
{
    char *name = tt_demangle(tt_spool_string(f, id), &f->demangle_tries);
    if (!name) return;
    while (f->demangled.n <= id) *tt_vec_push(&f->demangled) = 0;
    f->demangled.at[id] = tt_strings_put(&f->text, name, strlen(name));
    free(name);
}

/* ---- CUDA events ---- */

const tt_spool_event *tt_spool_waited_for(const tt_spool_facts *f, const tt_spool_sync *y)
{
    size_t lo = 0, hi = f->events.n; /* find the last recording of the event before the waiting call */
    const tt_spool_event *at = f->events.at;
    TT_BISECT(lo, hi, i, at[i].event < y->event || (at[i].event == y->event && at[i].h.a < y->h.a));
    const tt_spool_event *last = lo ? &f->events.at[lo - 1] : NULL;
    if (!last || last->event != y->event) return NULL;
    for (size_t i = lo; y->recording && i-- > 0 && f->events.at[i].event == y->event;) {
        if (f->events.at[i].recording == y->recording) return &f->events.at[i];
    }
    return last;
}

int64_t tt_spool_stream(uint32_t stream) { return stream == UINT32_MAX ? -1 : (int64_t)stream; }

/* ---- forward and backward ---- */

uint32_t tt_spool_forward_thread(const tt_spool_facts *f, uint32_t seq)
{
    size_t lo = 0, hi = f->forwards.n;
    TT_BISECT(lo, hi, i, f->forwards.at[i].seq < seq);
    return lo < f->forwards.n && f->forwards.at[lo].seq == seq ? f->forwards.at[lo].tid : 0;
}

/* ---- occupancy ---- */

static double quantum(double v) { return round(v * 1e4) / 1e4; } /* so that the text reads back to an equal number */

static uint32_t round_up(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }

/* Blocks that fit on one multiprocessor by all hardware limits; *warps: warps of a block. */
static double blocks_that_fit(const tt_spool_device *d, const tt_spool_kernel *k, double threads, double *warps)
{
    *warps = ceil(threads / d->warp_size);
    double fit = d->blocks_per_sm ? d->blocks_per_sm : HUGE_VAL;
    fit = fmin(fit, floor(d->warps_per_sm / *warps));
    uint32_t per_warp = round_up((k->registers & 0xFFFF) * d->warp_size, 256); /* registers are allocated in units of
                                                                                  256 */
    if (per_warp && d->regs_per_sm) {
        double by_regs = floor(d->regs_per_sm / (double)per_warp / 4) * 4; /* warps are spread over four schedulers */
        fit = fmin(fit, floor(by_regs / *warps));
    }
    uint64_t shared = (uint64_t)k->shared_static + k->shared_dynamic + (d->major >= 8 ? 1024 : 0);
    if (shared > 1024 && d->shared_per_sm) {
        shared = (shared + 127) / 128 * 128; /* shared memory is allocated in units of 128 bytes */
        fit = fmin(fit, floor(d->shared_per_sm / (double)shared));
    }
    return fit;
}

tt_spool_launch tt_spool_launch_of(const tt_spool_facts *f, const tt_spool_kernel *k)
{
    tt_spool_launch l = {NAN, NAN, NAN};
    const tt_spool_device *d = NULL;
    for (size_t i = 0; i < f->devices.n; i++) {
        if (f->devices.at[i].id == k->device) d = &f->devices.at[i];
    }
    double threads = (double)k->block[0] * k->block[1] * k->block[2], warps;
    double blocks = (double)k->grid[0] * k->grid[1] * k->grid[2];
    if (!d || !d->sms || !d->warp_size || d->warp_size > 1024 || !d->warps_per_sm || threads < 1 || blocks < 1)
        return l;
    double fit = blocks_that_fit(d, k, threads, &warps);
    l.blocks_per_sm = quantum(blocks / d->sms);
    l.warps_per_sm = quantum(blocks / d->sms * warps);
    l.occupancy_pct = quantum(fmin(100, 100 * fmin(blocks / d->sms, fit) * warps / d->warps_per_sm));
    return l;
}

/* ---- collectives ---- */

typedef struct word {
    const char *text, *means;
} word;

static const char *meaning(const word *words, size_t n, const char *text, size_t len)
{
    for (size_t i = 0; i < n; i++) {
        if (strlen(words[i].text) == len && !memcmp(words[i].text, text, len)) return words[i].means;
    }
    return "";
}

/* Collective by a kernel's name: ncclDevKernel_AllReduce_Sum_f32_RING_LL(...), before NCCL 2.19
 * ncclKernel_AllReduce_RING_LL_Sum_float(...). */
tt_spool_coll tt_spool_coll_of(const char *kernel)
{
    static const word names[] = {
        {"AllReduce", "allreduce"}, {"AllGather", "allgather"}, {"ReduceScatter", "reduce_scatter"},
        {"Broadcast", "broadcast"}, {"Reduce", "reduce"},       {"AlltoAll", "alltoall"},
        {"SendRecv", "sendrecv"}};
    static const word types[] = {{"f32", "Float"},     {"float", "Float"},      {"f16", "Half"},      {"half", "Half"},
                                 {"bf16", "BFloat16"}, {"f64", "Double"},       {"double", "Double"}, {"i8", "Char"},
                                 {"u8", "Byte"},       {"i32", "Int"},          {"i64", "Long"},      {"int32", "Int"},
                                 {"int64", "Long"},    {"bfloat16", "BFloat16"}};
    tt_spool_coll c = {"", ""};
    size_t end = strcspn(kernel, "("), at = strcspn(kernel, "_(");
    if (strncmp(kernel, "ncclDevKernel_", 14) != 0 && strncmp(kernel, "ncclKernel_", 11) != 0) return c;
    for (int i = 0; at < end; i++) {
        size_t n = strcspn(kernel + ++at, "_(");
        if (!i) c.name = meaning(names, sizeof names / sizeof *names, kernel + at, n);
        /* other collectives move bytes of any type */
        if (i && !*c.dtype && strstr(c.name, "reduce")) {
            c.dtype = meaning(types, sizeof types / sizeof *types, kernel + at, n);
        }
        at += n;
    }
    return c;
}

/* ---- call stacks ---- */

const char *tt_spool_stack_name(uint32_t kind) { return kind == TT_SPOOL_STACK_NATIVE ? "C stack" : "Python stack"; }

char *tt_spool_stack_text(const tt_spool_stack *k, size_t n)
{
    static const char bad[] = "\xEF\xBF\xBD"; /* U+FFFD */
    size_t most = n > sizeof *k ? n - sizeof *k : 0, len = k->len < most ? k->len : most, used = 0, of;
    char *out = tt_malloc(3 * len + 1);
    for (size_t i = 0; i < len; i += of ? of : 1) {
        const char *c = k->text + i;
        of = tt_utf8_length(c, len - i);
        if (*c == '\n') {
            out[used++] = ';';
        } else {
            bool good = of && (unsigned char)*c >= ' ';
            memcpy(out + used, good ? c : bad, good ? of : 3);
            used += good ? of : 3;
        }
    }
    while (used && out[used - 1] == ';') used--;
    out[used] = 0;
    return out;
}

/* ---- losses ---- */
