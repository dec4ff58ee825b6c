/* tui/commands/cmd_doctor.c - `tracetty doctor`: checks this machine, and says what will not work without each part. */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "capture/launcher/doctor.h"
#include "model/base/buf.h"
#include "model/text/text_safety.h"
#include "parser/json/index_simd.h"
#include "tui/args/cli.h"
#include "tui/output/picture/picture.h"

static void print_fact(bool good, const char *what, const char *found, const char *lost)
{
    char text[2048];
    tt_sanitize_term(text, sizeof text, found, strlen(found));
    printf("%-8s %-16s %s\n", good ? "ok" : "missing", what, text);
    tt_sanitize_term(text, sizeof text, lost, strlen(lost));
    if (*lost) printf("%-8s %-16s -> %s\n", "", "", text);
}

/* Say whether simdjson uses vector instructions. Without them results are the same, but loading takes two to four
 * times as long, and nothing else would say so. */
static void check_json_reader(void)
{
    char found[300];
    bool good = tt_simd_describe(found, sizeof found), forced = getenv("SIMDJSON_FORCE_IMPLEMENTATION") != NULL;
    print_fact(good, "JSON reader", found,
               good ? ""
               : forced
                   ? "the slow scalar indexer is used: loading takes two to four times as long; unset "
                     "SIMDJSON_FORCE_IMPLEMENTATION"
                   : "the slow scalar indexer is used: loading takes two to four times as long; build with a simdjson "
                     "that has "
                     "vector code for this processor");
}

static void check_terminal(void)
{
    char found[300];
    struct winsize w = {0};
    const char *term = getenv("TERM"), *truecolor = getenv("COLORTERM");
    bool tty = isatty(STDOUT_FILENO), utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
    if (!tty || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w)) w = (struct winsize){0};
    tt_buf line = tt_buf_of(found);
    tt_buf_add(&line, "TERM=%s%s%s, %s", term ? term : "(none)", truecolor ? ", COLORTERM=" : "",
               truecolor ? truecolor : "", utf8 ? "UTF-8" : "no UTF-8");
    if (w.ws_col) tt_buf_add(&line, ", %dx%d", w.ws_col, w.ws_row);
    bool good = term && *term && strcmp(term, "dumb") != 0;
    print_fact(good, "terminal", found,
               !good  ? "the explorer needs a terminal; tables can be printed anywhere"
               : utf8 ? ""
                      : "ASCII drawing; set LC_ALL=C.UTF-8 for Unicode");
}

static void check_pictures(void)
{
    const char *remedy;
    bool png = tt_picture_has_png(&remedy);
    print_fact(png, "pictures", png ? "SVG, PNG (cairo)" : "SVG", remedy);
}

int tt_cmd_doctor(const tt_cli *cli)
{
    tt_finding f[16];
    if (cli->n_args) {
        tt_err e;
        tt_fail(&e, TT_ERR_USAGE, -1, "'tracetty doctor' takes no argument: '%s'", cli->args[0]);
        return tt_report(&e);
    }
    size_t n = tt_doctor(f, sizeof f / sizeof *f);
    for (size_t i = 0; i < n; i++) print_fact(f[i].good, f[i].what, f[i].found, f[i].lost);
    check_json_reader();
    check_terminal();
    check_pictures();
    return tt_finish_output();
}
