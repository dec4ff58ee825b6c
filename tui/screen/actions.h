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
    TT_CTX_NAVIGATE, /* zoom and pan: of no screen its own, but of all that have a time axis */
    TT_CTX_SLICES,   /* slices and tracks: of no screen its own, either */
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
extern const tt_action_info tt_actions[]; /* in the order of actions.def, TT_ACT_COUNT_ - 1 of them */
const char *tt_context_title(tt_context c);

typedef struct tt_glossary_word {
    const char *word, *meaning;
} tt_glossary_word;
extern const tt_glossary_word tt_glossary[]; /* in the order of glossary.def; ends with a word that is NULL */
tt_action tt_action_find(const char *name);  /* TT_ACT_NONE = no such action */

bool tt_context_navigates(tt_context c);  /* sees the actions of NAVIGATE, too ... */
bool tt_context_has_slices(tt_context c); /* ... and those of SLICES */
bool tt_context_lists(tt_context c);      /* sees the actions of TABLE, too, behind its own */
/* Where a screen's context finds an action: 0 in itself, NAVIGATE or SLICES, 1 in TABLE where it lists tables besides,
 * 2 in MOTION, 3 in GLOBAL; -1 = not at all. */
enum { TT_ACTION_LEVELS = 4 };
int tt_action_level(const tt_action_info *a, tt_context screen);
/* The action of a key in a screen's context: the first level that has it. */
tt_action tt_action_of(tt_context screen, tt_key k);
/* The row that an action moves a cursor to, from row `at` of n; -1 = it does not move it. half, page: how far the
 * HALF_ and PAGE_ actions go. Without rows it is 0. */
int64_t tt_action_moved(tt_action a, int64_t at, int64_t n, int half, int page);
/* Zooming makes the window num/den of what it is; false: the action does not zoom. Panning moves it by quarters of
 * its width, to the right where they are positive; 0: the action does not pan. */
bool tt_action_zooms(tt_action a, int *num, int *den);
int tt_action_pans(tt_action a);
bool tt_action_has_key(const tt_action_info *a, tt_key k);
/* In this context the key is not another action's that comes before it. */
bool tt_action_keeps(tt_context screen, const tt_action_info *a, tt_key k);

#endif
