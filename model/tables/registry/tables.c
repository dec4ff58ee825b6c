/* model/tables/registry/tables.c - the list of built-in tables. */
#include <string.h>

#include "model/tables/registry/registry.h"

#define X(symbol) extern const tt_table_desc symbol;
#include "model/tables/registry/tables.def"
#undef X

const tt_table_desc *const tt_tables[] = {
#define X(symbol) &symbol,
#include "model/tables/registry/tables.def"
#undef X
    NULL,
};
const uint32_t tt_n_tables = sizeof tt_tables / sizeof tt_tables[0] - 1;

const tt_table_desc *tt_table_find(const char *id)
{
    for (uint32_t i = 0; i < tt_n_tables; i++) {
        if (!strcmp(tt_tables[i]->id, id)) return tt_tables[i];
    }
    return NULL;
}
