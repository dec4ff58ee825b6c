/* model/tables/findings/evidence.h - where the time of a finding is, for programs: what table evidence prints. */
#ifndef TT_MODEL_TABLES_FINDINGS_EVIDENCE_H
#define TT_MODEL_TABLES_FINDINGS_EVIDENCE_H

#include "model/tables/table.h"

typedef struct tt_evidence_piece {
    int64_t t0, t1; /* hull of the claim in it; trace times */
    int64_t ns;     /* length of the claim in it */
    uint32_t track; /* of idle time the host thread that is charged with it; TT_NONE = not known, or device work */
    bool idle;      /* else device work */
} tt_evidence_piece;

typedef struct tt_evidence_pieces { /* of one finding */
    uint32_t trace;                 /* index into the session's */
    uint32_t device;                /* index into tt_device_work.devices; TT_NONE = it claims nothing */
    TT_VEC(tt_evidence_piece) at;   /* disjoint, in the order of time */
} tt_evidence_pieces;

/* Those of the finding whose origin this is, or the origin of one of its pieces. Computes the findings of the trace in
 * the scope. Caller frees at. */
tt_evidence_pieces tt_evidence_of(const tt_session *s, const tt_scope *scope, const tt_drilldown *o);

#endif
