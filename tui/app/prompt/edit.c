/* tui/app/prompt/edit.c - see edit.h. */
#include "tui/app/prompt/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/analysis/calls/line_of.h"
#include "model/trace/rules/advice.h"
#include "tui/app/app_api.h"
#include "tui/app/prompt/editor.h"

typedef struct edit_job {
    const tt_session *session;
    tt_scope scope;
    tt_drilldown of;
    char *name, *stack; /* owned copies of what `of` points to */
    char line[512];
    bool known;
} edit_job;

static void edit_run(void *arg)
{
    edit_job *j = arg;
    j->known = tt_line_of(j->session, &j->scope, &j->of, j->line, sizeof j->line);
}

/* The folder of the file that a selection is of. */
static void folder_of(const tt_session *s, const tt_drilldown *o, char *out, size_t cap)
{
    const char *path = o->trace != TT_NONE && o->trace < s->n_traces ? s->traces[o->trace]->path : NULL;
    const char *slash = path ? strrchr(path, '/') : NULL;
    snprintf(out, cap, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
}

static void open_line(tt_app *a, const edit_job *j)
{
    char path[TT_EDIT_PATH], folder[TT_EDIT_PATH];
    long line = 0;
    folder_of(j->session, &j->of, folder, sizeof folder);
    if (!tt_source_find(&a->sources, j->line, folder, path, sizeof path, &line)) {
        tt_app_set_status(a,
                          *path == '/' ? "no file %.300s here: :set source=OLD=NEW maps the beginning of its path"
                          : *path      ? "no file %.300s here: :set source==FOLDER/ says below which folder"
                                       : "no file of that name%.0s",
                          path);
        return;
    }
    tt_edit_command *c = tt_calloc(1, sizeof *c);
    if (!tt_edit_command_make(c, tt_editor(), path, line)) {
        tt_app_set_status(a, "$EDITOR is no command line");
        free(c);
        return;
    }
    free(a->want.edit);
    a->want.edit = c;
    tt_app_set_status(a, "%.300s line %ld", path, line);
}

static void edit_done(void *arg, tt_host *h)
{
    tt_app *a = tt_app_of(h);
    edit_job *j = arg;
    if (j->known) {
        open_line(a, j);
    } else {
        bool known = j->of.trace != TT_NONE && j->of.trace < j->session->n_traces;
        const tt_rules *rules = known ? j->session->traces[j->of.trace]->rules : NULL;
        tt_app_set_status(a, "no Python line is known for this%s%s", rules ? ": " : "",
                          rules ? tt_advice_of(rules)->record_lines : "");
    }
    tt_host_dirty(&a->host);
    free(j->name);
    free(j->stack);
    free(j);
}

void tt_app_edit(tt_app *a, tt_screen *s)
{
    tt_drilldown o = {.what = TT_DRILL_NONE};
    if (!tt_focus_selection(tt_screen_focus(s), &o) || o.what == TT_DRILL_NONE) {
        tt_app_set_status(a, "nothing is selected");
        return;
    }
    edit_job *j = tt_calloc(1, sizeof *j);
    *j = (edit_job){.session = a->host.session, .scope = a->host.scope, .of = o};
    j->of.name = j->name = o.name ? tt_strdup(o.name) : NULL;
    j->of.stack = j->stack = o.stack ? tt_strdup(o.stack) : NULL;
    j->of.shapes = NULL;
    tt_app_job(a, edit_run, edit_done, j);
}
