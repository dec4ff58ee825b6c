/* parser/rocm/rpd.c - databases of rocmProfileData: calls, work, and the links between them. See reader.h.
 *
 * The file names the call that made each piece of work (rocpd_api_ops); the id of the call links them. Ids of merged
 * sessions start at multiples of 2^32. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/rocm/names.h"
#include "parser/rocm/reader.h"

typedef struct rpd {
    tt_strings strings;
    tt_db_ids string_ids;
    tt_db_ids autograd; /* call -> name of its operator, in strings */
    tt_db_ids call_of;  /* op -> index into calls */
    TT_VEC(int64_t) calls;
    tt_db_ids copies; /* call -> index into sizes */
    TT_VEC(int64_t) sizes;
    tt_db_ids kernels; /* call -> index into launches */
    TT_VEC(tt_db_launch) launches;
    bool merged; /* ids begin at multiples of 2^32 */
} rpd;

bool tt_rpd_is(const tt_db *d) { return tt_db_find(d, "rocpd_api") && tt_db_find(d, "rocpd_op"); }

/* ---- the small tables ---- */

enum {
    ID,
    TEXT,
    OTHER,
    GRID_X,
    GRID_Y,
    GRID_Z,
    BLOCK_X,
    BLOCK_Y,
    BLOCK_Z,
    NAME,
    ARGS,
    PID,
    TID,
    START,
    END,
    GPU,
    QUEUE,
    KIND,
    VALUE
};

static const tt_db_column string_columns[] = {{"id", ID, TT_DB_INT, true}, {"string", TEXT, TT_DB_TEXT, true}, {0}};
static void on_string(void *arg, const tt_db_row *r)
{
    rpd *x = arg;
    const char *text = r->text[TEXT].at ? r->text[TEXT].at : "";
    tt_db_ids_put(&x->string_ids, r->v[ID], tt_strings_put(&x->strings, text, r->text[TEXT].n));
}

static uint32_t string_of(const rpd *x, int64_t id)
{
    uint32_t s = id == TT_UNKNOWN ? TT_NONE : tt_db_ids_find(&x->string_ids, id);
    return s == TT_NONE ? 0 : s;
}

static const tt_db_column autograd_columns[] = {{"api_ptr_id", ID, TT_DB_INT, true},
                                                {"autogradName_id", NAME, TT_DB_INT, false},
                                                {0}};
static void on_autograd(void *arg, const tt_db_row *r)
{
    rpd *x = arg;
    tt_db_ids_put(&x->autograd, r->v[ID], string_of(x, r->v[NAME]));
}

static const tt_db_column link_columns[] = {{"op_id", ID, TT_DB_INT, true}, {"api_id", OTHER, TT_DB_INT, true}, {0}};
static void on_link(void *arg, const tt_db_row *r)
{
    rpd *x = arg;
    if (r->v[ID] == TT_UNKNOWN || r->v[OTHER] == TT_UNKNOWN) return;
    tt_db_ids_put(&x->call_of, r->v[ID], (uint32_t)x->calls.n);
    *tt_vec_push(&x->calls) = r->v[OTHER];
    if (r->v[OTHER] >> 32) x->merged = true;
}

static const tt_db_column copy_columns[] = {{"api_ptr_id", ID, TT_DB_INT, true}, {"size", OTHER, TT_DB_INT, true}, {0}};
static void on_copy_call(void *arg, const tt_db_row *r)
{
    rpd *x = arg;
    tt_db_ids_put(&x->copies, r->v[ID], (uint32_t)x->sizes.n);
    *tt_vec_push(&x->sizes) = r->v[OTHER] < 0 ? TT_UNKNOWN : r->v[OTHER];
}

static const tt_db_column kernel_columns[] = {
    {"api_ptr_id", ID, TT_DB_INT, true},       {"gridX", GRID_X, TT_DB_INT, false},
    {"gridY", GRID_Y, TT_DB_INT, false},       {"gridZ", GRID_Z, TT_DB_INT, false},
    {"workgroupX", BLOCK_X, TT_DB_INT, false}, {"workgroupY", BLOCK_Y, TT_DB_INT, false},
    {"workgroupZ", BLOCK_Z, TT_DB_INT, false}, {0}};
static void on_kernel_call(void *arg, const tt_db_row *r)
{
    rpd *x = arg;
    tt_db_ids_put(&x->kernels, r->v[ID], (uint32_t)x->launches.n);
    tt_db_launch *l = tt_vec_push(&x->launches);
    *l = (tt_db_launch){{r->v[GRID_X], r->v[GRID_Y], r->v[GRID_Z]},
                        {r->v[BLOCK_X], r->v[BLOCK_Y], r->v[BLOCK_Z]},
                        TT_UNKNOWN,
                        TT_UNKNOWN};
}

/* Calls that give the size of a launch in work items; other calls give blocks. */
static const tt_db_column counting_columns[] = {{"id", ID, TT_DB_INT, true},
                                                {"apiName_id", NAME, TT_DB_INT, true},
                                                {0}};
static void on_counting(void *arg, const tt_db_row *r)
{
    rpd *x = arg;
    const char *name = tt_str(&x->strings, string_of(x, r->v[NAME]));
    uint32_t k = strstr(name, "ExtModuleLaunchKernel") || strstr(name, "HccModuleLaunchKernel")
                     ? tt_db_ids_find(&x->kernels, r->v[ID])
                     : TT_NONE;
    if (k != TT_NONE) tt_rocm_blocks(&x->launches.at[k]);
}

static void learn(rpd *x, tt_db_job *job, tt_problems *problems)
{
    tt_strings_init(&x->strings);
    tt_db_each(job->db, "rocpd_string", string_columns, problems, on_string, x);
    tt_db_ids_seal(&x->string_ids);
    tt_db_each(job->db, "ext_autogradapi", autograd_columns, problems, on_autograd, x);
    tt_db_each(job->db, "rocpd_api_ops", link_columns, problems, on_link, x);
    tt_db_each(job->db, "rocpd_copyapi", copy_columns, problems, on_copy_call, x);
    tt_db_each(job->db, "rocpd_kernelapi", kernel_columns, problems, on_kernel_call, x);
    tt_db_ids *const ids[] = {&x->autograd, &x->call_of, &x->copies, &x->kernels};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) tt_db_ids_seal(ids[i]);
    if (x->launches.n) tt_db_each(job->db, "rocpd_api", counting_columns, problems, on_counting, x);
}

static void free_rpd(void *arg)
{
    rpd *x = arg;
    tt_db_ids *const ids[] = {&x->string_ids, &x->autograd, &x->call_of, &x->copies, &x->kernels};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) tt_db_ids_free(ids[i]);
    tt_strings_free(&x->strings);
    tt_vec_free(&x->calls);
    tt_vec_free(&x->sizes);
    tt_vec_free(&x->launches);
    free(x);
}

/* ---- events ---- */

enum { KERNEL, COPY, SET, TASK, CALL, RANGE, OPERATOR, OVERHEAD, OTHER_CALL, MONITOR };
static const tt_db_category categories[] = {[KERNEL] = {"kernel", TT_KIND_KERNEL, NULL},
                                            [COPY] = {"gpu_memcpy", TT_KIND_MEMCPY, NULL},
                                            [SET] = {"gpu_memset", TT_KIND_MEMSET, NULL},
                                            [TASK] = {"device_task", TT_KIND_TASK, NULL},
                                            [CALL] = {"hip_runtime", TT_KIND_RUNTIME, NULL},
                                            [RANGE] = {"user_annotation", TT_KIND_ANNOTATION, &tt_db_operators},
                                            [OPERATOR] = {"cpu_op", TT_KIND_CPU_OP, NULL},
                                            [OVERHEAD] = {"overhead", TT_KIND_OVERHEAD, NULL},
                                            [OTHER_CALL] = {"api", TT_KIND_OTHER, NULL},
                                            [MONITOR] = {"monitor", TT_KIND_OTHER, NULL}};

static const tt_db_column api_columns[] = {{"id", ID, TT_DB_INT, false},        {"start", START, TT_DB_INT, true},
                                           {"end", END, TT_DB_INT, true},       {"pid", PID, TT_DB_INT, false},
                                           {"tid", TID, TT_DB_INT, false},      {"apiName_id", NAME, TT_DB_INT, true},
                                           {"args_id", ARGS, TT_DB_INT, false}, {0}};
static const tt_db_column op_columns[] = {
    {"id", ID, TT_DB_INT, false},         {"start", START, TT_DB_INT, true},
    {"end", END, TT_DB_INT, true},        {"gpuId", GPU, TT_DB_INT, false},
    {"queueId", QUEUE, TT_DB_INT, false}, {"description_id", NAME, TT_DB_INT, false},
    {"opType_id", KIND, TT_DB_INT, true}, {0}};
static const tt_db_column monitor_columns[] = {
    {"start", START, TT_DB_INT, true},   {"deviceType", ARGS, TT_DB_TEXT, false},
    {"deviceId", GPU, TT_DB_INT, false}, {"monitorType", TEXT, TT_DB_TEXT, true},
    {"value", VALUE, TT_DB_REAL, true},  {0}};

/* Id of a call, compact over several sessions. */
static uint64_t correlation(const rpd *x, int64_t call)
{
    enum { SESSION_BITS = 24 };
    uint64_t session = (uint64_t)call >> 32, id = (uint64_t)call & UINT32_MAX;
    if (!x->merged || call < 0) return call < 0 ? 0 : (uint64_t)call;
    if (session < 128 && id < 1 << SESSION_BITS) return session << SESSION_BITS | id;
    return (uint64_t)1 << 63 | (uint64_t)call;
}

static void name_by(tt_db_event *e, uint32_t string, const char *otherwise)
{
    e->name_id = string ? string : TT_NONE;
    if (string) return;
    e->name = otherwise;
    e->name_len = strlen(otherwise);
}

/* Whether a name belongs to the recorder's own work in the process. */
static bool is_own(const char *name)
{
    return strstr(name, "Table::writeRows") || !strcmp(name, "rpdflush") || !strcmp(name, "hcc_activity_callback");
}

static uint8_t category_of(const char *name)
{
    if (tt_rocm_is_call(name)) return CALL;
    return is_own(name) ? OVERHEAD : OTHER_CALL;
}

/* Id of a row; a table copied without its key has other rowids. */
static int64_t id_of(const tt_db_row *r) { return r->v[ID] == TT_UNKNOWN ? r->id : r->v[ID]; }

static void on_api(const void *of, const tt_db_row *r, tt_db_event *e)
{
    const rpd *x = of;
    uint32_t name = string_of(x, r->v[NAME]), args = string_of(x, r->v[ARGS]);
    bool marker = !strcmp(tt_str(&x->strings, name), "UserMarker");
    uint32_t operator_name = marker ? tt_db_ids_find(&x->autograd, id_of(r)) : TT_NONE;
    e->phase = TT_DB_SLICE;
    e->start = r->v[START];
    e->end = r->v[END];
    e->track = (tt_db_track){TT_DB_THREAD, r->v[PID] == TT_UNKNOWN ? 0 : r->v[PID], -1,
                             r->v[TID] == TT_UNKNOWN ? 0 : r->v[TID]};
    e->cat = category_of(tt_str(&x->strings, name));
    if (marker) e->cat = operator_name == TT_NONE ? RANGE : OPERATOR;
    if (marker) name = operator_name == TT_NONE || !operator_name ? args : operator_name;
    name_by(e, name, marker ? "" : "(call without a name)");
    if (e->cat == CALL) e->correlation = correlation(x, id_of(r));
}

static void on_op(const void *of, const tt_db_row *r, tt_db_event *e)
{
    const rpd *x = of;
    const char *kind = tt_str(&x->strings, string_of(x, r->v[KIND])), *copied = tt_rocm_copy_name(kind);
    uint32_t description = string_of(x, r->v[NAME]), link = tt_db_ids_find(&x->call_of, id_of(r));
    int64_t call = link == TT_NONE ? -1 : x->calls.at[link];
    bool named = description && *tt_str(&x->strings, description);
    e->phase = TT_DB_SLICE;
    e->start = r->v[START];
    e->end = r->v[END];
    e->track = (tt_db_track){TT_DB_STREAM, 0, r->v[GPU] == TT_UNKNOWN ? 0 : r->v[GPU],
                             r->v[QUEUE] == TT_UNKNOWN ? 0 : r->v[QUEUE]};
    e->correlation = correlation(x, call);
    if (copied) {
        uint32_t size = tt_db_ids_find(&x->copies, call);
        e->cat = COPY;
        e->bytes = link == TT_NONE || size == TT_NONE ? TT_UNKNOWN : x->sizes.at[size];
        name_by(e, 0, copied);
    } else if (!strcmp(kind, "FillBuffer")) {
        e->cat = SET;
        name_by(e, 0, "Memset (Device)");
    } else if (!strcmp(kind, "KernelExecution") || (!strcmp(kind, "Task") && named)) {
        uint32_t launch = link == TT_NONE ? TT_NONE : tt_db_ids_find(&x->kernels, call);
        e->cat = KERNEL;
        e->is_kernel = true;
        e->launch = launch == TT_NONE ? tt_rocm_no_launch : x->launches.at[launch];
        name_by(e, named ? description : 0, "(kernel without a name)");
    } else {
        e->cat = TASK;
        name_by(e, named ? description : string_of(x, r->v[KIND]), "(task)");
    }
}

static void on_monitor(const void *of, const tt_db_row *r, tt_db_event *e)
{
    (void)of;
    e->phase = TT_DB_SAMPLE;
    e->cat = MONITOR;
    e->start = r->v[START];
    e->track = (tt_db_track){TT_DB_DEVICE, 0, r->v[GPU] == TT_UNKNOWN ? 0 : r->v[GPU], 0};
    e->name = r->text[TEXT].at ? r->text[TEXT].at : "";
    e->name_len = r->text[TEXT].n;
    e->value = r->real[VALUE];
    e->series = "value";
}

static const tt_db_spec specs[] = {{"rocpd_api", api_columns, on_api, false},
                                   {"rocpd_op", op_columns, on_op, false},
                                   {"rocpd_monitor", monitor_columns, on_monitor, false},
                                   {0}};

/* ---- tracks and names ---- */

static const char *name_of(const void *self, uint32_t id, size_t *len)
{
    const rpd *x = self;
    *len = x->strings.len.at[id];
    return tt_rocm_symbol(tt_str(&x->strings, id), len);
}

static void track_of(const void *self, const tt_db_track *t, tt_db_track_text *out)
{
    (void)self;
    if (t->place == TT_DB_THREAD)
        tt_rocm_thread(t->process, t->id, "", "", out);
    else
        tt_rocm_stream(t->device, t->id, "queue", t->place == TT_DB_DEVICE, out);
}

static const tt_db_format format = {.categories = categories,
                                    .n_categories = sizeof categories / sizeof *categories,
                                    .track = track_of,
                                    .name = name_of};

tt_trace *tt_rpd_load(tt_db_job *job)
{
    rpd *x = tt_calloc(1, sizeof *x);
    tt_db_plan p = {.format = &format, .self = x, .free_self = free_rpd};
    const tt_reader_names *names = &job->names;
    tt_build_header_init(&p.header, &tt_rules_rocm, names->path, names->worker, names->span, names->rank);
    p.header.format = names->format;
    atomic_store(&job->progress->phase, "reading names");
    learn(x, job, &p.header.problems);
    for (const tt_db_spec *s = specs; s->table; s++) tt_db_plan_table(&p, job, s, s->table, x);
    return tt_db_load(job, &p);
}
