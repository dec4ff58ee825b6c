/* tui/app/header.c - the two lines at the top: the tabs with the scope, then the open run with the facts that a user
 * looks for first, and the mark of trust.
 *
 * If a line has no room, the least important facts are left out; the mark stays, as "!2" at the narrowest. */
#include "tui/app/header.h"
#include "model/base/buf.h"
#include "tui/app/runs/run_page.h"
#include "tui/app/screen_list.h"
#include "tui/app/session/app_compare.h"
#include "tui/app/session/follow.h"
#include "tui/app/state.h"

#include <stdio.h>
#include <string.h>

enum { TT_DIGITS = 9, MIN_SOURCE = 16, MOST_FACTS = 8 };

/* How much of the tabs the line names: titles, short titles, those close together, two letters of each but the current
 * one, that one alone, that close together. */
enum { TABS_FULL, TABS_BRIEF, TABS_CLOSE, TABS_PAIRS, TABS_DIGITS, TABS_TIGHT };

static bool is_close(int how) { return how == TABS_CLOSE || how == TABS_PAIRS || how == TABS_TIGHT; }

/* What stands behind the title of a tab: the number of doubts, " !2". */
static const char *doubts_of(const tt_app *a, int i, char *out, size_t cap)
{
    out[0] = 0;
    if (a->tabs.screens[i].ops == &tt_screen_problems && a->about.known && a->about.trust.doubts)
        snprintf(out, cap, " !%u", a->about.trust.doubts);
    return out;
}

/* What a tab is called: by its title instead of the short one where `spare` cells are left for titles. Those that say
 * most with fewest cells come first, the timeline before them, whatever the tab that is shown: a title never changes
 * under the eyes. */
static const char *name_of(const tt_app *a, int i, int how, int spare)
{
    const tt_screen_ops *own = a->tabs.screens[i].ops;
    if (how == TABS_FULL) return own->tab.title;
    int need = (int)strlen(own->tab.title) - (int)strlen(own->tab.brief);
    for (int k = 0; k < a->tabs.n && how == TABS_BRIEF; k++) {
        const tt_screen_ops *o = a->tabs.screens[k].ops;
        int more = (int)strlen(o->tab.title) - (int)strlen(o->tab.brief);
        bool sooner = more != need ? more < need : k < i;
        if (o == &tt_screen_trace || own == &tt_screen_trace) sooner = o == &tt_screen_trace;
        if (k != i && sooner && tt_app_has_tab(a, k) && more <= spare) spare -= more;
    }
    return how == TABS_BRIEF && need <= spare ? own->tab.title : own->tab.brief;
}

static int tabs_width(const tt_app *a, int how)
{
    int w = 0, nth = 0;
    for (int i = 0; i < a->tabs.n; i++) {
        if (!tt_app_has_tab(a, i)) continue;
        const char *name = name_of(a, i, how, 0);
        char doubts[16];
        int number = nth++ < TT_DIGITS ? 2 : 0, around = is_close(how) && i != a->tabs.at ? 1 : 2;
        if (how == TABS_PAIRS && i != a->tabs.at)
            w += around + 2;
        else
            w += around + number + (how >= TABS_DIGITS && i != a->tabs.at ? (number ? -1 : 1) : (int)strlen(name));
        w += (int)strlen(doubts_of(a, i, doubts, sizeof doubts));
    }
    return w;
}

/* Draw tab i, the nth on the line, with its digit if it has one. */
static int draw_tab(const tt_app *a, tt_canvas *c, int x, int i, int nth, int how, int spare)
{
    const char *name = name_of(a, i, how, spare);
    char digit[4] = "", doubts[16];
    bool on = i == a->tabs.at;
    if (how >= TABS_DIGITS && !on) name = nth < TT_DIGITS ? "" : "-";
    if (nth < TT_DIGITS) snprintf(digit, sizeof digit, *name ? "%d " : "%d", nth + 1);
    char pair[3] = "";
    if (how == TABS_PAIRS && !on) {
        snprintf(pair, sizeof pair, "%.2s", name);
        name = pair;
        digit[0] = 0;
    }
    tt_style st = on ? TT_ROLE_TAB_ON : a->about.known && a->about.empty >> i & 1 ? TT_ROLE_TAB_EMPTY : TT_ROLE_TAB;
    int from = x;
    x += tt_putf(c, 0, x, st, -1, "%s%s%s", on ? "[" : " ", digit, name);
    x += tt_put(c, 0, x, on ? st : TT_ROLE_WARN, doubts_of(a, i, doubts, sizeof doubts), -1);
    x += tt_put(c, 0, x, st, on ? "]" : is_close(how) ? "" : " ", -1);
    return x - from;
}

static void draw_tabs(tt_app *a, tt_canvas *c, const char *right)
{
    static const char brand[] = "tracetty";
    int right_w = right[0] ? tt_text_width(right, strlen(right)) + 3 : 0, how = TABS_FULL;
    int x = 1;
    while (how < TABS_TIGHT && 1 + tabs_width(a, how) + right_w > c->w) how++;
    int spare = c->w - 1 - tabs_width(a, how) - right_w;
    if (spare >= (int)sizeof brand) {
        x += tt_put(c, 0, 1, TT_ROLE_BRAND, brand, -1) + 1;
        spare -= (int)sizeof brand;
    }
    for (int i = 0, nth = 0; i < a->tabs.n; i++) {
        a->frame.tab_x[i] = x;
        if (tt_app_has_tab(a, i)) x += draw_tab(a, c, x, i, nth++, how, spare);
    }
    a->frame.tab_x[a->tabs.n] = x;
    if (right_w && c->w - right_w >= x) tt_putf(c, 0, c->w - right_w, TT_ROLE_SCOPE, -1, " %s ", right);
}

/* All of the text is read, and is being put in order. */
static bool finishing(const tt_progress *p)
{
    return p->phase && (!strcmp(p->phase, "sorting") || !strcmp(p->phase, "linking") || !strcmp(p->phase, "done"));
}

void tt_loading_text(const tt_progress *p, char *out, size_t cap)
{
    double part = p->bytes_total ? (double)p->bytes_done / (double)p->bytes_total : 0;
    if (finishing(p)) {
        snprintf(out, cap, "finishing");
        return;
    }
    if (p->phase && !strcmp(p->phase, TT_PHASE_EXPORT)) {
        snprintf(out, cap, "exporting the report with nsys");
        return;
    }
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, p->bytes_total ? "loading %.0f%%" : "loading", 100 * part);
    if (p->seconds < 0.05) return;
    double speed = (double)p->text_bytes / p->seconds;
    tt_buf_add(&line, speed >= 1e9 ? "  %.1f GB/s" : "  %.0f MB/s", speed / (speed >= 1e9 ? 1e9 : 1e6));
    if (part > 0.02 && part < 1) tt_buf_add(&line, "  %.1f s left", p->seconds * (1 - part) / part);
}

/* What is open, in w cells; while it is compared, both sides. */
static int draw_source(const tt_app *a, tt_canvas *c, int w)
{
    char side[2][TT_SOURCE_CAP];
    static const char *const name[] = {"base ", "new "};
    int x = 1, end = 1 + w, need[2];
    tt_app_sides(a, side[0], side[1], sizeof side[0]);
    if (!*side[0] || w < 24) {
        return tt_put_cut(c, 1, 1, TT_ROLE_FILE, a->source, w, TT_CUT_START);
    }
    for (int k = 0; k < 2; k++) need[k] = tt_text_width(side[k], strlen(side[k]));
    int rest = w - need[0] - need[1] - (int)(strlen(name[0]) + strlen(name[1])) - 6;
    if (a->host.comparison.base == a->host.session && rest > 12) { /* two parts of the open run */
        int cells = tt_text_width(a->source, strlen(a->source));
        if (cells > rest) cells = rest;
        tt_put_cut(c, 1, x, TT_ROLE_FILE, a->source, cells, TT_CUT_START);
        x += cells + 3;
    }
    for (int k = 0; k < 2; k++) {
        int room = end - x - (int)strlen(name[k]), other = k ? 0 : 3 + (int)strlen(name[1]) + need[1], half = room / 2;
        if (!k && need[0] + other > room) room = room - other > half ? room - other : half;
        int cells = need[k] < room ? need[k] : room;
        x += tt_put(c, 1, x, TT_ROLE_DIM, name[k], -1);
        tt_put_cut(c, 1, x, TT_ROLE_FILE, side[k], cells, TT_CUT_START);
        x += cells + 3;
    }
    return x - 4;
}

/* ---- the line about what is open ---- */

/* How much of it there is: on the left behind the path, or on the right before the mark. */
typedef struct fact {
    char text[160];
    bool left;
    int weight; /* parts with the largest weight leave first */
    bool shown;
} fact;

static void add_fact(fact *f, int *n, bool left, int weight, const char *text)
{
    if (!*text) return;
    f[*n] = (fact){.left = left, .weight = weight};
    snprintf(f[(*n)++].text, sizeof f->text, "%s", text);
}

static int facts_of(const tt_app *a, const char *scope, fact f[MOST_FACTS])
{
    char text[160] = "";
    int n = 0;
    bool comparing = tt_host_comparison(&a->host) != NULL;
    if (!a->host.session) return 0;
    if (a->about.known && !comparing) {
        add_fact(f, &n, true, 2, a->about.ranks);
        add_fact(f, &n, true, 3, a->about.steps);
        add_fact(f, &n, true, 4, a->about.device);
    }
    add_fact(f, &n, false, 5, tt_format_duration(text, a->host.session->end_ns, TT_UNIT_AUTO));
    add_fact(f, &n, false, 6, tt_format_counted(text, (int64_t)tt_session_events(a->host.session), "event"));
    text[0] = 0;
    if (a->loading) tt_loading_text(&a->progress, text, sizeof text);
    if (!a->loading && a->partial) snprintf(text, sizeof text, "partial");
    add_fact(f, &n, false, 1, text);
    add_fact(f, &n, false, 0, scope);
    return n;
}

static int width_of(const char *text) { return tt_text_width(text, strlen(text)); }

/* Choose those that w cells have room for, the lightest first; the cells that they take. */
static int choose_facts(fact *f, int n, int w)
{
    int used = 0;
    for (int weight = 0; weight <= 6; weight++) {
        for (int i = 0; i < n; i++) {
            int need = 2 + width_of(f[i].text);
            if (f[i].weight != weight || used + need > w) continue;
            f[i].shown = true;
            used += need;
        }
    }
    return used;
}

/* The mark: whether the recording can be believed. */
static tt_style mark_of(const tt_app *a, int w, char *out, size_t cap)
{
    const tt_trust *t = &a->about.trust;
    int room = w * 9 / 20;
    out[0] = 0;
    if (!a->host.session || !a->about.known || !t->checks.n) return TT_ROLE_DIM;
    if (!t->doubts) {
        snprintf(out, cap, w >= 60 ? "trust OK" : "OK");
        return TT_ROLE_BETTER;
    }
    const tt_trust_check *worst = &t->checks.at[0];
    if (t->doubts > 1) snprintf(out, cap, "! %s  +%u", worst->brief, t->doubts - 1);
    if (t->doubts == 1 || width_of(out) > room) snprintf(out, cap, "! %s", worst->brief);
    if (width_of(out) > room) {
        char whole[160];
        snprintf(whole, sizeof whole, "%s", out);
        tt_text_cut(out, cap, whole, room, TT_CUT_END, a->display.ascii);
        if (w < 72) snprintf(out, cap, "!%u", t->doubts);
    }
    return worst->verdict == TT_TRUST_BAD ? TT_ROLE_ERROR : TT_ROLE_WARN;
}

static void draw_file(tt_app *a, tt_canvas *c, const char *scope)
{
    char mark[160];
    fact f[MOST_FACTS] = {0};
    tt_style st = mark_of(a, c->w, mark, sizeof mark);
    int n = facts_of(a, scope, f), end = c->w - 1, path = width_of(a->source);
    a->frame.mark_x = 0;
    char live[64];
    bool warn;
    if (tt_follow_chip(a, live, sizeof live, &warn)) {
        end -= width_of(live) + 2;
        tt_putf(c, 1, end, warn ? TT_ROLE_WARN : TT_ROLE_TAB_ON, -1, " %s ", live);
        end -= 1;
    }
    if (mark[0]) {
        end -= width_of(mark);
        a->frame.mark_x = end;
        tt_put(c, 1, end, st, mark, -1);
        end -= 2;
    }
    const char *last = strrchr(a->source, '/');
    int least = last && last[1] ? width_of(last) + 1 : path;
    if (least < MIN_SOURCE) least = MIN_SOURCE;
    if (least > c->w / 2) least = c->w / 2;
    if (least > path) least = path;
    int used = choose_facts(f, n, end - 1 - least);
    for (int i = n; i-- > 0;) {
        if (!f[i].shown || f[i].left) continue;
        end -= width_of(f[i].text);
        tt_put(c, 1, end, TT_ROLE_DIM, f[i].text, -1);
        end -= 2;
        used -= width_of(f[i].text) + 2;
    }
    int x = 1 + draw_source(a, c, end - 1 - used);
    for (int i = 0; i < n; i++) {
        if (!f[i].shown || !f[i].left) continue;
        x += 2;
        x += tt_put(c, 1, x, TT_ROLE_TEXT, f[i].text, -1);
    }
}

void tt_header_draw(tt_app *a, tt_canvas *c, const char *scope)
{
    bool above = 1 + tabs_width(a, TABS_BRIEF) + (int)strlen(scope) + 3 <= c->w; /* room for it beside the tabs */
    if (!a->runs.open || a->host.session) draw_tabs(a, c, above ? scope : "");
    if (a->runs.open)
        tt_run_page_draw_head(a, c);
    else
        draw_file(a, c, above ? "" : scope);
}
