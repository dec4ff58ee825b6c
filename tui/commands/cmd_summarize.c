/* tui/commands/cmd_summarize.c - `tracetty summarize` and `tracetty merge`: many recordings become one small file.
 *
 * Inputs that cannot be read are listed on stderr; the exit status is 0 all the same, or 1 with --require-all. */
#include <stdlib.h>
#include <string.h>

#include "tui/args/open_session.h"
#include "tui/ranks/gather.h"
#include "tui/ranks/summarize.h"

static void warn(void *arg, const char *text)
{
    (void)arg;
    tt_warn("%s", text);
}

static tt_status usage(const tt_cli *cli, tt_err *err)
{
    const tt_command_info *c = &tt_commands[cli->command];
    if (!cli->n_args) return tt_fail(err, TT_ERR_USAGE, -1, "no PATH given: tracetty %s %s", c->name, c->args);
    if (!cli->value[TT_OPT_OUTPUT])
        return tt_fail(err, TT_ERR_USAGE, -1, "no --output given: tracetty %s %s", c->name, c->args);
    return TT_OK;
}

/* Read "K/N", as in "2/16": K is 0 to N-1. */
static tt_status parse_part(const char *text, uint64_t *part, uint64_t *parts, tt_err *err)
{
    char first[32];
    const char *slash = text ? strchr(text, '/') : NULL;
    int64_t k = 0, n = 1;
    bool ok = !text;
    if (slash && (size_t)(slash - text) < sizeof first) {
        memcpy(first, text, (size_t)(slash - text));
        first[slash - text] = '\0';
        ok = tt_parse_count(first, &k) && tt_parse_count(slash + 1, &n) && n > 0 && k < n;
    }
    *part = (uint64_t)k;
    *parts = (uint64_t)n;
    if (ok) return TT_OK;
    return tt_fail(err, TT_ERR_USAGE, -1, "--part: '%s' is no K/N with K from 0 to N-1, as 0/16", text);
}

int tt_cmd_summarize(const tt_cli *cli)
{
    tt_err err = {.code = TT_OK};
    tt_load_options load;
    tt_tts_union u = {0};
    tt_file_ids inputs = {0};
    uint32_t failed = 0;
    tt_summarize_spec spec = {.paths = cli->args, .n_paths = cli->n_args, .load = &load, .warn = warn};
    if (usage(cli, &err) != TT_OK || tt_open_options(cli, &load, &err) != TT_OK ||
        parse_part(cli->value[TT_OPT_PART], &spec.part, &spec.parts, &err) != TT_OK)
        return tt_report(&err);
    tt_status st = tt_summarize(&spec, &u, &failed, &inputs, &err);
    bool whole = !failed;
    /* the input is a whole run, not one rank of it */
    bool run = st == TT_OK && spec.parts == 1 && (u.at.n > 1 || cli->value[TT_OPT_REQUIRE_ALL]);
    if (run) whole &= tt_gather_tell(&u, warn, NULL);
    if (st == TT_OK) st = tt_summarize_write(&u, cli->value[TT_OPT_OUTPUT], &inputs, &err);
    tt_tts_union_free(&u);
    tt_vec_free(&inputs);
    tt_signals_again(&load);
    if (st != TT_OK) return tt_report(&err);
    return cli->value[TT_OPT_REQUIRE_ALL] && !whole;
}

int tt_cmd_merge(const tt_cli *cli)
{
    tt_err err = {.code = TT_OK};
    tt_tts_union u = {0};
    tt_file_ids inputs = {0};
    uint32_t damaged = 0;
    const char *to = cli->value[TT_OPT_OUTPUT];
    if (usage(cli, &err) != TT_OK) return tt_report(&err);
    tt_status st = tt_gather(cli->args, cli->n_args, to, &u, &damaged, &inputs, warn, NULL, &err);
    bool whole = st == TT_OK && tt_gather_tell(&u, warn, NULL) && !damaged;
    if (st == TT_OK) st = tt_summarize_write(&u, to, &inputs, &err);
    tt_tts_union_free(&u);
    tt_vec_free(&inputs);
    if (st != TT_OK) return tt_report(&err);
    return cli->value[TT_OPT_REQUIRE_ALL] && !whole;
}
