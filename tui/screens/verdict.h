/* tui/screens/verdict.h - what is said of a run first: the finding to begin with, in one sentence, with its step and
 * the line of the program where they are known. The Overview, the list of runs and the Markdown summary say the same.
 *
 * Causes come before their symptoms, and what costs time before what is good to know. Table findings is ordered by the
 * critical path; a device that mostly waits for something else says more about what holds it back, so of the causes the
 * one that the largest part of idle time is about comes first. */
#ifndef TT_TUI_SCREENS_VERDICT_H
#define TT_TUI_SCREENS_VERDICT_H

#include "model/tables/table.h"
#include "tui/screens/straggler.h"
#include "tui/screens/time_shares.h"
#include "tui/widgets/theme.h"

typedef struct tt_verdict_place { /* where the evidence of the finding is */
    int64_t ns;                   /* its length; of a wait for input what the step waits; TT_UNKNOWN */
    int64_t step;                 /* of a wait for input the one that waits longest; TT_UNKNOWN */
    bool each;      /* every step waits alike, at least three quarters of the longest wait: ns is the mean */
    char line[160]; /* "train.py:44"; "" */
} tt_verdict_place;

typedef struct tt_verdict {           /* what the sentence is made of; tables may be NULL, they are not there yet */
    const tt_table *findings, *steps; /* of the scope; steps: step_breakdown */
    const tt_time_shares *shares;
    const tt_straggler *straggler; /* NULL = nobody is late, or it is not known yet */
    const tt_verdict_place *place; /* of the root; NULL = not known yet */
    bool one_worker;               /* is looked at */
} tt_verdict;

/* The row of table findings to begin with, TT_NONE: nothing was found. */
uint32_t tt_verdict_root(const tt_table *findings, const tt_time_shares *shares);
/* Looks at the events behind a finding, a pass over the waits for input: not for the drawing thread. */
void tt_verdict_find_place(const tt_session *s, const tt_scope *scope, const tt_table *findings, uint32_t row,
                           tt_verdict_place *p);
/* The sentence; the style says how bad it is. */
tt_style tt_verdict_text(const tt_session *s, const tt_verdict *v, char *out, size_t cap);
/* The same of a session, with all that it is made of. Takes as long as the tables do; any thread. */
tt_style tt_verdict_of(tt_session *s, const tt_scope *scope, char *out, size_t cap);

/* "dir/train.py(44): step" as "train.py:44"; "" for what is no such frame. */
void tt_frame_file_line(const char *frame, char *out, size_t cap);

#endif
