/* model/tables/findings/evidence.h - where the time of a finding is, for programs: the content of table evidence. */
#ifndef TT_MODEL_TABLES_FINDINGS_EVIDENCE_H
#define TT_MODEL_TABLES_FINDINGS_EVIDENCE_H

#include "model/tables/table.h"

typedef struct tt_evidence_piece {
    int64_t t0, t1; /* hull of the claim in the piece; trace times */
    int64_t ns;     /* length of the claim in the piece */
    uint32_t track; /* host thread charged with the idle time; TT_NONE = not known, or device work */
    bool idle;      /* idle time; else device work */
} tt_evidence_piece;

typedef struct tt_evidence_pieces { /* pieces of one finding */
    uint32_t trace;                 /* index into the session's traces */
    uint32_t device;                /* index into tt_device_work.devices; TT_NONE = the finding claims nothing */
    TT_VEC(tt_evidence_piece) at;   /* disjoint, in the order of time */
} tt_evidence_pieces;

/* Pieces of the finding with this drill-down, or with a piece of this drill-down. Computes the findings of the trace
 * in the scope. The caller frees `at`. */
tt_evidence_pieces tt_evidence_of(const tt_session *s, const tt_scope *scope, const tt_drilldown *o);

#endif
