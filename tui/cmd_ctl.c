/* tui/cmd_ctl.c - `tracetty ctl`: commands to a recording that runs, through its control page. */
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "capture/launch.h"
#include "tui/cli.h"
#include "tui/sanitize.h"

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

int tt_cmd_ctl(const tt_cli *cli)
{
    char why[700];
    tt_err err;
    const char *what = cli->n_args == 2 ? cli->args[1] : "";
    static const char *const words[] = {"start", "stop", "step", "status", "flush"};
    size_t k = 0;
    while (k < 5 && strcmp(what, words[k]) != 0) k++;
    if (k == 5) {
        tt_fail(&err, TT_ERR_USAGE, -1,
                "tracetty ctl DIR start|stop|step|status|flush, with the directory of a recording");
        return tt_report(&err);
    }
    tt_control *p = tt_control_open(cli->args[0], why, sizeof why);
    if (!p) {
        tt_fail(&err, TT_ERR_INPUT, -1, "%s", why);
        return tt_report(&err);
    }
    if (k == 3) put_status(p);
    _Atomic uint32_t *const to[] = {&p->start_seq, &p->stop_seq, &p->step_seq, NULL, &p->flush_seq};
    if (to[k]) atomic_fetch_add(to[k], 1);
    munmap(p, sizeof *p);
    return tt_finish_output();
}
