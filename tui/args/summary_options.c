/* tui/args/summary_options.c - the options of `summary`, checked before anything is loaded: a typing error should
 * not cost a minute. */
#include "tui/args/summary_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/hang/hang.h"
#include "model/tables/registry/registry.h"
#include "model/tables/sort_words.h"
#include "model/text/engine_step.h"
#include "parser/formats.h"

void tt_word_add(char *list, size_t cap, const char *word)
{
    size_t len = strlen(word);
    tt_buf words = tt_buf_behind(list, cap);
    for (const char *p = strstr(list, word); p; p = strstr(p + 1, word)) {
        if ((p == list || p[-1] == ' ') && (p[len] == ',' || !p[len])) return;
    }
    tt_buf_list(&words, ", ", "%s", word);
}

/* The table fits the command: tables of two runs fit `diff`, all others `summary`. */
static bool suits(const tt_cli *cli, const tt_table_desc *d)
{
    return (cli->command == TT_CMD_DIFF) == ((d->flags & TT_TABLE_COMPARE) != 0);
}

/* Refuse a table that only the other command has, and name that command. */
static tt_status wrong_table(const tt_cli *cli, const char *id, tt_err *err)
{
    char other[80], list[512] = "";
    if (cli->command != TT_CMD_DIFF)
        return tt_fail(err, TT_ERR_USAGE, -1, "--table: '%s' compares two runs: tracetty diff --table %s BASE NEW", id,
                       id);
    snprintf(other, sizeof other, "diff_%s", id);
    if (tt_table_find(other))
        return tt_fail(err, TT_ERR_USAGE, -1, "--table: '%s' is about one run; of two there is '%s'", id, other);
    for (uint32_t i = 0; i < tt_n_tables; i++)
        if (suits(cli, tt_tables[i])) tt_word_add(list, sizeof list, tt_tables[i]->id);
    return tt_fail(err, TT_ERR_USAGE, -1, "--table: '%s' is about one run; of two there are %s", id, list);
}

static tt_status unknown_table(const tt_cli *cli, const char *id, const tt_table_list *have, tt_err *err)
{
    const char **ids = tt_calloc(have->n + 1, sizeof *ids);
    char brought[400] = "";
    uint32_t n = 0;
    for (uint32_t i = 0; i < have->n; i++)
        if (suits(cli, have->at[i])) ids[n++] = have->at[i]->id;
    const char *close = tt_closest(id, ids, n);
    free(ids);
    if (close) return tt_fail(err, TT_ERR_USAGE, -1, "--table: there is no table '%s'; did you mean '%s'?", id, close);
    for (uint32_t i = tt_n_tables; i < have->n; i++)
        if (suits(cli, have->at[i])) tt_word_add(brought, sizeof brought, have->at[i]->id);
    return tt_fail(err, TT_ERR_USAGE, -1, "--table: there is no table '%s'; 'tracetty tables' lists them%s%s", id,
                   *brought ? ", and the input brings " : "", brought);
}

static void add_table(tt_select *s, const tt_table_desc *d)
{
    for (size_t i = 0; i < s->tables.n; i++) {
        if (s->tables.at[i] == d) return;
    }
    *tt_vec_push(&s->tables) = d;
}

/* Add the tables that are printed when no table is asked for. */
static void add_default_tables(const tt_cli *cli, const tt_session *session, const tt_table_list *have, tt_select *s)
{
    static const char *const of_hang[] = {"hang_faults", "hang_ranks", "hang_mismatches", "problems"};
    static const char *const of_diff[] = {"diff_summary", "diff_causes", "diff_kernels", "diff_operators"};
    for (size_t i = 0; cli->command == TT_CMD_DIFF && i < sizeof of_diff / sizeof *of_diff; i++)
        add_table(s, tt_table_find(of_diff[i]));
    const tt_hang *hang = session ? tt_hang_get(session) : NULL;
    if (hang) {
        for (size_t i = 0; i < sizeof of_hang / sizeof *of_hang; i++) add_table(s, tt_table_find(of_hang[i]));
        if (!tt_hang_of_recordings(hang)) return;
    }
    for (uint32_t i = 0; cli->command != TT_CMD_DIFF && i < have->n; i++)
        if (have->at[i]->flags & TT_TABLE_DEFAULT) add_table(s, have->at[i]);
}

static tt_status parse_tables(const tt_cli *cli, const tt_session *session, tt_select *s, tt_err *err)
{
    const char *value = cli->value[TT_OPT_TABLE];
    tt_table_list have = tt_session_tables(session);
    tt_status st = TT_OK;
    s->tables.n = 0;
    s->asked = value != NULL;
    s->all = value && !strcmp(value, "all");
    if (!value) add_default_tables(cli, session, &have, s);
    for (uint32_t i = 0; s->all && i < have.n; i++)
        if (suits(cli, have.at[i]) && !(have.at[i]->flags & TT_TABLE_RUNS)) add_table(s, have.at[i]);
    if (!value || s->all) return TT_OK;
    for (const char *p = value;; p++) {
        char id[64];
        size_t n = strcspn(p, ",");
        snprintf(id, sizeof id, "%.*s", (int)(n < sizeof id ? n : sizeof id - 1), p);
        const tt_table_desc *d = tt_session_table(session, id);
        if (d && suits(cli, d)) add_table(s, d);
        if (!d && st == TT_OK) st = unknown_table(cli, id, &have, err);
        if (d && !suits(cli, d) && st == TT_OK) st = wrong_table(cli, id, err);
        p += n;
        if (!*p) return st;
    }
}

static tt_status parse_group(const char *value, tt_select *s, tt_err *err)
{
    char keys[256] = "";
    const char *words[64];
    uint32_t n = 0;
    s->group = value;
    if (!value) return TT_OK;
    for (size_t i = 0; i < s->tables.n; i++) {
        const tt_table_desc *d = s->tables.at[i];
        if (tt_table_group(d, value) >= 0) return TT_OK;
        for (int g = 0; d->groups && d->groups[g]; g++) {
            tt_word_add(keys, sizeof keys, d->groups[g]);
            if (n < 64) words[n++] = d->groups[g];
        }
    }
    if (!keys[0]) return tt_fail(err, TT_ERR_USAGE, -1, "--group-by: the tables asked for have nothing to group by");
    const char *close = tt_closest(value, words, n);
    return tt_fail(err, TT_ERR_USAGE, -1, "--group-by: '%s' is not one of %s%s%s%s", value, keys,
                   close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
}

static tt_status parse_sort(const char *value, tt_select *s, tt_err *err)
{
    if (!value) return TT_OK;
    size_t n = strcspn(value, ":");
    const char *dir = value[n] ? value + n + 1 : "";
    if (value[n] && strcmp(dir, "asc") != 0 && strcmp(dir, "desc") != 0) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--sort: '%s' is not one of asc, desc (in '%s')", dir, value);
    }
    s->sort_dir = !*dir ? 0 : *dir == 'a' ? 1 : -1;
    snprintf(s->sort_key, sizeof s->sort_key, "%.*s", (int)(n < sizeof s->sort_key ? n : sizeof s->sort_key - 1),
             value);
    TT_VEC(const char *) keys = {0};
    char list[900] = "";
    bool found = !strcmp(s->sort_key, "worker") || !strcmp(s->sort_key, "span") || !strcmp(s->sort_key, "thread");
    for (size_t i = 0; i < s->tables.n && !found; i++) {
        found = tt_sort_known(s->tables.at[i], s->sort_key);
        for (uint32_t c = 0; c < s->tables.at[i]->n_cols && !found; c++) {
            const char *key = s->tables.at[i]->cols[c].key;
            *tt_vec_push(&keys) = key;
            tt_word_add(list, sizeof list, key);
        }
    }
    for (uint32_t i = 0; !found && tt_sort_word(i); i++) *tt_vec_push(&keys) = tt_sort_word(i);
    tt_status st = TT_OK;
    if (!found) {
        const char *close = tt_closest(s->sort_key, keys.at, (uint32_t)keys.n);
        st = close ? tt_fail(err, TT_ERR_USAGE, -1, "--sort: there is no column '%s'; did you mean '%s'?", s->sort_key,
                             close)
                   : tt_fail(err, TT_ERR_USAGE, -1, "--sort: there is no column '%s'; the columns are %s", s->sort_key,
                             list);
    }
    tt_vec_free(&keys);
    return st;
}

/* Read a number above 0; *out stays as it was when the option is not given. */
static tt_status parse_positive(const tt_cli *cli, tt_option option, double *out, tt_err *err)
{
    const char *text = cli->value[option];
    char *end;
    if (!text) return TT_OK;
    *out = strtod(text, &end);
    if (*end || end == text || !(*out > 0) || *out > 1e15)
        return tt_fail(err, TT_ERR_USAGE, -1, "--%s: '%s' is not a number above 0", tt_option_infos[option].name, text);
    return TT_OK;
}

static tt_status parse_numbers(const tt_cli *cli, tt_select *s, tt_err *err)
{
    const char *depth = cli->value[TT_OPT_STACK_DEPTH];
    int64_t n = 0;
    tt_status st = parse_positive(cli, TT_OPT_SAMPLES, &s->options.samples_per_step, err);
    if (st == TT_OK) st = parse_positive(cli, TT_OPT_PEAK_TFLOPS, &s->options.peak_tflops, err);
    if (st == TT_OK) st = parse_positive(cli, TT_OPT_PEAK_GB, &s->options.peak_gb_per_s, err);
    if (st != TT_OK) return st;
    if (depth && (!tt_parse_count(depth, &n) || n > 255)) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--stack-depth: '%s' is not a number of frames from 0 (all) to 255",
                       depth);
    }
    s->options.stack_depth = (uint8_t)n;
    return TT_OK;
}

/* Read every "NAME=FACTOR"; a name may contain '='. */
static tt_status parse_what_if(const tt_cli *cli, tt_select *s, tt_err *err)
{
    for (uint32_t i = 0; i < cli->what_ifs.n; i++) {
        const char *text = cli->what_ifs.at[i], *equals = strrchr(text, '=');
        char *end = NULL;
        double factor = equals ? strtod(equals + 1, &end) : -1;
        if (!equals || equals == text || end == equals + 1 || *end || !(factor >= 0 && factor <= 1))
            return tt_fail(err, TT_ERR_USAGE, -1, "--what-if: '%s' is not NAME=FACTOR with a factor from 0 to 1", text);
        if (i == TT_WHAT_IF_MAX) return tt_fail(err, TT_ERR_USAGE, -1, "--what-if: more than %d", TT_WHAT_IF_MAX);
        *tt_vec_push(&s->what_if) =
            (tt_what_if){tt_strndup(text, (size_t)(equals - text)), (uint32_t)(factor * 1e6 + 0.5)};
    }
    s->options.what_if = s->what_if.at;
    s->options.n_what_if = (uint32_t)s->what_if.n;
    return TT_OK;
}

tt_status tt_scope_parse(const tt_cli *cli, tt_option steps_option, tt_option range_option, tt_scope *out, tt_err *err)
{
    const char *steps = cli->value[steps_option], *range = cli->value[range_option];
    const char *steps_name = tt_option_infos[steps_option].name, *range_name = tt_option_infos[range_option].name;
    *out = tt_scope_all;
    if (steps && range)
        return tt_fail(err, TT_ERR_USAGE, -1, "--%s and --%s exclude each other", steps_name, range_name);
    if (steps) {
        out->has_steps = true;
        if (!tt_parse_steps(steps, &out->step_first, &out->step_last)) {
            return tt_fail(err, TT_ERR_USAGE, -1, "--%s: '%s' is not A-B with A <= B, A, or A-", steps_name, steps);
        }
    }
    if (cli->value[TT_OPT_PHASE]) out->phases = tt_phase_bit(cli->value[TT_OPT_PHASE]);
    if (range) {
        out->has_range = true;
        if (!tt_parse_range(range, &out->t0, &out->t1)) {
            return tt_fail(err, TT_ERR_USAGE, -1,
                           "--%s: '%s' is not T0-T1 with T0 < T1, as in 12.5ms-80ms (units ns, us, ms, s; default ms)",
                           range_name, range);
        }
    }
    return TT_OK;
}

tt_status tt_select_scope(const tt_cli *cli, tt_scope *out, tt_err *err)
{
    const char *source = cli->value[TT_OPT_STEP_SOURCE];
    TT_TRY(tt_scope_parse(cli, TT_OPT_STEPS, TT_OPT_RANGE, out, err));
    out->no_steps = source && !strcmp(source, "none");
    if (out->no_steps && out->has_steps)
        return tt_fail(err, TT_ERR_USAGE, -1, "--steps and --step-source none exclude each other");
    return TT_OK;
}

tt_status tt_scope_missing(const tt_session *s, const tt_scope *scope, tt_err *err)
{
    int64_t first, last;
    char t[4][TT_TEXT_CAP];
    if (!tt_scope_has_steps(s, scope, &first, &last)) {
        if (scope->phases && !scope->has_steps)
            return tt_fail(err, TT_ERR_USAGE, -1,
                           "no step of a serving engine is in this phase; table serving has all phases");
        if (first > last)
            return tt_fail(err, TT_ERR_USAGE, -1, "this trace has no profiler steps; range takes a time window");
        snprintf(t[0], sizeof t[0], "%" PRId64, scope->step_first);
        snprintf(t[1], sizeof t[1], "%" PRId64, scope->step_last);
        return tt_fail(err, TT_ERR_USAGE, -1, "no step in '%s%s%s'; this trace has steps %" PRId64 " to %" PRId64, t[0],
                       scope->step_last > scope->step_first ? "-" : "",
                       scope->step_last > scope->step_first && scope->step_last < INT64_MAX ? t[1] : "", first, last);
    }
    if (tt_scope_has_time(s, scope, &first, &last)) return TT_OK;
    return tt_fail(err, TT_ERR_USAGE, -1, "%s to %s is outside of this trace: %s to %s",
                   tt_format_time(t[0], scope->t0, TT_UNIT_AUTO), tt_format_time(t[1], scope->t1, TT_UNIT_AUTO),
                   tt_format_time(t[2], first, TT_UNIT_AUTO), tt_format_time(t[3], last, TT_UNIT_AUTO));
}

tt_status tt_select_check(const tt_session *s, const tt_scope *scope, tt_err *err)
{
    tt_err why;
    if (tt_scope_missing(s, scope, &why) == TT_OK) return TT_OK;
    const char *option = scope->has_steps ? "steps" : scope->phases ? "phase" : "range";
    return tt_fail(err, TT_ERR_USAGE, -1, "--%s: %s", option, why.message);
}

static tt_status parse_filter(const tt_cli *cli, tt_select *s, tt_err *err)
{
    const char *text = cli->value[TT_OPT_FILTER], *regex = cli->value[TT_OPT_FILTER_REGEX];
    if (text && regex) return tt_fail(err, TT_ERR_USAGE, -1, "--filter and --filter-regex exclude each other");
    s->filter = regex ? regex : text;
    s->regex = regex != NULL;
    if (!regex) return TT_OK;
    tt_table_desc none = {.id = "", .cols = NULL};
    tt_table empty = {.desc = &none};
    tt_row_order v;
    tt_err why;
    tt_row_order_spec spec = {.sort_col = -1, .filter = regex, .regex = true};
    if (tt_row_order_make(&empty, &spec, &v, &why) != TT_OK)
        return tt_fail(err, TT_ERR_USAGE, -1, "--filter-regex: %s", why.message);
    tt_row_order_free(&v);
    return TT_OK;
}

/* Refuse --steps, --range and --group-by step beside --window device, which covers whole devices. */
static tt_status check_window(const tt_cli *cli, const tt_select *s, tt_err *err)
{
    const char *group = cli->value[TT_OPT_GROUP_BY];
    if (!s->options.device_window) return TT_OK;
    if (s->scope.has_steps || s->scope.has_range || (group && !strcmp(group, "step")))
        return tt_fail(err, TT_ERR_USAGE, -1,
                       "--window device is of whole devices: it does not go with --steps, --range, --group-by step");
    return TT_OK;
}

static tt_status check_combination(const tt_cli *cli, const tt_select *s, tt_err *err)
{
    if (s->format == TT_OUT_CSV && s->tables.n != 1) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--format csv holds one table, not %zu: ask for one with --table ID",
                       s->tables.n);
    }
    if (cli->value[TT_OPT_UNIT] && s->format != TT_OUT_TEXT && s->format != TT_OUT_MARKDOWN) {
        return tt_fail(err, TT_ERR_USAGE, -1,
                       "--unit is for --format text and markdown; csv and json have nanoseconds");
    }
    if (s->paddle && s->format != TT_OUT_TEXT) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--style is for --format text; the others hold tables");
    }
    if (cli->value[TT_OPT_OP_DETAIL] && !s->paddle) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--op-detail is for --style paddle");
    }
    TT_TRY(check_window(cli, s, err));
    if (!s->thread_sep || s->paddle) return TT_OK;
    char list[512] = "";
    for (size_t i = 0; i < s->tables.n; i++) {
        if (s->tables.at[i]->flags & TT_TABLE_THREADS) return TT_OK;
    }
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        if (tt_tables[i]->flags & TT_TABLE_THREADS) tt_word_add(list, sizeof list, tt_tables[i]->id);
    }
    return tt_fail(err, TT_ERR_USAGE, -1, "--thread-sep: the tables asked for have no threads; those that do: %s",
                   list);
}

static tt_status parse_of_tables(const tt_cli *cli, const tt_session *session, tt_select *s, tt_err *err)
{
    TT_TRY(parse_tables(cli, session, s, err));
    TT_TRY(parse_group(cli->value[TT_OPT_GROUP_BY], s, err));
    return parse_sort(cli->value[TT_OPT_SORT], s, err);
}

tt_status tt_select_tables(const tt_cli *cli, const tt_session *session, tt_select *s, tt_err *err)
{
    TT_TRY(parse_of_tables(cli, session, s, err));
    return check_combination(cli, s, err);
}

int64_t tt_select_limit(tt_out_format f) { return f == TT_OUT_TEXT ? 30 : f == TT_OUT_MARKDOWN ? 10 : 0; }

tt_status tt_select_output(const tt_cli *cli, tt_select *s, tt_err *err)
{
    static const char *const units[] = {"auto", "ns", "us", "ms", "s"};
    const char *format = cli->value[TT_OPT_FORMAT], *unit = cli->value[TT_OPT_UNIT], *limit = cli->value[TT_OPT_LIMIT];
    *s = (tt_select){.scope = tt_scope_all};
    for (int i = 0; format && tt_out_format_names[i]; i++)
        if (!strcmp(format, tt_out_format_names[i])) s->format = (tt_out_format)i;
    if (format && strcmp(format, tt_out_format_names[s->format]) != 0)
        return tt_fail(err, TT_ERR_USAGE, -1, "--format %s is a picture: it needs --screen NAME", format);
    for (int i = 0; unit && i < 5; i++) {
        if (!strcmp(unit, units[i])) s->unit = (tt_unit)i;
    }
    s->limit = tt_select_limit(s->format);
    if (limit && !tt_parse_count(limit, &s->limit)) {
        return tt_fail(err, TT_ERR_USAGE, -1, "--limit: '%s' is not a number of rows (0 = all)", limit);
    }
    return TT_OK;
}

tt_status tt_select_parse(const tt_cli *cli, tt_select *s, tt_err *err)
{
    const char *style = cli->value[TT_OPT_STYLE];
    TT_TRY(tt_select_output(cli, s, err));
    s->paddle = style && !strcmp(style, "paddle");
    const char *detail = cli->value[TT_OPT_OP_DETAIL];
    s->no_op_detail = detail && !strcmp(detail, "off");
    s->alike = style && !strcmp(style, "tables");
    s->thread_sep = s->options.thread_sep = cli->value[TT_OPT_THREAD_SEP] != NULL;
    s->options.device_window = cli->value[TT_OPT_WINDOW] && !strcmp(cli->value[TT_OPT_WINDOW], "device");
    /* a table or column that is not built in may come with the input: judged after loading */
    bool all = parse_of_tables(cli, NULL, s, err) == TT_OK;
    if (!all && (cli->command == TT_CMD_DIFF || !tt_formats_bring_tables(cli->args, cli->n_args))) return TT_ERR_USAGE;
    TT_TRY(parse_numbers(cli, s, err));
    TT_TRY(parse_what_if(cli, s, err));
    TT_TRY(tt_select_scope(cli, &s->scope, err));
    TT_TRY(parse_filter(cli, s, err));
    return all ? check_combination(cli, s, err) : TT_OK;
}

void tt_select_free(tt_select *s)
{
    for (size_t i = 0; i < s->what_if.n; i++) free((char *)(uintptr_t)s->what_if.at[i].name);
    tt_vec_free(&s->what_if);
    tt_vec_free(&s->tables);
}
