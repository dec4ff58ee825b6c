/* tui/screen/actions.c - the action table, names of keys, and the look-up from key to action. */
#include "tui/screen/actions.h"

#include <stdio.h>
#include <string.h>

const tt_action_info tt_actions[] = {
#define X(id, name, context, keys, bar, help) {TT_ACT_##id, TT_CTX_##context, name, keys, bar, help},
#include "tui/screen/actions.def"
#undef X
};

const char *tt_context_title(tt_context c)
{
    static const char *const title[TT_CTX_COUNT_] = {"Everywhere", "Moving", "Tables",    "Timeline",
                                                     "Plots",      "Steps",  "Flame view"};
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
    const tt_context order[] = {screen, TT_CTX_MOTION, TT_CTX_GLOBAL};
    for (int o = 0; o < 3; o++) {
        for (int i = 0; i < TT_ACT_COUNT_ - 1; i++) {
            if (tt_actions[i].context == order[o] && tt_action_has_key(&tt_actions[i], k)) return tt_actions[i].action;
        }
    }
    return TT_ACT_NONE;
}
