/* test_random_keys.c - press random keys on real traces: nothing may break, whatever the order of keys and the size of
 * the terminal. For sanitizers and valgrind (tests/cli/memory.sh); every run presses the same keys. Environment: KEYS
 * = keys for each trace (500 by default), TRACES = paths of traces separated by ':' (by default the samples and the
 * traces of TRACETTY_CORPUS). */
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"
#include "tui/app/app_api.h"

#include <glob.h>
#include <stdlib.h>

static uint32_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* A key that does something on some screen; now and then a key without effect, or the mouse. */
static tt_key some_key(void)
{
    const tt_action_info *info = &tt_actions[draw(TT_ACT_COUNT_ - 1)];
    const char *keys = info->keys;
    tt_key k = TT_KEY_NONE, last = TT_KEY_NONE;
    if (draw(12) == 0) return draw(2) ? 32 + draw(95) : TT_KEY_UP + draw(30);
    for (uint32_t i = draw(3) + 1; i > 0 && (k = tt_key_next(&keys, NULL)) != TT_KEY_NONE; i--) last = k;
    return last == TT_KEY_NONE ? 'j' : last;
}

static void press(tt_app *a, tt_canvas *c)
{
    static const char *const texts[] = {"a",
                                        "aten",
                                        "~^sm",
                                        "~(",
                                        "\xc3\xa9",
                                        "sort calls",
                                        "columns name",
                                        "table kernels",
                                        "limit 3",
                                        "thread-sep",
                                        "format text",
                                        "dump x.txt",
                                        "set unicode=braille",
                                        "set theme=mono",
                                        "set layout=dvorak",
                                        "set unit=us",
                                        "steps 3",
                                        "range 1-20",
                                        "tab trace",
                                        "time 5ms",
                                        "group-by shape",
                                        "stack-depth 2",
                                        "export x.csv",
                                        "all",
                                        "worker all",
                                        "flame",
                                        "tab flame",
                                        "pane 2",
                                        "pin stream",
                                        "hide python",
                                        "bookmark here",
                                        "goto here",
                                        "unbookmark all",
                                        "kernel,mem",
                                        "nothing like it"};
    if (draw(15) == 0) {
        tt_mouse m = {
            .what = (tt_mouse_what)draw(5), .y = (int)draw((uint32_t)c->h + 2), .x = (int)draw((uint32_t)c->w + 2)};
        m.wheel = draw(2) ? 1 : -1;
        tt_app_key(a, TT_KEY_MOUSE, &m);
    } else {
        tt_app_key(a, some_key(), NULL);
    }
    for (const char *t = a->prompt.kind != TT_PROMPT_NONE && draw(2) ? texts[draw(sizeof texts / sizeof *texts)] : "";
         *t;) {
        size_t used;
        uint32_t cp = tt_utf8_next(t, strlen(t), &used);
        tt_app_key(a, cp, NULL);
        t += used;
    }
    if (a->prompt.kind != TT_PROMPT_NONE && draw(3) == 0) tt_app_key(a, draw(2) ? TT_KEY_ENTER : TT_KEY_TAB, NULL);
    if (draw(40) == 0) tt_canvas_resize(c, 1 + (int)draw(60), 1 + (int)draw(220));
    a->want.quit = a->want.suspend = false; /* keep the explorer running */
    tt_app_draw(a, c);
}

/* Press keys on one trace; false = the file is no trace. */
static bool trace(const char *path, int keys)
{
    tt_err err = {0};
    tt_load_options o = {.threads = 2};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    if (!s) return false;
    tt_app *a = tt_app_new(false);
    tt_canvas c = {.ascii = false};
    tt_canvas_resize(&c, 24, 80);
    tt_app_set_session(a, s);
    tt_app_draw(a, &c);
    for (int i = 0; i < keys; i++) press(a, &c);
    for (int y = 0; y < c.h; y++) { /* no cell may hold a character that could control a terminal */
        for (int x = 0; x < c.w; x++)
            CHECK(!tt_is_control(c.cells[y * c.stride + x].ch) || !c.cells[y * c.stride + x].ch);
    }
    tt_app_free(a);
    tt_canvas_free(&c);
    return true;
}

/* Press keys on a trace, or on each trace file in a folder; returns the number of traces. */
static int traces(const char *path, int keys)
{
    char pattern[1100];
    glob_t files;
    int n = 0;
    if (trace(path, keys)) return 1;
    snprintf(pattern, sizeof pattern, "%s/*", path);
    if (glob(pattern, 0, NULL, &files) != 0) return 0;
    for (size_t i = 0; i < files.gl_pathc; i++) n += trace(files.gl_pathv[i], keys);
    globfree(&files);
    return n;
}

typedef TT_VEC(char *) paths;

static void add_traces(paths *path)
{
    static const char *const samples[] = {"assets/sample_gpu", "assets/sample_cpu.pt.trace.json.gz"};
    const char *given = getenv("TRACES"), *dir = getenv("TRACETTY_CORPUS");
    char pattern[1100], *list = given ? strdup(given) : NULL, *rest = list, *one;
    glob_t corpus = {0};
    while (rest && (one = strsep(&rest, ":"))) *tt_vec_push(path) = realpath(one, NULL);
    free(list);
    if (given) return;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) *tt_vec_push(path) = realpath(samples[i], NULL);
    if (!dir || !*dir) return;
    snprintf(pattern, sizeof pattern, "%s/traces/{pytorch,amd,paddle,chrome}/*", dir);
    CHECK_INT(glob(pattern, GLOB_BRACE, NULL, &corpus), 0);
    for (size_t i = 0; i < corpus.gl_pathc; i++) *tt_vec_push(path) = realpath(corpus.gl_pathv[i], NULL);
    globfree(&corpus);
}

int main(void)
{
    const char *wanted = getenv("KEYS");
    int keys = wanted ? (int)strtol(wanted, NULL, 10) : 500, n = 0;
    paths path = {0};
    add_traces(&path);
    temp_begin();
    CHECK(chdir(temp_dir_) == 0); /* exports are written there */
    for (size_t i = 0; i < path.n; i++) {
        state = 12345u + (uint32_t)i;
        int found = path.at[i] ? traces(path.at[i], keys) : 0;
        if (!found) fprintf(stderr, "no trace: %s\n", path.at[i] ? path.at[i] : "?");
        CHECK(found > 0);
        n += found;
        free(path.at[i]);
    }
    tt_vec_free(&path);
    printf("%d traces, %d keys each\n", n, keys);
    CHECK(n > 0 && chdir("/") == 0);
    temp_end();
    return check_done();
}
