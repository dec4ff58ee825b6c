/* model/tables/findings/ranking.h - the order of findings. */
#ifndef TT_MODEL_TABLES_FINDINGS_RANKING_H
#define TT_MODEL_TABLES_FINDINGS_RANKING_H

#include "model/tables/table.h"

typedef enum tt_finding_rank {
    TT_RANK_HANG,       /* who is stuck, from dumps of flight recorders */
    TT_RANK_SERVING,    /* what an engine of LLM serving does: a line for the first worker */
    TT_RANK_LOST,       /* events_lost of severity high: it makes all others doubtful */
    TT_RANK_ENDED,      /* what ended the program */
    TT_RANK_KIND,       /* what kind of file this is */
    TT_RANK_FIRST_CALL, /* a first_call that is longer than the rest of the host's time */
    TT_RANK_TIME,       /* all other findings, by severity */
    TT_RANK_LAST,       /* findings that cost nothing */
} tt_finding_rank;

/* Sort the rows of all traces: by rank, severity, saving (unknown last), time, place in findings.def, text. Symptoms
 * follow their root, which may belong to another trace. Returns the previous place of each row; the caller frees it. */
uint32_t *tt_findings_order(tt_table *t);
/* Whether all rows of the table have rank LAST. */
bool tt_findings_say_nothing(const tt_table *t);

#endif
