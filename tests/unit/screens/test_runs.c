/* test_runs.c - choosing among the runs of a folder, opening another run, reading a run again, the Markdown summary
 * and pictures of the screen. */
#include "tests/unit/check.h"
#include "tests/unit/picture.h"
#include "tests/unit/tempdir.h"
#include "tui/app/app_api.h"
#include "tui/output/picture/picture.h"

#include <locale.h>
#include <stdlib.h>

/* Write steps of 1000 us, each with a kernel of `kernel` us that the host waits for. */
static const char *write_run(const char *name, int steps, int kernel)
{
    static char text[1 << 16];
    size_t at = 0, cap = sizeof text;
#define PUT(...) at += (size_t)snprintf(text + at, cap - at, __VA_ARGS__)
    PUT("{\"schemaVersion\": 1, \"traceEvents\": [\n");
    for (int i = 0; i < steps; i++) {
        int t = 1000 * (i + 1);
        PUT("{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,"
            "\"dur\":1000},\n",
            i + 1, t);
        PUT("{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,"
            "\"dur\":5,\"args\":{\"correlation\":%d}},\n",
            t + 10, i + 1);
        PUT("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm<a|b>\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,"
            "\"args\":{\"correlation\":%d,\"device\":0,\"stream\":7}},\n",
            t + 20, kernel, i + 1);
    }
    PUT("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"python\"}}]}");
#undef PUT
    return temp_file(name, text, at);
}

static tt_app *open_app(const char *path)
{
    tt_app *a = tt_app_new(false);
    tt_err err = {0};
    tt_explore_options o = {.paths = &path, .n_paths = 1, .load.threads = 1};
    CHECK(tt_app_begin(a, &o));
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o.load), NULL, &err);
    CHECK(s != NULL);
    tt_app_set_session(a, s);
    return a;
}

static const char *picture(tt_app *a) { return picture_of(a, 30, 120); }
static bool shows(tt_app *a, const char *text) { return strstr(picture(a), text) != NULL; }
static void type(tt_app *a, const char *keys) { CHECK(tt_app_keys(a, keys, NULL)); }

static void test_page(void)
{
    write_run("logs/one/rank0.pt.trace.json", 3, 100);
    write_run("logs/two/rank0.pt.trace.json", 5, 900);
    CHECK_INT(symlink("/", temp_path("logs/latest")), 0); /* the search must not follow it into the whole machine */
    tt_app *a = open_app(temp_path("logs/one"));
    type(a, "A");
    CHECK(shows(a, "1 link out not followed"));
    CHECK(a->runs.open && shows(a, "Workers") && shows(a, "one") && shows(a, "two") && shows(a, "2 runs"));
    char line[200] = "";
    const char *two = strstr(picture(a), " two ");
    if (CHECK(two != NULL)) snprintf(line, sizeof line, "%.*s", (int)strcspn(two, "\n"), two);
    int workers = 0, steps = 0;
    CHECK(sscanf(line, " two %d %d", &workers, &steps) == 2 && workers == 1 && steps == 5);
    type(a, "/ \"tw\" Enter");
    CHECK(shows(a, "1 of 2 runs"));
    type(a, "Enter");
    CHECK(!a->runs.open && strstr(a->source, "logs/two"));
    CHECK_INT(a->host.session->traces[0]->n_steps, 5);
    type(a, ": \"run one\" Enter");
    CHECK_INT(a->host.session->traces[0]->n_steps, 3);
    type(a, ": \"run o\" Enter"); /* both names contain "o" */
    CHECK_INT(a->host.session->traces[0]->n_steps, 3);
    CHECK(strstr(a->status, "2 runs") != NULL);
    type(a, ": \"run zzz\" Enter");
    CHECK(strstr(a->status, "no run") != NULL);
    type(a, "A q");
    CHECK(!a->runs.open && !a->want.quit);
    tt_app_free(a);
}

static void test_compare(void)
{
    tt_app *a = open_app(temp_path("logs/one"));
    type(a, "A / \"one\" Enter = \\ / \"two\" Enter =");
    CHECK(strstr(a->source, "logs/two") != NULL);
    CHECK(a->host.comparison.base != NULL && strstr(a->other.source, "logs/one"));
    tt_app_free(a);
}

/* Cursor, scope and screen stay, and the status line reports the change. */
static void test_reload(void)
{
    write_run("grow/rank0.pt.trace.json", 3, 100);
    tt_app *a = open_app(temp_path("grow"));
    picture(a);
    type(a, ": \"tab steps\" Enter");
    type(a, ": \"steps 2-3\" Enter");
    int at = a->tabs.at;
    write_run("grow/rank0.pt.trace.json", 5, 100);
    type(a, "R");
    CHECK_INT(a->host.session->traces[0]->n_steps, 5);
    CHECK_STR(a->status, "reloaded: 2 more steps, 6 more events");
    CHECK(a->host.scope.has_steps && a->host.scope.step_first == 2 && a->host.scope.step_last == 3);
    CHECK_INT(a->tabs.at, at);
    type(a, ": \"reload\" Enter");
    CHECK_STR(a->status, "reloaded: nothing has changed");
    temp_file("grow/rank0.pt.trace.json", "no trace", 8);
    type(a, "R"); /* the open run stays */
    CHECK_INT(a->host.session->traces[0]->n_steps, 5);
    CHECK(a->status[0] && !strstr(a->status, "reloaded"));
    tt_app_free(a);
}

/* Names that would control a terminal or break a line. */
static void test_hostile(void)
{
    write_run("bad/a\nb\033[31mred\x07/rank0.pt.trace.json", 1, 100);
    write_run("bad/\xff\xfe/rank0.pt.trace.json", 1, 100);
    tt_app *a = open_app(temp_path("bad/\xff\xfe"));
    type(a, "A j k G g");
    const char *text = picture(a);
    for (const char *p = text; *p; p++) CHECK(*p == '\n' || (unsigned char)*p >= ' ');
    int lines = 0;
    for (const char *p = text; *p; p++) lines += *p == '\n';
    CHECK_INT(lines, 30);
    tt_app_free(a);
}

static void test_sizes(void)
{
    static const uint32_t sizes[][2] = {{10, 40}, {12, 40}, {24, 80}, {45, 160}, {70, 250}};
    tt_app *a = open_app(temp_path("logs/one"));
    type(a, "A");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *text = picture_of(a, sizes[i][0], sizes[i][1]);
        CHECK(strstr(text, "two") && strstr(text, "Age") && strstr(text, "q back"));
    }
    tt_app_free(a);
}

/* ---- Markdown ---- */

static void test_markdown(void)
{
    tt_app *a = open_app(temp_path("logs/one"));
    type(a, ": \"markdown\" Enter");
    const char *text = a->want.clip ? a->want.clip : "";
    CHECK(!strncmp(text, "### one\n\n**", 11));
    CHECK(strstr(text, "3 steps of 1.000 ms on average"));
    CHECK(strstr(text, "```text\n3 steps, ") && strstr(text, "#### Top kernels"));
    CHECK(strstr(text, "gemm&#60;a&#124;b&#62;") || strstr(text, "`gemm<a\\|b>`")); /* a pipe ends no cell */
    CHECK(strstr(text, "| 3 | 300")); /* calls and total time of the kernel */
    CHECK(strstr(text, "</details>"));
    char *first = strdup(text);
    type(a, "1 Y");
    CHECK_STR(a->want.clip ? a->want.clip : "", first);
    free(first);
    tt_app_free(a);
}

/* ---- pictures ---- */

/* A canvas with text that XML must escape, a block, a wide character and an empty cell. */
static tt_canvas small_canvas(void)
{
    tt_canvas c = {0};
    tt_canvas_resize(&c, 2, 12);
    tt_canvas_clear(&c);
    tt_put(&c, 0, 0, TT_ROLE_TEXT, "a<b>&\"c", -1);
    tt_put_char(&c, 1, 0, TT_ROLE_BAR, 0x2588);
    tt_put_char(&c, 1, 1, TT_ROLE_BAR, 0x258c);
    tt_put_char(&c, 1, 3, TT_ROLE_BAR, 0x2584);
    tt_put(&c, 1, 5, TT_ROLE_TEXT, "\xe4\xb8\xad", -1);
    tt_put_char(&c, 1, 10, TT_ROLE_TEXT, 0xffff);
    return c;
}

static char *svg_of(const tt_canvas *c, size_t *n)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, n);
    tt_err err;
    CHECK_INT(tt_picture_write(f, TT_PICTURE_SVG, c, tt_themes[0], TT_LEVEL_TRUE, &err), TT_OK);
    fclose(f);
    return text;
}

static void test_svg(void)
{
    tt_canvas c = small_canvas();
    size_t n, m;
    char *text = svg_of(&c, &n), *again = svg_of(&c, &m);
    CHECK(n == m && !memcmp(text, again, n));
    CHECK(strstr(text, ">a&lt;b&gt;&amp;\"c<"));
    /* 12 x 2 cells of 8 x 16 pixels with a margin of 8 */
    CHECK(strstr(text, "width=\"112\" height=\"48\""));
    /* the full block touches the left half beside it; the lower half stands on the cell's edge */
    CHECK(strstr(text, "M8 24h8v16h-8z") && strstr(text, "M16 24h4v16h-4z") && strstr(text, "M32 32h8v8h-8z"));
    /* a wide character is as wide as two cells */
    CHECK(strstr(text, "textLength=\"16\""));
    CHECK(!strstr(text, "\xef\xbf\xbf"));
    free(text);
    free(again);
    tt_canvas_free(&c);
}

static void test_shot(void)
{
    tt_app *a = open_app(temp_path("logs/one"));
    char keys[700], start[64] = "";
    picture(a);
    snprintf(keys, sizeof keys, ": \"shot %s\" Enter", temp_path("s.svg"));
    type(a, keys);
    FILE *f = fopen(temp_path("s.svg"), "r");
    CHECK(f && fgets(start, sizeof start, f) && !strncmp(start, "<svg ", 5));
    if (f) fclose(f);
    type(a, keys); /* the file exists: the explorer asks, and replaces it only after a yes */
    CHECK(a->question.open);
    type(a, "n");
    snprintf(keys, sizeof keys, ": \"shot %s\" Enter", temp_path("s.gif"));
    type(a, keys);
    CHECK(strstr(a->status, ".svg") != NULL && access(temp_path("s.gif"), F_OK) != 0);
    snprintf(keys, sizeof keys, ": \"shot %s\" Enter", temp_path("logs/one/rank0.pt.trace.json"));
    type(a, keys); /* an input file is not replaced, by a picture either */
    CHECK_INT(a->host.session->traces[0]->n_steps, 3);
    tt_app_free(a);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8"); /* for the widths of characters */
    temp_begin();
    test_page();
    test_compare();
    test_reload();
    test_hostile();
    test_sizes();
    test_markdown();
    test_svg();
    test_shot();
    temp_end();
    return check_done();
}
