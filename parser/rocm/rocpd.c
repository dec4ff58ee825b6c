/* parser/rocm/rocpd.c - databases of rocprofv3. See reader.h.
 *
 * The tables of a process have a suffix (its guid); a merged file has several, each with ids of its own. Views without
 * a suffix are conveniences that some writers leave out, as they do with tables and columns. The user's environment
 * (rocpd_info_process.environment) is never read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "parser/rocm/names.h"
#include "parser/rocm/reader.h"

enum { SUFFIX_MOST = 64, PARTS_MOST = 256 };

typedef struct agent {
    bool gpu;
    int64_t index; /* index among agents of its type */
} agent;

typedef struct who { /* a process or a thread */
    int64_t id;      /* pid or tid */
    uint32_t name;
} who;

typedef struct allocation {
    int64_t address, start, size;
} allocation;

struct rocpd;
typedef struct part { /* tables with one suffix */
    struct rocpd *all;
    char suffix[SUFFIX_MOST];
    uint32_t number;
    uint32_t first_process;     /* number of its first process among those of all parts */
    tt_db_ids strings, symbols; /* id -> number in the common strings */
    tt_db_ids agents, processes, threads, events;
    TT_VEC(agent) agent;
    int64_t gpus;
    TT_VEC(who) process, thread;
    TT_VEC(int64_t) stacks;         /* stack_id by event */
    TT_VEC(uint32_t) categories;    /* category by event, in the common strings */
    TT_VEC(allocation) allocations; /* sorted by address and start */
} part;

typedef struct rocpd {
    tt_strings strings;
    part *parts;
    uint32_t n_parts;
    uint32_t n_processes; /* processes of all parts */
    tt_build_header *h;
    uint32_t of_part; /* index of the part being learned */
} rocpd;

/* ---- tables by prefix ---- */

/* Longer names first, as some are prefixes of others. */
static const char *const bases[] = {"rocpd_kernel_dispatch", "rocpd_memory_allocate", "rocpd_memory_copy",
                                    "rocpd_region",          "rocpd_string",          NULL};

/* The suffix in "rocpd_region" + guid, with or without "_" between them; NULL: another table. */
static const char *suffix_of(const char *table, const char *base)
{
    size_t n = strlen(base);
    const char *rest = table + n;
    if (strncasecmp(table, base, n) != 0) return NULL;
    return !*rest || *rest == '_' || strspn(rest, "0123456789abcdefABCDEF") == strlen(rest) ? rest : NULL;
}

bool tt_rocpd_is(const tt_db *d)
{
    uint32_t n;
    const tt_db_table *t = tt_db_tables(d, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (suffix_of(t[i].name, bases[0])) return true;
    }
    return tt_db_names(d, bases[0]); /* a view whose tables are missing */
}

static void add_part(rocpd *x, const char *suffix)
{
    if (strlen(suffix) >= SUFFIX_MOST || x->n_parts >= PARTS_MOST) return;
    for (uint32_t i = 0; i < x->n_parts; i++) {
        if (!strcmp(x->parts[i].suffix, suffix)) return;
    }
    x->parts = tt_realloc(x->parts, x->n_parts + 1, sizeof *x->parts);
    part *p = &x->parts[x->n_parts++];
    *p = (part){.number = x->n_parts - 1};
    memcpy(p->suffix, suffix, strlen(suffix) + 1);
}

static void find_parts(rocpd *x, const tt_db *d)
{
    uint32_t n;
    const tt_db_table *t = tt_db_tables(d, &n);
    for (uint32_t i = 0; i < n; i++) {
        for (size_t b = 0; bases[b]; b++) {
            const char *suffix = suffix_of(t[i].name, bases[b]);
            if (suffix) add_part(x, suffix);
        }
    }
    for (uint32_t i = 0; i < x->n_parts; i++) x->parts[i].all = x;
}

/* ---- the small tables ---- */

enum {
    ID,
    TEXT,
    TEXT_2,
    TEXT_3,
    PID,
    TID,
    START,
    END,
    NAME,
    EVENT,
    AGENT,
    SOURCE,
    STREAM,
    QUEUE,
    SIZE,
    ADDRESS,
    GRID_X,
    GRID_Y,
    GRID_Z,
    BLOCK_X,
    BLOCK_Y,
    BLOCK_Z
};

static uint32_t intern_text(rocpd *x, const tt_db_row *r, int place)
{
    return r->text[place].at ? tt_strings_put(&x->strings, r->text[place].at, r->text[place].n) : 0;
}

static uint32_t string_of(const part *p, int64_t id)
{
    uint32_t s = id == TT_UNKNOWN ? TT_NONE : tt_db_ids_find(&p->strings, id);
    return s == TT_NONE ? 0 : s;
}

static const tt_db_column string_columns[] = {{"id", ID, TT_DB_INT, true}, {"string", TEXT, TT_DB_TEXT, true}, {0}};
static void on_string(void *arg, const tt_db_row *r)
{
    part *p = arg;
    tt_db_ids_put(&p->strings, r->v[ID], intern_text(p->all, r, TEXT));
}

static const tt_db_column symbol_columns[] = {{"id", ID, TT_DB_INT, true},
                                              {"display_name", TEXT, TT_DB_TEXT, false},
                                              {"kernel_name", TEXT, TT_DB_TEXT, false},
                                              {0}};
static void on_symbol(void *arg, const tt_db_row *r)
{
    part *p = arg;
    tt_db_ids_put(&p->symbols, r->v[ID], intern_text(p->all, r, TEXT));
}

static const tt_db_column agent_columns[] = {{"id", ID, TT_DB_INT, true},
                                             {"type", TEXT, TT_DB_TEXT, true},
                                             {"type_index", NAME, TT_DB_INT, false},
                                             {"product_name", TEXT_2, TT_DB_TEXT, false},
                                             {"name", TEXT_3, TT_DB_TEXT, false},
                                             {0}};
static void add_device(rocpd *x, const tt_db_row *r, int64_t index)
{
    enum { DEVICES_MOST = 1024 };
    if (x->h->devices.n == DEVICES_MOST) return;
    int place = r->text[TEXT_2].n ? TEXT_2 : TEXT_3;
    for (size_t i = 0; i < x->h->devices.n; i++) {
        if (x->h->devices.at[i].id == index) return;
    }
    uint32_t name = r->text[place].at ? tt_strings_put(&x->h->strings, r->text[place].at, r->text[place].n) : 0;
    *tt_vec_push(&x->h->devices) = (tt_device_props){.id = index,
                                                     .name = name,
                                                     .memory_bytes = TT_UNKNOWN,
                                                     .major = TT_UNKNOWN,
                                                     .minor = TT_UNKNOWN,
                                                     .sms = TT_UNKNOWN,
                                                     .max_threads_per_sm = TT_UNKNOWN,
                                                     .max_threads_per_block = TT_UNKNOWN,
                                                     .warp_size = TT_UNKNOWN,
                                                     .regs_per_sm = TT_UNKNOWN,
                                                     .shared_per_sm = TT_UNKNOWN};
}

static void on_agent(void *arg, const tt_db_row *r)
{
    part *p = arg;
    bool gpu = r->text[TEXT].n == 3 && !strncasecmp(r->text[TEXT].at, "GPU", 3);
    int64_t index = r->v[NAME] == TT_UNKNOWN ? p->gpus : r->v[NAME];
    if (gpu) p->gpus++;
    tt_db_ids_put(&p->agents, r->v[ID], (uint32_t)p->agent.n);
    *tt_vec_push(&p->agent) = (agent){gpu, index};
    if (gpu) add_device(p->all, r, index);
}

static const tt_db_column process_columns[] = {{"id", ID, TT_DB_INT, true},
                                               {"pid", PID, TT_DB_INT, false},
                                               {"command", TEXT, TT_DB_TEXT, false},
                                               {0}};
static void on_process(void *arg, const tt_db_row *r)
{
    part *p = arg;
    size_t n = 0, from = 0; /* keep only the program: its arguments are the user's */
    const char *text = r->text[TEXT].at;
    while (text && n < r->text[TEXT].n && text[n] != ' ') n++;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '/' && i + 1 < n) from = i + 1;
    }
    tt_db_ids_put(&p->processes, r->v[ID], (uint32_t)p->process.n);
    *tt_vec_push(&p->process) = (who){r->v[PID] == TT_UNKNOWN ? r->v[ID] : r->v[PID],
                                      n > from ? tt_strings_put(&p->all->strings, text + from, n - from) : 0};
}

static const tt_db_column thread_columns[] = {{"id", ID, TT_DB_INT, true},
                                              {"tid", TID, TT_DB_INT, false},
                                              {"name", TEXT, TT_DB_TEXT, false},
                                              {0}};
static void on_thread(void *arg, const tt_db_row *r)
{
    part *p = arg;
    tt_db_ids_put(&p->threads, r->v[ID], (uint32_t)p->thread.n);
    *tt_vec_push(&p->thread) = (who){r->v[TID] == TT_UNKNOWN ? r->v[ID] : r->v[TID], intern_text(p->all, r, TEXT)};
}

static const tt_db_column event_columns[] = {{"id", ID, TT_DB_INT, true},
                                             {"category_id", NAME, TT_DB_INT, false},
                                             {"stack_id", SOURCE, TT_DB_INT, false},
                                             {0}};
static void on_event(void *arg, const tt_db_row *r)
{
    part *p = arg;
    tt_db_ids_put(&p->events, r->v[ID], (uint32_t)p->stacks.n);
    *tt_vec_push(&p->stacks) = r->v[SOURCE];
    *tt_vec_push(&p->categories) = string_of(p, r->v[NAME]);
}

static const tt_db_column allocation_columns[] = {
    {"start", START, TT_DB_INT, true},      {"end", END, TT_DB_INT, false},   {"type", TEXT, TT_DB_TEXT, true},
    {"pid", PID, TT_DB_INT, false},         {"tid", TID, TT_DB_INT, false},   {"agent_id", AGENT, TT_DB_INT, false},
    {"address", ADDRESS, TT_DB_INT, false}, {"size", SIZE, TT_DB_INT, false}, {0}};
static bool is_type(const tt_db_row *r, const char *type)
{
    return r->text[TEXT].n == strlen(type) && !strncasecmp(r->text[TEXT].at, type, r->text[TEXT].n);
}

static void on_allocation(void *arg, const tt_db_row *r)
{
    part *p = arg;
    if (r->v[SIZE] > 0 && r->v[ADDRESS] != TT_UNKNOWN && is_type(r, "ALLOC"))
        *tt_vec_push(&p->allocations) = (allocation){r->v[ADDRESS], r->v[START], r->v[SIZE]};
}

/* Size of the last allocation at the address before a time, as frees have no size; TT_UNKNOWN. */
static int64_t size_at(const part *p, int64_t address, int64_t before)
{
    size_t lo = 0, hi = p->allocations.n;
    TT_BISECT(lo, hi, i,
              p->allocations.at[i].address < address ||
                  (p->allocations.at[i].address == address && p->allocations.at[i].start <= before));
    return lo && p->allocations.at[lo - 1].address == address ? p->allocations.at[lo - 1].size : TT_UNKNOWN;
}

static const char *table_of(const part *p, const char *base, tt_arena *a)
{
    return tt_arena_printf(a, "%s%s", base, p->suffix);
}

static void learn_part(rocpd *x, part *p, tt_db_job *job, tt_problems *problems)
{
    static const struct {
        const char *base;
        const tt_db_column *columns;
        void (*row)(void *arg, const tt_db_row *row);
    } small[] = {{"rocpd_string", string_columns, on_string},
                 {"rocpd_info_kernel_symbol", symbol_columns, on_symbol},
                 {"rocpd_info_agent", agent_columns, on_agent},
                 {"rocpd_info_process", process_columns, on_process},
                 {"rocpd_info_thread", thread_columns, on_thread},
                 {"rocpd_event", event_columns, on_event},
                 {"rocpd_memory_allocate", allocation_columns, on_allocation}};
    tt_arena a = {0};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        tt_db_each(job->db, table_of(p, small[i].base, &a), small[i].columns, problems, small[i].row, p);
        if (!i) tt_db_ids_seal(&p->strings);
    }
    tt_db_ids *const ids[] = {&p->symbols, &p->agents, &p->processes, &p->threads, &p->events};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) tt_db_ids_seal(ids[i]);
    TT_SORT_BY(p->allocations.at, p->allocations.n, TT_ASC(allocation, address), TT_ASC(allocation, start));
    p->first_process = x->n_processes;
    x->n_processes += (uint32_t)p->process.n + 1; /* plus one for rows of an unlisted process */
    tt_arena_free(&a);
}

static void free_rocpd(void *arg)
{
    rocpd *x = arg;
    for (uint32_t i = 0; i < x->n_parts; i++) {
        part *p = &x->parts[i];
        tt_db_ids *const ids[] = {&p->strings, &p->symbols, &p->agents, &p->processes, &p->threads, &p->events};
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) tt_db_ids_free(ids[k]);
        tt_vec_free(&p->agent);
        tt_vec_free(&p->process);
        tt_vec_free(&p->thread);
        tt_vec_free(&p->stacks);
        tt_vec_free(&p->categories);
        tt_vec_free(&p->allocations);
    }
    free(x->parts);
    tt_strings_free(&x->strings);
    free(x);
}

/* ---- events ---- */

enum { KERNEL, COPY, CALL, RANGE, MEMORY };
static const tt_db_category categories[] = {[KERNEL] = {"kernel", TT_KIND_KERNEL, NULL},
                                            [COPY] = {"gpu_memcpy", TT_KIND_MEMCPY, NULL},
                                            [CALL] = {"hip_runtime", TT_KIND_RUNTIME, NULL},
                                            [RANGE] = {"user_annotation", TT_KIND_ANNOTATION, &tt_db_operators},
                                            [MEMORY] = {"cpu_instant_event", TT_KIND_OTHER, NULL}};

#define TIMES                                                                                                          \
    {"start", START, TT_DB_INT, true}, {"end", END, TT_DB_INT, true}, {"pid", PID, TT_DB_INT, false},                  \
        {"tid", TID, TT_DB_INT, false},                                                                                \
    {                                                                                                                  \
        "event_id", EVENT, TT_DB_INT, false                                                                            \
    }

static const tt_db_column dispatch_columns[] = {TIMES,
                                                {"agent_id", AGENT, TT_DB_INT, false},
                                                {"kernel_id", NAME, TT_DB_INT, false},
                                                {"stream_id", STREAM, TT_DB_INT, false},
                                                {"queue_id", STREAM, TT_DB_INT, false},
                                                {"grid_size_x", GRID_X, TT_DB_INT, false},
                                                {"grid_size_y", GRID_Y, TT_DB_INT, false},
                                                {"grid_size_z", GRID_Z, TT_DB_INT, false},
                                                {"workgroup_size_x", BLOCK_X, TT_DB_INT, false},
                                                {"workgroup_size_y", BLOCK_Y, TT_DB_INT, false},
                                                {"workgroup_size_z", BLOCK_Z, TT_DB_INT, false},
                                                {0}};
static const tt_db_column copy_columns[] = {TIMES,
                                            {"dst_agent_id", AGENT, TT_DB_INT, false},
                                            {"src_agent_id", SOURCE, TT_DB_INT, false},
                                            {"name_id", NAME, TT_DB_INT, false},
                                            {"size", SIZE, TT_DB_INT, false},
                                            {"stream_id", STREAM, TT_DB_INT, false},
                                            {"queue_id", STREAM, TT_DB_INT, false},
                                            {0}};
static const tt_db_column region_columns[] = {TIMES, {"name_id", NAME, TT_DB_INT, true}, {0}};
static const tt_db_column sample_columns[] = {{"timestamp", START, TT_DB_INT, true}, {0}};

/* Number of the row's process among all parts'; unlisted processes share one number. */
static uint32_t nth_process(const part *p, int64_t id)
{
    uint32_t at = id == TT_UNKNOWN ? TT_NONE : tt_db_ids_find(&p->processes, id);
    return p->first_process + (at == TT_NONE ? (uint32_t)p->process.n : at);
}

/* Id of a call and its work, unique in the trace; from stack_id, which is unique within a process. */
static uint64_t correlation(const part *p, const tt_db_row *r)
{
    uint32_t event = r->v[EVENT] == TT_UNKNOWN ? TT_NONE : tt_db_ids_find(&p->events, r->v[EVENT]);
    int64_t stack = event == TT_NONE ? 0 : p->stacks.at[event];
    bool several = p->all->n_parts > 1 || p->all->n_processes > 2; /* one and an unlisted one are equal */
    uint32_t nth = several ? nth_process(p, r->v[PID]) : 0;
    if (stack <= 0) return 0;
    uint64_t stride = several ? TT_WIDE_ID / p->all->n_processes : TT_WIDE_ID;
    if ((uint64_t)stack < stride) return nth * stride + (uint64_t)stack;
    return ((uint64_t)1 << 63 | (uint64_t)nth << 48) ^ (uint64_t)stack;
}

static int64_t device_of(const part *p, int64_t id, int64_t otherwise)
{
    uint32_t a = id == TT_UNKNOWN ? TT_NONE : tt_db_ids_find(&p->agents, id);
    return a == TT_NONE || !p->agent.at[a].gpu ? otherwise : p->agent.at[a].index;
}

/* Number of a process, unique over all parts. */
static int64_t process_key(const part *p, int64_t id)
{
    uint32_t at = id == TT_UNKNOWN ? TT_NONE : tt_db_ids_find(&p->processes, id);
    return (int64_t)p->number << 32 | (at == TT_NONE ? UINT32_MAX : at);
}

static void on_stream(const part *p, const tt_db_row *r, tt_db_event *e, uint8_t cat, int64_t device)
{
    e->phase = TT_DB_SLICE;
    e->cat = cat;
    e->start = r->v[START];
    e->end = r->v[END];
    e->track = (tt_db_track){TT_DB_STREAM, 0, device, r->v[STREAM] == TT_UNKNOWN ? 0 : r->v[STREAM]};
    e->correlation = correlation(p, r);
}

static void on_host(const part *p, const tt_db_row *r, tt_db_event *e, uint8_t cat)
{
    uint32_t thread = r->v[TID] == TT_UNKNOWN ? TT_NONE : tt_db_ids_find(&p->threads, r->v[TID]);
    e->phase = TT_DB_SLICE;
    e->cat = cat;
    e->start = r->v[START];
    e->end = r->v[END];
    e->track = (tt_db_track){TT_DB_THREAD, process_key(p, r->v[PID]), -1, thread == TT_NONE ? -1 : (int64_t)thread};
}

static void name_by(tt_db_event *e, uint32_t string, const char *otherwise)
{
    e->name_id = string && string != TT_NONE ? string : TT_NONE;
    if (e->name_id != TT_NONE) return;
    e->name = otherwise;
    e->name_len = strlen(otherwise);
}

static void on_dispatch(const void *of, const tt_db_row *r, tt_db_event *e)
{
    const part *p = of;
    on_stream(p, r, e, KERNEL, device_of(p, r->v[AGENT], 0));
    name_by(e, r->v[NAME] == TT_UNKNOWN ? TT_NONE : tt_db_ids_find(&p->symbols, r->v[NAME]), "(kernel without a name)");
    e->is_kernel = true;
    e->launch = (tt_db_launch){{r->v[GRID_X], r->v[GRID_Y], r->v[GRID_Z]},
                               {r->v[BLOCK_X], r->v[BLOCK_Y], r->v[BLOCK_Z]},
                               TT_UNKNOWN,
                               TT_UNKNOWN};
    tt_rocm_blocks(&e->launch); /* the grid counts work items */
}

static void on_copy(const void *of, const tt_db_row *r, tt_db_event *e)
{
    const part *p = of;
    const char *given = tt_str(&p->all->strings, string_of(p, r->v[NAME])), *name = tt_rocm_copy_name(given);
    on_stream(p, r, e, COPY, device_of(p, r->v[AGENT], device_of(p, r->v[SOURCE], 0)));
    name_by(e, 0, name ? name : ""); /* unknown direction: null in tables */
    if (!name && *given) e->recorded = given;
    e->bytes = r->v[SIZE] < 0 ? TT_UNKNOWN : r->v[SIZE];
}

/* Regions of libraries are calls, other regions the program's ranges. Small writers store no category. */
static bool is_call(const char *category)
{
    static const char *const libraries[] = {"HIP_", "HSA_", "RCCL_", "ROC"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        if (!strncmp(category, libraries[i], strlen(libraries[i]))) return true;
    }
    return false;
}

static void on_region(const void *of, const tt_db_row *r, tt_db_event *e)
{
    const part *p = of;
    uint32_t event = r->v[EVENT] == TT_UNKNOWN ? TT_NONE : tt_db_ids_find(&p->events, r->v[EVENT]);
    const char *category = event != TT_NONE ? tt_str(&p->all->strings, p->categories.at[event]) : "";
    bool call = *category ? is_call(category) : tt_rocm_is_call(tt_str(&p->all->strings, string_of(p, r->v[NAME])));
    on_host(p, r, e, call ? CALL : RANGE);
    name_by(e, string_of(p, r->v[NAME]), "(region without a name)");
    if (call) e->correlation = correlation(p, r);
}

static void on_memory(const void *of, const tt_db_row *r, tt_db_event *e)
{
    const part *p = of;
    int64_t device = device_of(p, r->v[AGENT], -1), size = r->v[SIZE];
    bool freed = is_type(r, "FREE");
    e->phase = TT_DB_COUNTED;
    if (r->v[ADDRESS] == TT_UNKNOWN || device < 0 || (!freed && !is_type(r, "ALLOC"))) return; /* on the host */
    if (freed && size <= 0) size = size_at(p, r->v[ADDRESS], r->v[START]);
    if (size < 0 || size >= TT_TIME_MAX) return;
    on_host(p, r, e, MEMORY);
    e->phase = TT_DB_MEMORY;
    name_by(e, 0, "[memory]");
    e->track.device = device;
    e->address = (uint64_t)r->v[ADDRESS];
    e->bytes = freed ? -size : size;
}

static void on_sample(const void *of, const tt_db_row *r, tt_db_event *e)
{
    (void)of;
    (void)r;
    e->phase = TT_DB_COUNTED; /* the track does not tell the sampled counter */
}

static const tt_db_spec specs[] = {{"rocpd_kernel_dispatch", dispatch_columns, on_dispatch, false},
                                   {"rocpd_region", region_columns, on_region, false},
                                   {"rocpd_memory_copy", copy_columns, on_copy, false},
                                   {"rocpd_memory_allocate", allocation_columns, on_memory, false},
                                   {"rocpd_sample", sample_columns, on_sample, false},
                                   {0}};

/* ---- tracks and names ---- */

static const char *name_of(const void *self, uint32_t id, size_t *len)
{
    const rocpd *x = self;
    *len = x->strings.len.at[id];
    return tt_rocm_symbol(tt_str(&x->strings, id), len);
}

static void track_of(const void *self, const tt_db_track *t, tt_db_track_text *out)
{
    const rocpd *x = self;
    if (t->place != TT_DB_THREAD) {
        tt_rocm_stream(t->device, t->id, "stream", t->place == TT_DB_DEVICE, out);
        return;
    }
    const part *p = &x->parts[t->process >> 32];
    uint32_t at = (uint32_t)t->process;
    who process = at < p->process.n ? p->process.at[at] : (who){0};
    who thread = t->id >= 0 && (size_t)t->id < p->thread.n ? p->thread.at[t->id] : (who){0};
    tt_rocm_thread(process.id, thread.id, tt_str(&x->strings, process.name), tt_str(&x->strings, thread.name), out);
}

static const tt_db_format format = {.categories = categories,
                                    .n_categories = sizeof categories / sizeof *categories,
                                    .track = track_of,
                                    .name = name_of};

tt_trace *tt_rocpd_load(tt_db_job *job)
{
    rocpd *x = tt_calloc(1, sizeof *x);
    tt_db_plan p = {.format = &format, .self = x, .free_self = free_rocpd};
    const tt_reader_names *names = &job->names;
    tt_arena a = {0};
    tt_build_header_init(&p.header, &tt_rules_rocm, names->path, names->worker, names->span, names->rank);
    p.header.format = names->format;
    x->h = &p.header;
    tt_strings_init(&x->strings);
    atomic_store(&job->progress->phase, "reading names");
    find_parts(x, job->db);
    for (uint32_t i = 0; i < x->n_parts; i++) learn_part(x, &x->parts[i], job, &p.header.problems);
    for (const tt_db_spec *s = specs; s->table; s++) {
        for (uint32_t i = 0; i < x->n_parts; i++)
            tt_db_plan_table(&p, job, s, table_of(&x->parts[i], s->table, &a), &x->parts[i]);
    }
    tt_arena_free(&a);
    return tt_db_load(job, &p);
}
