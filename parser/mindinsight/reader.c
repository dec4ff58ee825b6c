/* parser/mindinsight/reader.c - reads one worker of a folder: the timeline by the reader of JSON traces, and all other
 * files around it. See reader.h, folder.h. */
#include "parser/mindinsight/reader.h"

#include <string.h>

#include "parser/chrome/reader.h"
#include "parser/mindinsight/folder.h"
#include "parser/mindinsight/made_text.h"
#include "parser/mindinsight/operators.h"

typedef struct folder {
    tt_mi m;
    tt_mi_operators known;
} folder;

/* Facts of framework_raw about a task; events have the operator's name with its scopes or without. */
static bool task(void *arg, int64_t ts, const char *name, size_t len, tt_chrome_task *out)
{
    (void)ts;
    const folder *f = arg;
    const tt_mi_operator *k = tt_mi_operators_find(&f->known, name, len);
    if (!k) return false;
    *out = (tt_chrome_task){0};
    if (k->type) out->type = (tt_task_text){k->type, (uint32_t)strlen(k->type)};
    if (k->block_dim) out->block_dim = (tt_task_text){k->block_dim, (uint32_t)strlen(k->block_dim)};
    return true;
}

/* Called after the timeline has been read. */
static void fill(void *arg, tt_builder *b, tt_build_header *h)
{
    folder *f = arg;
    tt_mi *m = &f->m;
    m->b = b;
    m->h = h;
    m->made_at = h->text_bytes;
    if (m->rank < 0) m->rank = h->rank < 0 ? 0 : h->rank;
    tt_mi_facts(m);
    tt_mi_clock(m);
    tt_mi_device_work(m, &f->known);
    tt_mi_steps(m);
    tt_mi_truncated(m, h->text_bytes);
    tt_mi_operators_tables(m, &f->known);
    tt_mi_data(m);
    tt_mi_cluster(m);
    tt_problems_merge(&h->problems, &m->problems);
    m->problems = (tt_problems){0};
    m->b = NULL;
    m->h = NULL;
}

/* Whether the folder has results: raw data that no tool has analysed comes with a profiler_info only. */
static bool has_data(const tt_mi *m)
{
    for (uint32_t i = 0; i < tt_input_parts(m->in); i++)
        if (strcmp(tt_input_part_role(m->in, i), "profiler_info") != 0) return true;
    return false;
}

tt_status tt_read_mindinsight(tt_input *in, const tt_reader_names *names, unsigned threads,
                              tt_reader_progress *progress, const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    *out = NULL;
    folder f = {.m = {.in = in, .names = names, .progress = progress, .rank = names->rank, .zero = TT_UNKNOWN}};
    if (!has_data(&f.m)) {
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: holds a profiler_info and nothing that was measured; the profile has not been analysed: "
                       "call analyse() of mindspore.Profiler, of torch_npu.profiler.profiler.analyse() for a folder of "
                       "PyTorch",
                       names->path);
    }
    tt_mi_operators_read(&f.m, &f.known);
    const char *device = tt_mi_device_type(&f.m);
    bool gpu = !strcmp(device, "gpu") || !strcmp(device, "cpu");
    const tt_chrome_folder timeline = {.role = "timeline",
                                       .format = names->format,
                                       .rules = gpu ? &tt_rules_mindspore_gpu : &tt_rules_mindspore,
                                       .task = task,
                                       .fill = fill,
                                       .arg = &f};
    tt_status st = tt_read_chrome_folder(in, &timeline, names, threads, progress, hooks, out, err);
    if (*out && !(*out)->n_links) /* MindSpore records no launches, so none is missing */
        (*out)->problems.of[TT_PROBLEM_UNLINKED_DEVICE_WORK] = (tt_problem){0};
    if (*out) tt_mi_add_text(*out, f.m.made_at, f.m.n_made);
    tt_mi_give_tables(&f.m, *out);
    tt_mi_operators_free(&f.known);
    return st;
}

void tt_mindinsight_data(tt_input *in, tt_reader_progress *progress, tt_trace *s)
{
    tt_mi m = {.in = in, .progress = progress, .rank = s->rank, .zero = TT_UNKNOWN};
    tt_mi_data(&m);
    tt_problems_merge(&s->problems, &m.problems);
    tt_mi_give_tables(&m, s);
}
