/* model/tables/findings/root_claims.h - the claims of the roots of idle and exposed time, made before any rule runs. */
#ifndef TT_MODEL_TABLES_FINDINGS_ROOT_CLAIMS_H
#define TT_MODEL_TABLES_FINDINGS_ROOT_CLAIMS_H

#include "model/tables/findings/claims/finding.h"

/* Set idle, roots[], first_call and device_unseen of a context with work and account. A root with a smaller share of
 * the account than its rule asks for claims nothing. */
void tt_root_claims_make(tt_finding_context *c);

#endif
