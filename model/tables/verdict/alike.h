/* model/tables/verdict/alike.h - the same finding on several workers is one line of a list, not one for each. */
#ifndef TT_MODEL_TABLES_VERDICT_ALIKE_H
#define TT_MODEL_TABLES_VERDICT_ALIKE_H

#include "model/tables/table.h"

/* By row of table findings: of a root the number of workers on which it was found, where it stands first; 0 = a row
 * above stands for it, or it is a symptom. For free(). */
uint32_t *tt_findings_alike(const tt_table *findings);

#endif
