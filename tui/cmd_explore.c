/* tui/cmd_explore.c - `tracetty PATH...`: the explorer on a terminal, the default summary elsewhere. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tui/explore.h"
#include "tui/open.h"
#include "tui/select.h"

/* "80x24" */
static bool parse_size(const char *s, int *w, int *h)
{
    char part[8];
    int64_t width, height;
    size_t n = strcspn(s, "x");
    if (!s[n] || n >= sizeof part) return false;
    memcpy(part, s, n);
    part[n] = '\0';
    if (!tt_parse_count(part, &width) || !tt_parse_count(s + n + 1, &height)) return false;
    if (width < 1 || height < 1 || width > 1000 || height > 1000) return false;
    *w = (int)width;
    *h = (int)height;
    return true;
}

int tt_cmd_explore(const tt_cli *cli)
{
    tt_err err;
    const char *dump = cli->value[TT_OPT_DUMP];
    int w = 0, h = 0;
    if (!cli->n_args) {
        tt_fail(&err, TT_ERR_USAGE, -1,
                "no PATH given: tracetty PATH... opens traces; 'tracetty help' says what else there is");
        return tt_report(&err);
    }
    if (dump && !parse_size(dump, &w, &h)) {
        tt_fail(&err, TT_ERR_USAGE, -1, "--dump: '%s' is not WIDTHxHEIGHT, as in 80x24", dump);
        return tt_report(&err);
    }
    if (!dump && !isatty(STDOUT_FILENO)) return tt_cmd_summary(cli);

    tt_explore_options o = {.paths = cli->args,
                            .n_paths = cli->n_args,
                            .color = cli->value[TT_OPT_COLOR],
                            .unicode = cli->value[TT_OPT_UNICODE],
                            .keys = cli->value[TT_OPT_KEYS],
                            .theme = cli->value[TT_OPT_THEME],
                            .screen = cli->value[TT_OPT_SCREEN],
                            .no_mouse = cli->value[TT_OPT_NO_MOUSE] != NULL};
    if (tt_open_options(cli, &o.load, &err) != TT_OK || tt_select_scope(cli, &o.scope, &err) != TT_OK)
        return tt_report(&err);
    o.has_scope = o.scope.has_steps || o.scope.has_range;
    return dump ? tt_explore_dump(&o, w, h) : tt_explore(&o);
}
