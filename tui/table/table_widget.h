/* tui/table/table_widget.h - the widget that shows any table: scrolls, sorts, filters, searches, groups, hides columns,
 * opens rows.
 *
 * The worker computes, sorts and filters the rows; until they come the widget shows the rows before, or says that it
 * waits. The selection is a row of the table, not a line; when the table is computed again it is found by its name.
 * Enter on a row with a drill-down lists the slices behind it, in place; Enter there shows a slice on the timeline. */
#ifndef TT_TUI_TABLE_TABLE_WIDGET_H
#define TT_TUI_TABLE_TABLE_WIDGET_H

#include "tui/screen/screen.h"

typedef struct tt_table_view tt_table_view;

typedef struct tt_table_style {
    bool no_detail;    /* no pane with the selected row under it */
    bool no_head;      /* neither the rule with the title nor column heads */
    bool all_workers;  /* the table is about all workers, whichever is chosen */
    bool everything;   /* the table is about everything that was opened, whatever is chosen */
    bool statistics;   /* the strip with statistics of the sorted column is open at first */
    const char *title; /* NULL = the table's */
    const char *empty; /* text for a table without rows that does not say why; NULL = a general text */
} tt_table_style;

/* A view of a table in the scope of the host; asks the worker for the rows at once. */
tt_table_view *tt_table_view_new(tt_host *host, const tt_table_desc *desc, const tt_table_style *style);
/* The same with options from the beginning. */
tt_table_view *tt_table_view_new_with(tt_host *host, const tt_table_desc *desc, const tt_table_style *style,
                                      const tt_options *o);
/* A view of a computed table, which stays the caller's (tests). */
tt_table_view *tt_table_view_of(tt_host *host, const tt_table *table, const tt_table_style *style);
/* Likewise, but the view frees the table. */
tt_table_view *tt_table_view_take(tt_host *host, tt_table *table, const tt_table_style *style);
/* Make a table of the slices behind a row, the longest first. name: name of the row, for the title; NULL = none. */
tt_table_view *tt_table_view_slices(tt_host *host, const tt_drilldown *o, const char *name,
                                    const tt_table_style *style);
void tt_table_view_free(tt_table_view *v);

/* Compute the table with other options: another grouping, or other arguments of a table with TT_TABLE_ARGS. */
void tt_table_view_set_options(tt_table_view *v, const tt_options *o);
/* Beside the filter, show only rows with these texts in these columns (NULL = any) for which keep() holds (NULL = all
 * rows). keep() is called on the worker. Texts are copied. */
typedef struct tt_table_only {
    const char *key[2], *text[2];
    bool (*keep)(const tt_table *t, uint32_t row, int what);
    int what;         /* passed to keep() */
    const char *none; /* said where keep() leaves no row; kept by the caller */
} tt_table_only;
void tt_table_view_set_only(tt_table_view *v, const tt_table_only *only);
void tt_table_view_set_title(tt_table_view *v, const char *title); /* kept by the caller */
const tt_options *tt_table_view_options(const tt_table_view *v);

/* The worker has not answered the latest request yet. */
bool tt_table_view_busy(const tt_table_view *v);

/* A table as the focus of a screen; the object is its view, NULL = there is no table yet. */
extern const tt_focus_ops tt_table_focus;

void tt_table_view_scope(tt_table_view *v);
/* The session was replaced, and its times are `shift` later: compute the table again. Sorting, filter, columns, marked
 * rows, selection and an open list of slices stay. */
void tt_table_view_renew(tt_table_view *v, int64_t shift);
void tt_table_view_draw(tt_table_view *v, tt_canvas *c, bool focus);
bool tt_table_view_act(tt_table_view *v, tt_action a);
void tt_table_view_status(const tt_table_view *v, char *out, size_t cap);
bool tt_table_view_find(tt_table_view *v, const char *text, int dir);
bool tt_table_view_filter(tt_table_view *v, const char *text);
bool tt_table_view_selection(const tt_table_view *v, tt_drilldown *out);
char *tt_table_view_copy(const tt_table_view *v, bool all);
bool tt_table_view_command(tt_table_view *v, const char *verb, const char *arg);
bool tt_table_view_mouse(tt_table_view *v, const tt_mouse *m);
void tt_table_view_save(const tt_table_view *v, struct tt_table_place *p);
void tt_table_view_restore(tt_table_view *v, const struct tt_table_place *p);

/* An id of the row, made of its texts: the same when the table is computed again. */
uint64_t tt_table_row_key(const tt_table *t, uint32_t row);

/* The style of a verdict: of a difference (slower, faster, more, less, same, unclear) or of a check (ok, warn, bad). */
tt_style tt_verdict_style(const char *verdict);

/* The table that is shown, NULL until it is computed. */
const tt_table *tt_table_view_table(const tt_table_view *v);
uint32_t tt_table_view_rows(const tt_table_view *v); /* rows that the filter leaves */
uint32_t
tt_table_view_current(const tt_table_view *v); /* row of the table under the cursor, TT_NONE = there are none */

#endif
