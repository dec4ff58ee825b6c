/* model/tables/memory/memory.h - memory records with what surrounds them: the operator that made them, and their
 * other half. */
#ifndef TT_MODEL_TABLES_MEMORY_MEMORY_H
#define TT_MODEL_TABLES_MEMORY_MEMORY_H

#include "model/tables/analysis/call_tree.h"
#include "model/tables/table_util.h"

typedef struct tt_memory_links {
    uint32_t *node; /* by record: deepest node of the operator tree around it on its thread, merged nodes and parts of
                       operators resolved; of a record that names its operator the node of
                       that one on any thread; TT_NONE */
    uint32_t *mate; /* by record: the free of an allocation, the allocation of a free; TT_NONE. Needs addresses */
    bool has_addresses;
} tt_memory_links;

/* Built once per trace and kept. */
const tt_memory_links *tt_memory_links_get(const tt_session *s, uint32_t trace);
/* options.arg[1] of table memory_alive: one device of one trace. */
#define TT_ALIVE_DEVICE(trace, device) ((int64_t)(1 + ((uint64_t)(trace) << 32 | (device))))
/* The device of a record as one number: type << 16 | id. */
uint64_t tt_memory_device(const tt_memory_record *m);
/* The operator that is said to have made a record: the one that the trace names; else from its node, for aten::empty*
 * the caller with the operator in brackets; NULL = none. */
const char *tt_memory_maker(const tt_query *q, const tt_call_tree *tree, uint32_t record, tt_table *t);

#endif
