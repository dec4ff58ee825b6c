/* model/tables/findings/findings.h - the claims that table findings keeps beside its rows on request. */
#ifndef TT_MODEL_TABLES_FINDINGS_FINDINGS_H
#define TT_MODEL_TABLES_FINDINGS_FINDINGS_H

#include "model/tables/findings/claims/finding.h"

/* Attached to the table: the findings by row. */
typedef struct tt_findings_kept {
    tt_attached attached;
    tt_finding_list of;
} tt_findings_kept;

#endif
