/* tui/screen/actions.c - the action table, names of keys, and the look-up from key to action. */
#include "tui/screen/actions.h"

#include <stdio.h>
#include <string.h>

const tt_action_info tt_actions[] = {
#define X(id, name, context, keys, bar, help) {TT_ACT_##id, TT_CTX_##context, name, keys, bar, help},
#include "tui/screen/actions.def"
#undef X
};

const tt_glossary_word tt_glossary[] = {
#define X(word, meaning) {word, meaning},
#include "tui/screen/glossary.def"
#undef X
    {NULL, NULL},
};

const char *tt_context_title(tt_context c)
{
    static const char *const title[TT_CTX_COUNT_] = {
        "Everywhere", "Moving",           "Tables", "Time axis", "Slices and tracks", "Timeline", "Both timelines",
        "Plots",      "Memory snapshots", "Steps",  "Links",     "Flame view",        "Compare"};
    return title[c];
}

tt_action tt_action_find(const char *name)
{
    for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
        if (strcmp(tt_actions[i].name, name) == 0) return tt_actions[i].action;
    }
    return TT_ACT_NONE;
}

int64_t tt_action_moved(tt_action a, int64_t at, int64_t n, int half, int page)
{
    switch (a) {
    case TT_ACT_UP: at -= 1; break;
    case TT_ACT_DOWN: at += 1; break;
    case TT_ACT_HALF_UP: at -= half; break;
    case TT_ACT_HALF_DOWN: at += half; break;
    case TT_ACT_PAGE_UP: at -= page; break;
    case TT_ACT_PAGE_DOWN: at += page; break;
    case TT_ACT_TOP:
    case TT_ACT_HOME: at = 0; break;
    case TT_ACT_BOTTOM:
    case TT_ACT_END: at = n - 1; break;
    default: return -1;
    }
    at = at < n ? at : n - 1;
    return at > 0 ? at : 0;
}

bool tt_action_zooms(tt_action a, int *num, int *den)
{
    switch (a) {
    case TT_ACT_ZOOM_IN: *num = 2, *den = 3; return true;
    case TT_ACT_ZOOM_OUT: *num = 3, *den = 2; return true;
    case TT_ACT_ZOOM_IN_FAST: *num = 1, *den = 4; return true;
    case TT_ACT_ZOOM_OUT_FAST: *num = 4, *den = 1; return true;
    default: return false;
    }
}

int tt_action_pans(tt_action a)
{
    switch (a) {
    case TT_ACT_PAN_LEFT: return -1;
    case TT_ACT_PAN_RIGHT: return 1;
    case TT_ACT_PAN_SCREEN_LEFT: return -4;
    case TT_ACT_PAN_SCREEN_RIGHT: return 4;
    default: return 0;
    }
}

bool tt_context_has_slices(tt_context c) { return c == TT_CTX_SLICES || c == TT_CTX_TIMELINE || c == TT_CTX_PAIR; }

static bool is_plot(tt_context c) { return c == TT_CTX_PLOT || c == TT_CTX_SNAPSHOT; }

bool tt_context_navigates(tt_context c) { return tt_context_has_slices(c) || is_plot(c) || c == TT_CTX_FLAME; }

bool tt_context_lists(tt_context c) { return c == TT_CTX_COMPARE; }

int tt_action_level(const tt_action_info *a, tt_context screen)
{
    bool own = a->context == screen || (a->context == TT_CTX_NAVIGATE && tt_context_navigates(screen)) ||
               (a->context == TT_CTX_PLOT && is_plot(screen)) ||
               (a->context == TT_CTX_SLICES && tt_context_has_slices(screen));
    if (own) return 0;
    if (a->context == TT_CTX_TABLE && tt_context_lists(screen)) return 1;
    return a->context == TT_CTX_MOTION ? 2 : a->context == TT_CTX_GLOBAL ? 3 : -1;
}

bool tt_action_has_key(const tt_action_info *a, tt_key k)
{
    const char *s = a->keys;
    for (tt_key have; (have = tt_key_next(&s, NULL)) != TT_KEY_NONE;) {
        if (have == k) return true;
    }
    return false;
}

tt_action tt_action_of(tt_context screen, tt_key k)
{
    for (int level = 0; level < TT_ACTION_LEVELS; level++) {
        for (const tt_action_info *a = tt_actions; a < tt_actions + (TT_ACT_COUNT_ - 1); a++) {
            if (tt_action_level(a, screen) == level && tt_action_has_key(a, k)) return a->action;
        }
    }
    return TT_ACT_NONE;
}

bool tt_action_keeps(tt_context screen, const tt_action_info *a, tt_key k)
{
    return tt_action_level(a, screen) < 0 || tt_action_of(screen, k) == a->action;
}
