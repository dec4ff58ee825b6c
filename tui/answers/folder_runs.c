/* tui/answers/folder_runs.c - see folder_runs.h. */
#include "tui/answers/folder_runs.h"

#include <stdlib.h>
#include <string.h>

#include "tui/args/open_session.h"
#include "tui/args/summary_options.h"

void tt_warn_found(const tt_found_list *found)
{
    tt_text lines = {0};
    if (found->warnings.n) tt_text_put(&lines, found->warnings.at, found->warnings.n);
    for (char *save = NULL, *l = lines.n ? strtok_r(lines.at, "\n", &save) : NULL; l; l = strtok_r(NULL, "\n", &save))
        tt_warn("%s", l);
    tt_vec_free(&lines);
}

static const char *kept(tt_folder_runs *r, const char *text)
{
    return text ? tt_arena_strndup(&r->texts, text, strlen(text)) : NULL;
}

/* Keep the row of the run after its session is freed. */
static void keep(tt_folder_runs *r, tt_run_row row)
{
    row.run = kept(r, row.run);
    row.path = kept(r, row.path);
    row.source = kept(r, row.source);
    row.verdict = kept(r, row.verdict);
    r->at[r->n++] = row;
}

/* Load one run; *newest keeps its session if it has none yet. */
static tt_status load_one(const tt_open_spec *spec, const tt_scope *scope, tt_folder_runs *out, tt_session **newest,
                          tt_err *err)
{
    tt_session *s;
    TT_TRY(tt_open(spec, &s, err));
    tt_status st = tt_scope_missing(s, scope, err);
    if (st == TT_OK) keep(out, tt_run_row_of(s, scope));
    if (st == TT_OK && !*newest)
        *newest = s;
    else
        tt_session_free(s);
    return st;
}

static tt_status load_found(const tt_cli *cli, const tt_scope *scope, tt_found_list *found, tt_load_options *load,
                            tt_folder_runs *out, tt_session **newest, size_t *taken, tt_err *err)
{
    const tt_open_spec spec = {.paths = cli->args,
                               .n_paths = 1,
                               .load = load,
                               .worker_option = "worker",
                               .span_option = "span",
                               .damage = true};
    tt_err why;
    out->at = tt_calloc(found->runs.n, sizeof *out->at);
    load->found = found;
    for (size_t i = 0; i < found->runs.n; i++) {
        const tt_found_run *r = &found->runs.at[i];
        bool had = *newest != NULL;
        load->found_run = i;
        if (load_one(&spec, scope, out, newest, &why) == TT_OK) {
            if (!had) *taken = i;
            continue;
        }
        /* report the error of a run that can be read, but not with these options, rather than an unreadable run */
        if (!i || (err->code == TT_ERR_INPUT && why.code != TT_ERR_INPUT)) *err = why;
        if (found->runs.n > 1) tt_warn("run '%s': %s", r->name, why.message);
        keep(out, tt_run_row_unread(r->name, tt_found_run_path(found, r->name), why.message));
    }
    return *newest ? TT_OK : err->code;
}

tt_status tt_folder_runs_load(const tt_cli *cli, const tt_scope *scope, bool alone, tt_folder_runs *out,
                              tt_session **newest, tt_err *err)
{
    const tt_discover_how how = {0};
    tt_found_list found = {0};
    tt_load_options load;
    size_t taken = 0;
    tt_arena a = {0};
    TT_TRY(tt_open_options(cli, &load, err));
    TT_TRY(tt_discover_as(cli->args, 1, &how, &found, err));
    tt_warn_found(&found);
    tt_status st = load_found(cli, scope, &found, &load, out, newest, &taken, err);
    if (st == TT_OK && !alone && found.runs.n > 1) tt_warn("%s", tt_found_words(&found, cli->args[0], taken, &a));
    tt_found_free(&found);
    tt_arena_free(&a);
    tt_signals_again(&load);
    return st;
}

void tt_folder_runs_free(tt_folder_runs *r)
{
    free(r->at);
    tt_arena_free(&r->texts);
}
