/* model/tables/findings/ranking.h - findings by what they could save, none counted twice: causes with their symptoms
 * under them. For this folder only.
 *
 * Every finding speaks of some categories of the critical path. A share of the path is measured on it: shares of
 * different categories are different milliseconds. What restates them from elsewhere (the utilization of a device, a
 * step that is slow) is their symptom: it speaks of nothing but a share that is a finding, or its time is mostly in
 * such. What is nobody's
 * symptom is a root, and saves what the path has of its categories and no other root has taken, at most: the savings
 * of the roots of a trace never exceed its path. */
#ifndef TT_MODEL_TABLES_FINDINGS_RANKING_H
#define TT_MODEL_TABLES_FINDINGS_RANKING_H

#include "model/tables/path/critical_path.h"
#include "model/tables/table.h"

typedef enum tt_finding_kind { /* the order in which time is given to roots; only an earlier one heads a later one */
                               TT_FINDING_SHARE,  /* whole categories of the path: heads what restates them */
                               TT_FINDING_PIECE,  /* a part of a category, measured on the path: heads nothing */
                               TT_FINDING_REASON, /* names a cause of time, measured elsewhere */
                               TT_FINDING_EFFECT, /* sees time that is lost, and not why */
                               TT_FINDING_FACT,   /* speaks of no time */
} tt_finding_kind;

typedef struct tt_finding_claim {
    tt_finding_kind kind;
    uint32_t of;       /* categories of the path, as bits */
    const char *cause; /* id of the finding that it is a symptom of, whatever the lengths say; NULL: they decide */
} tt_finding_claim;
typedef TT_VEC(tt_finding_claim) tt_finding_claims;

/* Give the rows from `first` on, which are those of one trace, their causes and savings. path_ns: length of the
 * critical path by category; all 0: not known, savings stay as the rules have them. */
void tt_findings_relate(tt_table *t, uint32_t first, const tt_finding_claims *claims,
                        const int64_t path_ns[TT_PATH_COUNT_]);
/* Order all rows of the table, of all traces: what puts the others in doubt, then roots by what they save (unknown
 * last, equal ones as they stand), each with its symptoms behind it, which follow their root from before. */
void tt_findings_order(tt_table *t);

#endif
