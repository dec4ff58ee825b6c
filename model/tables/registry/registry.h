/* model/tables/registry/registry.h - the list of all tables, and tables by id.
 *
 * Use it for table ids from a person or a file. Code that needs one certain table names its descriptor, tt_table_ID,
 * declared by the folder of that table. */
#ifndef TT_MODEL_TABLES_REGISTRY_REGISTRY_H
#define TT_MODEL_TABLES_REGISTRY_REGISTRY_H

#include "model/tables/table.h"

typedef struct tt_table_list {
    const tt_table_desc *const *at;
    uint32_t n;
} tt_table_list;

/* All built-in tables, in the order of model/tables/registry/tables.def. */
extern const tt_table_desc *const tt_tables[];
extern const uint32_t tt_n_tables;
/* The built-in table with this id; NULL = there is none. */
const tt_table_desc *tt_table_find(const char *id);
/* The built-in tables, then the tables that the session's traces brought. A brought table is listed once; its column in
 * front names the worker of each row. s may be NULL: only the built-in tables. Valid until the session is freed.
 * Thread-safe. */
tt_table_list tt_session_tables(const tt_session *s);
/* The table with this id in that list; NULL = there is none. */
const tt_table_desc *tt_session_table(const tt_session *s, const char *id);

#endif
