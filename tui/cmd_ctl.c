/* tui/cmd_ctl.c - `tracetty ctl`: commands to a recording that runs, through its control page. */
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "capture/launch.h"
#include "tui/cli.h"
#include "tui/sanitize.h"

enum { STATUS = 3 }; /* its place among the words */

static void put_status(const tt_control *p)
{
    char text[TT_CONTROL_NOTE * 8];
    printf("processes  %u attached, %u ended, %u recording\n", atomic_load(&p->attached), atomic_load(&p->ended),
           atomic_load(&p->recording));
    printf("events     %" PRIu64 "\ndropped    %" PRIu64 "\nbytes      %" PRIu64 "\nsteps      %" PRIu64 "\n",
           atomic_load(&p->events), atomic_load(&p->drops), atomic_load(&p->bytes), atomic_load(&p->steps));
    for (uint32_t i = 0; i < atomic_load(&p->n_notes) && i < TT_CONTROL_NOTES; i++) {
        tt_sanitize_term(text, sizeof text, p->notes[i], strnlen(p->notes[i], TT_CONTROL_NOTE));
        printf("note       %s\n", text);
    }
}

enum { PAGES_MOST = 1024 };

/* The pages of a directory: one, or one of each rank. `path` may also be a page itself. */
static size_t pages_of(const char *path, char *out[PAGES_MOST])
{
    struct stat st;
    size_t n = 0;
    DIR *d = stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? opendir(path) : NULL;
    for (struct dirent *e; d && (e = readdir(d)) != NULL && n < PAGES_MOST;) {
        bool page = !strcmp(e->d_name, TT_CONTROL_FILE) || !strncmp(e->d_name, TT_CONTROL_FILE "-rank", 8);
        if (page && asprintf(&out[n], "%s/%s", path, e->d_name) >= 0) n++;
    }
    if (d) closedir(d);
    if (!d && stat(path, &st) == 0 && S_ISREG(st.st_mode)) out[n++] = tt_strdup(path);
    return n;
}

static tt_status command(const char *path, size_t k, bool named, tt_err *err)
{
    char why[700];
    tt_control *p = tt_control_open(path, why, sizeof why);
    if (!p) return tt_fail(err, TT_ERR_INPUT, -1, "%s", why);
    if (k == STATUS && named) printf("%s\n", path);
    if (k == STATUS) put_status(p);
    _Atomic uint32_t *const to[] = {&p->start_seq, &p->stop_seq, &p->step_seq, NULL, &p->flush_seq};
    if (to[k]) atomic_fetch_add(to[k], 1);
    munmap(p, sizeof *p);
    return TT_OK;
}

int tt_cmd_ctl(const tt_cli *cli)
{
    tt_err err;
    const char *what = cli->n_args == 2 ? cli->args[1] : "";
    static const char *const words[] = {"start", "stop", "step", [STATUS] = "status", "flush"};
    char *pages[PAGES_MOST];
    size_t k = 0, n_words = sizeof words / sizeof *words;
    while (k < n_words && strcmp(what, words[k]) != 0) k++;
    if (k == n_words) {
        tt_fail(&err, TT_ERR_USAGE, -1,
                "tracetty ctl DIR start|stop|step|status|flush, with the directory of a recording");
        return tt_report(&err);
    }
    size_t n = pages_of(cli->args[0], pages);
    tt_status st = TT_OK;
    if (!n) st = tt_fail(&err, TT_ERR_INPUT, -1, "%s: holds no recording that can be controlled", cli->args[0]);
    for (size_t i = 0; i < n; i++) {
        if (st == TT_OK) st = command(pages[i], k, n > 1, &err);
        free(pages[i]);
    }
    return st == TT_OK ? tt_finish_output() : tt_report(&err);
}
