/* tui/sql/data.h - the session for the virtual tables: ids, values that several tables share, indexes that are made
 * once and kept. Private to tui/sql. */
#ifndef TT_TUI_SQL_DATA_H
#define TT_TUI_SQL_DATA_H

#include <sqlite3.h>

#include "model/tables/table.h"
#include "parser/input/event_text.h"
#include "tui/sql/clock.h"
#include "tui/sql/row_index.h"

typedef struct tt_sql_column {
    const char *name;
    /* declared type: SLICE (id of a slice), TIME, DURATION, BYTES, PERCENT, INTEGER, REAL, TEXT ... */
    const char *type;
    const char *help;
} tt_sql_column;

typedef struct tt_sql_data {
    tt_session *session;
    /* by trace; made when a query first needs them */
    tt_row_index *by[TT_INDEXED_COUNT], *by_correlation;
    int64_t **self_ns;     /* by trace the self time of every slice; NULL: not asked for yet */
    uint64_t *in_category; /* slices by trace * 256 + category; NULL: not counted yet */
    uint32_t name_lookups; /* look-ups by name so far; the first few search all rows without an index */
    sqlite3 *calls; /* an empty connection, to call functions of SQLite that functions of this folder replace; NULL: not
                       needed yet */
    sqlite3_stmt *call; /* statement that calls the function called last */
    const char *call_of;
    int call_args;
    bool no_like_of_blobs; /* SQLite was built so that LIKE is false for blobs */
    int value_most;        /* bytes of a text or blob at most, in the query that runs */
    tt_sql_clock clock;    /* ends the query */
    bool declaring;        /* a virtual table declares its columns: the only CREATE that is allowed */
    struct {               /* the event whose arguments were asked for last */
        bool has;
        uint32_t trace;
        uint64_t text;
        tt_fields fields;
    } event;
} tt_sql_data;

void tt_sql_data_init(tt_sql_data *d, tt_session *s);
void tt_sql_data_free(tt_sql_data *d);

/* ---- ids: trace << 32 | row ---- */
static inline sqlite3_int64 tt_sql_id(uint32_t trace, uint32_t row)
{
    return (sqlite3_int64)((uint64_t)trace << 32 | row);
}
/* Split an id into trace and row; false = the table, which has count(trace) rows, has no such id. */
bool tt_sql_id_of(const tt_sql_data *d, sqlite3_int64 id, uint32_t (*count)(const tt_trace *s), uint32_t *trace,
                  uint32_t *row);
uint32_t tt_sql_n_slices(const tt_trace *s);

/* ---- values ---- */
void tt_sql_put_sid(sqlite3_context *c, const tt_trace *s, tt_sid text); /* NULL for 0; nothing is copied */
void tt_sql_put_text(sqlite3_context *c, const char *text);              /* likewise; as long as the session */
void tt_sql_put_id(sqlite3_context *c, uint32_t trace, uint32_t row);    /* NULL for TT_NONE */
void tt_sql_put_known(sqlite3_context *c, int64_t v);                    /* NULL for TT_UNKNOWN */
void tt_sql_put_device(sqlite3_context *c, const tt_trace *s, int type, int64_t id);
/* The arguments of the event at this place as a JSON object, NULL when they cannot be read again. */
void tt_sql_put_args(sqlite3_context *c, tt_sql_data *d, uint32_t trace, uint64_t text);
/* One argument of the event: a number, a text, or a list or object as JSON text. */
void tt_sql_put_arg(sqlite3_context *c, tt_sql_data *d, uint32_t trace, uint64_t text, const char *key);

/* The index of a trace's slices; the first call makes it. */
const tt_row_index *tt_sql_index(tt_sql_data *d, tt_indexed by, uint32_t trace);
/* The number of the device that the trace calls `text`, "GPU0"; false: no device has this name. */
bool tt_sql_device_number(const tt_trace *s, const char *text, int64_t *number);
/* The correlation id of device work or of its launch; 0 for other slices. */
static inline uint32_t tt_sql_correlation(const tt_trace *s, tt_row r)
{
    tt_kind k = tt_row_kind(s, r);
    return tt_kind_is_device(k) || tt_kind_is_launch(k) ? s->correlation[r] : 0;
}

enum { TT_SQL_VALUE_MOST = 16 << 20 }; /* bytes of a text or blob at most, in any query */

/* ---- modules ---- */
/* Declare the columns of a virtual table; returns SQLite's result. */
int tt_sql_declare(tt_sql_data *d, sqlite3 *db, const tt_sql_column *columns, uint32_t n);
/* Tables without a CREATE: xCreate is NULL, connect and the rest as usual. */
int tt_sql_register_slices(sqlite3 *db, tt_sql_data *d);
int tt_sql_register_events(sqlite3 *db, tt_sql_data *d);
int tt_sql_register_computed(sqlite3 *db, tt_sql_data *d);
int tt_sql_register_functions(sqlite3 *db, tt_sql_data *d);
int tt_sql_register_text_functions(sqlite3 *db, tt_sql_data *d);
/* Answer with SQLite's own function of this name, which a function of this folder replaces. */
void tt_sql_call(sqlite3_context *c, const char *function, int n, sqlite3_value **v);
int tt_sql_register_all(sqlite3 *db, tt_sql_data *d); /* register the five modules above */

/* A table of events, for listing tables. */
typedef struct tt_sql_table {
    const char *name, *help;
    const tt_sql_column *columns;
    uint32_t n_columns;
} tt_sql_table;
extern const tt_sql_table tt_sql_slices;
/* Table of events number i, without slices; NULL behind the last. */
const tt_sql_table *tt_sql_event_table(uint32_t i);

bool tt_sql_is_event_table(const char *name);
/* The columns of a computed table. The caller frees *at. */
void tt_sql_computed_columns(const tt_table_desc *d, tt_sql_column **at, size_t *n);

/* Narrow [*lo, *hi], both inclusive, by a constraint on an integer column. No value that meets the constraint is left
 * out. op: SQLITE_INDEX_CONSTRAINT_*. */
void tt_sql_narrow(sqlite3_value *v, int op, int64_t *lo, int64_t *hi);

#endif
