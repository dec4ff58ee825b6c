/* tui/app/app_draw.c - a whole frame: tabs, the line about the file, the screen, the status line, the key bar; the
 * loading screen. */
#include <stdio.h>
#include <string.h>

#include "tui/app/app_impl.h"

enum { MIN_W = 40, MIN_H = 10, TT_DIGITS = 9 };

/* Width of the tab line with titles (0), short titles (1), or only the current one named (2). */
static int tabs_width(const tt_app *a, int how)
{
    int w = 0, nth = 0;
    for (int i = 0; i < a->n_tabs; i++) {
        if (!tt_app_has_tab(a, i)) continue;
        const tt_screen_ops *o = a->screens[i].ops;
        const char *name = how == 0 ? o->title : o->brief;
        int number = nth++ < TT_DIGITS ? 2 : 0;
        w += 2 + number + (how == 2 && i != a->at ? (number ? -1 : 1) : (int)strlen(name));
    }
    return w;
}

/* Tab i on the line, the nth of them: with its digit where it has one. */
static int draw_tab(const tt_app *a, tt_canvas *c, int x, int i, int nth, int how)
{
    const tt_screen_ops *o = a->screens[i].ops;
    const char *name = how == 0 ? o->title : o->brief;
    char digit[4] = "";
    bool on = i == a->at;
    if (how == 2 && !on) name = nth < TT_DIGITS ? "" : "-";
    if (nth < TT_DIGITS) snprintf(digit, sizeof digit, *name ? "%d " : "%d", nth + 1);
    return tt_putf(c, 0, x, on ? TT_ROLE_TAB_ON : TT_ROLE_TAB, -1, on ? "[%s%s]" : " %s%s ", digit, name);
}

static void draw_tabs(tt_app *a, tt_canvas *c, const char *right)
{
    static const char brand[] = "tracetty";
    int right_w = right[0] ? tt_text_width(right, strlen(right)) + 3 : 0, how = 0;
    int x = 1;
    while (how < 2 && 1 + tabs_width(a, how) + right_w > c->w) how++;
    if ((int)sizeof brand + 1 + tabs_width(a, how) + right_w <= c->w)
        x += tt_put(c, 0, 1, TT_ROLE_BRAND, brand, -1) + 1;
    for (int i = 0, nth = 0; i < a->n_tabs; i++) {
        a->tab_x[i] = x;
        if (tt_app_has_tab(a, i)) x += draw_tab(a, c, x, i, nth++, how);
    }
    a->tab_x[a->n_tabs] = x;
    if (right_w && c->w - right_w >= x) tt_putf(c, 0, c->w - right_w, TT_ROLE_SCOPE, -1, " %s ", right);
}

/* How much of the trace the preview on screen may miss. */
static void loading_text(const tt_app *a, char *out, size_t cap)
{
    const tt_progress *p = &a->progress;
    if (p->bytes_total) {
        snprintf(out, cap, "  still loading %.0f %%", 100 * (double)p->bytes_done / (double)p->bytes_total);
    } else {
        snprintf(out, cap, "  still loading");
    }
}

/* The line about the file: where it is on the left, how much of it on the right. */
static void draw_file(const tt_app *a, tt_canvas *c, const char *scope)
{
    char right[160] = "", span[TT_TEXT_CAP], events[TT_TEXT_CAP], problems[TT_TEXT_CAP];
    tt_style st = TT_ROLE_FILE;
    if (a->session) {
        tt_format_duration(span, a->session->end_ns, TT_UNIT_AUTO);
        tt_format_counted(events, (int64_t)tt_session_events(a->session), "event");
        char part[48] = "";
        if (a->loading) loading_text(a, part, sizeof part);
        if (!a->loading && a->partial) snprintf(part, sizeof part, "  partial");
        snprintf(right, sizeof right, "%s  %s%s%s", span, events, part, scope);
        if (a->problems) {
            snprintf(right, sizeof right, "%s  %s%s%s  !%s", span, events, part, scope,
                     tt_format_counted(problems, (int64_t)a->problems, "problem"));
            st = TT_ROLE_WARN;
        }
    }
    int w = (int)strlen(right);
    if (w > c->w - 12) { /* too narrow for all of it: what part this is matters most */
        snprintf(right, sizeof right, "%s", scope + strspn(scope, " "));
        w = (int)strlen(right);
    }
    if (w > c->w - 12) w = 0;
    tt_put_cut(c, 1, 1, TT_ROLE_FILE, a->source, c->w - w - (w ? 4 : 2), TT_CUT_START);
    if (!w) return;
    tt_put(c, 1, c->w - w - 1, TT_ROLE_DIM, right, w);
    const char *mark = strchr(right, '!');
    if (mark) tt_put(c, 1, c->w - w - 1 + (int)(mark - right), st, mark, -1);
}

static void draw_key_bar(tt_app *a, tt_canvas *c, int y)
{
    tt_context own = tt_app_context(a);
    bool several = a->session && a->session->n_traces > 1;
    int x = 1;
    a->n_bar = 0;
    for (int level = 0; level < TT_ACTION_LEVELS; level++) {
        for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
            const tt_action_info *info = &tt_actions[i];
            if (tt_action_level(info, own) != level || !info->bar[0]) continue;
            if (info->action == TT_ACT_WORKER_PICK && !several) continue;
            char name[32];
            tt_app_key_of(a, info, name, sizeof name);
            if (x + (int)strlen(name) + 1 + (int)strlen(info->bar) >= c->w) continue;
            int from = x;
            x += tt_put(c, y, x, TT_ROLE_KEY, name, -1) + 1;
            x += tt_put(c, y, x, TT_ROLE_KEY_TEXT, info->bar, -1);
            if (a->n_bar < TT_MAX_BAR) a->bar[a->n_bar++] = (tt_bar_key){from, x, info->action};
            x += 2;
        }
    }
}

static void draw_status(const tt_app *a, tt_canvas *c, int y)
{
    const tt_screen *s = &a->screens[a->at];
    char text[512] = "";
    if (a->question.open) {
        tt_app_question_draw(a, c, y);
        return;
    }
    if (a->prompt.kind != TT_PROMPT_NONE) {
        tt_prompt_draw(&a->prompt, c, y);
        if (a->status[0]) tt_put_right(c, y, c->w / 2, c->w / 2 - 1, TT_ROLE_WARN, a->status);
        return;
    }
    if (a->status[0]) {
        tt_put_cut(c, y, 1, TT_ROLE_STRONG, a->status, c->w - 4, TT_CUT_END);
    } else if (a->session && s->opened && s->ops->status) {
        s->ops->status(s, text, sizeof text);
        tt_put_cut(c, y, 1, TT_ROLE_STATUS, text, c->w - 4, TT_CUT_END);
    }
    if (tt_jobs_busy(a->jobs)) tt_put_char(c, y, c->w - 2, TT_ROLE_STRONG, (uint32_t) "|/-\\"[a->spinner & 3]);
}

static void human_bytes(char out[TT_TEXT_CAP], uint64_t n) { tt_format_bytes(out, (int64_t)n); }

void tt_app_draw_loading(const tt_app *a, tt_canvas *c)
{
    const tt_progress *p = &a->progress;
    char done[TT_TEXT_CAP], total[TT_TEXT_CAP], rate[TT_TEXT_CAP], events[TT_TEXT_CAP];
    int y = c->h / 2 - 3, w = c->w - 8, x = 4;
    double frac = p->bytes_total ? (double)p->bytes_done / (double)p->bytes_total : 0;
    double speed = p->seconds > 0.05 ? (double)p->bytes_done / p->seconds : 0;
    if (y < 0) y = 0;
    human_bytes(done, p->bytes_done);
    human_bytes(total, p->bytes_total);
    human_bytes(rate, (uint64_t)speed);
    tt_format_count(events, (int64_t)p->events);
    tt_putf(c, y, x, TT_ROLE_TITLE, w, "%s", p->phase && strcmp(p->phase, "done") ? p->phase : "opening");
    if (p->n_files > 1) tt_putf(c, y, x + 14, TT_ROLE_DIM, w - 14, "file %u of %u", p->file + 1, p->n_files);
    tt_put_cut(c, y + 1, x, TT_ROLE_TEXT, p->path[0] ? p->path : a->source, w, TT_CUT_START);
    if (p->bytes_total) {
        tt_fill(c, y + 3, x, 1, w - 8, TT_ROLE_BAR_REST, tt_glyph_of(c, TT_G_SHADE1));
        tt_hbar(c, y + 3, x, w - 8, frac, TT_ROLE_BAR);
        tt_putf(c, y + 3, x + w - 7, TT_ROLE_STRONG, -1, "%5.1f%%", 100 * frac);
    }
    int at = x + tt_putf(c, y + 5, x, TT_ROLE_TEXT, w, p->bytes_total ? "%s of %s" : "%s", done, total);
    if (speed > 0) at += tt_putf(c, y + 5, at, TT_ROLE_TEXT, x + w - at, "   %s/s", rate);
    at += tt_putf(c, y + 5, at, TT_ROLE_TEXT, x + w - at, "   %s events", events);
    if (speed > 0 && frac > 0.02 && frac < 1) {
        tt_putf(c, y + 5, at, TT_ROLE_TEXT, x + w - at, "   %.0f s left",
                (double)(p->bytes_total - p->bytes_done) / speed);
    }
    tt_put(c, y + 7, x, TT_ROLE_DIM, "Esc stops and keeps what was read, q leaves", w);
}

static void draw_too_small(tt_canvas *c)
{
    static const char text[] = "40x10 needed";
    int x = (c->w - (int)sizeof text + 1) / 2;
    tt_put(c, c->h / 2, x > 0 ? x : 0, TT_ROLE_WARN, text, -1);
}

static void draw_frame(tt_app *a, tt_canvas *c)
{
    char scope[128], in_file[160] = "";
    tt_canvas_clear(c);
    a->h = c->h;
    a->w = c->w;
    a->dirty = false;
    a->spinner++;
    if (tt_jobs_busy(a->jobs)) tt_app_wake(a, 100);
    if (c->w < MIN_W || c->h < MIN_H) {
        draw_too_small(c);
        return;
    }
    tt_app_scope_text(a, scope, sizeof scope);
    bool above = 1 + tabs_width(a, 1) + (int)strlen(scope) + 3 <= c->w; /* room for the scope beside the tabs */
    if (!above) snprintf(in_file, sizeof in_file, "  %s", scope);
    draw_tabs(a, c, above ? scope : "");
    draw_file(a, c, in_file);
    tt_canvas body = tt_canvas_window(c, 2, 0, c->h - 4, c->w);
    tt_screen *s = tt_app_current(a);
    if (!a->session) {
        tt_app_draw_loading(a, &body);
    } else if (a->help.open) {
        tt_help_draw(a, &body);
    } else if (s->opened) {
        s->ops->draw(s, &body);
    }
    if (a->picker.title) tt_picker_draw(&a->picker, &body);
    draw_status(a, c, c->h - 2);
    if (a->prompt.kind == TT_PROMPT_COMMAND) {
        a->n_bar = 0;
        tt_put_cut(c, c->h - 1, 1, TT_ROLE_DIM, a->candidates, c->w - 2, TT_CUT_END);
    } else if (a->question.open) {
        a->n_bar = 0;
        tt_put(c, c->h - 1, 1, TT_ROLE_DIM, "y: yes, every other key: no", c->w - 2);
    } else {
        draw_key_bar(a, c, c->h - 1);
    }
}

void tt_app_draw(tt_app *a, tt_canvas *c)
{
    bool ascii = c->ascii;
    c->ascii = ascii || a->ascii;
    c->braille = a->braille && !c->ascii;
    draw_frame(a, c);
    c->ascii = ascii;
}
