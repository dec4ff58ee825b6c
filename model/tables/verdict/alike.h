/* model/tables/verdict/alike.h - merges one finding on several workers into one line of a list. */
#ifndef TT_MODEL_TABLES_VERDICT_ALIKE_H
#define TT_MODEL_TABLES_VERDICT_ALIKE_H

#include "model/tables/table.h"

/* By row of table findings: number of workers with the root, at its first row; 0 = represented by a row above, or a
 * symptom. The caller frees. */
uint32_t *tt_findings_alike(const tt_table *findings);

#endif
