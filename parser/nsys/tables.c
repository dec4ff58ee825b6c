/* parser/nsys/tables.c - the tables of an export that hold events: their columns and the meaning of a row. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/text/engine_step.h"
#include "parser/nsys/export.h"
#include "parser/recording/facts.h"

/* ---- places of columns ---- */

enum {
    START,
    END,
    PROCESS, /* globalPid, or globalTid */
    DEVICE,
    STREAM,
    CORRELATION,
    NAME, /* id of a string */
    TEXT,
    BYTES,
    KIND,
    SOURCE,
    TARGET,
    DOMAIN,
    SYNC,
    REGISTERS,
    STATIC,
    DYNAMIC,
    GRID_X,
    GRID_Y,
    GRID_Z,
    BLOCK_X,
    BLOCK_Y,
    BLOCK_Z,
    ADDRESS,
    NODE = ADDRESS, /* device work: node of a graph */
};
_Static_assert((int)ADDRESS < (int)TT_DB_PLACES, "a row has a place for each");

enum { KERNEL, COPY, SET, RUNTIME, DRIVER, RANGE, UNCLOSED, SYNCHRONISATION, OVERHEAD, OS, LIBRARY, SAMPLE, METRIC };
static const tt_db_category categories[] = {[KERNEL] = {"kernel", TT_KIND_KERNEL, NULL},
                                            [COPY] = {"gpu_memcpy", TT_KIND_MEMCPY, NULL},
                                            [SET] = {"gpu_memset", TT_KIND_MEMSET, NULL},
                                            [RUNTIME] = {"cuda_runtime", TT_KIND_RUNTIME, NULL},
                                            [DRIVER] = {"cuda_driver", TT_KIND_DRIVER, NULL},
                                            [RANGE] = {"user_annotation", TT_KIND_ANNOTATION, &tt_db_operators},
                                            [UNCLOSED] = {"unclosed_range", TT_KIND_OTHER, &categories[UNCLOSED]},
                                            [SYNCHRONISATION] = {"cuda_sync", TT_KIND_SYNC, NULL},
                                            [OVERHEAD] = {"overhead", TT_KIND_OVERHEAD, NULL},
                                            [OS] = {"os_runtime", TT_KIND_OTHER, NULL},
                                            [LIBRARY] = {"library", TT_KIND_OTHER, NULL},
                                            [SAMPLE] = {"cpu_sample", TT_KIND_OTHER, NULL},
                                            [METRIC] = {"gpu_metrics", TT_KIND_OTHER, NULL}};

#define TIMES                                                                                                          \
    {"start", START, TT_DB_INT, true}, { "end", END, TT_DB_INT, true }
#define ON_STREAM                                                                                                      \
    TIMES, {"globalPid", PROCESS, TT_DB_INT, false}, {"deviceId", DEVICE, TT_DB_INT, false},                           \
        {"streamId", STREAM, TT_DB_INT, false}, {"graphNodeId", NODE, TT_DB_INT, false},                               \
    {                                                                                                                  \
        "correlationId", CORRELATION, TT_DB_INT, false                                                                 \
    }
#define ON_THREAD                                                                                                      \
    TIMES, { "globalTid", PROCESS, TT_DB_INT, true }

static const tt_db_column kernel_columns[] = {ON_STREAM,
                                              {"demangledName", NAME, TT_DB_INT, false},
                                              {"shortName", NAME, TT_DB_INT, false},
                                              {"mangledName", NAME, TT_DB_INT, false},
                                              {"registersPerThread", REGISTERS, TT_DB_INT, false},
                                              {"staticSharedMemory", STATIC, TT_DB_INT, false},
                                              {"dynamicSharedMemory", DYNAMIC, TT_DB_INT, false},
                                              {"gridX", GRID_X, TT_DB_INT, false},
                                              {"gridY", GRID_Y, TT_DB_INT, false},
                                              {"gridZ", GRID_Z, TT_DB_INT, false},
                                              {"blockX", BLOCK_X, TT_DB_INT, false},
                                              {"blockY", BLOCK_Y, TT_DB_INT, false},
                                              {"blockZ", BLOCK_Z, TT_DB_INT, false},
                                              {0}};
static const tt_db_column copy_columns[] = {ON_STREAM,
                                            {"bytes", BYTES, TT_DB_INT, false},
                                            {"copyKind", KIND, TT_DB_INT, false},
                                            {"srcKind", SOURCE, TT_DB_INT, false},
                                            {"dstKind", TARGET, TT_DB_INT, false},
                                            {0}};
static const tt_db_column set_columns[] = {ON_STREAM,
                                           {"bytes", BYTES, TT_DB_INT, false},
                                           {"memKind", TARGET, TT_DB_INT, false},
                                           {0}};
static const tt_db_column sync_columns[] = {ON_STREAM,
                                            {"syncType", KIND, TT_DB_INT, false},
                                            {"deprecatedSyncType", KIND, TT_DB_INT, false},
                                            {"eventSyncId", SYNC, TT_DB_INT, false},
                                            {0}};
static const tt_db_column node_columns[] = {{"start", START, TT_DB_INT, true},
                                            {"globalTid", PROCESS, TT_DB_INT, true},
                                            {"graphNodeId", NODE, TT_DB_INT, true},
                                            {"originalGraphNodeId", KIND, TT_DB_INT, false},
                                            {0}};
static const tt_db_column graph_columns[] = {ON_STREAM, {"graphId", KIND, TT_DB_INT, false}, {0}};
static const tt_db_column call_columns[] = {ON_THREAD,
                                            {"correlationId", CORRELATION, TT_DB_INT, false},
                                            {"nameId", NAME, TT_DB_INT, false},
                                            {0}};
static const tt_db_column range_columns[] = {
    {"start", START, TT_DB_INT, true},       {"end", END, TT_DB_INT, false},
    {"globalTid", PROCESS, TT_DB_INT, true}, {"eventType", KIND, TT_DB_INT, true},
    {"text", TEXT, TT_DB_TEXT, false},       {"textId", NAME, TT_DB_INT, false},
    {"domainId", DOMAIN, TT_DB_INT, false},  {0}};
static const tt_db_column named_columns[] = {ON_THREAD,
                                             {"nameId", NAME, TT_DB_INT, false},
                                             {"textId", NAME, TT_DB_INT, false},
                                             {"overheadType", KIND, TT_DB_INT, false},
                                             {0}};
static const tt_db_column metric_columns[] = {{"timestamp", START, TT_DB_INT, true},
                                              {"typeId", DEVICE, TT_DB_INT, true},
                                              {"metricId", NAME, TT_DB_INT, true},
                                              {"value", KIND, TT_DB_REAL, true},
                                              {0}};
static const tt_db_column memory_columns[] = {{"start", START, TT_DB_INT, true},
                                              {"globalTid", PROCESS, TT_DB_INT, false},
                                              {"globalPid", PROCESS, TT_DB_INT, false},
                                              {"deviceId", DEVICE, TT_DB_INT, false},
                                              {"bytes", BYTES, TT_DB_INT, true},
                                              {"address", ADDRESS, TT_DB_INT, false},
                                              {"memKind", TARGET, TT_DB_INT, false},
                                              {"memoryOperationType", KIND, TT_DB_INT, true},
                                              {0}};
static const tt_db_column record_columns[] = {{"eventId", NAME, TT_DB_INT, false}, {0}};
static const tt_db_column sched_columns[] = {{"start", START, TT_DB_INT, true},
                                             {"globalTid", PROCESS, TT_DB_INT, true},
                                             {"isSchedIn", KIND, TT_DB_INT, true},
                                             {0}};
static const tt_db_column sample_columns[] = {{"start", START, TT_DB_INT, true},
                                              {"globalTid", PROCESS, TT_DB_INT, true},
                                              {"id", NAME, TT_DB_INT, false},
                                              {0}};

/* ---- names ---- */

/* Name ids: twice the string's number, plus 1 if the version of a call is cut off. */
static uint32_t name_id(const tt_nsys *n, int64_t id, bool call)
{
    uint32_t string = id == TT_UNKNOWN ? TT_NONE : tt_nsys_string(n, id);
    return string == TT_NONE || string >= TT_WIDE_ID ? TT_NONE : 2 * string + call;
}

/* Length without the version: cudaLaunchKernel_v7000, cudaOccupancyMaxActiveClusters_v11070 (four or five digits);
 * cuGetProcAddress_v2 stays. */
static size_t without_version(const char *name, size_t len)
{
    size_t digits = 0;
    while (digits < len && name[len - 1 - digits] >= '0' && name[len - 1 - digits] <= '9') digits++;
    bool version = (digits == 4 || digits == 5) && len > digits + 2 && name[len - digits - 1] == 'v' &&
                   name[len - digits - 2] == '_';
    return version ? len - digits - 2 : len;
}

static const char *name_of(const void *self, uint32_t id, size_t *len)
{
    const tt_nsys *n = self;
    *len = n->strings.len.at[id / 2];
    const char *text = tt_str(&n->strings, id / 2);
    if (id & 1) *len = without_version(text, *len);
    return text;
}

static void set_name(tt_db_event *e, const char *text, size_t len)
{
    e->name = text;
    e->name_len = len;
}

static void set_string(const tt_nsys *n, tt_db_event *e, int64_t id, const char *otherwise)
{
    e->name_id = name_id(n, id, false);
    if (e->name_id == TT_NONE) set_name(e, otherwise, strlen(otherwise));
}

/* ---- members common to rows of a stream ---- */

static void on_stream(const tt_nsys *n, const tt_db_row *r, tt_db_event *e, uint8_t cat)
{
    int64_t process = r->v[PROCESS] == TT_UNKNOWN ? 0 : tt_nsys_process(r->v[PROCESS]);
    int64_t device = r->v[DEVICE] == TT_UNKNOWN ? 0 : tt_nsys_device(n, process, r->v[DEVICE]);
    int64_t stream = r->v[STREAM] == TT_UNKNOWN || r->v[STREAM] == UINT32_MAX ? -1 : r->v[STREAM];
    e->phase = TT_DB_SLICE;
    e->cat = cat;
    e->start = r->v[START];
    e->end = r->v[END];
    e->node = r->v[NODE] > 0 ? (uint64_t)r->v[NODE] : 0;
    e->track = (tt_db_track){TT_DB_STREAM, n->cuda.n > 1 ? process : 0, device, stream};
    e->correlation = tt_nsys_correlation(n, process, r->v[CORRELATION]);
}

static void on_thread(const tt_db_row *r, tt_db_event *e, uint8_t cat)
{
    int64_t global = r->v[PROCESS] == TT_UNKNOWN ? 0 : r->v[PROCESS];
    e->phase = TT_DB_SLICE;
    e->cat = cat;
    e->start = r->v[START];
    e->end = r->v[END];
    e->track = (tt_db_track){TT_DB_THREAD, tt_nsys_process(global), -1, tt_nsys_thread(global)};
}

/* ---- tables ---- */

static int64_t sum(int64_t a, int64_t b)
{
    if (a == TT_UNKNOWN || b == TT_UNKNOWN) return a == TT_UNKNOWN ? b : a;
    return a >= 0 && b >= 0 && a < TT_TIME_MAX && b < TT_TIME_MAX ? a + b : TT_UNKNOWN;
}

static void triple(const tt_db_row *r, int first, int64_t out[3])
{
    for (int i = 0; i < 3; i++) out[i] = r->v[first + i] == TT_UNKNOWN ? 1 : r->v[first + i];
    if (r->v[first] == TT_UNKNOWN) out[0] = TT_UNKNOWN;
}

static void on_kernel(const void *self, const tt_db_row *r, tt_db_event *e)
{
    const tt_nsys *n = self;
    on_stream(n, r, e, KERNEL);
    set_string(n, e, r->v[NAME], "(kernel without a name)");
    e->is_kernel = true;
    triple(r, GRID_X, e->launch.grid);
    triple(r, BLOCK_X, e->launch.block);
    e->launch.registers = r->v[REGISTERS];
    e->launch.shared_bytes = sum(r->v[STATIC], r->v[DYNAMIC]);
}

/* CUPTI's kind of memory: Nsight counts from 0 = pageable, CUPTI from 1; 7 is unknown, in CUPTI 0. */
static uint8_t memory_kind(int64_t kind) { return kind >= 0 && kind < 7 ? (uint8_t)(kind + 1) : 0; }

static void on_copy(const void *self, const tt_db_row *r, tt_db_event *e)
{
    enum { UNIFIED_FIRST = 11 };
    static const uint8_t unified[] = {1, 2, 8}; /* HtoD, DtoH, DtoD by the driver itself */
    int64_t kind = r->v[KIND];
    if (kind >= UNIFIED_FIRST && kind < UNIFIED_FIRST + 3) kind = unified[kind - UNIFIED_FIRST];
    tt_spool_copy c = {.copy_kind = kind > 0 && kind < 11 ? (uint8_t)kind : 0,
                       .src_kind = memory_kind(r->v[SOURCE]),
                       .dst_kind = memory_kind(r->v[TARGET])};
    on_stream(self, r, e, COPY);
    tt_spool_copy_name(&c, e->made, sizeof e->made);
    set_name(e, e->made, strlen(e->made));
    e->bytes = r->v[BYTES];
}

static void on_set(const void *self, const tt_db_row *r, tt_db_event *e)
{
    tt_spool_copy c = {.dst_kind = memory_kind(r->v[TARGET])};
    on_stream(self, r, e, SET);
    tt_spool_set_name(&c, e->made, sizeof e->made);
    set_name(e, e->made, strlen(e->made));
    e->bytes = r->v[BYTES];
}

static void on_sync(const void *self, const tt_db_row *r, tt_db_event *e)
{
    const tt_nsys *n = self;
    on_stream(n, r, e, SYNCHRONISATION);
    e->track.place = TT_DB_WAITS;
    const char *name = tt_spool_sync_name(r->v[KIND] > 0 && r->v[KIND] < 16 ? (uint32_t)r->v[KIND] : 0);
    set_name(e, name, strlen(name));
    int64_t process = r->v[PROCESS] == TT_UNKNOWN ? 0 : tt_nsys_process(r->v[PROCESS]);
    const tt_nsys_record *of =
        r->v[SYNC] == TT_UNKNOWN || !n->records.n ? NULL : tt_nsys_record_of(n, process, r->v[SYNC]);
    if (!of || (r->v[KIND] != 1 && r->v[KIND] != 2)) return; /* waits that are not for an event */
    e->wait_record = tt_nsys_correlation(n, process, of->correlation);
    e->wait_stream = of->stream;
}

static void on_graph(const void *self, const tt_db_row *r, tt_db_event *e)
{
    on_stream(self, r, e, KERNEL);
    snprintf(e->made, sizeof e->made, "CUDA graph");
    if (r->v[KIND] != TT_UNKNOWN) snprintf(e->made, sizeof e->made, "CUDA graph %" PRId64, r->v[KIND]);
    set_name(e, e->made, strlen(e->made));
}

static void on_call(const void *self, const tt_db_row *r, tt_db_event *e)
{
    const tt_nsys *n = self;
    uint32_t id = name_id(n, r->v[NAME], true);
    const char *name = id == TT_NONE ? "" : tt_str(&n->strings, id / 2);
    bool driver = name[0] == 'c' && name[1] == 'u' && name[2] >= 'A' && name[2] <= 'Z';
    on_thread(r, e, driver ? DRIVER : RUNTIME);
    e->name_id = id;
    if (id == TT_NONE) set_name(e, "(call without a name)", 21);
    e->correlation = tt_nsys_correlation(n, e->track.process, r->v[CORRELATION]);
}

/* Whether the text names a step, which is known by its whole name, in whatever domain. */
static bool names_step(const char *text, size_t len)
{
    return tt_names_profiler_step(text, len) || tt_engine_step_read(text, len, NULL);
}

/* Name a range DOMAIN:text; a step, and a range of the default domain, text. */
static void name_range(const tt_nsys *n, const tt_db_row *r, tt_db_event *e)
{
    int64_t domain = r->v[DOMAIN] == TT_UNKNOWN || !r->v[DOMAIN]
                         ? 0
                         : tt_nsys_keys_find(&n->domains, e->track.process, r->v[DOMAIN], 0);
    if (r->text[TEXT].at)
        set_name(e, r->text[TEXT].at, r->text[TEXT].n);
    else
        set_string(n, e, r->v[NAME], "");
    if (!domain) return;
    size_t len;
    const char *text = e->name_id == TT_NONE ? e->name : name_of(n, e->name_id, &len);
    if (e->name_id == TT_NONE) len = e->name_len;
    if (!names_step(text, len)) e->prefix = tt_str(&n->strings, (uint32_t)domain);
}

static void on_range(const void *self, const tt_db_row *r, tt_db_event *e)
{
    enum { MARK = 34, TEXT_MARK = 65, PUSH_POP = 59, START_END = 60, TEXT_PUSH_POP = 70, TEXT_START_END = 71 };
    int64_t kind = r->v[KIND];
    bool mark = kind == MARK || kind == TEXT_MARK, pair = kind == START_END || kind == TEXT_START_END;
    if (!mark && !pair && kind != PUSH_POP && kind != TEXT_PUSH_POP) return; /* a row of names */
    on_thread(r, e, RANGE);
    name_range(self, r, e);
    if (mark) {
        e->phase = TT_DB_INSTANT;
        return;
    }
    if (pair) e->track.place = TT_DB_PAIRS;
    if (e->end == TT_UNKNOWN) {
        e->phase = TT_DB_OPEN;
        e->cat = UNCLOSED;
    }
}

static void on_overhead(const void *self, const tt_db_row *r, tt_db_event *e)
{
    on_thread(r, e, OVERHEAD);
    set_string(self, e, r->v[NAME], r->v[KIND] == TT_UNKNOWN ? "Profiler overhead" : e->made);
    if (r->v[KIND] != TT_UNKNOWN && e->name_id == TT_NONE)
        e->name_len = (size_t)snprintf(e->made, sizeof e->made, "Overhead of kind %" PRId64, r->v[KIND]);
}

static void on_os_call(const void *self, const tt_db_row *r, tt_db_event *e)
{
    on_thread(r, e, OS);
    set_string(self, e, r->v[NAME], "(call without a name)");
}

static void on_library(const void *self, const tt_db_row *r, tt_db_event *e)
{
    on_thread(r, e, LIBRARY);
    set_string(self, e, r->v[NAME], "(call without a name)");
}

static void on_metric(const void *self, const tt_db_row *r, tt_db_event *e)
{
    const tt_nsys *n = self;
    int64_t name = tt_nsys_keys_find(&n->metrics, r->v[DEVICE], r->v[NAME], 0);
    e->phase = TT_DB_SAMPLE;
    e->cat = METRIC;
    e->start = r->v[START];
    e->track = (tt_db_track){TT_DB_DEVICE, 0, r->v[DEVICE] & 0xFF, 0}; /* the low byte of the type is the GPU */
    e->value = r->real[KIND];
    if (name)
        e->name_id = 2 * (uint32_t)name;
    else
        set_name(e, e->made, (size_t)snprintf(e->made, sizeof e->made, "metric %" PRId64, r->v[NAME]));
    e->series = "value";
}

static void on_memory(const void *self, const tt_db_row *r, tt_db_event *e)
{
    enum { FREED = 1, OF_DEVICE = 2, OF_DEVICE_STATIC = 5 };
    const tt_nsys *n = self;
    if (r->v[TARGET] != TT_UNKNOWN && r->v[TARGET] != OF_DEVICE && r->v[TARGET] != OF_DEVICE_STATIC) {
        e->phase = TT_DB_COUNTED; /* a host fault, or one of both sides */
        return;
    }
    on_thread(r, e, RANGE);
    e->phase = TT_DB_MEMORY;
    set_name(e, "[memory]", 8);
    e->track.device = r->v[DEVICE] == TT_UNKNOWN ? 0 : tt_nsys_device(n, e->track.process, r->v[DEVICE]);
    e->bytes = r->v[BYTES] < 0 || r->v[BYTES] >= TT_TIME_MAX ? TT_UNKNOWN
               : r->v[KIND] == FREED                         ? -r->v[BYTES]
                                                             : r->v[BYTES];
    e->address = r->v[ADDRESS] == TT_UNKNOWN ? 0 : (uint64_t)r->v[ADDRESS];
}

/* The making of a node in a graph, while it is captured or instantiated. */
static void on_node(const void *self, const tt_db_row *r, tt_db_event *e)
{
    (void)self;
    on_thread(r, e, RUNTIME);
    e->phase = TT_DB_NODE;
    e->node = r->v[NODE] > 0 ? (uint64_t)r->v[NODE] : 0;
    e->original = r->v[KIND] > 0 ? (uint64_t)r->v[KIND] : 0;
}

static void on_record(const void *self, const tt_db_row *r, tt_db_event *e)
{
    (void)self;
    (void)r;
    e->phase = TT_DB_COUNTED; /* has no time of its own; waits refer to it */
}

static void on_sched(const void *self, const tt_db_row *r, tt_db_event *e)
{
    (void)self;
    on_thread(r, e, OS);
    e->phase = TT_DB_INSTANT;
    const char *name = r->v[KIND] == 0 ? "scheduled out" : "scheduled in";
    set_name(e, name, strlen(name));
}

static void on_sample(const void *self, const tt_db_row *r, tt_db_event *e)
{
    const tt_nsys *n = self;
    int64_t symbol = r->v[NAME] == TT_UNKNOWN ? 0 : tt_nsys_keys_find(&n->symbols, 0, r->v[NAME], 0);
    on_thread(r, e, SAMPLE);
    e->phase = TT_DB_INSTANT;
    if (symbol)
        e->name_id = 2 * (uint32_t)symbol;
    else
        set_name(e, "CPU sample", 10);
}

/* Large tables first, so that threads end together. */
const tt_db_spec tt_nsys_specs[] = {
    {"CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns, on_kernel, false},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", call_columns, on_call, false},
    {"CUPTI_ACTIVITY_KIND_DRIVER", call_columns, on_call, false},
    {"NVTX_EVENTS", range_columns, on_range, false},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", copy_columns, on_copy, false},
    {"CUPTI_ACTIVITY_KIND_MEMSET", set_columns, on_set, false},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", sync_columns, on_sync, false},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", graph_columns, on_graph, false},
    {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", record_columns, on_record, false},
    {"CUDA_GPU_MEMORY_USAGE_EVENTS", memory_columns, on_memory, false},
    {"CUDA_GRAPH_NODE_EVENTS", node_columns, on_node, false},
    {"GPU_METRICS", metric_columns, on_metric, false},
    {"PROFILER_OVERHEAD", named_columns, on_overhead, false},
    {"CUDNN_EVENTS", named_columns, on_library, false},
    {"CUBLAS_EVENTS", named_columns, on_library, false},
    {"MPI_P2P_EVENTS", named_columns, on_library, false},
    {"MPI_COLLECTIVES_EVENTS", named_columns, on_library, false},
    {"MPI_OTHER_EVENTS", named_columns, on_library, false},
    {"OSRT_API", named_columns, on_os_call, true},
    {"SCHED_EVENTS", sched_columns, on_sched, true},
    {"COMPOSITE_EVENTS", sample_columns, on_sample, true},
    {0},
};

/* ---- tracks ---- */

static const char *string_or(const tt_nsys *n, int64_t string, const char *otherwise)
{
    return string > 0 ? tt_str(&n->strings, (uint32_t)string) : otherwise;
}

/* "python" or "python, rank 3": the rank makes the process a worker of its own. */
static void name_process(const tt_nsys *n, int64_t process, char out[160])
{
    int64_t rank = tt_nsys_keys_find(&n->ranks, process, 0, -1);
    const char *path = string_or(n, tt_nsys_keys_find(&n->names, process, 0, 0), ""), *slash = strrchr(path, '/');
    if (slash && slash[1]) path = slash + 1;
    if (rank >= 0)
        snprintf(out, 160, "%.100s%srank %" PRId64, path, *path ? ", " : "", rank);
    else
        snprintf(out, 160, "%.150s", path);
}

static void track_of(const void *self, const tt_db_track *t, tt_db_track_text *out)
{
    const tt_nsys *n = self;
    int64_t pid = tt_nsys_pid(t->process);
    const char *thread =
        string_or(n, tt_nsys_keys_find(&n->threads, (int64_t)((uint64_t)t->process << 24 | (uint64_t)t->id), 0, 0), "");
    if (t->place == TT_DB_THREAD || t->place == TT_DB_PAIRS) {
        snprintf(out->pid, sizeof out->pid, "%" PRId64, pid);
        snprintf(out->tid, sizeof out->tid, "%" PRId64 "%s", t->id, t->place == TT_DB_PAIRS ? " start/end" : "");
        name_process(n, t->process, out->process);
        snprintf(out->labels, sizeof out->labels, "CPU");
        snprintf(out->thread, sizeof out->thread, "thread %" PRId64 "%s%.60s%s%s", t->id, *thread ? " (" : "", thread,
                 *thread ? ")" : "", t->place == TT_DB_PAIRS ? ", start/end ranges" : "");
        out->sort = pid;
        return;
    }
    /* sort GPUs behind host processes, waits behind streams: as in Kineto's traces */
    enum { GPU_SORT = 5000000, FIRST_WAITS = 1000000 };
    bool waits = t->place == TT_DB_WAITS, many = n->cuda.n > 1 && t->place != TT_DB_DEVICE;
    snprintf(out->pid, sizeof out->pid, "%" PRId64, t->device);
    if (many) snprintf(out->pid, sizeof out->pid, "%" PRId64 " of %" PRId64, t->device, pid);
    snprintf(out->tid, sizeof out->tid, "?");
    if (t->place == TT_DB_STREAM) snprintf(out->tid, sizeof out->tid, "%" PRId64, t->id);
    if (waits) snprintf(out->tid, sizeof out->tid, "%" PRIu64, FIRST_WAITS + (uint64_t)t->id);
    name_process(n, many ? t->process : n->cuda.n ? n->cuda.at[0] : 0, out->process);
    snprintf(out->labels, sizeof out->labels, "GPU %" PRId64, t->device);
    snprintf(out->thread, sizeof out->thread, "stream %" PRId64 "%s", t->id, waits ? " (sync)" : "");
    out->sort = GPU_SORT + t->device;
}

const tt_db_format tt_nsys_format = {.categories = categories,
                                     .n_categories = sizeof categories / sizeof *categories,
                                     .track = track_of,
                                     .name = name_of};
