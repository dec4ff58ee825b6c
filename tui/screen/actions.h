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
    /* zoom and pan: no screen has this context itself, all screens with a time axis see its actions */
    TT_CTX_NAVIGATE,
    /* slices and tracks: no screen has this context itself, all screens with slices see its actions */
    TT_CTX_SLICES,
    TT_CTX_TIMELINE,
    TT_CTX_PAIR,
    TT_CTX_PLOT,
    TT_CTX_SNAPSHOT, /* the plot of a memory snapshot: sees the actions of PLOT, too */
    TT_CTX_STEPS,
    TT_CTX_LINKS,
    TT_CTX_FLAME,
    TT_CTX_COMPARE,
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
extern const tt_action_info tt_actions[]; /* TT_ACT_COUNT_ - 1 entries in the order of actions.def */
const char *tt_context_title(tt_context c);

typedef struct tt_glossary_word {
    const char *word, *meaning;
} tt_glossary_word;
extern const tt_glossary_word tt_glossary[]; /* words in the order of glossary.def; the last entry has word NULL */
tt_action tt_action_find(const char *name);  /* The action of this name, TT_ACT_NONE = no such action. */

bool tt_context_navigates(tt_context c);  /* The context sees the actions of NAVIGATE. */
bool tt_context_has_slices(tt_context c); /* The context sees the actions of SLICES. */
bool tt_context_lists(tt_context c);      /* The context sees the actions of TABLE behind its own. */
/* The level at which a screen's context finds an action: 0 in the context itself, NAVIGATE or SLICES, 1 in TABLE if
 * the screen lists tables, 2 in MOTION, 3 in GLOBAL; -1 = not found. */
enum { TT_ACTION_LEVELS = 4 };
int tt_action_level(const tt_action_info *a, tt_context screen);
/* The action of a key in a screen's context: the action of the first level that has the key. */
tt_action tt_action_of(tt_context screen, tt_key k);
/* The row to which an action moves a cursor from row `at` of n; -1 = the action does not move cursors. half, page:
 * the distance of the HALF_ and PAGE_ actions. Without rows the result is 0. */
int64_t tt_action_moved(tt_action a, int64_t at, int64_t n, int half, int page);
/* Zooming makes the window num/den of its width; false: the action does not zoom. Panning moves the window by
 * quarters of its width, positive quarters to the right; 0: the action does not pan. */
bool tt_action_zooms(tt_action a, int *num, int *den);
int tt_action_pans(tt_action a);
bool tt_action_has_key(const tt_action_info *a, tt_key k);
/* In this context no other action has the key at an earlier level. */
bool tt_action_keeps(tt_context screen, const tt_action_info *a, tt_key k);

#endif
