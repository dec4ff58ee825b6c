/* tui/app/dump/dump_screen.c - load, press keys, print the screen: the explorer without a terminal. */
#include <string.h>
#include <unistd.h>

#include "model/base/buf.h"
#include "tui/app/app_api.h"
#include "tui/app/dump/dump.h"
#include "tui/app/explore.h"
#include "tui/app/session/app_compare.h"
#include "tui/args/cli.h"
#include "tui/args/open_session.h"
#include "tui/term/term.h"

static int dump_session(tt_app *a, tt_session *s, const tt_explore_options *o, int width, int height)
{
    bool by_itself = !o->color || strcmp(o->color, "auto") == 0, picture = o->picture != TT_PICTURE_TEXT;
    bool plain = !isatty(STDOUT_FILENO) && by_itself;
    tt_level level =
        picture && by_itself ? TT_LEVEL_TRUE : tt_term_level(o->color, picture || isatty(STDOUT_FILENO), 256);
    bool ascii = tt_term_set_locale(o->unicode);
    tt_canvas c = {.ascii = ascii && !(picture && (!o->unicode || strcmp(o->unicode, "auto") == 0))};
    c.mono = tt_theme_level(a->display.theme, level) == TT_LEVEL_MONO;
    c.few = tt_theme_level(a->display.theme, level) == TT_LEVEL_8;
    tt_canvas_resize(&c, height, width);
    tt_app_set_session(a, s);
    tt_err bad;
    int rc = !o->n_base || tt_app_base_open(a, o->base, o->n_base, &bad) ? TT_OK : tt_report(&bad);
    if (rc == TT_OK) tt_app_draw(a, &c);
    if (rc == TT_OK && o->keys && !tt_app_keys(a, o->keys, &c)) {
        tt_err err;
        tt_fail(&err, TT_ERR_USAGE, -1, "--keys: '%s' holds what is no key", o->keys);
        rc = tt_report(&err);
    }
    if (rc == TT_OK) {
        tt_app_draw(a, &c);
        if (a->display.level < level) level = a->display.level;
        tt_err err;
        if (!picture)
            tt_dump(stdout, &c, a->display.theme, level, plain || level == TT_LEVEL_MONO);
        else if (tt_picture_write(stdout, o->picture, &c, a->display.theme, tt_theme_level(a->display.theme, level),
                                  &err) != TT_OK)
            rc = tt_report(&err);
    }
    tt_canvas_free(&c);
    return rc;
}

int tt_explore_dump(const tt_explore_options *o, int width, int height)
{
    tt_err err = {0};
    tt_app *a = tt_app_new(false);
    if (!tt_app_begin(a, o)) {
        char names[300];
        tt_buf list = tt_buf_of(names);
        for (int i = 0; i < a->tabs.n; i++) tt_buf_list(&list, ", ", "%s", a->tabs.screens[i].ops->tab.name);
        tt_app_free(a);
        tt_fail(&err, TT_ERR_USAGE, -1, "--screen: '%s' is none of %s", o->screen, names);
        return tt_report(&err);
    }
    tt_session *s = tt_finish_load(tt_load_start(o->paths, o->n_paths, &o->load), &o->load, NULL, &err);
    tt_signals_again(&o->load);
    int rc = s ? dump_session(a, s, o, width, height) : tt_report(&err);
    tt_app_free(a);
    return rc;
}
