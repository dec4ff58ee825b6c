/* model/tables/findings/rules/rules.h - the rules: one function for each line of findings.def. */
#ifndef TT_MODEL_TABLES_FINDINGS_RULES_RULES_H
#define TT_MODEL_TABLES_FINDINGS_RULES_RULES_H

#include "model/tables/findings/claims/finding.h"

/* Each rule adds its findings about the trace that it is asked about, or none. */
#define X(id, rank, under) void tt_find_##id(tt_finding_context *c);
#include "model/tables/findings/claims/findings.def"
#undef X

/* Which of unfused_attention and kernel_class claims most of a set of device work; NULL = neither. */
const char *tt_finding_class_root(const tt_finding_context *c, uint32_t device, const tt_ivs *work);

/* Add the findings warmup_steps of engine steps: each phase and batch has a first step. */
void tt_finding_engine_warmup(tt_finding_context *c);

#endif
