/* tui/args/compare_options.c - the options of `diff`, checked before anything is loaded; loading both runs. */
#include "tui/args/compare_options.h"

#include <stdlib.h>
#include <string.h>

#include "model/tables/serving/main_phase.h"
#include "tui/args/summary_options.h"

enum { BOTH = TT_SIDES }; /* index of the option that holds for both sides */
static const tt_option steps_of[] = {TT_OPT_BASE_STEPS, TT_OPT_NEW_STEPS, TT_OPT_STEPS};
static const tt_option range_of[] = {TT_OPT_BASE_RANGE, TT_OPT_NEW_RANGE, TT_OPT_RANGE};
static const tt_option run_of[] = {TT_OPT_BASE_RUN, TT_OPT_NEW_RUN, TT_OPT_RUN};
static const tt_option worker_of[] = {TT_OPT_BASE_WORKER, TT_OPT_NEW_WORKER, TT_OPT_WORKER};
static const tt_option span_of[] = {TT_OPT_BASE_SPAN, TT_OPT_NEW_SPAN, TT_OPT_SPAN};
static const char *const side_names[] = {"BASE", "NEW"};

/* The option that holds for a side: its own if given, else the one for both sides. */
static tt_option chosen(const tt_cli *cli, const tt_option *of, int side)
{
    return cli->value[of[side]] ? of[side] : of[BOTH];
}

/* An option of one side replaces the options of both: --base-range also replaces --steps. */
static tt_status parse_scope(const tt_cli *cli, int side, tt_scope *out, tt_err *err)
{
    tt_option steps = chosen(cli, steps_of, side), range = chosen(cli, range_of, side);
    tt_cli own = *cli;
    if (steps == steps_of[side] && range == range_of[BOTH]) own.value[range] = NULL;
    if (range == range_of[side] && steps == steps_of[BOTH]) own.value[steps] = NULL;
    return tt_scope_parse(&own, steps, range, out, err);
}

static tt_status parse_percent(const tt_cli *cli, tt_option option, double most, double *out, tt_err *err)
{
    const char *text = cli->value[option], *name = tt_option_infos[option].name;
    char *end;
    if (!text) return TT_OK;
    *out = strtod(text, &end);
    if (end != text && *end == '%') end++;
    if (*end || end == text || !(*out >= 0) || *out > most)
        return tt_fail(err, TT_ERR_USAGE, -1, "--%s: '%s' is not a percentage from 0 to %g", name, text, most);
    return TT_OK;
}

static tt_status parse_how(const tt_cli *cli, tt_comparison *c, tt_err *err)
{
    const char *per = cli->value[TT_OPT_PER], *match = cli->value[TT_OPT_MATCH], *skip = cli->value[TT_OPT_SKIP];
    int64_t n = 0;
    c->per_run = per && !strcmp(per, "run");
    c->short_names = match && !strcmp(match, "short");
    if (skip && (!tt_parse_count(skip, &n) || n > INT32_MAX))
        return tt_fail(err, TT_ERR_USAGE, -1, "--skip: '%s' is not a number of steps", skip);
    c->skip = (uint32_t)n;
    TT_TRY(parse_percent(cli, TT_OPT_CONFIDENCE, 100, &c->confidence, err));
    if (!(c->confidence > 0 && c->confidence < 100))
        return tt_fail(err, TT_ERR_USAGE, -1, "--confidence: '%s' is not above 0 and below 100 percent",
                       cli->value[TT_OPT_CONFIDENCE]);
    return parse_percent(cli, TT_OPT_MIN_EFFECT, 1e6, &c->min_effect, err);
}

tt_status tt_compare_parse(const tt_cli *cli, tt_compare_options *out, tt_err *err)
{
    *out = (tt_compare_options){.compare = TT_COMPARISON_DEFAULT};
    if (cli->n_args > TT_SIDES)
        return tt_fail(err, TT_ERR_USAGE, -1,
                       "diff compares two runs, not %u paths: of a run with several files give the directory",
                       cli->n_args);
    if (cli->n_args < TT_SIDES)
        return tt_fail(err, TT_ERR_USAGE, -1,
                       "diff needs two runs: tracetty diff BASE NEW; to compare two parts of one run give it twice");
    if (!strcmp(cli->args[TT_BASE], "-") && !strcmp(cli->args[TT_NEW], "-"))
        return tt_fail(err, TT_ERR_USAGE, -1, "standard input can be one of the two runs, not both");
    for (int side = 0; side < TT_SIDES; side++) {
        out->path[side] = cli->args[side];
        TT_TRY(tt_open_options(cli, &out->load[side], err));
        out->load[side].run = cli->value[chosen(cli, run_of, side)];
        out->load[side].worker = cli->value[chosen(cli, worker_of, side)];
        out->load[side].span = cli->value[chosen(cli, span_of, side)];
        TT_TRY(parse_scope(cli, side, &out->scope[side], err));
    }
    out->compare.base_scope = out->scope[TT_BASE];
    return parse_how(cli, &out->compare, err);
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/* Fail if the side does not have the steps or the time range asked for. */
static tt_status check_side(const tt_cli *cli, const tt_compare_options *o, int side, const tt_session *s, tt_err *err)
{
    tt_err why;
    if (tt_scope_missing(s, &o->scope[side], &why) == TT_OK) return TT_OK;
    const tt_scope *scope = &o->scope[side];
    tt_option option = chosen(cli, scope->has_steps ? steps_of : range_of, side);
    if (!scope->has_steps && scope->phases) option = TT_OPT_PHASE;
    return tt_fail(err, TT_ERR_USAGE, -1, "--%s: %s (%s): %s", tt_option_infos[option].name, side_names[side],
                   o->path[side], why.message);
}

/* Load both runs at once, because one load alone leaves processors idle at its beginning and end. The memory limit
 * is for the whole process: if it is too small for both loads at once, load one after the other. */
static tt_status open_both(const tt_open_spec *spec, tt_session *out[TT_SIDES], tt_err *err)
{
    tt_load *load[TT_SIDES];
    tt_status st[TT_SIDES];
    tt_err why[TT_SIDES];
    for (int side = 0; side < TT_SIDES; side++) load[side] = tt_load_start(spec[side].paths, 1, spec[side].load);
    for (int side = 0; side < TT_SIDES; side++)
        st[side] = tt_open_started(&spec[side], load[side], &out[side], &why[side]);
    tt_signals_again(spec[TT_NEW].load);
    if (st[TT_BASE] == TT_ERR_LIMIT || st[TT_NEW] == TT_ERR_LIMIT) {
        for (int side = 0; side < TT_SIDES; side++) {
            tt_session_free(out[side]);
            out[side] = NULL;
        }
        for (int side = 0; side < TT_SIDES; side++) TT_TRY(tt_open(&spec[side], &out[side], err));
        return TT_OK;
    }
    for (int side = 0; side < TT_SIDES; side++) {
        if (st[side] == TT_OK) continue;
        *err = why[side];
        return st[side];
    }
    return TT_OK;
}

tt_status tt_compare_open(const tt_cli *cli, const tt_compare_options *o, tt_session *out[TT_SIDES], tt_err *err)
{
    bool same = same_text(o->path[TT_BASE], o->path[TT_NEW]) && same_text(o->load[TT_BASE].run, o->load[TT_NEW].run) &&
                same_text(o->load[TT_BASE].worker, o->load[TT_NEW].worker) &&
                same_text(o->load[TT_BASE].span, o->load[TT_NEW].span);
    tt_open_spec spec[TT_SIDES];
    out[TT_BASE] = out[TT_NEW] = NULL;
    for (int side = 0; side < TT_SIDES; side++) {
        spec[side] = (tt_open_spec){.paths = &o->path[side],
                                    .n_paths = 1,
                                    .load = &o->load[side],
                                    .worker_option = tt_option_infos[chosen(cli, worker_of, side)].name,
                                    .span_option = tt_option_infos[chosen(cli, span_of, side)].name,
                                    .side = side_names[side],
                                    .damage = true};
    }
    TT_TRY(same ? tt_open(&spec[TT_NEW], &out[TT_NEW], err) : open_both(spec, out, err));
    if (same) out[TT_BASE] = out[TT_NEW];
    for (int side = 0; side < TT_SIDES; side++) TT_TRY(check_side(cli, o, side, out[side], err));
    return TT_OK;
}

void tt_compare_choose_phase(tt_compare_options *o, tt_session *const of[TT_SIDES])
{
    uint32_t phases = tt_serving_shared_phase(of[TT_BASE], &o->scope[TT_BASE], of[TT_NEW], &o->scope[TT_NEW]);
    for (int side = 0; side < TT_SIDES && phases; side++) o->scope[side].phases = phases;
    o->compare.base_scope = o->scope[TT_BASE];
}
