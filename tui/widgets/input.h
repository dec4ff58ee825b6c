/* tui/widgets/input.h - input: keys, and a mouse in cells. */
#ifndef TT_TUI_WIDGETS_INPUT_H
#define TT_TUI_WIDGETS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    TT_KEY_PASTE_BEGIN, /* keys until PASTE_END were pasted, not typed */
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

typedef enum tt_mouse_what {
    TT_MOUSE_PRESS,
    TT_MOUSE_RELEASE,
    TT_MOUSE_DRAG,
    TT_MOUSE_DOUBLE,
    TT_MOUSE_WHEEL
} tt_mouse_what;
typedef struct tt_mouse {
    tt_mouse_what what;
    int y, x;  /* in the screen's canvas */
    int wheel; /* -1 up, +1 down */
} tt_mouse;

#endif
