/* tui/answers/print_tables.c - turns the tables asked for into sections of a document, and passes it to the writer
 * of the format. */
#include "tui/answers/print_tables.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "model/base/run/parallel.h"
#include "model/tables/cells.h"
#include "model/tables/hang/columns.h"
#include "model/tables/hang/tables.h"
#include "model/tables/sort_words.h"
#include "tui/output/torch.h"

static void add_option(tt_section *sec, const char *key, const char *value)
{
    if (value && sec->n_options < sizeof sec->options / sizeof *sec->options) {
        sec->options[sec->n_options++] = (struct tt_output_option){key, value};
    }
}

static tt_row_order_spec order_of(const tt_print *s, const tt_table *t)
{
    tt_row_order_spec spec = tt_row_order_default(t);
    int col = s->sel.sort_key[0] ? tt_sort_column(t, s->sel.sort_key) : -1;
    if (col >= 0) {
        spec.sort_col = col;
        spec.desc = s->sel.sort_dir ? s->sel.sort_dir < 0 : !tt_sort_ascends(t->cols[col], s->sel.sort_key);
    }
    spec.filter = s->sel.filter;
    spec.regex = s->sel.regex;
    spec.name_only = true;
    return spec;
}

/* All values of --what-if in one text; NULL without any. */
static const char *what_if_text(tt_print *s)
{
    const char *text = NULL;
    for (uint32_t i = 0; i < s->cli->what_ifs.n; i++)
        text = tt_arena_printf(&s->arena, "%s%s%s", text ? text : "", text ? ", " : "", s->cli->what_ifs.at[i]);
    return text;
}

/* Options that a section repeats as they were typed. */
static const struct {
    const char *key;
    tt_option option;
} shown[] = {
    {"filter", TT_OPT_FILTER},
    {"filter_regex", TT_OPT_FILTER_REGEX},
    {"steps", TT_OPT_STEPS},
    {"range", TT_OPT_RANGE},
    {"worker", TT_OPT_WORKER},
    {"span", TT_OPT_SPAN},
    {"base_steps", TT_OPT_BASE_STEPS},
    {"new_steps", TT_OPT_NEW_STEPS},
    {"base_range", TT_OPT_BASE_RANGE},
    {"new_range", TT_OPT_NEW_RANGE},
    {"base_worker", TT_OPT_BASE_WORKER},
    {"new_worker", TT_OPT_NEW_WORKER},
    {"base_span", TT_OPT_BASE_SPAN},
    {"new_span", TT_OPT_NEW_SPAN},
    {"per", TT_OPT_PER},
    {"skip", TT_OPT_SKIP},
    {"match", TT_OPT_MATCH},
    {"confidence", TT_OPT_CONFIDENCE},
    {"min_effect", TT_OPT_MIN_EFFECT},
};

static tt_section section_of(tt_print *s, const tt_table *t, const tt_row_order_spec *spec)
{
    tt_section sec = {.table = t, .sorted = spec->sort_col >= 0};
    const tt_cli *cli = s->cli;
    if (t->desc->groups) add_option(&sec, "group_by", t->desc->groups[t->options.group]);
    if (s->sel.sort_key[0] && spec->sort_col >= 0 && spec->sort_col == tt_sort_column(t, s->sel.sort_key)) {
        const char *key = t->cols[spec->sort_col]->key;
        add_option(&sec, "sort", tt_arena_printf(&s->arena, "%s:%s", key, spec->desc ? "desc" : "asc"));
    }
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        add_option(&sec, shown[i].key, cli->value[shown[i].option]);
    if (t->options.samples_per_step > 0) add_option(&sec, "samples_per_step", cli->value[TT_OPT_SAMPLES]);
    if (t->options.peak_tflops > 0) add_option(&sec, "peak_tflops", cli->value[TT_OPT_PEAK_TFLOPS]);
    if (t->options.peak_gb_per_s > 0) add_option(&sec, "peak_gb_per_s", cli->value[TT_OPT_PEAK_GB]);
    if (t->options.n_what_if) add_option(&sec, "what_if", what_if_text(s));
    if (t->options.stack_depth) add_option(&sec, "stack_depth", cli->value[TT_OPT_STACK_DEPTH]);
    return sec;
}

static void limit_rows(const tt_print *s, tt_section *sec)
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

/* Add a section for each worker, span and thread, in the order of the table. */
static void add_parts(tt_print *s, const tt_table *t, const tt_row_order *v, const tt_section *whole)
{
    uint32_t *part_of = tt_calloc(t->n_rows, sizeof *part_of), *first = tt_calloc(t->n_rows, sizeof *first),
             n_parts = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) { /* rows of one thread are neighbours */
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

/* --worker chooses rows: a table over all workers is computed from all of them, and shows the rows of the chosen
 * one. */
static const tt_table *table_of(tt_print *s, const tt_table_desc *d, const tt_options *o)
{
    tt_scope scope = s->sel.scope;
    if (!s->whole || !tt_table_reads_all(d)) return tt_table_get(s->session, d, &scope, o);
    for (uint32_t i = 0; i < s->whole->n_workers; i++) {
        if (!strcmp(s->whole->workers[i], s->cli->value[TT_OPT_WORKER])) scope.worker = (int32_t)i;
    }
    return tt_table_get(s->whole, d, &scope, o);
}

static const tt_table *asked_for(tt_print *s, const tt_table_desc *d)
{
    tt_options o = s->sel.options;
    int group = s->sel.group ? tt_table_group(d, s->sel.group) : -1;
    o.group = group > 0 ? (uint8_t)group : 0;
    return table_of(s, d, &o);
}

static void compute_one(void *print, size_t i)
{
    tt_print *s = print;
    (void)asked_for(s, s->sel.tables.at[i]); /* the session caches the table */
}

void tt_print_compute(tt_print *p) { tt_parallel(tt_threads(), p->sel.tables.n, compute_one, p); }

/* Of the ranks of a hang only those that explain it: victims and idle ranks would fill the screen. */
static void leave_out_victims(const tt_table *t, tt_row_order *v)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < v->n; i++) {
        const char *state = tt_cell_s(t, v->rows[i], TT_HANG_RANKS_STATE);
        if (strcmp(state, "victim") != 0 && strcmp(state, "idle") != 0) v->rows[kept++] = v->rows[i];
    }
    v->n = kept;
}

static tt_status add_table(tt_print *s, const tt_table_desc *d, tt_err *err)
{
    const tt_table *t = asked_for(s, d);
    if (s->sel.all && !t->n_rows) return TT_OK;
    tt_row_order_spec spec = order_of(s, t);
    tt_row_order v;
    TT_TRY(tt_row_order_make(t, &spec, &v, err));
    bool chosen = s->sel.format == TT_OUT_TEXT && !s->sel.asked && d == &tt_table_hang_ranks;
    if (chosen) leave_out_victims(t, &v);
    if (chosen && !v.n) {
        tt_row_order_free(&v);
        return TT_OK;
    }
    *tt_vec_push(&s->views) = v;
    tt_section sec = section_of(s, t, &spec);
    bool apart = t->options.thread_sep || (t->lead && !s->sel.alike && tt_out_torch_has(t));
    if (apart && s->sel.format == TT_OUT_TEXT && v.n) {
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
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && *term && strcmp(term, "dumb") != 0;
}

enum { PIPE_WIDTH = 120 }; /* columns of a summary in a pipe; a table asked for by name is never cut */

static uint32_t terminal_width(void)
{
    struct winsize ws;
    return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) ? ws.ws_col : 0;
}

tt_status tt_print_add(tt_print *s, tt_err *err)
{
    for (size_t i = 0; i < s->sel.tables.n; i++) TT_TRY(add_table(s, s->sel.tables.at[i], err));
    return TT_OK;
}

void tt_print_write(tt_print *s)
{
    tt_document *d = &s->document;
    d->session = s->session;
    d->scope = &s->sel.scope;
    d->sections = s->sections.at;
    d->n_sections = (uint32_t)s->sections.n;
    d->unit = s->sel.unit;
    d->alike = s->sel.alike;
    d->color = wants_color(s->cli);
    d->width = terminal_width();
    if (!d->width && d->about_run) d->width = PIPE_WIDTH;
    d->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    switch (s->sel.format) {
    case TT_OUT_JSON: tt_out_json(stdout, d); break;
    case TT_OUT_CSV: tt_out_csv(stdout, d->sections); break;
    case TT_OUT_MARKDOWN: tt_out_markdown(stdout, d); break;
    default: tt_out_text(stdout, d);
    }
}

void tt_print_free(tt_print *s)
{
    for (size_t i = 0; i < s->views.n; i++) tt_row_order_free(&s->views.at[i]);
    for (size_t i = 0; i < s->row_lists.n; i++) free(s->row_lists.at[i]);
    tt_vec_free(&s->views);
    tt_vec_free(&s->row_lists);
    tt_vec_free(&s->sections);
    tt_arena_free(&s->arena);
    tt_select_free(&s->sel);
}
