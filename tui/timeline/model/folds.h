/* tui/timeline/model/folds.h - folding, pinning and hiding nodes; and what jumps unfolded, so that going back folds it
 * again.
 *
 * A jump writes down what hides its target before it shows the target. A place of the jump list remembers how much was
 * written down, and going back to the place undoes the rest (tt_view_undo_folds in view.h). Folds of a person are not
 * written down. */
#ifndef TT_TUI_TIMELINE_MODEL_FOLDS_H
#define TT_TUI_TIMELINE_MODEL_FOLDS_H

#include "tui/timeline/model/timeline.h"

void tt_folds_keep_node(tt_timeline *t, uint32_t node); /* before a jump folds, unfolds, shows or cuts a node */
void tt_folds_keep_view(tt_timeline *t);                /* before a jump changes the view or the layers */
void tt_folds_forget_cuts(tt_timeline *t);              /* lanes were cut anew: cuts written down are void */

uint64_t tt_timeline_hash(const void *bytes, size_t n);             /* the same in every process */
uint64_t tt_timeline_node_key(const tt_timeline *t, uint32_t node); /* the same in all sessions of the trace */

typedef enum tt_timeline_row_flag { TT_TIMELINE_PINNED, TT_TIMELINE_HIDDEN } tt_timeline_row_flag;
/* Pin or hide the node of the cursor; false = it was pinned and is not any more. */
bool tt_timeline_flag_here(tt_timeline *t, tt_timeline_row_flag flag);
/* Pin or hide the nodes whose label, with the labels of their parents, contains every word of the text; returns how
 * many. */
uint32_t tt_timeline_flag_named(tt_timeline *t, tt_timeline_row_flag flag, const char *text);
uint32_t tt_timeline_clear_flag(tt_timeline *t, tt_timeline_row_flag flag); /* unpin or show all; returns how many */
uint32_t tt_timeline_count_flag(const tt_timeline *t, tt_timeline_row_flag flag);

void tt_timeline_collapse(tt_timeline *t); /* fold or unfold the node of the cursor, else its parent */
/* fold every group except the cursor's; a second call unfolds all */
void tt_timeline_collapse_others(tt_timeline *t);

#endif
