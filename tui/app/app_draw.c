/* tui/app/app_draw.c - a whole frame: header, screen, status line, key bar; the loading screen. */
#include <stdio.h>
#include <string.h>

#include "tui/app/about.h"
#include "tui/app/app_api.h"
#include "tui/app/header.h"
#include "tui/app/jobs.h"
#include "tui/app/modal.h"
#include "tui/app/session/app_open.h"
#include "tui/app/session/follow.h"

enum { MIN_W = 40, MIN_H = 10 };

static int put_bar_key(tt_app *a, tt_canvas *c, int y, int x, const tt_action_info *info, const char *text)
{
    char name[32];
    tt_app_key_of(a, info, name, sizeof name);
    int from = x;
    x += tt_put(c, y, x, TT_ROLE_KEY, name, -1) + 1;
    x += tt_put(c, y, x, TT_ROLE_KEY_TEXT, text, -1);
    if (a->frame.n_bar < TT_MAX_BAR) a->frame.bar[a->frame.n_bar++] = (tt_bar_key){from, x, info->action};
    return x + 2;
}

/* Whether the key bar keeps this action however narrow it is: help and the way out. */
static bool stays(const tt_action_info *info)
{
    return info->action == TT_ACT_HELP || info->action == TT_ACT_BACK_OR_QUIT;
}

static void draw_key_bar(tt_app *a, tt_canvas *c, int y)
{
    tt_context own = tt_app_context(a);
    bool several = a->host.session && a->host.session->n_traces > 1;
    const tt_action_info *help = &tt_actions[TT_ACT_HELP - 1], *leave = &tt_actions[TT_ACT_BACK_OR_QUIT - 1];
    const char *out = a->help.open ? "close" : a->jumps.at > 0 ? "back" : leave->bar;
    int x = 1, kept = 2 + (int)strlen(help->bar) + 2 + 2 + (int)strlen(out) + 2;
    a->frame.n_bar = 0;
    for (int level = 0; a->host.session && level < TT_ACTION_LEVELS;
         level++) { /* other actions do nothing while no run is open */
        for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
            const tt_action_info *info = &tt_actions[i];
            if (tt_action_level(info, own) != level || !info->bar[0] || stays(info)) continue;
            if (info->action == TT_ACT_WORKER_PICK && !several) continue;
            char name[32];
            tt_app_key_of(a, info, name, sizeof name);
            if (x + (int)strlen(name) + 1 + (int)strlen(info->bar) + kept > c->w) continue;
            x = put_bar_key(a, c, y, x, info, info->bar);
        }
    }
    x = put_bar_key(a, c, y, x, help, help->bar);
    put_bar_key(a, c, y, x, leave, out);
}

static void draw_status(const tt_app *a, tt_canvas *c, int y)
{
    const tt_screen *s = &a->tabs.screens[a->tabs.at];
    char text[512] = "";
    if (tt_modal_draw_status(a, c, y)) return;
    if (a->status[0]) {
        tt_put_cut(c, y, 1, TT_ROLE_STRONG, a->status, c->w - 4, TT_CUT_END);
    } else if (a->host.session && tt_app_opening_text(a, text, sizeof text)) {
        tt_put_cut(c, y, 1, TT_ROLE_STRONG, text, c->w - 4, TT_CUT_END);
    } else if (a->host.session && s->opened && !a->runs.open) {
        tt_focus_status(tt_screen_focus(s), text, sizeof text);
        tt_put_cut(c, y, 1, TT_ROLE_STATUS, text, c->w - 4, TT_CUT_END);
    }
    if (tt_jobs_busy(a->jobs)) tt_put_char(c, y, c->w - 2, TT_ROLE_STRONG, (uint32_t) "|/-\\"[a->frame.spinner & 3]);
}

static void human_bytes(char out[TT_TEXT_CAP], uint64_t n) { tt_format_bytes(out, (int64_t)n); }

static void app_draw_loading(const tt_app *a, tt_canvas *c)
{
    const tt_progress *p = &a->progress;
    char done[TT_TEXT_CAP], total[TT_TEXT_CAP], events[TT_TEXT_CAP], how[64];
    int y = c->h / 2 - 3, w = c->w - 8, x = 4;
    double frac = p->bytes_total ? (double)p->bytes_done / (double)p->bytes_total : 0;
    if (y < 0) y = 0;
    human_bytes(done, p->bytes_done);
    human_bytes(total, p->bytes_total);
    tt_loading_text(p, how, sizeof how);
    tt_format_count(events, (int64_t)p->events);
    if (tt_follow_waits(a) && !p->bytes_done)
        snprintf(how, sizeof how, "waiting for the first events of the recording");
    int title = tt_put(c, y, x, TT_ROLE_TITLE, p->phase || tt_follow_waits(a) ? how : "opening", w);
    if (p->n_files > 1)
        tt_putf(c, y, x + title + 3, TT_ROLE_DIM, w - title - 3, "file %u of %u", p->file + 1, p->n_files);
    tt_put_cut(c, y + 1, x, TT_ROLE_TEXT, p->path[0] ? p->path : a->source, w, TT_CUT_START);
    if (p->bytes_total) {
        tt_fill(c, y + 3, x, 1, w - 8, TT_ROLE_BAR_REST, tt_glyph_of(c, TT_G_SHADE1));
        tt_hbar(c, y + 3, x, w - 8, frac, TT_ROLE_BAR);
        tt_putf(c, y + 3, x + w - 7, TT_ROLE_STRONG, -1, "%5.1f%%", 100 * frac);
    }
    int at = x + tt_putf(c, y + 5, x, TT_ROLE_TEXT, w, p->bytes_total ? "%s of %s" : "%s", done, total);
    tt_putf(c, y + 5, at, TT_ROLE_TEXT, x + w - at, "   %s events", events);
    tt_put(c, y + 7, x, TT_ROLE_DIM, "Esc stops and keeps what was read, q leaves", w);
}

/* Draw how to continue when nothing was read. */
static void draw_stopped(const tt_app *a, tt_canvas *c)
{
    int y = c->h / 2 - 3, w = c->w - 8, x = 4;
    if (y < 0) y = 0;
    tt_put(c, y, x, TT_ROLE_TITLE, "reading was cancelled before anything was read", w);
    tt_put_cut(c, y + 1, x, TT_ROLE_TEXT, a->source, w, TT_CUT_START);
    tt_putf(c, y + 3, x, TT_ROLE_DIM, w, "%sA lists runs, q leaves", tt_app_may_reload(a) ? "R reads it again, " : "");
}

static void draw_too_small(tt_canvas *c)
{
    static const char text[] = "40x10 needed";
    int x = (c->w - (int)sizeof text + 1) / 2;
    tt_put(c, c->h / 2, x > 0 ? x : 0, TT_ROLE_WARN, text, -1);
}

/* Draw the current screen, or say why there is none yet. */
static void draw_body(tt_app *a, tt_canvas *body)
{
    tt_screen *s = tt_app_current(a);
    if (tt_app_stopped(a)) {
        draw_stopped(a, body);
    } else if (!a->host.session) {
        app_draw_loading(a, body);
    } else if (s->opened) {
        s->ops->draw(s, body);
    }
}

static void draw_frame(tt_app *a, tt_canvas *c)
{
    char scope[128];
    tt_canvas_clear(c);
    a->frame.h = c->h;
    a->frame.w = c->w;
    a->dirty = false;
    a->frame.spinner++;
    if (tt_jobs_busy(a->jobs)) tt_app_wake(a, 100);
    if (c->w < MIN_W || c->h < MIN_H) {
        draw_too_small(c);
        return;
    }
    tt_app_scope_text(a, scope, sizeof scope);
    if (!a->runs.open) tt_about_ask(a);
    tt_header_draw(a, c, scope);
    tt_canvas body = tt_canvas_window(c, 2, 0, c->h - 4, c->w);
    if (!tt_modal_covers(a)) draw_body(a, &body);
    tt_modal_draw(a, &body);
    draw_status(a, c, c->h - 2);
    a->frame.n_bar = 0;
    if (!tt_modal_draw_keys(a, c, c->h - 1)) draw_key_bar(a, c, c->h - 1);
}

void tt_app_draw(tt_app *a, tt_canvas *c)
{
    bool ascii = c->ascii;
    c->ascii = ascii || a->display.ascii;
    c->braille = a->display.braille && !c->ascii;
    draw_frame(a, c);
    c->ascii = ascii;
}
