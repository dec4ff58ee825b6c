/* tui/cluster/report.c - see report.h. */
#include "tui/cluster/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/widgets/format_value.h"

enum {
    LOSSES = 8,    /* lost ranks that are named; further ones are counted */
    LINES = 40,    /* lines of the merge's messages that are printed */
    TEXT = 1 << 16 /* bytes read of a file in the folder */
};

/* The last line of a text, without the prefix "tracetty: ". */
static const char *last_line(char *text)
{
    static const char own[] = "tracetty: ";
    size_t n = strlen(text);
    while (n && strchr("\r\n ", text[n - 1])) text[--n] = '\0';
    char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    return strncmp(line, own, sizeof own - 1) == 0 ? line + sizeof own - 1 : line;
}

/* Say in one line why a part is missing. */
static void explain(const tt_cluster_plan *p, size_t k, char *out, size_t cap)
{
    char name[TT_CLUSTER_NAME], status[20], *log = tt_malloc(TEXT);
    tt_cluster_part_name(&p->parts.at[k], ".failed", name);
    bool ended = tt_cluster_folder_read(p->work, name, status, sizeof status);
    tt_cluster_part_name(&p->parts.at[k], ".log", name);
    bool spoke = tt_cluster_folder_read(p->work, name, log, TEXT);
    int64_t n = -1;
    if (ended) status[strcspn(status, "\n")] = '\0';
    if (ended && !tt_parse_count(status, &n)) n = -1;
    if (!ended)
        snprintf(out, cap, "not finished: its task ended early");
    else if (n > 128)
        snprintf(out, cap, "killed by signal %" PRId64 "%s", n - 128, n - 128 == 9 ? " (out of memory?)" : "");
    else if (spoke && *last_line(log))
        snprintf(out, cap, "%s", last_line(log));
    else
        snprintf(out, cap, "status %s", status);
    free(log);
}

static void report_losses(const tt_cluster_plan *p)
{
    uint32_t named = 0, lost = (uint32_t)p->parts.n - p->n_done;
    char why[1200];
    for (size_t k = 0; k < p->parts.n && named < LOSSES; k++) {
        const tt_cluster_part *part = &p->parts.at[k];
        if (part->done) continue;
        named++;
        explain(p, k, why, sizeof why);
        bool own = strncmp(why, part->path, strlen(part->path)) == 0; /* the message names the path already */
        tt_warn("no summary of %s%s%s", own ? "" : part->path, own ? "" : ": ", why);
    }
    if (lost > named) tt_warn("no summary of %" PRIu32 " more", lost - named);
}

/* Print messages that our program wrote on another machine. */
static void hand_on(char *text)
{
    static const char own[] = "tracetty: ", warning[] = "warning: ";
    int lines = 0;
    for (char *save = NULL, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (++lines > LINES) break;
        if (!strncmp(line, own, sizeof own - 1)) line += sizeof own - 1;
        if (!strncmp(line, warning, sizeof warning - 1))
            tt_warn("%s", line + sizeof warning - 1);
        else
            tt_note("%s", line);
    }
}

static void report_merge(const tt_cluster_plan *p)
{
    char *text = tt_malloc(TEXT);
    if (tt_cluster_folder_read(p->work, "merge.log", text, TEXT)) hand_on(text);
    free(text);
}

/* Report why the tasks could not work, from the first log with a message. */
static void report_tasks(const tt_cluster_plan *p)
{
    char name[40], *text = tt_malloc(TEXT);
    for (size_t k = 0; k < p->parts.n; k++) {
        snprintf(name, sizeof name, "task-%zu.log", k);
        if (!tt_cluster_folder_read(p->work, name, text, TEXT) || !*text) continue;
        tt_note("task %zu: %s", k, last_line(text));
        break; /* the other logs say the same */
    }
    free(text);
}

/* Print messages of srun, sbatch or mpirun: whole lines, without decoration. */
static void report_words(tt_child *c)
{
    char *from = c->words;
    if (c->n == TT_CHILD_WORDS && strchr(from, '\n')) from = strchr(from, '\n');
    for (char *save = NULL, *line = strtok_r(from, "\r\n", &save); line; line = strtok_r(NULL, "\r\n", &save)) {
        if (line[strspn(line, " -=*")]) tt_note("%s", line);
    }
}

static int report_failure(const tt_cluster_plan *p, const tt_cluster_job *j, tt_cluster_run *r)
{
    tt_err err;
    report_tasks(p);
    report_words(&r->child);
    tt_fail(&err, TT_ERR_INPUT, -1,
            "%s: not written: %s failed (status %d) with %" PRIu32
            " of %zu ranks done; its script and logs are in %s%s",
            p->output, tt_job_engine_names[j->engine], r->status, p->n_done, p->parts.n, p->work,
            j->engine == TT_JOB_LOCAL ? "" : "; --engine local uses this machine instead");
    return tt_report(&err);
}

int tt_cluster_report(const tt_cluster_plan *p, const tt_cluster_job *j, tt_cluster_run *r)
{
    char text[20], many[TT_TEXT_CAP];
    int64_t status = -1;
    uint32_t lost = (uint32_t)p->parts.n - p->n_done;
    char name[sizeof "status-" + sizeof j->name];
    snprintf(name, sizeof name, "status-%s", j->name);
    bool merged = tt_cluster_folder_read(p->work, name, text, sizeof text);
    if (merged) {
        text[strcspn(text, "\n")] = '\0';
        if (!tt_parse_count(text, &status)) status = -1;
    }
    if (lost && (merged || p->n_done || p->n_failed)) report_losses(p);
    if (!merged || status < 0) return report_failure(p, j, r);
    report_merge(p);
    if (status && !(status == 1 && j->cli->value[TT_OPT_REQUIRE_ALL])) {
        tt_err err;
        tt_fail(&err, status < 128 ? (tt_status)status : TT_ERR_INPUT, -1,
                "%s: not written: the merge failed with status %" PRId64 "; script and logs are in %s", p->output,
                status, p->work);
        return tt_report(&err);
    }
    if (!j->cli->value[TT_OPT_QUIET])
        tt_note("%s: %s by %s in %.1f s", p->output, tt_format_counted(many, p->n_done, "rank"),
                tt_job_engine_names[j->engine], r->seconds);
    if (lost)
        tt_warn("%" PRIu32
                " of %zu ranks are missing in it; logs are in %s; the same command again computes those alone",
                lost, p->parts.n, p->work);
    return lost && j->cli->value[TT_OPT_REQUIRE_ALL] ? 1 : (int)status;
}
