/* parser/ascend/reader.c - reads folders of torch_npu and MindSpore: see reader.h.
 *
 * The csv file of the kernels is read first, because the timeline's slices take facts from it; then the timeline, by
 * the reader of JSON trace events; then the files with separate tables. */
#include "parser/ascend/reader.h"

#include <stdlib.h>
#include <string.h>

#include "parser/ascend/kernels.h"
#include "parser/ascend/made_text.h"
#include "parser/mindinsight/reader.h"

#define OUTPUT "ASCEND_PROFILER_OUTPUT/"

const tt_folder_part tt_ascend_parts[] = {
    {ROLE_TRACE, OUTPUT "trace_view.json", false},
    {ROLE_KERNELS, OUTPUT "kernel_details.csv", false},
    {ROLE_STEPS, OUTPUT "step_trace_time.csv", false},
    {ROLE_COMMUNICATION, OUTPUT "communication.json", false},
    {ROLE_ALLOCATIONS, OUTPUT "operator_memory.csv", false},
    {ROLE_DATABASE, OUTPUT "ascend_pytorch_profiler*.db", false},
    {ROLE_DATABASE, OUTPUT "ascend_mindspore_profiler*.db", false},
    {ROLE_DATABASE, OUTPUT "analysis.db", false},
    {ROLE_LINKS, OUTPUT "communication_matrix.json", true},
    {ROLE_OPERATORS, OUTPUT "op_statistic.csv", true},
    {ROLE_CALLS, OUTPUT "api_statistic.csv", true},
    {ROLE_MEMORY, OUTPUT "memory_record.csv", true},
    {ROLE_INFO, "profiler_info_#.json", true},
    {ROLE_INFO, "profiler_info.json", true},
    {ROLE_METADATA, "profiler_metadata.json", true},
    TT_MINDINSIGHT_DATA_PARTS(OUTPUT),
    {NULL, NULL, false},
};

typedef struct reading {
    tt_ascend a;
    tt_ascend_kernels *kernels;
    tt_ascend_places places;
} reading;

static bool task(void *arg, int64_t ts, const char *name, size_t len, tt_chrome_task *out)
{
    reading *r = arg;
    return tt_ascend_kernels_find(r->kernels, ts, name, len, out);
}

static void fill(void *arg, tt_builder *b, tt_build_header *h)
{
    reading *r = arg;
    tt_ascend *a = &r->a;
    tt_ascend_places *at = &r->places;
    at->rows_at = at->memory_at = h->text_bytes;
    at->rows = !tt_ascend_kernels_asked(r->kernels) && tt_input_has(a->in, ROLE_KERNELS);
    if (at->rows) tt_ascend_kernel_slices(a, b, &at->memory_at);
    at->n_memory = tt_ascend_memory(a, b, at->memory_at);
    for (size_t i = 0; i < a->facts.n; i++)
        tt_build_meta(h, a->facts.at[i].key, a->facts.at[i].value, strlen(a->facts.at[i].value));
    if (a->rank >= 0) h->rank = a->rank;
    if (a->device >= 0) h->device = a->device;
    tt_problems_merge(&h->problems, &a->problems);
    a->problems = (tt_problems){0};
}

/* The error that the folder has only databases, without a text export. */
static tt_status only_databases(const tt_ascend *a, const char *path, tt_err *err)
{
    uint32_t part = tt_input_find(a->in, ROLE_DATABASE, 0);
    return tt_fail(err, TT_ERR_INPUT, -1,
                   "%s: was exported as a database (%s), which is not read; export it as text: "
                   "torch_npu.profiler.profiler.analyse(\"%s\", export_type=\"text\"), or record with "
                   "export_type=[ExportType.Text] in the _ExperimentalConfig",
                   path, tt_input_part_path(a->in, part), path);
}

static bool is_text(const tt_ascend *a)
{
    for (const tt_folder_part *p = tt_ascend_parts; p->role; p++) {
        if (!p->beside && strcmp(p->role, ROLE_DATABASE) != 0 && tt_input_has(a->in, p->role)) return true;
    }
    return false;
}

/* Report files that the folder should have, judging by its other files. */
static void expect_files(reading *r)
{
    tt_ascend *a = &r->a;
    bool work = tt_ascend_kernels_asked(r->kernels);
    if (!tt_input_has(a->in, ROLE_TRACE)) tt_ascend_missing(a, "trace_view.json", "there is no timeline of the host");
    if (work && !tt_input_has(a->in, ROLE_KERNELS))
        tt_ascend_missing(a, "kernel_details.csv", "cores and shapes of kernels are not known");
    if (work && !tt_input_has(a->in, ROLE_STEPS))
        tt_ascend_missing(a, "step_trace_time.csv", "the times of steps were computed from the timeline");
}

static bool is_mindspore(const char *path)
{
    size_t n = strlen(path);
    while (n && path[n - 1] == '/') n--;
    return n >= 10 && !memcmp(path + n - 10, "_ascend_ms", 10);
}

static void finish(reading *r, tt_trace *s, bool steps)
{
    tt_ascend *a = &r->a;
    tt_ascend_add_text(s, &r->places, a->in);
    if (!steps) tt_ascend_steps_of_timeline(a, s);
    expect_files(r);
    tt_problems_merge(&s->problems, &a->problems);
    for (size_t i = 0; i < a->tables.n; i++) tt_trace_import(s, a->tables.at[i]);
    a->tables.n = 0;
    tt_mindinsight_data(a->in, a->progress, s);
}

static void release(reading *r)
{
    tt_ascend *a = &r->a;
    for (size_t i = 0; i < a->tables.n; i++) tt_imported_free(a->tables.at[i]);
    tt_vec_free(&a->tables);
    tt_vec_free(&a->facts);
    tt_arena_free(&a->arena);
    tt_ascend_kernels_free(r->kernels);
}

tt_status tt_read_ascend(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                         const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    reading r = {.a = {.in = in, .progress = progress, .rank = names->rank, .device = -1}};
    *out = NULL;
    if (!is_text(&r.a)) return only_databases(&r.a, names->path, err);
    atomic_store(&progress->phase, "reading tables");
    tt_ascend_facts(&r.a);
    r.kernels = tt_ascend_kernels_read(&r.a, tt_input_has(r.a.in, ROLE_TRACE));
    tt_ascend_operators(&r.a, r.kernels);
    if (!tt_input_has(in, ROLE_TRACE)) tt_ascend_calls(&r.a);
    bool steps = tt_ascend_steps(&r.a);
    tt_ascend_communication(&r.a);
    tt_ascend_links(&r.a);
    tt_reader_names with = *names;
    with.rank = r.a.rank;
    const tt_chrome_folder folder = {.role = ROLE_TRACE,
                                     .format = names->format,
                                     .rules = is_mindspore(names->path) ? &tt_rules_mindspore : &tt_rules_ascend,
                                     .task = task,
                                     .fill = fill,
                                     .arg = &r};
    tt_status status = tt_read_chrome_folder(in, &folder, &with, threads, progress, hooks, out, err);
    if (status == TT_OK) finish(&r, *out, steps);
    release(&r);
    return status;
}
