/* tui/screen/focus.h - what has the keyboard of a screen: a table, a timeline, a chart. The explorer asks the focus,
 * not the screen, for find, filter, copy and the like, so that each kind of focus answers once for all screens. */
#ifndef TT_TUI_SCREEN_FOCUS_H
#define TT_TUI_SCREEN_FOCUS_H

#include "model/tables/table.h"
#include "tui/screen/actions.h"

typedef struct tt_screen tt_screen;

/* Functions of one kind of focus; `o` is its object. Functions that do not apply are NULL. */
typedef struct tt_focus_ops {
    void (*status)(void *o, char *out, size_t cap); /* one line about the cursor's place */
    /* Find: dir 0 = from here on including here (text is being typed), +1 the next, -1 the previous; false = none. */
    bool (*find)(void *o, const char *text, int dir);
    bool (*filter)(void *o, const char *text); /* filter the rows; "" = all rows; false = bad pattern */
    /* the selection that `t` shows; its strings live until the next action */
    bool (*selection)(void *o, tt_drilldown *out);
    bool (*about)(void *o, tt_drilldown *out); /* the subject that `W` asks about; NULL = the selection */
    char *(*copy)(void *o, bool all);          /* text for the clipboard, caller frees; NULL = nothing to copy here */
    bool (*command)(void *o, const char *verb, const char *arg); /* a command of `:`; false = unknown */
    const tt_table *(*table)(void *o); /* the table that is listed, for completion; NULL = none yet */
    const char *export_name;           /* file that the export key proposes; NULL = the screen's name with .csv */
} tt_focus_ops;

typedef struct tt_focus_part {
    const tt_focus_ops *ops; /* NULL = no part */
    void *object;
} tt_focus_part;

enum { TT_FOCUS_PARTS = 3 };

typedef struct tt_focus {
    /* The first part has the keyboard; the others answer in turn where it has no function: a chart, then the panes,
     * then the table in front. */
    tt_focus_part at[TT_FOCUS_PARTS];
    tt_context context; /* keys of the focus; GLOBAL = the keys of the screen */
} tt_focus;

/* A focus whose object is the screen itself. */
static inline tt_focus tt_focus_on(const tt_screen *s, const tt_focus_ops *ops)
{
    return (tt_focus){.at[0] = {ops, (tt_screen *)s}};
}

bool tt_focus_selects_nothing(void *o, tt_drilldown *out); /* a `selection` that is always empty */

/* What the explorer asks; a focus without such a function answers false, NULL or "". */
void tt_focus_status(tt_focus f, char *out, size_t cap);
bool tt_focus_find(tt_focus f, const char *text, int dir);
bool tt_focus_filters(tt_focus f); /* it has rows to filter */
bool tt_focus_filter(tt_focus f, const char *text);
bool tt_focus_selection(tt_focus f, tt_drilldown *out);
bool tt_focus_about(tt_focus f, tt_drilldown *out);
char *tt_focus_copy(tt_focus f, bool all);
bool tt_focus_command(tt_focus f, const char *verb, const char *arg); /* each part may know the command */
const tt_table *tt_focus_table(tt_focus f);
const char *tt_focus_export_name(tt_focus f);
bool tt_focus_exports(tt_focus f); /* there is something to write to a file */

#endif
