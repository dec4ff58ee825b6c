/* tui/app/runs/run_picker.c - `:diff` and the choice of the other run: the command, and the list of the runs beside
 * the open one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/app/app_api.h"
#include "tui/app/prompt/pickers.h"
#include "tui/app/runs/run_picker.h"
#include "tui/app/runs/runs.h"
#include "tui/app/session/app_compare.h"
#include "tui/app/session/app_open.h"

/* ---- :diff ---- */

/* Words that all say how to compare; false: one of them does not. */
static bool how_of(tt_comparison *c, const char *arg)
{
    char word[64];
    for (size_t n; *arg; arg += n, arg += strspn(arg, " ")) {
        n = strcspn(arg, " ");
        if (n >= sizeof word) return false;
        memcpy(word, arg, n);
        word[n] = 0;
        if (!tt_app_compare_word(c, word)) return false;
    }
    return true;
}

static void say_how(tt_app *a)
{
    const tt_comparison *c = &a->host.comparison;
    tt_app_set_status(a, "compared per %s, names %s, without the first %u steps, confidence %g%%, smallest effect %g%%",
                      c->per_run ? "run" : "step", c->short_names ? "short" : "exact", c->skip, c->confidence,
                      c->min_effect);
}

bool tt_app_diff(tt_app *a, const char *arg)
{
    tt_comparison how = a->host.comparison;
    if (!*arg) {
        tt_app_pick_run(a);
    } else if (!strcmp(arg, "off")) {
        bool any = a->host.comparison.base || a->other.load;
        tt_app_compare_off(a);
        tt_app_set_status(a, any ? "comparison closed" : "nothing was compared");
    } else if (!strcmp(arg, "swap")) {
        tt_app_swap_sides(a);
    } else if (how_of(&how, arg)) {
        tt_app_compare_how(a, &how);
        say_how(a);
    } else if (tt_app_compare_key(arg)) {
        return false;
    } else {
        tt_app_open_base(a, arg);
    }
    return true;
}

/* ---- the list ---- */

static void show_folder(tt_app *a, const char *folder, const char *at);

static void path_of(const tt_app *a, int i, char *out, size_t cap)
{
    snprintf(out, cap, "%s%s", a->picker.folder, a->picker.names[i]);
}

/* Open the folder of an entry, or the folder around the one on screen. */
static bool turn_to(tt_app *a, int i, bool up)
{
    char folder[TT_SOURCE_CAP], from[TT_SOURCE_CAP] = "";
    const char *name = up ? "../" : a->picker.names[i];
    size_t n = strlen(name), len = strlen(a->picker.folder);
    if (!n || name[n - 1] != '/') return false;
    if (!strcmp(name, "../") && len && strcmp(a->picker.folder, "/") != 0 &&
        (len < 3 || strcmp(a->picker.folder + len - 3, "../") != 0)) {
        tt_runs_folder(a->picker.folder, folder, sizeof folder);
        snprintf(from, sizeof from, "%s", a->picker.folder + strlen(folder));
    } else {
        snprintf(folder, sizeof folder, "%s%s", a->picker.folder, name);
    }
    show_folder(a, folder, from);
    return true;
}

static void pick_run(tt_app *a, int i)
{
    char path[2 * TT_SOURCE_CAP];
    if (!a->picker.runs[i]) {
        if (!turn_to(a, i, false)) tt_picker_close(&a->picker);
        return;
    }
    path_of(a, i, path, sizeof path);
    tt_picker_close(&a->picker);
    tt_app_open_base(a, path);
}

/* Two runs of the list, neither of which has to be the open one: the second is opened in its place. */
static void pick_two(tt_app *a, int base, int now)
{
    char first[2 * TT_SOURCE_CAP], second[2 * TT_SOURCE_CAP];
    if (!a->picker.runs[base] || !a->picker.runs[now]) {
        tt_app_set_status(a, "no traces in this folder itself: Right opens it");
        return;
    }
    path_of(a, base, first, sizeof first);
    path_of(a, now, second, sizeof second);
    tt_picker_close(&a->picker);
    tt_app_compare_runs(a, first, second);
}

static bool picker_key(tt_app *a, tt_action act)
{
    if (act == TT_ACT_RIGHT) turn_to(a, a->picker.at, false);
    if (act == TT_ACT_LEFT) turn_to(a, 0, true);
    return act == TT_ACT_RIGHT || act == TT_ACT_LEFT;
}

/* at: name of the entry to begin with. */
static void show_folder(tt_app *a, const char *folder, const char *at)
{
    tt_run_list l = tt_runs_in(folder, true);
    tt_picker *p = &a->picker;
    tt_picker_open(a, NULL, (int)l.n, pick_run);
    snprintf(p->folder, sizeof p->folder, "%s", folder);
    snprintf(p->own_title, sizeof p->own_title, "Compare with a run of %.180s", *folder ? folder : "this folder");
    p->title = p->own_title;
    p->compare = pick_two;
    p->key = picker_key;
    p->wide = true;
    p->names = tt_calloc(l.n, sizeof *p->names);
    p->runs = tt_calloc(l.n, sizeof *p->runs);
    for (size_t i = 0; i < l.n; i++) {
        const tt_run_entry *e = &l.at[i];
        char size[TT_TEXT_CAP] = "", count[TT_TEXT_CAP] = "", when[32] = "", line[1024];
        if (e->bytes) tt_format_bytes(size, (int64_t)e->bytes);
        if (e->folder && e->n_traces) tt_format_counted(count, e->n_traces, "trace");
        if (e->n_traces) tt_runs_age(when, e->changed);
        char path[2 * TT_SOURCE_CAP];
        snprintf(path, sizeof path, "%s%s", folder, e->name);
        snprintf(line, sizeof line, "%12s  %10s  %10s  %.600s%s", count, size, when, e->name,
                 !strncmp(path, a->source, strlen(a->source)) &&
                         (!path[strlen(a->source)] || !strcmp(path + strlen(a->source), "/"))
                     ? "  (open)"
                     : "");
        p->items[i] = tt_strdup(line);
        p->names[i] = tt_strdup(e->name);
        p->runs[i] = e->n_traces > 0;
        if (*at ? !strcmp(e->name, at) : !p->at && e->n_traces) p->at = (int)i;
    }
    tt_runs_free(&l);
}

void tt_app_pick_run(tt_app *a)
{
    char folder[TT_SOURCE_CAP];
    tt_runs_folder(tt_app_several(a) || !strcmp(a->source, "-") ? "" : a->source, folder, sizeof folder);
    show_folder(a, folder, "");
}
