/* tui/app/host.c - the functions of tui/screen/host.h, which the explorer offers to its screens. */
#include "tui/app/app_api.h"
#include "tui/app/dump/app_digest.h"
#include "tui/app/prompt/find_anywhere.h"
#include "tui/app/prompt/pickers.h"
#include "tui/app/question.h"
#include "tui/app/session/app_compare.h"
#include "tui/app/session/app_open.h"
#include "tui/app/session/follow.h"

static const tt_app *app_in(const tt_host *h) { return (const tt_app *)(const void *)h; }

static bool show(tt_host *h, const tt_show_target *to) { return tt_app_show(tt_app_of(h), to); }
static void push_jump(tt_host *h) { tt_app_push_jump(tt_app_of(h)); }
static bool jump_back(tt_host *h) { return tt_app_jump_back(tt_app_of(h)); }
static void find_anywhere(tt_host *h) { tt_app_find_anywhere(tt_app_of(h)); }
static void status(tt_host *h, const char *text) { tt_app_set_status(tt_app_of(h), "%s", text); }
static void set_scope(tt_host *h, const tt_scope *scope) { tt_app_set_scope(tt_app_of(h), scope); }
static void compare_parts(tt_host *h, const tt_scope *base, const tt_scope *now)
{
    tt_app_compare_parts(tt_app_of(h), base, now);
}
static void compare_how(tt_host *h, const tt_comparison *how) { tt_app_compare_how(tt_app_of(h), how); }
static void swap_sides(tt_host *h) { tt_app_swap_sides(tt_app_of(h)); }
static void compare_off(tt_host *h) { tt_app_compare_off(tt_app_of(h)); }
static void sides(const tt_host *h, char *base, char *now, size_t cap) { tt_app_sides(app_in(h), base, now, cap); }
static void scope_text(const tt_host *h, char *out, size_t cap) { tt_app_scope_text(app_in(h), out, cap); }
static void open_recordings(tt_host *h, const uint32_t *traces, uint32_t n)
{
    tt_app_open_recordings(tt_app_of(h), traces, n);
}
static bool follows(const tt_host *h) { return tt_app_follows(app_in(h)); }
static bool keeps(const tt_host *h) { return tt_app_keeps(app_in(h)); }
static void pick(tt_host *h, const char *title, char **items, int n, void (*picked)(tt_screen *, int))
{
    tt_app_pick(tt_app_of(h), title, items, n, picked);
}
static void *foreseen(tt_host *h, const tt_screen *s) { return tt_app_foreseen(tt_app_of(h), s); }
static void dirty(tt_host *h) { tt_app_of(h)->dirty = true; }
static void wake(tt_host *h, int ms) { tt_app_wake(tt_app_of(h), ms); }
static int64_t now(const tt_host *h) { return tt_app_now(app_in(h)); }
static bool may_write(tt_host *h, const char *verb, const char *path, unsigned *how)
{
    return tt_app_may_write(tt_app_of(h), verb, path, how);
}
static void export_trace(tt_host *h, const char *verb, const tt_scope *scope, const char *path)
{
    tt_app_export_trace(tt_app_of(h), verb, scope, path);
}
static void copy(tt_host *h, const char *text) { tt_app_copy(tt_app_of(h), text); }
static void copy_run(tt_host *h) { tt_app_markdown(tt_app_of(h), ""); }
static void job(tt_host *h, void (*run)(void *), void (*done)(void *, tt_host *), void *arg)
{
    tt_app_job(tt_app_of(h), run, done, arg);
}
static void free_later(tt_host *h, void (*free_it)(void *), void *p) { tt_app_free_later(tt_app_of(h), free_it, p); }

const tt_host_ops tt_app_host = {
    .show = show,
    .push_jump = push_jump,
    .jump_back = jump_back,
    .find_anywhere = find_anywhere,
    .status = status,
    .set_scope = set_scope,
    .compare_parts = compare_parts,
    .compare_how = compare_how,
    .swap_sides = swap_sides,
    .compare_off = compare_off,
    .sides = sides,
    .scope_text = scope_text,
    .open_recordings = open_recordings,
    .follows = follows,
    .keeps = keeps,
    .pick = pick,
    .foreseen = foreseen,
    .dirty = dirty,
    .wake = wake,
    .now = now,
    .may_write = may_write,
    .export_trace = export_trace,
    .copy = copy,
    .copy_run = copy_run,
    .job = job,
    .free_later = free_later,
};
