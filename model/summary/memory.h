/* model/summary/memory.h - memory records with what surrounds them: the operator that made them, and their other half.     */
#ifndef TT_MODEL_SUMMARY_MEMORY_H
#define TT_MODEL_SUMMARY_MEMORY_H

#include "model/session.h"

typedef struct tt_memory_links {
    uint32_t *
        node; /* by record: deepest node of the operator tree around it on its thread, merged nodes resolved; TT_NONE */
    uint32_t *mate; /* by record: the free of an allocation, the allocation of a free; TT_NONE. Needs addresses */
    bool has_addresses;
} tt_memory_links;

/* Built once per store and kept. */
const tt_memory_links *tt_memory_links_get(const tt_session *s, uint32_t store);

#endif
