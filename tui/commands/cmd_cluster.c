/* tui/commands/cmd_cluster.c - `tracetty cluster`: summarise every rank of a run with the cluster's own engine,
 * merge the summaries, open the result. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/cluster/report.h"
#include "tui/cluster/script.h"
#include "tui/commands/commands.h"
#include "tui/files/signals.h"

/* Open or print the result, as --at-end and --table say. */
static int show(const tt_cli *cli, const char *output)
{
    const char *end = cli->value[TT_OPT_AT_END];
    bool terminal = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
    bool asked = cli->value[TT_OPT_TABLE] || cli->value[TT_OPT_FORMAT];
    if (!asked && (end ? !strcmp(end, "nothing") : cli->value[TT_OPT_QUIET] != NULL)) return TT_OK;
    tt_cli next = {.command = TT_CMD_EXPLORE, .args = &output, .n_args = 1};
    if (asked || (end ? !strcmp(end, "summary") : !terminal)) {
        next.command = TT_CMD_SUMMARY;
        next.value[TT_OPT_TABLE] = cli->value[TT_OPT_TABLE];
        next.value[TT_OPT_FORMAT] = cli->value[TT_OPT_FORMAT];
        return tt_cmd_summary(&next);
    }
    return tt_cmd_explore(&next);
}

static int print_script(const tt_cluster_plan *p, const tt_text *script)
{
    tt_text whole = {0};
    tt_cluster_wrap(p, script, &whole);
    fwrite(whole.at, 1, whole.n, stdout);
    tt_vec_free(&whole);
    return tt_finish_output();
}

static int cancelled(const tt_cluster_plan *p, int signal)
{
    tt_note("cancelled with %u of %zu ranks done, which are kept in %s; the same command goes on from there", p->n_done,
            p->parts.n, p->work);
    tt_signal_die(signal);
    return 128 + signal;
}

static int run(const tt_cli *cli, tt_cluster_plan *p, const tt_cluster_job *j, const tt_text *script)
{
    tt_cluster_run r;
    tt_err err;
    if (tt_cluster_plan_begin(p, j->name, tt_job_engine_names[j->engine], cli->value[TT_OPT_FRESH] != NULL, &err) !=
            TT_OK ||
        tt_cluster_folder_write(p->work, "cluster.sh", script->at, script->n, &err) != TT_OK)
        return tt_report(&err);
    tt_cluster_warn_earlier(&p->earlier);
    if (p->n_done && !cli->value[TT_OPT_QUIET])
        tt_note("%u of %zu ranks were done before and are not computed again (--fresh: all are)", p->n_done,
                p->parts.n);
    if (tt_cluster_watch(p, j, &r, &err) != TT_OK) return tt_report(&err);
    if (r.signal) return cancelled(p, r.signal);
    int status = tt_cluster_report(p, j, &r);
    if (status > 1) return status;
    if (p->n_done == p->parts.n && !cli->value[TT_OPT_KEEP])
        tt_cluster_plan_remove(p);
    else if (cli->value[TT_OPT_KEEP])
        tt_note("script, logs and summaries of the ranks are in %s", p->work);
    close(p->lock); /* release the lock: the result can be recomputed while a person looks at it */
    p->lock = -1;
    int shown = show(cli, p->output);
    return status ? status : shown;
}

int tt_cmd_cluster(const tt_cli *cli)
{
    tt_cluster_plan plan = {.lock = -1};
    tt_cluster_job job;
    tt_text script = {0};
    tt_err err;
    int status;
    if (!cli->n_args) {
        tt_fail(&err, TT_ERR_USAGE, -1, "no DIR given: tracetty cluster %s", tt_commands[TT_CMD_CLUSTER].args);
        return tt_report(&err);
    }
    if (tt_cluster_plan_make(cli->args, cli->n_args, cli->value[TT_OPT_RUN], cli->value[TT_OPT_OUTPUT], &plan, &err) !=
            TT_OK ||
        tt_cluster_job_make(cli, &plan, &job, &err) != TT_OK) {
        status = tt_report(&err);
    } else {
        tt_cluster_script(&plan, &job, &script);
        status = cli->value[TT_OPT_DRY_RUN] ? print_script(&plan, &script) : run(cli, &plan, &job, &script);
    }
    tt_vec_free(&script);
    tt_cluster_plan_free(&plan);
    return status;
}
