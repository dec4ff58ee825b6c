/* parser/nsys/export.c - reads the small tables of an export. See export.h. */
#include "parser/nsys/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"

/* ---- keys ---- */

static void nsys_keys_put(tt_nsys_keys *k, int64_t process, int64_t id, int64_t value)
{
    *tt_vec_push(&k->at) = (tt_nsys_key){process, id, value};
}

static void seal(tt_nsys_keys *k)
{
    TT_SORT_BY(k->at.at, k->at.n, TT_ASC(tt_nsys_key, process), TT_ASC(tt_nsys_key, id), TT_ASC(tt_nsys_key, value));
}

int64_t tt_nsys_keys_find(const tt_nsys_keys *k, int64_t process, int64_t id, int64_t none)
{
    size_t lo = 0, hi = k->at.n;
    TT_BISECT(lo, hi, i, k->at.at[i].process < process || (k->at.at[i].process == process && k->at.at[i].id < id));
    return lo < k->at.n && k->at.at[lo].process == process && k->at.at[lo].id == id ? k->at.at[lo].value : none;
}

/* ---- rows ---- */

/* Limits of real machines; larger numbers in a file are ignored. */
enum { GPUS_MOST = 1024, VISIBLE_MOST = 1 << 16 };

enum { ID, TEXT, PROCESS, OTHER, VALUE, CUDA, MEMORY, MAJOR, MINOR, SMS, WARP, WARPS, BLOCK, REGISTERS, SHARED };

static uint32_t intern_text(tt_nsys *n, const tt_db_row *r)
{
    return r->text[TEXT].at ? tt_strings_put(&n->strings, r->text[TEXT].at, r->text[TEXT].n) : 0;
}

static const tt_db_column string_columns[] = {{"id", ID, TT_DB_INT, true}, {"value", TEXT, TT_DB_TEXT, true}, {0}};
static void on_string(void *arg, const tt_db_row *r)
{
    tt_nsys *n = arg;
    tt_db_ids_put(&n->string_ids, r->v[ID], intern_text(n, r));
}

static const tt_db_column thread_columns[] = {{"globalTid", PROCESS, TT_DB_INT, true},
                                              {"nameId", ID, TT_DB_INT, true},
                                              {0}};
static void on_thread(void *arg, const tt_db_row *r)
{
    tt_nsys *n = arg;
    uint32_t name = tt_nsys_string(n, r->v[ID]);
    if (name != TT_NONE) nsys_keys_put(&n->threads, r->v[PROCESS], 0, name);
}

static const tt_db_column process_columns[] = {{"globalPid", PROCESS, TT_DB_INT, true},
                                               {"name", TEXT, TT_DB_TEXT, true},
                                               {0}};
static void on_process(void *arg, const tt_db_row *r)
{
    tt_nsys *n = arg;
    if (r->text[TEXT].n) nsys_keys_put(&n->names, tt_nsys_process(r->v[PROCESS]), 0, intern_text(n, r));
}

static const tt_db_column rank_columns[] = {{"globalPid", PROCESS, TT_DB_INT, true},
                                            {"rank", VALUE, TT_DB_INT, true},
                                            {0}};
static void on_rank(void *arg, const tt_db_row *r)
{
    tt_nsys *n = arg;
    if (r->v[VALUE] >= 0) nsys_keys_put(&n->ranks, tt_nsys_process(r->v[PROCESS]), 0, r->v[VALUE]);
}

static const tt_db_column visible_columns[] = {{"gpuId", VALUE, TT_DB_INT, true},
                                               {"cudaId", ID, TT_DB_INT, true},
                                               {"pid", PROCESS, TT_DB_INT, true},
                                               {0}};
static void on_visible(void *arg, const tt_db_row *r)
{
    tt_nsys *n = arg;
    if (n->visible.at.n < VISIBLE_MOST) nsys_keys_put(&n->visible, r->v[PROCESS], r->v[ID], r->v[VALUE]);
}

static const tt_db_column metric_columns[] = {{"typeId", PROCESS, TT_DB_INT, true},
                                              {"metricId", ID, TT_DB_INT, true},
                                              {"metricName", TEXT, TT_DB_TEXT, true},
                                              {0}};
static void on_metric(void *arg, const tt_db_row *r)
{
    tt_nsys *n = arg;
    nsys_keys_put(&n->metrics, r->v[PROCESS], r->v[ID], intern_text(n, r));
}

static const tt_db_column chain_columns[] = {{"id", ID, TT_DB_INT, true},
                                             {"symbol", VALUE, TT_DB_INT, true},
                                             {"stackDepth", OTHER, TT_DB_INT, true},
                                             {0}};
static void on_chain(void *arg, const tt_db_row *r)
{
    tt_nsys *n = arg;
    uint32_t name = r->v[OTHER] == 0 ? tt_nsys_string(n, r->v[VALUE]) : TT_NONE;
    if (name != TT_NONE) nsys_keys_put(&n->symbols, 0, r->v[ID], name);
}

static const tt_db_column domain_columns[] = {
    {"eventType", VALUE, TT_DB_INT, true}, {"domainId", ID, TT_DB_INT, true},   {"globalTid", PROCESS, TT_DB_INT, true},
    {"text", TEXT, TT_DB_TEXT, false},     {"textId", OTHER, TT_DB_INT, false}, {0}};
static void on_domain(void *arg, const tt_db_row *r)
{
    tt_nsys *n = arg;
    if (r->v[VALUE] != 75) return; /* NvtxDomainCreate */
    uint32_t name = r->text[TEXT].at ? intern_text(n, r) : tt_nsys_string(n, r->v[OTHER]);
    if (name != TT_NONE && name) nsys_keys_put(&n->domains, tt_nsys_process(r->v[PROCESS]), r->v[ID], name);
}

static const tt_db_column record_columns[] = {{"globalPid", PROCESS, TT_DB_INT, true},
                                              {"eventSyncId", ID, TT_DB_INT, true},
                                              {"correlationId", VALUE, TT_DB_INT, true},
                                              {"streamId", OTHER, TT_DB_INT, true},
                                              {0}};
static void on_record(void *arg, const tt_db_row *r)
{
    tt_nsys *n = arg;
    if (r->v[ID] == TT_UNKNOWN || r->v[VALUE] == TT_UNKNOWN) return;
    *tt_vec_push(&n->records) = (tt_nsys_record){tt_nsys_process(r->v[PROCESS]), r->v[ID], r->v[VALUE], r->v[OTHER]};
}

static const tt_db_column gpu_columns[] = {{"id", ID, TT_DB_INT, false},
                                           {"name", TEXT, TT_DB_TEXT, false},
                                           {"cuDevice", CUDA, TT_DB_INT, false},
                                           {"totalMemory", MEMORY, TT_DB_INT, false},
                                           {"computeMajor", MAJOR, TT_DB_INT, false},
                                           {"computeMinor", MINOR, TT_DB_INT, false},
                                           {"smCount", SMS, TT_DB_INT, false},
                                           {"threadsPerWarp", WARP, TT_DB_INT, false},
                                           {"maxWarpsPerSm", WARPS, TT_DB_INT, false},
                                           {"maxThreadsPerBlock", BLOCK, TT_DB_INT, false},
                                           {"maxRegistersPerSm", REGISTERS, TT_DB_INT, false},
                                           {"maxShmemPerSm", SHARED, TT_DB_INT, false},
                                           {0}};
static void on_gpu(void *arg, const tt_db_row *r)
{
    tt_nsys *n = arg;
    bool warps = r->v[WARP] > 0 && r->v[WARPS] > 0 && r->v[WARP] < 1024 && r->v[WARPS] < 1024;
    if (n->gpus.n == GPUS_MOST) return;
    tt_nsys_gpu *g = tt_vec_push(&n->gpus);
    *g = (tt_nsys_gpu){.id = r->v[ID], .cuda = r->v[CUDA] == TT_UNKNOWN ? r->v[ID] : r->v[CUDA]};
    g->props = (tt_device_props){.id = g->cuda,
                                 .name = intern_text(n, r),
                                 .memory_bytes = r->v[MEMORY],
                                 .major = r->v[MAJOR],
                                 .minor = r->v[MINOR],
                                 .sms = r->v[SMS],
                                 .max_threads_per_sm = warps ? r->v[WARP] * r->v[WARPS] : TT_UNKNOWN,
                                 .max_threads_per_block = r->v[BLOCK],
                                 .warp_size = r->v[WARP],
                                 .regs_per_sm = r->v[REGISTERS],
                                 .shared_per_sm = r->v[SHARED]};
}

static const tt_db_column start_columns[] = {{"utcEpochNs", VALUE, TT_DB_INT, true}, {0}};
static void on_start(void *arg, const tt_db_row *r)
{
    tt_nsys *n = arg;
    bool sane = r->v[VALUE] > 0 && r->v[VALUE] < TT_TIME_MAX / 2;
    if (n->epoch_ns == TT_UNKNOWN && sane) n->epoch_ns = r->v[VALUE];
}

/* ---- which processes use CUDA ---- */

enum { SAMPLES = 1024 };

static void note_process(tt_nsys *n, int64_t process)
{
    for (size_t i = 0; i < n->cuda.n; i++) {
        if (n->cuda.at[i] == process) return;
    }
    if (n->cuda.n < SAMPLES) *tt_vec_push(&n->cuda) = process;
}

static void on_user(void *arg, const tt_db_row *r)
{
    if (r->v[PROCESS] != TT_UNKNOWN) note_process(arg, tt_nsys_process(r->v[PROCESS]));
}

/* Sample rows spread over the table to find its processes without reading all. A missed process gets ids of the long
 * form, which cost more. */
static void sample(tt_nsys *n, tt_db *d, const char *table, const tt_db_column *columns)
{
    const tt_db_table *t = tt_db_find(d, table);
    int64_t first, last, id;
    bool broken;
    tt_db_rows r;
    int rc;
    if (!t || tt_db_missing(t, columns) || !tt_db_id_from(d, t->name, INT64_MIN, &first, &broken) ||
        !tt_db_last_id(d, t->name, INT64_MAX, &last, &broken))
        return;
    uint64_t step = ((uint64_t)last - (uint64_t)first) / SAMPLES + 1;
    bool open = tt_db_rows_open(d, t, columns, &r);
    for (uint64_t i = 0; open && i < SAMPLES && i * step <= (uint64_t)last - (uint64_t)first; i++) {
        if (!tt_db_id_from(d, t->name, (int64_t)((uint64_t)first + i * step), &id, &broken)) continue;
        tt_db_rows_from(&r, id, id);
        if (tt_db_rows_next(&r, &rc)) on_user(n, &r.row);
    }
    tt_db_rows_close(&r);
}

static void learn_processes(tt_nsys *n, tt_db *d)
{
    static const tt_db_column by_thread[] = {{"globalTid", PROCESS, TT_DB_INT, true}, {0}};
    static const tt_db_column by_process[] = {{"globalPid", PROCESS, TT_DB_INT, true}, {0}};
    sample(n, d, "CUPTI_ACTIVITY_KIND_RUNTIME", by_thread);
    sample(n, d, "CUPTI_ACTIVITY_KIND_KERNEL", by_process);
    sample(n, d, "CUPTI_ACTIVITY_KIND_MEMCPY", by_process);
    TT_SORT_UP(n->cuda.at, n->cuda.n);
    n->stride = n->cuda.n > 1 ? TT_WIDE_ID / n->cuda.n : TT_WIDE_ID;
}

uint64_t tt_nsys_correlation(const tt_nsys *n, int64_t process, int64_t id)
{
    size_t lo = 0, hi = n->cuda.n;
    if (id <= 0) return 0;
    TT_BISECT(lo, hi, i, n->cuda.at[i] < process);
    if (lo < n->cuda.n && n->cuda.at[lo] == process && (uint64_t)id < n->stride) return lo * n->stride + (uint64_t)id;
    /* combines pid and the top byte (hardware, machine), which tells apart equal pids */
    uint64_t who = (uint64_t)tt_nsys_pid(process) << 32 | ((uint64_t)process >> 24 & 0xFF) << 56;
    return (who | (uint64_t)1 << 63) ^ (uint64_t)id;
}

/* ---- devices ---- */

int64_t tt_nsys_device(const tt_nsys *n, int64_t process, int64_t device)
{
    return n->devices_differ ? tt_nsys_keys_find(&n->visible, tt_nsys_pid(process), device, device) : device;
}

static int by_number(const void *a, const void *b)
{
    const tt_nsys_key *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Collect the devices that processes see, each number and GPU once, by number. */
static void learn_seen(tt_nsys *n)
{
    const size_t all = n->visible.at.n;
    if (!all) return;
    tt_vec_reserve(&n->seen, all);
    memcpy(n->seen.at, n->visible.at.at, all * sizeof *n->seen.at);
    qsort(n->seen.at, all, sizeof *n->seen.at, by_number);
    for (size_t i = 0; i < all; i++) {
        if (!n->seen.n || by_number(&n->seen.at[n->seen.n - 1], &n->seen.at[i]) != 0)
            n->seen.at[n->seen.n++] = n->seen.at[i];
    }
    /* CUDA_VISIBLE_DEVICES gives each process its own numbers */
    for (size_t i = 1; i < n->seen.n; i++) n->devices_differ |= n->seen.at[i - 1].id == n->seen.at[i].id;
}

const tt_nsys_record *tt_nsys_record_of(const tt_nsys *n, int64_t process, int64_t sync)
{
    size_t lo = 0, hi = n->records.n;
    TT_BISECT(lo, hi, i,
              n->records.at[i].process < process ||
                  (n->records.at[i].process == process && n->records.at[i].sync < sync));
    const tt_nsys_record *r = &n->records.at[lo];
    return lo < n->records.n && r->process == process && r->sync == sync ? r : NULL;
}

/* ---- all of it ---- */

void tt_nsys_learn(tt_nsys *n, tt_db_job *job, tt_problems *problems)
{
    static const struct {
        const char *table;
        const tt_db_column *columns;
        void (*row)(void *arg, const tt_db_row *row);
        bool on_request;
    } small[] = {{"ThreadNames", thread_columns, on_thread, false},
                 {"PROCESSES", process_columns, on_process, false},
                 {"MPI_RANKS", rank_columns, on_rank, false},
                 {"TARGET_INFO_GPU", gpu_columns, on_gpu, false},
                 {"TARGET_INFO_CUDA_DEVICE", visible_columns, on_visible, false},
                 {"TARGET_INFO_GPU_METRICS", metric_columns, on_metric, false},
                 {"TARGET_INFO_SESSION_START_TIME", start_columns, on_start, false},
                 {"NVTX_EVENTS", domain_columns, on_domain, false},
                 {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", record_columns, on_record, false},
                 {"SAMPLING_CALLCHAINS", chain_columns, on_chain, true}};
    tt_strings_init(&n->strings);
    n->epoch_ns = TT_UNKNOWN;
    tt_db_each(job->db, "StringIds", string_columns, problems, on_string, n);
    tt_db_ids_seal(&n->string_ids);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        if (small[i].on_request && !job->hooks->all_events) continue;
        tt_db_each(job->db, small[i].table, small[i].columns, problems, small[i].row, n);
    }
    tt_nsys_keys *const keys[] = {&n->domains, &n->threads, &n->names,  &n->ranks,
                                  &n->visible, &n->metrics, &n->symbols};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) seal(keys[i]);
    TT_SORT_BY(n->records.at, n->records.n, TT_ASC(tt_nsys_record, process), TT_ASC(tt_nsys_record, sync));
    learn_seen(n);
    learn_processes(n, job->db);
}

void tt_nsys_free(void *arg)
{
    tt_nsys *n = arg;
    tt_nsys_keys *const keys[] = {&n->domains, &n->threads, &n->names,  &n->ranks,
                                  &n->visible, &n->metrics, &n->symbols};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) tt_vec_free(&keys[i]->at);
    tt_strings_free(&n->strings);
    tt_db_ids_free(&n->string_ids);
    tt_vec_free(&n->seen);
    tt_vec_free(&n->gpus);
    tt_vec_free(&n->records);
    tt_vec_free(&n->cuda);
    tt_arena_free(&n->arena);
    free(n);
}

/* ---- the header ---- */

typedef struct facts {
    tt_build_header *h;
} facts;

static const tt_db_column fact_columns[] = {{"name", ID, TT_DB_TEXT, true}, {"value", TEXT, TT_DB_TEXT, true}, {0}};
/* Copy facts that tell nothing of the user, the host or paths. */
static void on_fact(void *arg, const tt_db_row *r)
{
    static const struct {
        const char *name, *key;
    } known[] = {{"EXPORT_PRODUCT_VERSION", "nsys_version"},
                 {"EXPORT_SCHEMA_VERSION", "nsys_schema"},
                 {"EXPORT_TIME_UTC", "nsys_exported_at"}};
    facts *f = arg;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t n = strlen(known[i].name);
        if (r->text[ID].n == n && !memcmp(r->text[ID].at, known[i].name, n) && r->text[TEXT].at)
            tt_build_meta(f->h, known[i].key, r->text[TEXT].at, r->text[TEXT].n);
    }
}

static void put_device(tt_nsys *n, tt_build_header *h, const tt_nsys_gpu *g, int64_t id)
{
    tt_device_props p = g->props;
    if (h->devices.n == GPUS_MOST) return;
    for (size_t i = 0; i < h->devices.n; i++) {
        if (h->devices.at[i].id == id) return;
    }
    p.id = id;
    p.name = tt_strings_put(&h->strings, tt_str(&n->strings, p.name), n->strings.len.at[p.name]);
    *tt_vec_push(&h->devices) = p;
}

/* List devices under the numbers in rows, as first seen by a process; the machine's numbers may differ. */
static void put_devices(tt_nsys *n, tt_build_header *h)
{
    for (size_t i = 0; i < n->gpus.n; i++) {
        const tt_nsys_gpu *g = &n->gpus.at[i];
        for (size_t k = 0; k < n->seen.n; k++) {
            const tt_nsys_key *v = &n->seen.at[k];
            if (v->value == g->id) put_device(n, h, g, n->devices_differ ? g->id : v->id);
        }
    }
    for (size_t i = 0; i < n->gpus.n; i++) {
        const tt_nsys_gpu *g = &n->gpus.at[i];
        put_device(n, h, g, n->devices_differ ? g->id : g->cuda);
    }
}

void tt_nsys_header(tt_nsys *n, tt_db *d, tt_build_header *h)
{
    facts f = {h};
    char text[24];
    tt_problems none = {0};
    tt_db_each(d, "META_DATA_EXPORT", fact_columns, &none, on_fact, &f);
    tt_db_each(d, "EXPORT_META_DATA", fact_columns, &none, on_fact, &f);
    put_devices(n, h);
    if (n->epoch_ns != TT_UNKNOWN) {
        int len = snprintf(text, sizeof text, "%" PRId64, n->epoch_ns);
        tt_build_meta(h, "baseTimeNanoseconds", text, (size_t)len);
        h->base_ns = n->epoch_ns;
    }
}
