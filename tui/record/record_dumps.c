/* tui/record/record_dumps.c - says where the dumps of a recording lie, while it runs and at its end. See record.h. */
#include <string.h>
#include <unistd.h>

#include "capture/format/dump_name.h"
#include "capture/launcher/dumps.h"
#include "model/base/buf.h"
#include "model/text/text_safety.h"
#include "parser/input/walk.h"
#include "tui/record/record.h"

enum { LINES = 8 }; /* a thousand ranks may dump at once */

void tt_record_say_dumps(const tt_cli *cli, const tt_launch *l, uint32_t *said)
{
    char line[1024], safe[1024 * 4];
    tt_dumps d = {0};
    if (l->totals.dumps <= *said || !tt_dumps_read(&l->control, 0, &d)) return;
    for (uint32_t i = *said; i < d.n && i < *said + LINES; i++) {
        tt_dump_line(&d.at[i], l->dir, line, sizeof line);
        tt_sanitize_term(safe, sizeof safe, line, strlen(line));
        bool no = d.at[i].error || d.at[i].most;
        if (!no) tt_record_progress(cli, safe, true);
        if (no) tt_warn("%s", safe);
    }
    if (d.n > *said + LINES) {
        snprintf(line, sizeof line, "%u dumps more, in %s", d.n - *said - LINES, l->dir);
        tt_record_progress(cli, line, true);
    }
    *said = d.n;
    tt_dumps_free(&d);
}

/* Remove folders of dumps that a killed process did not complete: the recording has all that they have. */
static void remove_parts(const tt_launch *l)
{
    char mine[40], folder[1024], path[2048];
    tt_walk_names names = {0};
    snprintf(mine, sizeof mine, "Z-%ld.", l->rank);
    tt_walk_read(l->dir, &names);
    for (size_t i = 0; i < names.n; i++) {
        tt_walk_names files = {0};
        const char *name = names.at[i];
        if (strncmp(name, "." TT_DUMP_FOLDER, sizeof TT_DUMP_FOLDER) != 0) continue;
        if (l->rank >= 0 && !strstr(name, mine)) continue; /* other ranks may still write theirs */
        snprintf(folder, sizeof folder, "%s/%s", l->dir, name);
        tt_walk_read(folder, &files);
        for (size_t k = 0; k < files.n; k++) {
            if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, files.at[k]) < sizeof path) unlink(path);
        }
        tt_walk_names_free(&files);
        rmdir(folder);
    }
    tt_walk_names_free(&names);
}

void tt_record_list_dumps(const tt_cli *cli, const tt_launch *l)
{
    char names[700];
    tt_buf list = tt_buf_of(names);
    tt_dumps d = {0};
    uint32_t n = 0;
    if (l->set.keep_ns) remove_parts(l);
    if (cli->value[TT_OPT_QUIET] || !l->totals.dumps || !tt_dumps_read(&l->control, 0, &d)) return;
    for (uint32_t i = 0; i < d.n; i++) {
        if (!*d.at[i].folder) continue;
        if (n++ < LINES) tt_buf_list(&list, ", ", "%s", d.at[i].folder);
    }
    if (n > LINES) tt_buf_add(&list, " and %u more", n - LINES);
    if (n) tt_note("%u dump%s in %s: %s", n, n == 1 ? "" : "s", l->dir, names);
    tt_dumps_free(&d);
}
