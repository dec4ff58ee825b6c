/* tui/commands/cmd_summary.c - `tracetty summary`: load, compute the tables asked for, order their rows, hand them to a
 * writer. */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tui/app/explore.h"
#include "tui/args/open_session.h"
#include "tui/args/summary_options.h"
#include "tui/output/paddle.h"
#include "tui/output/writers.h"

typedef struct summary {
    const tt_cli *cli;
    tt_select sel;
    tt_session *session;
    tt_session *whole; /* with --worker and tables over all workers: all of them; else NULL */
    tt_arena arena;    /* texts of the sections */
    TT_VEC(tt_row_order) views;
    TT_VEC(uint32_t *) row_lists; /* rows of sections that are parts of a table */
    TT_VEC(tt_section) sections;
} summary;

static void add_option(tt_section *sec, const char *key, const char *value)
{
    if (value && sec->n_options < sizeof sec->options / sizeof *sec->options) {
        sec->options[sec->n_options++] = (struct tt_output_option){key, value};
    }
}

static tt_row_order_spec order_of(const summary *s, const tt_table *t)
{
    tt_row_order_spec spec = tt_row_order_default(t);
    int col = s->sel.sort_key[0] ? tt_table_column(t, s->sel.sort_key) : -1;
    if (col >= 0) {
        tt_type type = t->cols[col]->type;
        spec.sort_col = col;
        spec.desc = s->sel.sort_dir ? s->sel.sort_dir < 0 : type != TT_T_STRING && type != TT_T_TIME;
    }
    spec.filter = s->sel.filter;
    spec.regex = s->sel.regex;
    spec.name_only = true;
    return spec;
}

static tt_section section_of(summary *s, const tt_table *t, const tt_row_order_spec *spec)
{
    tt_section sec = {.table = t, .sorted = spec->sort_col >= 0};
    const tt_cli *cli = s->cli;
    if (t->desc->groups) add_option(&sec, "group_by", t->desc->groups[t->options.group]);
    if (s->sel.sort_key[0] && spec->sort_col >= 0 && !strcmp(t->cols[spec->sort_col]->key, s->sel.sort_key)) {
        add_option(&sec, "sort", tt_arena_printf(&s->arena, "%s:%s", s->sel.sort_key, spec->desc ? "desc" : "asc"));
    }
    add_option(&sec, "filter", cli->value[TT_OPT_FILTER]);
    add_option(&sec, "filter_regex", cli->value[TT_OPT_FILTER_REGEX]);
    add_option(&sec, "steps", cli->value[TT_OPT_STEPS]);
    add_option(&sec, "range", cli->value[TT_OPT_RANGE]);
    add_option(&sec, "worker", cli->value[TT_OPT_WORKER]);
    add_option(&sec, "span", cli->value[TT_OPT_SPAN]);
    if (t->options.samples_per_step > 0) add_option(&sec, "samples_per_step", cli->value[TT_OPT_SAMPLES]);
    if (t->options.stack_depth) add_option(&sec, "stack_depth", cli->value[TT_OPT_STACK_DEPTH]);
    return sec;
}

static void limit_rows(const summary *s, tt_section *sec)
{
    sec->n_found = sec->n_rows;
    if (s->sel.limit && sec->n_rows > s->sel.limit) sec->n_rows = (uint32_t)s->sel.limit;
}

static bool same_part(const tt_table *t, uint32_t a, uint32_t b)
{
    for (uint32_t c = 0; c < t->lead; c++) {
        if (strcmp(tt_table_cell(t, a, c).s, tt_table_cell(t, b, c).s) != 0) return false;
    }
    return true;
}

/* One section for each thread, in the order of the table. */
static void add_parts(summary *s, const tt_table *t, const tt_row_order *v, const tt_section *whole)
{
    uint32_t *part_of = tt_calloc(t->n_rows, sizeof *part_of), *first = tt_calloc(t->n_rows, sizeof *first),
             n_parts = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) { /* rows of a thread were computed together */
        if (!r || !same_part(t, r, r - 1)) first[n_parts++] = r;
        part_of[r] = n_parts - 1;
    }
    for (uint32_t p = 0; p < n_parts; p++) {
        tt_section sec = *whole;
        uint32_t *rows = tt_calloc(v->n, sizeof *rows);
        for (uint32_t i = 0; i < v->n; i++) {
            if (part_of[v->rows[i]] == p) rows[sec.n_rows++] = v->rows[i];
        }
        *tt_vec_push(&s->row_lists) = rows;
        if (!sec.n_rows) continue;
        sec.rows = rows;
        sec.skip = t->lead;
        for (uint32_t c = 0; c < t->lead; c++) {
            sec.part = tt_arena_printf(&s->arena, "%s%s%s %s", sec.part ? sec.part : "", sec.part ? ", " : "",
                                       t->cols[c]->key, tt_table_cell(t, first[p], c).s);
        }
        limit_rows(s, &sec);
        *tt_vec_push(&s->sections) = sec;
    }
    free(part_of);
    free(first);
}

/* --worker chooses rows: tables over all workers are computed from all, and show what is about the chosen one. */
static const tt_table *table_of(summary *s, const tt_table_desc *d, const tt_options *o)
{
    tt_scope scope = s->sel.scope;
    if (!s->whole || !(d->flags & TT_TABLE_ALL_STORES)) return tt_table_get(s->session, d, &scope, o);
    for (uint32_t i = 0; i < s->whole->n_workers; i++) {
        if (!strcmp(s->whole->workers[i], s->cli->value[TT_OPT_WORKER])) scope.worker = (int32_t)i;
    }
    return tt_table_get(s->whole, d, &scope, o);
}

static tt_status add_table(summary *s, const tt_table_desc *d, tt_err *err)
{
    tt_options o = s->sel.options;
    int group = s->sel.group ? tt_table_group(d, s->sel.group) : -1;
    o.group = group > 0 ? (uint8_t)group : 0;
    const tt_table *t = table_of(s, d, &o);
    if (s->sel.all && !t->n_rows) return TT_OK;
    tt_row_order_spec spec = order_of(s, t);
    tt_row_order v;
    TT_TRY(tt_row_order_make(t, &spec, &v, err));
    *tt_vec_push(&s->views) = v;
    tt_section sec = section_of(s, t, &spec);
    if (t->options.thread_sep && s->sel.format == TT_OUT_TEXT && v.n) {
        add_parts(s, t, &v, &sec);
        return TT_OK;
    }
    sec.rows = v.rows;
    sec.n_rows = v.n;
    limit_rows(s, &sec);
    *tt_vec_push(&s->sections) = sec;
    return TT_OK;
}

static bool wants_color(const tt_cli *cli)
{
    const char *when = cli->value[TT_OPT_COLOR], *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (when && strcmp(when, "auto") != 0) return strcmp(when, "never") != 0;
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

static uint32_t terminal_width(void)
{
    struct winsize ws;
    return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) ? ws.ws_col : 0;
}

static void write_document(const summary *s)
{
    tt_document d = {.session = s->session,
                     .paths = s->cli->args,
                     .n_paths = s->cli->n_args,
                     .sections = s->sections.at,
                     .n_sections = (uint32_t)s->sections.n,
                     .unit = s->sel.unit,
                     .alike = s->sel.alike};
    switch (s->sel.format) {
    case TT_OUT_JSON: tt_out_json(stdout, &d); break;
    case TT_OUT_CSV: tt_out_csv(stdout, d.sections); break;
    default:
        d.color = wants_color(s->cli);
        d.width = terminal_width();
        d.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
        tt_out_text(stdout, &d);
    }
}

static tt_status run(summary *s, tt_err *err)
{
    TT_TRY(tt_select_parse(s->cli, &s->sel, err));
    bool all = false;
    for (size_t i = 0; i < s->sel.tables.n; i++) all |= (s->sel.tables.at[i]->flags & TT_TABLE_ALL_STORES) != 0;
    if (all && s->cli->value[TT_OPT_WORKER] && s->cli->n_args) {
        TT_TRY(tt_open_chosen(s->cli, &s->session, &s->whole, err));
    } else {
        TT_TRY(tt_open_session(s->cli, true, &s->session, err));
    }
    TT_TRY(tt_select_tables(s->cli, s->session, &s->sel, err));
    TT_TRY(tt_select_check(s->session, &s->sel.scope, err));
    if (s->sel.paddle) {
        uint32_t limit = s->cli->value[TT_OPT_LIMIT] ? (uint32_t)s->sel.limit : 0;
        return tt_out_paddle(stdout, s->session, &s->sel, limit, err) ? TT_OK : TT_ERR_USAGE;
    }
    for (size_t i = 0; i < s->sel.tables.n; i++) TT_TRY(add_table(s, s->sel.tables.at[i], err));
    write_document(s);
    return TT_OK;
}

/* Options of pictures without a picture. */
static tt_status check_screen(const tt_cli *cli, tt_err *err)
{
    static const tt_option of_screens[] = {TT_OPT_SIZE, TT_OPT_KEYS, TT_OPT_THEME, TT_OPT_UNICODE};
    for (size_t i = 0; i < sizeof of_screens / sizeof *of_screens; i++) {
        const char *name = tt_option_infos[of_screens[i]].name;
        if (cli->command == TT_CMD_SUMMARY && cli->value[of_screens[i]])
            return tt_fail(err, TT_ERR_USAGE, -1, "--%s needs --screen NAME", name);
    }
    return TT_OK;
}

int tt_cmd_summary(const tt_cli *cli)
{
    summary s = {.cli = cli};
    tt_err err;
    if (cli->command == TT_CMD_SUMMARY && cli->value[TT_OPT_SCREEN]) return tt_explore_print(cli);
    if (check_screen(cli, &err) != TT_OK) return tt_report(&err);
    int status = run(&s, &err) == TT_OK ? tt_finish_output() : tt_report(&err);
    for (size_t i = 0; i < s.views.n; i++) tt_row_order_free(&s.views.at[i]);
    for (size_t i = 0; i < s.row_lists.n; i++) free(s.row_lists.at[i]);
    tt_vec_free(&s.views);
    tt_vec_free(&s.row_lists);
    tt_vec_free(&s.sections);
    tt_arena_free(&s.arena);
    tt_select_free(&s.sel);
    tt_session_free(s.session);
    tt_session_free(s.whole);
    return status;
}
