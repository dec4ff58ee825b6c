/* tui/app/prompt/settings.h - settings by name, the settings file, and texts of earlier sessions. On the drawing
 * thread. */
#ifndef TT_TUI_APP_PROMPT_SETTINGS_H
#define TT_TUI_APP_PROMPT_SETTINGS_H

#include <stdio.h>

#include "tui/app/prompt/prompt.h"
#include "tui/files/outfile.h"
#include "tui/screen/actions.h"
#include "tui/screen/screen.h"

typedef struct tt_app tt_app;

typedef struct tt_setting {
    const char *name, *values, *help;  /* values: between bars, the first is the default */
    bool (*set)(tt_app *a, int value); /* index of the value */
} tt_setting;
extern const tt_setting tt_settings[]; /* ends with name NULL */

/* Set one; false with a line for the person in the status line. */
bool tt_settings_set(tt_app *a, const char *name, const char *value);
/* "theme=dark layout=qwerty ..." as they are. */
void tt_settings_text(const tt_app *a, char *out, size_t cap);
/* Read $XDG_CONFIG_HOME/tracetty/config (~/.config when it is not set); a line that is wrong is named in the status
 * line. The file is never written. */
void tt_settings_load(tt_app *a);
/* Lines of $XDG_STATE_HOME/tracetty/history (~/.local/state when it is not set) into the prompt's history and back. */
void tt_history_load(tt_prompt *p);
void tt_history_save(tt_prompt *p);

/* The key that a keyboard has where another has k: layouts swap keys in pairs, so this goes both ways. Only keys of
 * panes with a time axis move. */
enum { TT_LAYOUT_QWERTY, TT_LAYOUT_AZERTY, TT_LAYOUT_DVORAK };
tt_key tt_layout_key(int layout, tt_context context, tt_key k);

#endif
