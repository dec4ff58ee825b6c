/* model/tables/findings/root_claims.h - what the roots of idle and exposed time claim, before any rule speaks. For this
 * folder only. */
#ifndef TT_MODEL_TABLES_FINDINGS_ROOT_CLAIMS_H
#define TT_MODEL_TABLES_FINDINGS_ROOT_CLAIMS_H

#include "model/tables/findings/claims/finding.h"

/* Sets idle, roots[], first_call and device_unseen of a context that has work and account. A root that has less of the
 * account than its rule asks for claims nothing. */
void tt_root_claims_make(tt_finding_context *c);

#endif
