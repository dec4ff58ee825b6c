/* tui/screen/actions.h - keys, actions, and the table that ties them together (tui/screen/actions.def). */
#ifndef TT_TUI_SCREEN_ACTIONS_H
#define TT_TUI_SCREEN_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/widgets/input.h"

typedef enum tt_context {
    TT_CTX_GLOBAL,
    TT_CTX_MOTION,
    TT_CTX_TABLE,
    TT_CTX_TIMELINE,
    TT_CTX_PLOT,
    TT_CTX_STEPS,
    TT_CTX_FLAME,
    TT_CTX_COUNT_
} tt_context;

typedef enum tt_action {
    TT_ACT_NONE,
#define X(id, name, context, keys, bar, help) TT_ACT_##id,
#include "tui/screen/actions.def"
#undef X
    TT_ACT_COUNT_
} tt_action;

typedef struct tt_action_info {
    tt_action action;
    tt_context context;
    const char *name, *keys, *bar, *help;
} tt_action_info;
extern const tt_action_info tt_actions[]; /* in the order of actions.def, TT_ACT_COUNT_ - 1 of them */
const char *tt_context_title(tt_context c);
tt_action tt_action_find(const char *name); /* TT_ACT_NONE = no such action */

/* The action of a key in a screen's context: context, then MOTION, then GLOBAL. */
tt_action tt_action_of(tt_context screen, tt_key k);
/* The row that an action moves a cursor to, from row `at` of n; -1 = it does not move it. half, page: how far the
 * HALF_ and PAGE_ actions go. Without rows it is 0. */
int64_t tt_action_moved(tt_action a, int64_t at, int64_t n, int half, int page);
bool tt_action_has_key(const tt_action_info *a, tt_key k);

#endif
