/* model/tables/overview/trust_checks.h - the checks of trust.h: for this folder only. */
#ifndef TT_MODEL_TABLES_OVERVIEW_TRUST_CHECKS_H
#define TT_MODEL_TABLES_OVERVIEW_TRUST_CHECKS_H

#include "model/tables/overview/trust_facts.h"

typedef struct tt_trust_context {
    const tt_session *s;
    const tt_scope *scope;
    uint32_t *traces;        /* indices of the traces in scope */
    uint32_t n_traces;       /* at least one */
    tt_trust_facts *of, all; /* facts of each trace; sums over them, where sums are meaningful */
    tt_trust *out;
} tt_trust_context;

#define X(name) void tt_trust_check_##name(tt_trust_context *c);
#include "model/tables/overview/trust.def"
#undef X

#endif
