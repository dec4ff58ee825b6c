/* model/tables/compare/step_compare.h - arguments of table step_compare: options.arg[0], [1] the numbers of two
 * steps plus one, [2] their traces, 0 = both of every trace in scope. */
#ifndef TT_MODEL_TABLES_COMPARE_STEP_COMPARE_H
#define TT_MODEL_TABLES_COMPARE_STEP_COMPARE_H

#define TT_COMPARE_STORES(a, b) ((int64_t)(((uint64_t)(a) + 1) | ((uint64_t)(b) + 1) << 32))

#endif
