/* tui/cluster/script.c - see script.h. */
#include "tui/cluster/script.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/text_safety.h"
#include "tui/widgets/format_value.h"

static void append_text(tt_text *t, const char *s) { tt_text_put(t, s, strlen(s)); }

static void put_f(tt_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Append a short formatted text: numbers and words of this program. */
static void put_f(tt_text *t, const char *fmt, ...)
{
    char line[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    append_text(t, line);
}

/* ---- quoting ---- */

static bool is_plain(const char *s)
{
    return *s && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:,@%") == strlen(s);
}

static bool is_printable(const char *s)
{
    for (size_t n = strlen(s), used; n; s += used, n -= used) {
        uint32_t cp = tt_utf8_next(s, n, &used);
        if (cp == TT_BAD_BYTE || tt_is_control(cp)) return false;
    }
    return true;
}

/* Append a word quoted for the shell; it may hold any bytes. */
static void shell_quote(tt_text *out, const char *word)
{
    if (is_plain(word)) {
        append_text(out, word);
    } else if (is_printable(word)) {
        append_text(out, "'");
        for (const char *s = word; *s; s++) {
            if (*s == '\'')
                append_text(out, "'\\''");
            else
                tt_text_put(out, s, 1);
        }
        append_text(out, "'");
    } else { /* control characters would reach a terminal on which the script is printed */
        append_text(out, "$'");
        for (const unsigned char *s = (const unsigned char *)word; *s; s++) {
            if (*s < ' ' || *s > '~' || *s == '\'' || *s == '\\')
                put_f(out, "\\%03o", *s);
            else
                tt_text_put(out, (const char *)s, 1);
        }
        append_text(out, "'");
    }
}

static void put_setting(tt_text *t, const char *name, const char *value)
{
    append_text(t, name);
    append_text(t, "=");
    shell_quote(t, value);
    append_text(t, "\n");
}

static void put_text_option(tt_text *t, const char *flag, const char *value)
{
    if (!value) return;
    tt_text word = {0};
    append_text(&word, flag);
    append_text(&word, value);
    append_text(t, " ");
    shell_quote(t, word.at);
    tt_vec_free(&word);
}

/* Append text for a comment, in one line. */
static void put_comment(tt_text *t, const char *text)
{
    char *line = tt_sanitize_term_new(text);
    append_text(t, line);
    free(line);
}

/* ---- parts ---- */

/* Append the load options that were given. Without --threads, one thread: ranks of a node are read in parallel
 * already. */
static void put_load_options(const tt_cli *cli, tt_text *t)
{
    static const tt_option options[] = {TT_OPT_THREADS, TT_OPT_MAX_MEMORY, TT_OPT_MAX_EVENTS, TT_OPT_ALL_EVENTS,
                                        TT_OPT_NSYS_EXPORT};
    if (!cli->value[TT_OPT_THREADS]) append_text(t, "--threads 1");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const tt_option_info *o = &tt_option_infos[options[i]];
        if (!cli->value[options[i]]) continue;
        put_f(t, " --%s", o->name);
        if (o->arg) put_text_option(t, "", cli->value[options[i]]);
    }
}

static void put_head(const tt_cluster_plan *p, const tt_cluster_job *j, tt_text *t)
{
    char size[TT_TEXT_CAP], many[TT_TEXT_CAP];
    put_f(t, "#!/usr/bin/env bash\n# tracetty cluster: %s (%s) by %s; the result is ",
          tt_format_counted(many, (int64_t)p->parts.n, "input"), tt_format_bytes(size, (int64_t)p->bytes),
          tt_job_engine_names[j->engine]);
    put_comment(t, p->output);
    append_text(t, "\n"
                   "#   bash cluster.sh run      everything; what is done already is not done again\n"
                   "#   bash cluster.sh part K   one input\n"
                   "#   bash cluster.sh merge    the last step\n"
                   "# Written by tracetty " TT_VERSION ".\n"
                   "set -u\n"
                   "shopt -s nullglob\n");
    put_setting(t, "tracetty", j->program);
    put_setting(t, "work", p->work);
    put_setting(t, "output", p->output);
    put_setting(t, "job", j->name);
    put_setting(t, "engine", tt_job_engine_names[j->engine]);
    put_f(t, "parts=%zu\nloading=(", p->parts.n);
    put_load_options(j->cli, t);
    append_text(t, ")\n\n");
}

static void put_inputs(const tt_cluster_plan *p, tt_text *t)
{
    append_text(t, "# the inputs, the largest first; id is made of path, size and time\n"
                   "input_of() {\n"
                   "    case $1 in\n");
    for (size_t i = 0; i < p->parts.n; i++) {
        put_f(t, "    %zu) id=%016" PRIx64 " input=", i, p->parts.at[i].id);
        shell_quote(t, p->parts.at[i].path);
        append_text(t, " ;;\n");
    }
    append_text(t, "    *) return 1 ;;\n"
                   "    esac\n"
                   "}\n\n");
}

static const char part_text[] =
    "# one part, unless it is done or has failed in this run; tracetty writes beside the name and renames\n"
    "part() {\n"
    "    local name status id input\n"
    "    input_of \"$1\" || return 0\n"
    "    [ ! -e \"$work/cancelled-$job\" ] || exit 255 # which ends xargs\n"
    "    name=$work/part-$id\n"
    "    [ -e \"$name.tts\" ] || [ -e \"$name.failed\" ] && return 0\n"
    "    \"$tracetty\" summarize \"${loading[@]}\" -o \"$name.tts\" -- \"$input\" </dev/null >\"$name.log\" 2>&1\n"
    "    status=$?\n"
    "    [ $status = 0 ] || [ -e \"$work/cancelled-$job\" ] || echo $status >\"$name.failed\"\n"
    "    [ -s \"$name.log\" ] || rm -f \"$name.log\"\n"
    "    return 0\n"
    "}\n"
    "again() { # worth another turn: some parts are done, others neither done nor failed\n"
    "    [ ! -e \"$work/cancelled-$job\" ] || return 1\n"
    "    local done=(\"$work\"/part-*.tts) failed=(\"$work\"/part-*.failed)\n"
    "    [ ${#done[@]} != 0 ] && [ $((${#done[@]} + ${#failed[@]})) -lt $parts ]\n"
    "}\n\n";

/* The task logs why it cannot work. xargs ends when a signal ends one of its processes, so a task tries three times. */
static const char task_text[] =
    "# the share of one task: every tasks-th part, lanes of them at a time\n"
    "task() {\n"
    "    local task tasks lanes pass\n"
    "    numbers || return 1\n"
    "    exec >>\"$work/task-$task.log\" 2>&1\n"
    "    if [ ! -x \"$tracetty\" ]; then\n"
    "        echo \"$(hostname): $tracetty is not on this node: install it where all nodes see it\"\n"
    "        return 1\n"
    "    fi\n"
    "    for pass in 1 2 3; do\n"
    "        seq \"$task\" \"$tasks\" $((parts - 1)) | xargs -r -n 1 -P \"$lanes\" bash \"$work/cluster.sh\" part && "
    "break\n"
    "    done\n"
    "    return 0\n"
    "}\n\n";

static const char merge_text[] =
    "merge() {\n"
    "    [ ! -e \"$work/cancelled-$job\" ] || return 130\n"
    "    \"$tracetty\" merge%s -o \"$output\" -- \"$work\" </dev/null >\"$work/merge.log\" 2>&1\n"
    "    set -- $?\n"
    "    echo \"$1\" >\"$work/status-$job\"\n"
    "    return \"$1\"\n"
    "}\n\n";

/* Append the function that finds a task's number, the number of tasks and the number of CPUs. */
static void put_numbers(const tt_cluster_job *j, tt_text *t)
{
    append_text(t, "numbers() {\n");
    switch (j->engine) {
    case TT_JOB_SRUN:
        append_text(t, "    task=${SLURM_PROCID:?} tasks=${SLURM_STEP_NUM_TASKS:-${SLURM_NTASKS:?}}\n");
        break;
    case TT_JOB_SBATCH: put_f(t, "    task=${SLURM_ARRAY_TASK_ID:?} tasks=%" PRIu32 "\n", j->tasks); break;
    case TT_JOB_MPIRUN:
        append_text(
            t,
            "    task=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${MV2_COMM_WORLD_RANK:?mpirun gave this task no number}}}\n");
        put_f(t, "    tasks=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${MV2_COMM_WORLD_SIZE:-%" PRIu32 "}}}\n",
              j->tasks ? j->tasks : 1);
        break;
    default: append_text(t, "    task=0 tasks=1\n");
    }
    if (j->cpus) {
        put_f(t, "    lanes=%" PRIu32 "\n", j->cpus);
    } else if (j->engine == TT_JOB_SRUN) { /* the CPUs of the node, divided among its tasks */
        append_text(t, "    lanes=$((${SLURM_CPUS_ON_NODE:-1} * ${SLURM_STEP_NUM_NODES:-1} / tasks))\n"
                       "    [ $lanes -ge 1 ] || lanes=1\n");
    } else if (j->engine == TT_JOB_SBATCH) {
        append_text(t, "    lanes=${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-1}}\n");
    } else {
        append_text(t, "    lanes=1\n");
    }
    append_text(t, "}\n\n");
}

/* ---- run ---- */

static void put_number_option(tt_text *t, const char *flag, uint32_t n)
{
    if (n) put_f(t, " %s%" PRIu32, flag, n);
}

static void put_passed(const tt_cluster_job *j, tt_text *t)
{
    for (uint32_t i = 0; i < j->cli->passes.n; i++) put_text_option(t, "", j->cli->passes.at[i]);
}

/* Append the options of sbatch that the array and the merging job share. */
static void put_batch_options(const tt_cluster_job *j, tt_text *t)
{
    append_text(t, "    local options=(--parsable --job-name=\"$job\" --ntasks=1 --chdir=/ --output=/dev/null");
    put_text_option(t, "--partition=", j->cli->value[TT_OPT_PARTITION]);
    put_text_option(t, "--account=", j->cli->value[TT_OPT_ACCOUNT]);
    put_text_option(t, "--time=", j->cli->value[TT_OPT_TIME]);
    put_passed(j, t);
    append_text(t, ")\n");
}

static void put_sbatch(const tt_cluster_job *j, tt_text *t)
{
    put_batch_options(j, t);
    append_text(t, "    local array waiter\n"
                   "    array=$(sbatch");
    put_f(t, " --array=0-%" PRIu32, j->tasks - 1);
    if (j->nodes) append_text(t, " --nodes=1 --exclusive");
    put_number_option(t, "--cpus-per-task=", j->cpus);
    append_text(
        t, " \"${options[@]}\" \"$work/cluster.sh\" task) || return 3\n"
           "    # whatever happened to single tasks; --wait ends with the status of the merge\n"
           "    sbatch --wait --dependency=afterany:\"${array%%;*}\" \"${options[@]}\" \"$work/cluster.sh\" merge &\n"
           "    waiter=$!\n"
           "    while kill -0 $waiter 2>/dev/null; do # it asks ever more rarely: the file is there sooner\n"
           "        [ -e \"$work/status-$job\" ] && kill $waiter 2>/dev/null\n"
           "        sleep 0.2\n"
           "    done\n"
           "    wait $waiter\n"
           "    set -- $?\n"
           "    [ -e \"$work/status-$job\" ] && set -- \"$(cat \"$work/status-$job\")\"\n"
           "    return \"$1\"\n");
}

/* Append the call of srun. A task that fails or ends early must not end the others. A second pass does the parts
 * that a killed task left. Inside an interactive step the CPUs are taken already, so the step overlaps it. */
static void put_srun(const tt_cluster_job *j, tt_text *t)
{
    append_text(t, "    local pass\n"
                   "    for pass in 1 2; do\n"
                   "        SLURM_OVERLAP=1 srun --kill-on-bad-exit=0 --wait=0 --no-kill --cpu-bind=none");
    put_number_option(t, "--nodes=", j->nodes);
    put_number_option(t, "--ntasks=", j->tasks);
    put_number_option(t, "--cpus-per-task=", j->cpus);
    put_passed(j, t);
    append_text(t, " \\\n            bash \"$work/cluster.sh\" task && break\n"
                   "        again || break\n"
                   "    done\n");
}

/* Append the call of mpirun, which ends all tasks when one dies: further passes do the parts that are left. */
static void put_mpirun(const tt_cluster_job *j, tt_text *t)
{
    append_text(t, "    local pass\n"
                   "    for pass in 1 2 3; do\n"
                   "        mpirun");
    put_number_option(t, "-n ", j->tasks);
    put_passed(j, t);
    append_text(t, " bash \"$work/cluster.sh\" task && break\n"
                   "        again || break\n"
                   "    done\n");
}

static const char begin_text[] =
    "# the run has the folder alone: every process of it inherits descriptor 3, a lock that tracetty cluster took, or\n"
    "# this script where a person runs it\n"
    "begin() {\n"
    "    [ /proc/self/fd/3 -ef \"$work\" ] && return 0\n"
    "    exec 3<\"$work\" || return 3\n"
    "    if command -v flock >/dev/null; then\n"
    "        flock -w 5 -E 75 3\n"
    "        [ $? != 75 ] || { echo \"$work: another run is at work there\" >&2; return 3; }\n"
    "    fi\n"
    "    rm -f \"$work/cancelled-$job\"\n"
    "    echo \"$job $$ $HOSTNAME $engine\" >\"$work/run\"\n"
    "}\n\n";

/* Append the function that ends the run. It kills the process group only if the script leads the group, as it does
 * when tracetty or an interactive shell starts it: another group may hold other processes. */
static void put_stop(const tt_cluster_job *j, tt_text *t)
{
    append_text(t, "stop() { # nothing more begins, and what runs ends\n"
                   "    local group _\n"
                   "    trap '' HUP INT TERM\n"
                   "    : >\"$work/cancelled-$job\"\n");
    if (j->engine == TT_JOB_SBATCH) append_text(t, "    scancel --name=\"$job\"\n");
    append_text(t, "    read -r _ _ _ _ group _ </proc/$$/stat\n"
                   "    [ \"$group\" != $$ ] || kill -TERM 0\n"
                   "    wait\n"
                   "    exit 130\n"
                   "}\n\n");
}

static void put_run(const tt_cluster_job *j, tt_text *t)
{
    append_text(t, "everything() {\n");
    switch (j->engine) {
    case TT_JOB_SBATCH: put_sbatch(j, t); break;
    case TT_JOB_SRUN: put_srun(j, t); break;
    case TT_JOB_MPIRUN: put_mpirun(j, t); break;
    default: append_text(t, "    (task)\n");
    }
    if (j->engine != TT_JOB_SBATCH)
        append_text(t, "    set -- \"$work\"/part-*.tts\n"
                       "    [ $# != 0 ] || return 3\n"
                       "    merge\n");
    append_text(t, "}\n\n"
                   "run() { # a trap waits for the end of what is in the foreground: everything is in the background\n"
                   "    trap stop HUP INT TERM\n"
                   "    begin || return 3\n"
                   "    rm -f \"$work\"/part-*.failed \"$work\"/task-*.log \"$work\"/status-*\n"
                   "    { trap - INT QUIT; everything; } &\n"
                   "    wait $!\n"
                   "}\n\n");
}

void tt_cluster_script(const tt_cluster_plan *p, const tt_cluster_job *j, tt_text *out)
{
    put_head(p, j, out);
    put_inputs(p, out);
    append_text(out, part_text);
    put_numbers(j, out);
    append_text(out, task_text);
    put_f(out, merge_text, j->cli->value[TT_OPT_REQUIRE_ALL] ? " --require-all" : "");
    append_text(out, begin_text);
    put_stop(j, out);
    put_run(j, out);
    append_text(out, "case ${1:-run} in\n"
                     "run | task | merge) \"${1:-run}\" ;;\n"
                     "part) part \"${2:?which part}\" ;;\n"
                     "*) echo \"usage: bash cluster.sh [run|task|merge|part K]\" >&2; exit 2 ;;\n"
                     "esac\n");
}

void tt_cluster_wrap(const tt_cluster_plan *p, const tt_text *script, tt_text *out)
{
    tt_text end = {0};
    append_text(&end, "END_OF_SCRIPT");
    while (strstr(script->at, end.at)) append_text(&end, "_");
    append_text(out, "#!/usr/bin/env bash\n# what 'tracetty cluster' does: its script, put where the nodes see it, and "
                     "run\nset -eu\n");
    put_setting(out, "work", p->work);
    append_text(out, "mkdir -p -m 700 -- \"$work\"\ncat >\"$work/cluster.sh\" <<'");
    append_text(out, end.at);
    append_text(out, "'\n");
    tt_text_put(out, script->at, script->n);
    append_text(out, end.at);
    append_text(out, "\nexec bash \"$work/cluster.sh\" run\n");
    tt_vec_free(&end);
}
