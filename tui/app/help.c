/* tui/app/help.c - the help page: every key of the screen, from the table that dispatches them, and the words of the
 * glossary; Enter runs the action of a line. */
#include <stdio.h>
#include <string.h>

#include "tui/app/app_api.h"
#include "tui/app/help.h"
#include "tui/app/prompt/settings.h"

/* A key with its action, or a word with its meaning. */
typedef struct help_line {
    const tt_action_info *info; /* NULL: a word */
    const tt_glossary_word *word;
} help_line;
enum {
    WORDS = 0
#define X(word, meaning) +1
#include "tui/screen/glossary.def"
#undef X
    ,
    LINES = TT_ACT_COUNT_ + WORDS
};

/* List the actions in order: those of the screen, then of moving; the words; then the actions of every screen. */
static int help_lines(const tt_app *a, help_line out[LINES])
{
    tt_context own = tt_app_context(a);
    tt_context order[6];
    int n = 0, groups = 0;
    if (tt_context_navigates(own)) order[groups++] = TT_CTX_NAVIGATE;
    if (tt_context_has_slices(own)) order[groups++] = TT_CTX_SLICES;
    if (own != TT_CTX_MOTION && own != TT_CTX_GLOBAL) order[groups++] = own;
    if (tt_context_lists(own)) order[groups++] = TT_CTX_TABLE;
    order[groups++] = TT_CTX_MOTION;
    order[groups++] = TT_CTX_GLOBAL;
    for (int o = 0; o < groups; o++) {
        for (int i = 0; o + 1 == groups && i < WORDS; i++) out[n++] = (help_line){NULL, &tt_glossary[i]};
        for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
            tt_action act = tt_actions[i].action;
            bool said =
                act > TT_ACT_TAB_1 && act <= TT_ACT_TAB_9; /* the nine tabs are one line, with the first of them */
            if (tt_actions[i].context == order[o] && !said) out[n++] = (help_line){&tt_actions[i], NULL};
        }
    }
    return n;
}

/* All keys of an action on this keyboard. */
static void keys_text(const tt_app *a, const tt_action_info *info, char *out, size_t cap)
{
    const char *keys = info->keys;
    size_t at = 0;
    out[0] = 0;
    for (tt_key k; (k = tt_key_next(&keys, NULL)) != TT_KEY_NONE && at + 32 < cap;) {
        if (!tt_action_keeps(tt_app_context(a), info, k)) continue;
        if (at) out[at++] = ' ';
        tt_key_name(tt_layout_key(a->display.layout, info->context, k), out + at, cap - at);
        at += strlen(out + at);
    }
}

static bool begins_group(const help_line *line, int i)
{
    if (!i || !line[i].info != !line[i - 1].info) return true;
    return line[i].info && line[i - 1].info->context != line[i].info->context;
}

/* Line i of the list, over as many lines of the canvas as it needs, below the name of its group when it is the first
 * of it; returns how many. Below the canvas it is only measured. */
static int draw_line(const tt_app *a, tt_canvas *c, int y, const help_line *line, int i, bool on)
{
    const tt_action_info *info = line[i].info;
    bool names = c->w >= 110 && info, first = begins_group(line, i);
    char keys[64];
    if (first) {
        tt_put(c, y, 1, TT_ROLE_HEAD, info ? tt_context_title(info->context) : "Words", -1);
        if (names) tt_put(c, y, c->w - 20, TT_ROLE_HEAD, "command", -1);
    }
    y += first;
    if (info) keys_text(a, info, keys, sizeof keys);
    tt_put(c, y, 0, TT_ROLE_STRONG, on ? ">" : " ", 1);
    tt_put_cut(c, y, 1, info ? TT_ROLE_KEY : TT_ROLE_NAME, info ? keys : line[i].word->word, 14, TT_CUT_END);
    if (names) tt_put(c, y, c->w - 20, TT_ROLE_DIM, info->name, 19);
    int n =
        tt_put_wrapped(c, y, 16, 9, c->w - (names ? 38 : 17), TT_ROLE_TEXT, info ? info->help : line[i].word->meaning);
    if (on) tt_restyle(c, y, 0, n, c->w, TT_ROLE_CURSOR);
    return n + first;
}

/* Move the top so that the line of the cursor is on screen whole, and no line stays empty that need not. */
static void scroll(tt_app *a, tt_canvas *c, const help_line *line, int n, int rows)
{
    tt_help *h = &a->help;
    int used = 0, below = 0;
    if (h->at >= n) h->at = n - 1;
    if (h->top > h->at) h->top = h->at;
    for (int i = h->top; i <= h->at; i++) used += draw_line(a, c, c->h, line, i, false);
    while (used > rows && h->top < h->at) used -= draw_line(a, c, c->h, line, h->top++, false);
    for (int i = h->top; i < n && below <= rows; i++) below += draw_line(a, c, c->h, line, i, false);
    while (h->top > 0 && (below += draw_line(a, c, c->h, line, h->top - 1, false)) <= rows) h->top--;
}

void tt_help_draw(tt_app *a, tt_canvas *c)
{
    help_line line[LINES];
    int n = help_lines(a, line), y = 1;
    char title[64];
    snprintf(title, sizeof title, "%s keys", a->tabs.screens[a->tabs.at].ops->tab.title);
    tt_rule(c, 0, title, "Enter runs the action   q close");
    scroll(a, c, line, n, c->h - 1);
    a->help.shown = 0;
    for (int i = a->help.top; i < n && y < c->h; i++) {
        y += draw_line(a, c, y, line, i, i == a->help.at);
        a->help.shown += y <= c->h;
    }
}

bool tt_help_find(tt_app *a, const char *text, int dir)
{
    help_line line[LINES];
    int n = help_lines(a, line), step = dir < 0 ? n - 1 : 1, i = a->help.at;
    if (dir) i = (i + step) % n;
    for (int tries = 0; tries < n; tries++, i = (i + step) % n) {
        const tt_action_info *info = line[i].info;
        const tt_glossary_word *word = line[i].word;
        if (info ? strcasestr(info->help, text) || strcasestr(info->name, text) || strcasestr(info->keys, text)
                 : strcasestr(word->word, text) || strcasestr(word->meaning, text)) {
            a->help.at = i;
            return true;
        }
    }
    return false;
}

bool tt_help_key(tt_app *a, tt_key k)
{
    help_line line[LINES];
    int n = help_lines(a, line), half = a->help.shown > 2 ? a->help.shown / 2 : 1;
    tt_help *h = &a->help;
    switch (tt_action_of(TT_CTX_MOTION, k)) {
    case TT_ACT_UP: h->at -= h->at > 0; return true;
    case TT_ACT_DOWN: h->at += h->at < n - 1; return true;
    case TT_ACT_PAGE_UP: /* the line above the page becomes the last line */
        h->at = h->top > 0 ? h->top - 1 : 0;
        h->top = 0;
        return true;
    case TT_ACT_PAGE_DOWN: /* the line below the page becomes the first line */
        h->at = h->top + h->shown < n ? h->top + h->shown : n - 1;
        h->top = h->at;
        return true;
    case TT_ACT_HALF_UP: h->at = h->at > half ? h->at - half : 0; return true;
    case TT_ACT_HALF_DOWN: h->at = h->at + half < n ? h->at + half : n - 1; return true;
    case TT_ACT_TOP:
    case TT_ACT_HOME: h->at = 0; return true;
    case TT_ACT_BOTTOM:
    case TT_ACT_END: h->at = n - 1; return true;
    case TT_ACT_ENTER:
        h->open = false;
        if (line[h->at].info) tt_app_act(a, line[h->at].info->action);
        return true;
    case TT_ACT_HELP:
    case TT_ACT_CANCEL:
    case TT_ACT_BACK_OR_QUIT: h->open = false; return true;
    case TT_ACT_FIND_NEXT:
    case TT_ACT_FIND_PREV:
        if (a->search.find[0])
            tt_help_find(a, a->search.find, tt_action_of(TT_CTX_MOTION, k) == TT_ACT_FIND_NEXT ? 1 : -1);
        return true;
    case TT_ACT_FIND:
    case TT_ACT_QUIT:
    case TT_ACT_REDRAW:
    case TT_ACT_SUSPEND: return false; /* handled as everywhere */
    default: h->open = false; return false;
    }
}
