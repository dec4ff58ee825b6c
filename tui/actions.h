/* tui/actions.h - keys, actions, and the table that ties them together (tui/actions.def). */
#ifndef TT_TUI_ACTIONS_H
#define TT_TUI_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
#include "tui/actions.def"
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

/* A key: a Unicode character, a control character (^A = 1), or one of the codes below; modifiers are OR'ed. */
typedef uint32_t tt_key;
enum {
    TT_KEY_NONE = 0,
    TT_KEY_TAB = 9,
    TT_KEY_ENTER = 13,
    TT_KEY_ESC = 27,
    TT_KEY_UP = 0x110000,
    TT_KEY_DOWN,
    TT_KEY_LEFT,
    TT_KEY_RIGHT,
    TT_KEY_HOME,
    TT_KEY_END,
    TT_KEY_PGUP,
    TT_KEY_PGDN,
    TT_KEY_BTAB, /* Shift-Tab */
    TT_KEY_BKSP,
    TT_KEY_DEL,
    TT_KEY_INS,
    TT_KEY_F1, /* .. F12 = F1 + 11 */
    TT_KEY_F12 = TT_KEY_F1 + 11,
    TT_KEY_MOUSE,
    TT_KEY_PASTE_BEGIN, /* what follows until PASTE_END was pasted, not typed */
    TT_KEY_PASTE_END,
    TT_MOD_CTRL = 0x1000000,
    TT_MOD_SHIFT = 0x2000000,
    TT_MOD_ALT = 0x4000000,
};
/* Read one key name ("w", "^C", "S-Left", "Space") of len bytes; TT_KEY_NONE when it is none. */
tt_key tt_key_parse(const char *s, size_t len);
/* Read the next of several key names separated by blanks; *s moves on; TT_KEY_NONE at the end or when *bad was set. */
tt_key tt_key_next(const char **s, bool *bad);
/* The name of a key, always terminated. */
void tt_key_name(tt_key k, char *out, size_t cap);

/* The action of a key in a screen's context: context, then MOTION, then GLOBAL. */
tt_action tt_action_of(tt_context screen, tt_key k);
/* The row that an action moves a cursor to, from row `at` of n; -1 = it does not move it. half, page: how far the HALF_ and PAGE_ actions
 * go. Without rows it is 0. */
int64_t tt_action_moved(tt_action a, int64_t at, int64_t n, int half, int page);
bool tt_action_has_key(const tt_action_info *a, tt_key k);

#endif
