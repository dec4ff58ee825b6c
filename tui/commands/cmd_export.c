/* tui/commands/cmd_export.c - `tracetty export`: write the selection as a trace file, a database, a summary or
 * folded stacks. */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "model/base/buf.h"
#include "tui/answers/anonymous.h"
#include "tui/args/open_session.h"
#include "tui/args/summary_options.h"
#include "tui/output/export/export_dump.h"
#include "tui/output/export/export_trace.h"
#include "tui/output/export/folded.h"
#include "tui/ranks/summarize.h"
#include "tui/sql/sql.h"

/* Limit the scope to the worker with the rank of --rank. */
static tt_status choose_rank(const tt_cli *cli, const tt_session *s, tt_scope *scope, tt_err *err)
{
    const char *v = cli->value[TT_OPT_RANK];
    int64_t rank;
    if (!v) return TT_OK;
    if (!tt_parse_count(v, &rank)) return tt_fail(err, TT_ERR_USAGE, -1, "--rank: '%s' is not a number", v);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (s->traces[i]->rank != rank) continue;
        for (uint32_t w = 0; w < s->n_workers; w++) {
            if (!strcmp(s->workers[w], s->traces[i]->worker)) scope->worker = (int32_t)w;
        }
        return TT_OK;
    }
    char have[400];
    tt_buf ranks = tt_buf_of(have);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (s->traces[i]->rank >= 0) tt_buf_list(&ranks, ", ", "%" PRId64, s->traces[i]->rank);
    }
    return tt_fail(err, TT_ERR_USAGE, -1, "--rank: there is no rank %s; the input has %s", v, *have ? have : "none");
}

static tt_status export_stacks(const tt_session *s, const tt_scope *scope, const char *weight, const char *to,
                               tt_err *err)
{
    uint64_t lines;
    tt_flame_weight w = weight && !strcmp(weight, "device") ? TT_FLAME_DEVICE : TT_FLAME_TIME;
    TT_TRY(tt_folded_export(s, scope, w, to, &lines, err));
    char n[TT_TEXT_CAP];
    tt_note("%s: %s written", strcmp(to, "-") ? to : "standard output", tt_format_counted(n, (int64_t)lines, "stack"));
    return TT_OK;
}

static bool ends_with(const char *s, const char *ending)
{
    size_t n = strlen(s), e = strlen(ending);
    return n > e && !strcmp(s + n - e, ending);
}

/* The name of the output asks for a database. */
static bool is_database(const char *to)
{
    static const char *const endings[] = {".sqlite", ".sqlite3", ".db", ".sqlite.gz", ".sqlite3.gz", ".db.gz"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (ends_with(to, endings[i])) return true;
    }
    return false;
}

static bool is_summary(const char *to) { return ends_with(to, ".tts"); }

/* Write a summary of the recordings, like 'summarize'. */
static tt_status export_summary(const tt_session *s, const char *to, tt_err *err)
{
    tt_tts_union u = {0};
    tt_summarize_session(s, &u);
    tt_status st = tt_summarize_write(&u, to, &s->inputs, err);
    tt_tts_union_free(&u);
    if (st == TT_OK) tt_note("%s: summary written", strcmp(to, "-") ? to : "standard output");
    return st;
}

/* Refuse options that select a part: a summary or database covers everything that is loaded. */
static tt_status check_whole(const tt_cli *cli, const char *what, tt_err *err)
{
    static const tt_option parts[] = {TT_OPT_STEPS, TT_OPT_RANGE, TT_OPT_RANK, TT_OPT_MERGE, TT_OPT_STACKS};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (cli->value[parts[i]])
            return tt_fail(err, TT_ERR_USAGE, -1,
                           "--%s: a %s holds all that is loaded; choose with --worker and --span",
                           tt_option_infos[parts[i]].name, what);
    }
    return TT_OK;
}

static tt_status export_database(const tt_cli *cli, tt_session *s, const char *to, tt_err *err)
{
    char n[TT_TEXT_CAP];
    tt_sql_exported done;
    TT_TRY(tt_sql_export(s, to, cli->value[TT_OPT_ARGS] != NULL, &done, err));
    tt_note("%s: %u tables with %s written", to, done.tables, tt_format_counted(n, (int64_t)done.rows, "row"));
    return TT_OK;
}

static unsigned what_of(const tt_cli *cli)
{
    const char *hide = cli->value[TT_OPT_ANONYMISE];
    return (cli->value[TT_OPT_MERGE] ? TT_EXPORT_MERGE : 0) | (hide ? TT_EXPORT_ANONYMISE : 0) |
           (hide && *hide ? TT_EXPORT_HIDE_SHAPES : 0);
}

static const char spool_ending[] = ".ttspool";

static void say_written(const char *to, const tt_exported *done)
{
    char n[TT_TEXT_CAP];
    tt_note("%s: %s written", strcmp(to, "-") ? to : "standard output",
            tt_format_counted(n, (int64_t)done->events, "event"));
    const struct {
        uint64_t n;
        const char *what, *why;
    } left[] = {
        {done->poor, "event", "written without arguments: the text cannot be read again"},
        {done->lost, "event", "left out: the text cannot be read again"},
        {done->broken, "event", "left out: no JSON, and beyond repair; 'tracetty check' says where"},
        {done->alien, "element", "left out: not an object, as events are"},
        {done->members, "member", "beside the events left out: too long, or not to be read again"},
    };
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        if (left[i].n) tt_warn("%s %s", tt_format_counted(n, (int64_t)left[i].n, left[i].what), left[i].why);
    }
}

static tt_status no_output(tt_err *err)
{
    return tt_fail(err, TT_ERR_USAGE, -1,
                   "export takes a trace and the name of the new file: tracetty export %s; only whole recordings "
                   "have names for what is made of them",
                   tt_commands[TT_CMD_EXPORT].args);
}

static bool is_spool(const char *path) { return ends_with(path, spool_ending); }

static bool may_be_recordings(const tt_cli *cli)
{
    struct stat st;
    for (uint32_t i = 0; i < cli->n_args; i++) {
        if (!is_spool(cli->args[i]) && (stat(cli->args[i], &st) || !S_ISDIR(st.st_mode))) return false;
    }
    return true;
}

/* Without --output: write the JSON that `record` writes at its end, beside each recording and under its name. */
static tt_status export_beside(const tt_cli *cli, const tt_session *s, const tt_scope *scope, tt_err *err)
{
    char to[4200];
    tt_exported done;
    bool whole = !scope->has_steps && !scope->has_range && scope->thread == TT_ALL && !cli->value[TT_OPT_STACKS] &&
                 !cli->value[TT_OPT_MERGE];
    for (uint32_t i = 0; i < s->n_traces; i++) {
        whole = whole && is_spool(s->traces[i]->path) && strlen(s->traces[i]->path) < sizeof to - 32;
    }
    if (!whole) return no_output(err);
    for (uint32_t w = 0; w < s->n_workers; w++) {
        tt_scope one = *scope;
        if (scope->worker != TT_ALL && scope->worker != (int32_t)w) continue;
        one.worker = (int32_t)w;
        uint32_t trace = tt_export_only_trace(s, &one);
        if (trace == TT_NONE) continue;
        const char *path = s->traces[trace]->path;
        snprintf(to, sizeof to, "%.*s.pt.trace.json.gz", (int)(strlen(path) - (sizeof spool_ending - 1)), path);
        TT_TRY(tt_export_file(s, &one, 0, to, 0, &done, err));
        say_written(to, &done);
    }
    return TT_OK;
}

static tt_status has_events(const tt_session *s, tt_err *err)
{
    for (uint32_t i = 0; i < s->n_traces; i++)
        if (s->traces[i]->summary)
            return tt_fail(err, TT_ERR_USAGE, -1, "a summary has no events to export: export the recording, %s",
                           s->traces[i]->path);
    return TT_OK;
}

/* Export what depends on the session as a whole: a database or summary (by the name of --output), or folded stacks. */
static tt_status export_made(const tt_cli *cli, tt_session *s, const tt_scope *scope, const char *to, tt_err *err)
{
    if (is_database(to)) return export_database(cli, s, to, err);
    if (is_summary(to)) return export_summary(s, to, err);
    return export_stacks(s, scope, cli->value[TT_OPT_STACKS], to, err);
}

static tt_status export_dumps(const tt_cli *cli, const tt_session *s, const tt_scope *scope, const char *to,
                              tt_err *err)
{
    char n[TT_TEXT_CAP];
    uint32_t dumps = 0;
    TT_TRY(check_whole(cli, "folder of dumps", err));
    TT_TRY(tt_export_dumps(s, scope, cli->value[TT_OPT_ANONYMISE] != NULL, to, &dumps, err));
    tt_note("%s: %s written", to, tt_format_counted(n, dumps, "dump"));
    return TT_OK;
}

static tt_status export_to(const tt_cli *cli, tt_session *s, const tt_scope *scope, const char *to, tt_err *err)
{
    const char *format = cli->value[TT_OPT_EXPORT_FORMAT];
    if (format && !strcmp(format, "dump")) return export_dumps(cli, s, scope, to, err);
    bool whole = is_database(to) || is_summary(to);
    tt_exported done;
    if (whole) TT_TRY(check_whole(cli, is_summary(to) ? "summary" : "database", err));
    if (!whole && !cli->value[TT_OPT_STACKS] && !tt_folded_name(to)) {
        TT_TRY(tt_export_file(s, scope, what_of(cli), to, 0, &done, err));
        say_written(to, &done);
        return TT_OK;
    }
    if (!cli->value[TT_OPT_ANONYMISE]) return export_made(cli, s, scope, to, err);
    tt_anonymous a;
    tt_status st = tt_anonymous_make(cli, s, scope, what_of(cli), &a, err);
    if (st == TT_OK) st = export_made(cli, a.session, &tt_scope_all, to, err);
    tt_anonymous_free(&a);
    return st;
}

int tt_cmd_export(const tt_cli *cli)
{
    tt_session *s;
    tt_err err;
    tt_scope scope;
    const char *to = cli->value[TT_OPT_OUTPUT];
    if (cli->n_args < 1 || (!to && !may_be_recordings(cli))) { /* fail before loading anything */
        no_output(&err);
        return tt_report(&err);
    }
    if (!to && cli->value[TT_OPT_ANONYMISE]) {
        tt_fail(&err, TT_ERR_USAGE, -1, "--anonymise without --output: say what the new file is called, -o FILE");
        return tt_report(&err);
    }
    if (tt_select_scope(cli, &scope, &err) != TT_OK || tt_open_session(cli, true, &s, &err) != TT_OK)
        return tt_report(&err);
    tt_status st = has_events(s, &err);
    if (st == TT_OK) st = choose_rank(cli, s, &scope, &err);
    if (st == TT_OK) st = tt_select_check(s, &scope, &err);
    if (st == TT_OK) st = to ? export_to(cli, s, &scope, to, &err) : export_beside(cli, s, &scope, &err);
    tt_session_free(s);
    return st == TT_OK ? 0 : tt_report(&err);
}
