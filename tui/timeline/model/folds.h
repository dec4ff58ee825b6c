/* tui/timeline/model/folds.h - what jumps unfolded on their way, so that going back folds it again.
 *
 * A jump writes down what hides its target before it shows it; a place remembers how much was written down, and going
 * back to it takes the rest back. What a person folds is not written down. */
#ifndef TT_TUI_TIMELINE_FOLDS_H
#define TT_TUI_TIMELINE_FOLDS_H

#include "tui/timeline/model/timeline.h"

/* Before a jump changes whether a node is folded or hidden, or how its lanes are cut. */
void tt_folds_keep_node(tt_timeline *t, uint32_t node);
/* Before it changes the view, or which layers are shown. */
void tt_folds_keep_view(tt_timeline *t);
/* Lanes have been cut anew: what they were cut to before means nothing any more. */
void tt_folds_forget_cuts(tt_timeline *t);
/* Take back all but the first n changes. The lines are laid out anew; the window and the selection stay. */
void tt_folds_back(tt_timeline *t, size_t n);

#endif
