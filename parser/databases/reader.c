/* parser/databases/reader.c - finds the profiler that wrote a database and loads it. See reader.h. */
#include "parser/databases/reader.h"

#include <string.h>

#include "parser/input/format.h"
#include "parser/nsys/reader.h"
#include "parser/rocm/reader.h"

typedef struct kind { /* kinds of databases; the first that fits counts */
    const char *id;   /* id of the format's line in the table of formats */
    bool (*is)(const tt_db *d);
    tt_trace *(*load)(tt_db_job *job);
} kind;

static const kind kinds[] = {{"nsys", tt_nsys_is, tt_nsys_load},
                             {"rpd", tt_rpd_is, tt_rpd_load},
                             {"rocpd", tt_rocpd_is, tt_rocpd_load}};

bool tt_database_sniff(const char *head, size_t len) { return len >= 16 && !memcmp(head, "SQLite format 3", 16); }

/* Whether an Ascend profiler wrote the database beside its text files. */
static bool is_ascend(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return !strncmp(name, "ascend_pytorch_profiler", 23) || !strncmp(name, "ascend_mindspore_profiler", 25) ||
           !strncmp(name, "msprof_", 7) || !strcmp(name, "analysis.db") || !strcmp(name, "cluster_analysis.db");
}

static tt_status refuse(const char *path, const tt_db *d, tt_err *err)
{
    const char *first = tt_db_first_names(d);
    if (is_ascend(path)) {
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: is a database of Ascend's profilers, which is not read; export as text "
                       "(export_type=Text) and open the folder that is written then",
                       path);
    }
    if (!*first) {
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: is an SQLite database without tables; the profiler was stopped before it wrote, or the "
                       "export failed: export or record it again",
                       path);
    }
    return tt_fail(
        err, TT_ERR_INPUT, -1,
        "%s: is an SQLite database, but of none of the profilers that are read: it has the tables %s; "
        "expected are an export of Nsight Systems (StringIds), rocpd of rocprofv3 (rocpd_kernel_dispatch) or "
        "rpd (rocpd_api, rocpd_op)",
        path, first);
}

static tt_status load(tt_db_job *job, tt_trace **out, tt_err *err)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!kinds[i].is(job->db)) continue;
        job->names.format = tt_reader_dialect(&job->names, tt_read_database, kinds[i].id);
        *out = kinds[i].load(job);
        return TT_OK;
    }
    return refuse(job->names.path, job->db, err);
}

tt_status tt_read_database(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                           const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    tt_db_job job = {.in = in, .names = *names, .threads = threads, .progress = progress, .hooks = hooks};
    *out = NULL;
    TT_TRY(tt_db_image_open(in, &progress->cancel, &job.image, err));
    tt_status st = tt_db_open(job.image, hooks->element_most, &progress->cancel, &job.db, err);
    if (st == TT_OK) st = load(&job, out, err);
    tt_db_close(job.db);
    tt_db_image_free(job.image);
    return st;
}
