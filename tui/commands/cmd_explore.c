/* tui/commands/cmd_explore.c - `tracetty PATH...`: the explorer on a terminal, the default summary without one;
 * screens as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "parser/discover/search.h"
#include "tui/app/explore.h"
#include "tui/args/open_session.h"
#include "tui/args/summary_options.h"
#include "tui/commands/commands.h"

/* Read "80x24". */
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

/* Read the options about screens. */
static tt_status explore_options(const tt_cli *cli, tt_explore_options *o, tt_err *err)
{
    *o = (tt_explore_options){.paths = cli->args,
                              .n_paths = cli->n_args,
                              .color = cli->value[TT_OPT_COLOR],
                              .unicode = cli->value[TT_OPT_UNICODE],
                              .keys = cli->value[TT_OPT_KEYS],
                              .theme = cli->value[TT_OPT_THEME],
                              .screen = cli->value[TT_OPT_SCREEN],
                              .no_mouse = cli->value[TT_OPT_NO_MOUSE] != NULL,
                              .follow = cli->value[TT_OPT_FOLLOW] != NULL};
    TT_TRY(tt_open_options(cli, &o->load, err));
    TT_TRY(tt_select_scope(cli, &o->scope, err));
    o->has_scope = !tt_scope_equal(&o->scope, &tt_scope_all);
    return TT_OK;
}

/* Where no list can be drawn: name the newest runs in a message. */
static int refuse_without_path(tt_err *err)
{
    enum { MOST = 5 };
    tt_search s = tt_search_runs(".", &tt_search_quick, NULL);
    tt_arena a = {0};
    const char *names = s.runs.n ? "; newest below this folder: " : "";
    for (size_t i = 0; i < s.runs.n && i < MOST; i++)
        names = tt_arena_printf(&a, "%s%s%.100s", names, i ? ", " : "", s.runs.at[i].path);
    tt_fail(err, TT_ERR_USAGE, -1,
            "no PATH given: 'tracetty PATH' opens traces%s; 'tracetty demo' opens a sample, 'tracetty help' lists the "
            "commands",
            names);
    tt_arena_free(&a);
    tt_search_free(&s);
    return tt_report(err);
}

/* What keeps a terminal from drawing; NULL = nothing. */
static const char *cannot_draw(void)
{
    const char *term = getenv("TERM");
    if (!term || !*term) return "TERM is not set";
    return strcmp(term, "dumb") != 0 ? NULL : "TERM=dumb";
}

bool tt_explore_possible(void)
{
    const char *why = cannot_draw();
    if (!isatty(STDOUT_FILENO)) return false;
    if (why)
        tt_note("%s: the explorer cannot draw here, so tables are printed; set TERM to the type of your terminal, as "
                "in TERM=xterm-256color",
                why);
    return !why;
}

int tt_cmd_explore(const tt_cli *cli)
{
    tt_err err;
    tt_explore_options o;
    const char *dump = cli->value[TT_OPT_DUMP];
    int w = 0, h = 0;
    if (!cli->n_args && (dump || cannot_draw() || !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)))
        return refuse_without_path(&err);
    if (dump && !parse_size(dump, &w, &h)) {
        tt_fail(&err, TT_ERR_USAGE, -1, "--dump: '%s' is not WIDTHxHEIGHT, as in 80x24", dump);
        return tt_report(&err);
    }
    if (!dump && !tt_explore_possible()) return tt_cmd_summary(cli);
    if (explore_options(cli, &o, &err) != TT_OK) return tt_report(&err);
    return dump ? tt_explore_dump(&o, w, h) : tt_explore(&o);
}

/* Refuse options of tables beside --screen. */
static tt_status check_picture(const tt_cli *cli, tt_err *err)
{
    static const tt_option of_tables[] = {TT_OPT_TABLE,       TT_OPT_GROUP_BY,     TT_OPT_SORT, TT_OPT_LIMIT,
                                          TT_OPT_FILTER,      TT_OPT_FILTER_REGEX, TT_OPT_UNIT, TT_OPT_SAMPLES,
                                          TT_OPT_STACK_DEPTH, TT_OPT_THREAD_SEP};
    for (size_t i = 0; i < sizeof of_tables / sizeof *of_tables; i++) {
        if (!cli->value[of_tables[i]]) continue;
        const char *name = tt_option_infos[of_tables[i]].name;
        return tt_fail(err, TT_ERR_USAGE, -1, "--%s is about tables, --screen prints a picture; --keys can do the same",
                       name);
    }
    if (cli->n_args) return TT_OK;
    return tt_fail(err, TT_ERR_USAGE, -1, "no PATH given: tracetty summary --screen NAME PATH...");
}

/* Read --format for a screen. */
static tt_status picture_format(const tt_cli *cli, tt_picture_format *out, tt_err *err)
{
    const char *format = cli->value[TT_OPT_FORMAT], *remedy;
    int i = 0;
    *out = TT_PICTURE_TEXT;
    if (!format) return TT_OK;
    while (tt_picture_names[i] && strcmp(tt_picture_names[i], format) != 0) i++;
    if (!tt_picture_names[i])
        return tt_fail(err, TT_ERR_USAGE, -1, "--format %s is about tables, a screen is text, svg or png", format);
    *out = (tt_picture_format)i;
    if (*out != TT_PICTURE_PNG) return TT_OK;
    if (!tt_picture_has_png(&remedy))
        return tt_fail(err, TT_ERR_USAGE, -1, "--format png: not in this build: %s", remedy);
    if (!isatty(STDOUT_FILENO)) return TT_OK;
    return tt_fail(err, TT_ERR_USAGE, -1, "a PNG is not written to a terminal: add > screen.png");
}

static tt_status picture_size(const tt_cli *cli, int *w, int *h, tt_err *err)
{
    const char *size = cli->value[TT_OPT_SIZE];
    struct winsize ws;
    *w = 80;
    *h = 24;
    if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_col && ws.ws_row) {
        *w = ws.ws_col;
        *h = ws.ws_row > 2 ? ws.ws_row - 1 : 1; /* leave a line for the shell's prompt */
    }
    if (size && !parse_size(size, w, h))
        return tt_fail(err, TT_ERR_USAGE, -1, "--size: '%s' is not WIDTHxHEIGHT, as in 80x24", size);
    return TT_OK;
}

int tt_explore_print(const tt_cli *cli)
{
    tt_err err;
    tt_explore_options o;
    int w, h;
    if (picture_size(cli, &w, &h, &err) != TT_OK || check_picture(cli, &err) != TT_OK ||
        explore_options(cli, &o, &err) != TT_OK || picture_format(cli, &o.picture, &err) != TT_OK)
        return tt_report(&err);
    int status = tt_explore_dump(&o, w, h);
    return status == TT_OK ? tt_finish_output() : status;
}

int tt_explore_diff(const tt_cli *cli, const tt_compare_options *two, bool print)
{
    tt_err err;
    tt_explore_options o;
    int w, h;
    if (picture_size(cli, &w, &h, &err) != TT_OK || (print && check_picture(cli, &err) != TT_OK) ||
        explore_options(cli, &o, &err) != TT_OK || (print && picture_format(cli, &o.picture, &err) != TT_OK))
        return tt_report(&err);
    o.base = &two->path[TT_BASE];
    o.n_base = 1;
    o.paths = &two->path[TT_NEW];
    o.n_paths = 1;
    o.base_load = two->load[TT_BASE];
    o.load = two->load[TT_NEW];
    o.compare = two->compare;
    o.scope = two->scope[TT_NEW];
    o.has_scope = !tt_scope_equal(&o.scope, &tt_scope_all);
    if (!print) return tt_explore(&o);
    int status = tt_explore_dump(&o, w, h);
    return status == TT_OK ? tt_finish_output() : status;
}
