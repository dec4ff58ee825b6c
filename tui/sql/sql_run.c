/* tui/sql/sql_run.c - a connection without a file, whose only tables are those of the session. */
#include "tui/sql/sql.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/registry/registry.h"
#include "tui/files/temp_files.h"
#include "tui/sql/allowed.h"
#include "tui/sql/data.h"
#include "tui/sql/result.h"

enum {
    STEPS_BETWEEN = 100, /* instructions of SQLite between two looks at the clock */
    QUERY_MOST = 1 << 20,
    COMPILED_MOST = 128 << 20, /* bytes that compiling a query may take */
    CALL_COSTS = 8,            /* weight of a function call, in instructions of SQLite on long values */
};
/* Instructions times bytes of a value, at most: SQLite may run the whole query for one row before it looks at the
 * clock. */
#define BETWEEN_LOOKS_MOST ((int64_t)1 << 31)

struct tt_sql {
    sqlite3 *db;
    tt_sql_data data;
    tt_sql_limits limits;
    char denied[120]; /* the action that was refused, "" = none */
};

/* ---- what a query may do ---- */

static const char *const harmless_pragmas[] = {"table_info", "table_xinfo", "table_list", "function_list", NULL};

static bool is_harmless(const char *pragma)
{
    for (int i = 0; pragma && harmless_pragmas[i]; i++) {
        if (!sqlite3_stricmp(pragma, harmless_pragmas[i])) return true;
    }
    return false;
}

static const char *action_name(int action)
{
    switch (action) {
    case SQLITE_ATTACH: return "ATTACH";
    case SQLITE_DETACH: return "DETACH";
    case SQLITE_PRAGMA: return "PRAGMA";
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT: return "a transaction";
    case SQLITE_FUNCTION: return "the function";
    default: return "writing";
    }
}

/* Allow nothing but reading. */
static int authorize(void *arg, int action, const char *a, const char *b, const char *schema, const char *trigger)
{
    tt_sql *q = arg;
    (void)schema;
    (void)trigger;
    if (q->data.declaring) return SQLITE_OK;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION:
        if (b && tt_sql_is_allowed(b)) return SQLITE_OK;
        break;
    case SQLITE_PRAGMA:
        if (is_harmless(a)) return SQLITE_OK;
        break;
    default: break;
    }
    const char *what = action == SQLITE_FUNCTION ? b : action == SQLITE_PRAGMA ? a : NULL;
    snprintf(q->denied, sizeof q->denied, "%s%s%.60s", action_name(action), what ? " " : "", what ? what : "");
    return SQLITE_DENY;
}

static int look(void *clock) { return tt_sql_ends(clock); }

static void set_limits(sqlite3 *db)
{
    static const struct {
        int which, value;
    } limits[] = {{SQLITE_LIMIT_SQL_LENGTH, QUERY_MOST},
                  {SQLITE_LIMIT_LENGTH, TT_SQL_VALUE_MOST},
                  {SQLITE_LIMIT_COLUMN, 500},
                  {SQLITE_LIMIT_EXPR_DEPTH, 200},
                  {SQLITE_LIMIT_COMPOUND_SELECT, 100},
                  {SQLITE_LIMIT_VDBE_OP, 1000000},
                  {SQLITE_LIMIT_FUNCTION_ARG, 32},
                  {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                  {SQLITE_LIMIT_VARIABLE_NUMBER, 16},
                  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) sqlite3_limit(db, limits[i].which, limits[i].value);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
}

int tt_sql_register_all(sqlite3 *db, tt_sql_data *d)
{
    int rc = tt_sql_register_slices(db, d);
    if (rc == SQLITE_OK) rc = tt_sql_register_events(db, d);
    if (rc == SQLITE_OK) rc = tt_sql_register_computed(db, d);
    if (rc == SQLITE_OK) rc = tt_sql_register_functions(db, d);
    return rc == SQLITE_OK ? tt_sql_register_text_functions(db, d) : rc;
}

tt_status tt_sql_open(tt_session *s, const tt_sql_limits *limits, tt_sql **out, tt_err *err)
{
    tt_sql *q = tt_calloc(1, sizeof *q);
    q->limits = *limits;
    if (!q->limits.memory) q->limits.memory = TT_SQL_MEMORY;
    tt_sql_data_init(&q->data, s);
    const char *files = tt_sql_temp_files();
    int rc = files ? sqlite3_open_v2(":memory:", &q->db,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX, files)
                   : SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(q->db, "PRAGMA temp_store=FILE; PRAGMA cache_size=-8192; PRAGMA trusted_schema=OFF", NULL,
                          NULL, NULL); /* cache_size: KiB that are sorted at once */
    if (rc == SQLITE_OK) rc = tt_sql_register_all(q->db, &q->data);
    if (rc != SQLITE_OK) {
        tt_status st =
            tt_fail(err, TT_ERR_LIMIT, -1, "SQL cannot be used: %s", q->db ? sqlite3_errmsg(q->db) : "no memory");
        tt_sql_close(q);
        return st;
    }
    set_limits(q->db);
    sqlite3_set_authorizer(q->db, authorize, q);
    sqlite3_progress_handler(q->db, STEPS_BETWEEN, look, &q->data.clock);
    *out = q;
    return TT_OK;
}

void tt_sql_close(tt_sql *q)
{
    if (!q) return;
    sqlite3_close(q->db);
    tt_sql_data_free(&q->data);
    free(q);
}

/* ---- errors ---- */

static tt_status beyond(const char *what, const char *option, tt_err *err)
{
    return tt_fail(err, TT_ERR_LIMIT, -1, "%s: ask for less with WHERE or LIMIT%s%s%s", what,
                   option ? ", or raise --" : "", option ? option : "", "");
}

static tt_status failed(const tt_sql *q, const char *text, int rc, tt_err *err)
{
    char what[160];
    const tt_sql_limits *l = &q->limits;
    switch (rc & 0xFF) {
    case SQLITE_INTERRUPT:
        if (q->data.clock.why == TT_SQL_STOPPED) return tt_fail(err, TT_ERR_CANCELLED, -1, "the query was stopped");
        snprintf(what, sizeof what, "the query took more than %g s", (double)l->time_ns / 1e9);
        return beyond(what, l->time_option, err);
    case SQLITE_NOMEM:
        snprintf(what, sizeof what, "the query needs more than %" PRIu64 " MiB of memory", l->memory >> 20);
        return beyond(what, l->memory_option, err);
    case SQLITE_AUTH:
        return tt_fail(err, TT_ERR_USAGE, -1,
                       "SQL: %s is not allowed: queries read the tables of the trace, and nothing else",
                       *q->denied ? q->denied : "this");
    case SQLITE_TOOBIG:
        if (q->data.value_most < TT_SQL_VALUE_MOST)
            return tt_fail(err, TT_ERR_LIMIT, -1,
                           "SQL: a text is longer than %d KiB, which is too long for so large a "
                           "query: ask for less at once",
                           q->data.value_most >> 10);
        return tt_fail(err, TT_ERR_LIMIT, -1, "SQL: a text is longer than %d MiB, or the query than %d KiB",
                       TT_SQL_VALUE_MOST >> 20, QUERY_MOST >> 10);
    default: break;
    }
    int at = -1;
#if SQLITE_VERSION_NUMBER >= 3038000
    at = sqlite3_error_offset(q->db);
#endif
    if (at < 0 || (size_t)at >= strlen(text)) return tt_fail(err, TT_ERR_USAGE, -1, "SQL: %s", sqlite3_errmsg(q->db));
    return tt_fail(err, TT_ERR_USAGE, -1, "SQL: %s, at \"%.40s\"", sqlite3_errmsg(q->db), text + at);
}

/* ---- queries ---- */

static void begin(tt_sql *q)
{
    q->denied[0] = '\0';
    q->data.clock = (tt_sql_clock){.stop = q->limits.stop};
    if (q->limits.time_ns) q->data.clock.ends_at = tt_clock_ns() + q->limits.time_ns;
}

/* Where rows go: into a table, or to take(). */
typedef struct rows_to {
    tt_table *table;
    tt_sql_take *take; /* NULL: the table */
    void *arg;
} rows_to;

static tt_status run_statement(tt_sql *q, const char *text, sqlite3_stmt *s, rows_to *to, tt_err *err)
{
    int rc;
    char what[120];
    if (to->take) {
        rc = tt_sql_each_row(s, q->data.session, to->take, to->arg);
    } else {
        to->table = tt_sql_result(s, q->data.session, sqlite3_sql(s), q->limits.memory, &q->data.clock, &rc);
        if (rc == SQLITE_TOOBIG && sqlite3_errcode(q->db) != SQLITE_TOOBIG) {
            snprintf(what, sizeof what, "the result takes more than %" PRIu64 " MiB", q->limits.memory >> 20);
            return beyond(what, q->limits.memory_option, err);
        }
    }
    if (rc == SQLITE_DONE && q->data.clock.why != TT_SQL_GOES_ON) rc = SQLITE_INTERRUPT; /* a table that gave up */
    return rc == SQLITE_DONE ? TT_OK : failed(q, text, rc, err);
}

static bool is_call(const char *opcode)
{
    return !strcmp(opcode, "Function") || !strcmp(opcode, "PureFunc") || !strncmp(opcode, "Agg", 3);
}

/* The length of values with which all instructions of the first statement end in about a second. */
static int longest_value(tt_sql *q, const char *text)
{
    static const char explain[] = "EXPLAIN ";
    int64_t costs = 1;
    tt_text sql = {0};
    sqlite3_stmt *s = NULL;
    tt_text_put(&sql, explain, sizeof explain - 1);
    tt_text_put(&sql, text, strlen(text));
    if (sqlite3_prepare_v2(q->db, sql.at, -1, &s, NULL) == SQLITE_OK && s) {
        while (sqlite3_step(s) == SQLITE_ROW) {
            const char *opcode = (const char *)sqlite3_column_text(s, 1);
            costs += opcode && is_call(opcode) ? CALL_COSTS : 1;
        }
    }
    sqlite3_finalize(s);
    tt_vec_free(&sql);
    int64_t most = BETWEEN_LOOKS_MOST / costs;
    return most < TT_SQL_VALUE_MOST ? (int)most : TT_SQL_VALUE_MOST;
}

static void limit_values(tt_sql *q, int most)
{
    q->data.value_most = most;
    sqlite3_limit(q->db, SQLITE_LIMIT_LENGTH, most);
}

static tt_status run(tt_sql *q, const char *text, const char **rest, rows_to *to, tt_err *err)
{
    sqlite3_stmt *s = NULL;
    tt_status st = TT_OK;
    *rest = text + strlen(text);
    begin(q);
    sqlite3_int64 before = sqlite3_hard_heap_limit64(-1);
    sqlite3_int64 used = sqlite3_memory_used(), memory = (sqlite3_int64)q->limits.memory;
    /* each level of subqueries may double the size of the compiled query */
    sqlite3_hard_heap_limit64(used + (memory < COMPILED_MOST ? memory : COMPILED_MOST));
    int rc = sqlite3_prepare_v2(q->db, text, -1, &s, rest);
    if (rc == SQLITE_OK && s) limit_values(q, longest_value(q, text));
    sqlite3_hard_heap_limit64(used + memory);
    sqlite3_soft_heap_limit64(0);
    if (rc != SQLITE_OK)
        st = failed(q, text, rc, err);
    else if (s && !sqlite3_column_count(s))
        st = tt_fail(err, TT_ERR_USAGE, -1, "SQL: only queries have an answer: SELECT, VALUES or WITH");
    else if (s)
        st = run_statement(q, text, s, to, err);
    sqlite3_finalize(s);
    limit_values(q, TT_SQL_VALUE_MOST);
    sqlite3_hard_heap_limit64(before);
    return st;
}

tt_status tt_sql_run(tt_sql *q, const char *text, const char **rest, tt_table **out, tt_err *err)
{
    rows_to to = {0};
    tt_status st = run(q, text, rest, &to, err);
    if (st != TT_OK) {
        tt_table_free(to.table);
        to.table = NULL;
    }
    *out = to.table;
    return st;
}

tt_status tt_sql_stream(tt_sql *q, const char *text, const char **rest, tt_sql_take *take, void *arg, tt_err *err)
{
    return run(q, text, rest, &(rows_to){.take = take, .arg = arg}, err);
}

bool tt_sql_complete(const char *text) { return sqlite3_complete(text); }

/* ---- what there is ---- */

tt_table *tt_sql_tables(tt_sql *q)
{
    static const char *const keys[] = {"name", "row"};
    tt_table *t = tt_sql_list("Tables", keys, 2);
    const char *slices[] = {tt_sql_slices.name, tt_sql_slices.help};
    tt_sql_list_add(t, slices);
    for (uint32_t i = 0; tt_sql_event_table(i); i++) {
        const char *row[] = {tt_sql_event_table(i)->name, tt_sql_event_table(i)->help};
        tt_sql_list_add(t, row);
    }
    tt_table_list all = tt_session_tables(q->data.session);
    for (uint32_t i = 0; i < all.n; i++) {
        const char *row[] = {all.at[i]->id, all.at[i]->meaning};
        tt_sql_list_add(t, row);
    }
    return t;
}

static void list_columns(tt_table *t, const tt_sql_table *of)
{
    for (uint32_t i = 0; i < of->n_columns; i++) {
        const tt_sql_column *c = &of->columns[i];
        const char *row[] = {of->name, c->name, c->type, c->help};
        tt_sql_list_add(t, row);
    }
}

static void list_computed(tt_table *t, const tt_table_desc *d)
{
    static const char *const types[] = {"TEXT", "INTEGER", "BOOLEAN", "DURATION", "TIME", "BYTES", "PERCENT", "REAL"};
    for (uint32_t i = 0; i < d->n_cols; i++) {
        const char *row[] = {d->id, d->cols[i].key, types[d->cols[i].type], d->cols[i].help};
        if (!d->cols[i].place) tt_sql_list_add(t, row);
    }
    const char *group[] = {d->id, "group_by", "TEXT", "argument of the table: how it is grouped"};
    if (d->groups) tt_sql_list_add(t, group);
}

tt_status tt_sql_schema(tt_sql *q, const char *name, tt_table **out, tt_err *err)
{
    static const char *const keys[] = {"table", "column", "type", "meaning"};
    tt_table *t = tt_sql_list("Columns", keys, 4);
    bool all = !*name;
    if (all || !strcmp(name, tt_sql_slices.name)) list_columns(t, &tt_sql_slices);
    for (uint32_t i = 0; tt_sql_event_table(i); i++) {
        if (all || !strcmp(name, tt_sql_event_table(i)->name)) list_columns(t, tt_sql_event_table(i));
    }
    const tt_table_desc *d = all || t->n_rows ? NULL : tt_session_table(q->data.session, name);
    if (d) list_computed(t, d);
    *out = t;
    if (t->n_rows) return TT_OK;
    tt_table_free(t);
    *out = NULL;
    return tt_fail(err, TT_ERR_USAGE, -1, "there is no table '%s'; .tables lists them", name);
}
