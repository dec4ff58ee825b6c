/* model/tables/memory/memory.h - memory records with their operator, and with their counterpart (allocation or
 * free). */
#ifndef TT_MODEL_TABLES_MEMORY_MEMORY_H
#define TT_MODEL_TABLES_MEMORY_MEMORY_H

#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/table_util.h"

typedef struct tt_memory_links {
    uint32_t *node; /* by record: deepest node of the operator tree around it on its thread, with merged nodes and parts
                       resolved; for a record with a named operator, that operator's node on any thread; TT_NONE */
    uint32_t *mate; /* by record: the free of an allocation, the allocation of a free; TT_NONE. Needs addresses */
    bool has_addresses;
} tt_memory_links;

/* Built once per trace and kept. */
const tt_memory_links *tt_memory_links_get(const tt_session *s, uint32_t trace);
/* options.arg[1] of table memory_alive: one device of one trace. */
#define TT_ALIVE_DEVICE(trace, device) ((int64_t)(1 + ((uint64_t)(trace) << 32 | (device))))
/* The device of a record as one number: type << 16 | id. */
uint64_t tt_memory_device(const tt_memory_record *m);
/* Memo of the makers of a trace's records for one table: a text of two names is made once. */
typedef struct tt_memory_makers {
    const tt_trace *s;
    const tt_call_tree *tree;
    const tt_memory_links *links;
    tt_groups pairs;
    TT_VEC(const char *) text; /* text by pair; owned by the table */
} tt_memory_makers;
void tt_memory_makers_init(tt_memory_makers *m, const tt_query *q);
void tt_memory_makers_free(tt_memory_makers *m);
/* The operator credited with a record: the operator named by the trace; else the operator of its node, for
 * aten::empty* the caller with the operator in brackets; NULL = none. Pass one table t in all calls. */
const char *tt_memory_maker(tt_memory_makers *m, uint32_t record, tt_table *t);

#endif
