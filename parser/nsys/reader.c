/* parser/nsys/reader.c - loads an export. See reader.h. */
#include "parser/nsys/reader.h"

#include <string.h>

#include "parser/nsys/export.h"

bool tt_nsys_is(const tt_db *d)
{
    return tt_db_find(d, "StringIds") && (tt_db_find(d, "META_DATA_EXPORT") || tt_db_find(d, "EXPORT_META_DATA") ||
                                          tt_db_find(d, "TARGET_INFO_SESSION_START_TIME"));
}

/* Report missing GPU tables with the option to record them; their absence is normal for a run without a GPU. */
static void note_missing(tt_db_job *job, const tt_db_plan *p, tt_problems *problems)
{
    static const char work[] = "work of GPUs and CUDA calls: nsys profile --trace=cuda,nvtx";
    static const char calls[] = "CUDA calls: nsys profile --trace=cuda,nvtx";
    bool kernels = false, api = false;
    for (size_t i = 0; i < p->sources.n; i++) {
        const char *table = p->sources.at[i].table;
        int64_t id;
        bool broken;
        if (!tt_db_id_from(job->db, table, INT64_MIN, &id, &broken) && !broken) continue; /* empty */
        kernels = kernels || !strcmp(table, "CUPTI_ACTIVITY_KIND_KERNEL") ||
                  !strcmp(table, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE");
        api = api || !strcmp(table, "CUPTI_ACTIVITY_KIND_RUNTIME");
    }
    if (!kernels && !api)
        tt_problem_add(problems, TT_PROBLEM_NOT_RECORDED, -1, work, sizeof work - 1);
    else if (!api)
        tt_problem_add(problems, TT_PROBLEM_NOT_RECORDED, -1, calls, sizeof calls - 1);
}

tt_trace *tt_nsys_load(tt_db_job *job)
{
    tt_nsys *n = tt_calloc(1, sizeof *n);
    tt_db_plan p = {.format = &tt_nsys_format, .self = n, .free_self = tt_nsys_free};
    const tt_reader_names *names = &job->names;
    tt_build_header_init(&p.header, &tt_rules_nsys, names->path, names->worker, names->span, names->rank);
    p.header.format = names->format;
    atomic_store(&job->progress->phase, "reading names");
    tt_nsys_learn(n, job, &p.header.problems);
    tt_nsys_header(n, job->db, &p.header);
    for (const tt_db_spec *s = tt_nsys_specs; s->table; s++) tt_db_plan_table(&p, job, s, s->table, n);
    note_missing(job, &p, &p.header.problems);
    return tt_db_load(job, &p);
}
