/* tui/screen_help.c - every key of the screen, from the table that dispatches them; Enter does what the line says. */
#include <stdio.h>
#include <string.h>

#include "tui/app_impl.h"
#include "tui/settings.h"

/* Actions in the order shown: those of the screen, of moving, of everywhere. */
static int help_lines(const tt_app *a, const tt_action_info *out[TT_ACT_COUNT_])
{
    tt_context own = tt_app_context(a);
    const tt_context order[] = {own, TT_CTX_MOTION, TT_CTX_GLOBAL};
    int n = 0;
    for (int o = own == TT_CTX_GLOBAL || own == TT_CTX_MOTION ? 1 : 0; o < 3; o++) {
        for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
            if (tt_actions[i].context == order[o]) out[n++] = &tt_actions[i];
        }
    }
    return n;
}

/* All keys of an action, as they are on this keyboard. */
static void keys_text(const tt_app *a, const tt_action_info *info, char *out, size_t cap)
{
    const char *keys = info->keys;
    size_t at = 0;
    out[0] = 0;
    for (tt_key k; (k = tt_key_next(&keys, NULL)) != TT_KEY_NONE && at + 32 < cap;) {
        if (at) out[at++] = ' ';
        tt_key_name(tt_layout_key(a->layout, info->context, k), out + at, cap - at);
        at += strlen(out + at);
    }
}

void tt_help_draw(tt_app *a, tt_canvas *c)
{
    const tt_action_info *line[TT_ACT_COUNT_];
    int n = help_lines(a, line), rows = c->h - 2;
    tt_help *h = &a->help;
    char title[64];
    if (h->at >= n) h->at = n - 1;
    if (h->top > h->at) h->top = h->at;
    if (h->top + rows <= h->at) h->top = h->at - rows + 1;
    if (h->top > n - rows) h->top = n > rows ? n - rows : 0;
    snprintf(title, sizeof title, "Keys of %s", a->screens[a->at].ops->title);
    tt_rule(c, 0, title, "Enter does it, q closes");
    tt_put(c, 1, 1, TT_ROLE_HEAD, "keys", -1);
    tt_put(c, 1, 16, TT_ROLE_HEAD, "what they do", -1);
    bool names = c->w >= 110;
    if (names) tt_put(c, 1, c->w - 38, TT_ROLE_HEAD, "name for :", -1);
    for (int i = 0; i < rows && h->top + i < n; i++) {
        const tt_action_info *info = line[h->top + i];
        int y = i + 2;
        bool on = h->top + i == h->at;
        tt_put(c, y, 0, TT_ROLE_STRONG, on ? ">" : " ", 1);
        char keys[64];
        keys_text(a, info, keys, sizeof keys);
        tt_put_cut(c, y, 1, TT_ROLE_KEY, keys, 14, TT_CUT_END);
        tt_put_cut(c, y, 16, TT_ROLE_TEXT, info->help, c->w - (names ? 56 : 17), TT_CUT_END);
        if (names) tt_put(c, y, c->w - 38, TT_ROLE_DIM, info->name, 20);
        if (names) tt_put(c, y, c->w - 16, TT_ROLE_DIM, tt_context_title(info->context), 15);
        if (on) tt_restyle(c, y, 0, 1, c->w, TT_ROLE_CURSOR);
    }
}

bool tt_help_find(tt_app *a, const char *text, int dir)
{
    const tt_action_info *line[TT_ACT_COUNT_];
    int n = help_lines(a, line), step = dir < 0 ? n - 1 : 1, i = a->help.at;
    if (dir) i = (i + step) % n;
    for (int tries = 0; tries < n; tries++, i = (i + step) % n) {
        if (strcasestr(line[i]->help, text) || strcasestr(line[i]->name, text) || strcasestr(line[i]->keys, text)) {
            a->help.at = i;
            return true;
        }
    }
    return false;
}

bool tt_help_key(tt_app *a, tt_key k)
{
    const tt_action_info *line[TT_ACT_COUNT_];
    int n = help_lines(a, line), page = a->h > 6 ? a->h - 6 : 1;
    tt_help *h = &a->help;
    switch (tt_action_of(TT_CTX_MOTION, k)) {
    case TT_ACT_UP: h->at -= h->at > 0; return true;
    case TT_ACT_DOWN: h->at += h->at < n - 1; return true;
    case TT_ACT_PAGE_UP: h->at = h->at > page ? h->at - page : 0; return true;
    case TT_ACT_PAGE_DOWN: h->at = h->at + page < n ? h->at + page : n - 1; return true;
    case TT_ACT_HALF_UP: h->at = h->at > page / 2 ? h->at - page / 2 : 0; return true;
    case TT_ACT_HALF_DOWN: h->at = h->at + page / 2 < n ? h->at + page / 2 : n - 1; return true;
    case TT_ACT_TOP:
    case TT_ACT_HOME: h->at = 0; return true;
    case TT_ACT_BOTTOM:
    case TT_ACT_END: h->at = n - 1; return true;
    case TT_ACT_ENTER:
        h->open = false;
        tt_app_act(a, line[h->at]->action);
        return true;
    case TT_ACT_HELP:
    case TT_ACT_CANCEL:
    case TT_ACT_BACK_OR_QUIT: h->open = false; return true;
    case TT_ACT_FIND_NEXT:
    case TT_ACT_FIND_PREV:
        if (a->find[0]) tt_help_find(a, a->find, tt_action_of(TT_CTX_MOTION, k) == TT_ACT_FIND_NEXT ? 1 : -1);
        return true;
    case TT_ACT_FIND:
    case TT_ACT_QUIT:
    case TT_ACT_REDRAW:
    case TT_ACT_SUSPEND: return false; /* as everywhere */
    default: h->open = false; return false;
    }
}
