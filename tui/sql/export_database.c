/* tui/sql/export_database.c - the session as a database of SQLite: the tables that queries see, with their rows.
 *
 * The database is made in memory, then written like every other output: whole or not at all, also compressed, also to a
 * pipe. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/registry/registry.h"
#include "model/text/text_safety.h"
#include "parser/discover/head.h"
#include "tui/files/outfile.h"
#include "tui/sql/data.h"
#include "tui/sql/sql.h"

/* Bytes at most. */
#define DATABASE_MOST (INT64_C(16) << 30)

typedef struct database {
    sqlite3 *db;
    tt_sql_data data;
    tt_arena arena;
    bool with_args;
    tt_sql_exported *done;
} database;

/* utf8(x): text of the trace with U+FFFD for bytes that are not UTF-8, at which readers of databases stop. */
static void utf8(sqlite3_context *c, int n, sqlite3_value **v)
{
    const char *p = (const char *)sqlite3_value_text(v[0]);
    size_t left = p ? (size_t)sqlite3_value_bytes(v[0]) : 0, used;
    bool valid = true;
    (void)n;
    for (size_t at = 0; at < left && valid; at += used) {
        uint32_t code = tt_utf8_next(p + at, left - at, &used);
        valid = code != TT_BAD_BYTE && code != 0;
    }
    if (!p || valid) {
        sqlite3_result_value(c, v[0]);
        return;
    }
    tt_text out = {0};
    char put[4];
    for (size_t at = 0; at < left; at += used) {
        uint32_t code = tt_utf8_next(p + at, left - at, &used);
        tt_text_put(&out, put, tt_utf8_put(put, code == TT_BAD_BYTE || !code ? 0xFFFD : code));
    }
    sqlite3_result_text64(c, out.at, out.n, SQLITE_TRANSIENT, SQLITE_UTF8);
    tt_vec_free(&out);
}

static int run(database *d, const char *sql) { return sqlite3_exec(d->db, sql, NULL, NULL, NULL); }

/* Columns that are not exported: arguments, unless asked for (reading them again is slow), and the hidden grouping. */
static bool is_left_out(const database *d, const tt_sql_column *c)
{
    return (!d->with_args && !strcmp(c->name, "args")) || strstr(c->type, "HIDDEN");
}

static int copy_table(database *d, const char *name, const tt_sql_column *columns, uint32_t n)
{
    tt_arena *a = &d->arena;
    const char *values = "", *types = "";
    for (uint32_t i = 0; i < n; i++) {
        const tt_sql_column *c = &columns[i];
        if (is_left_out(d, c)) continue;
        const char *comma = *values ? ", " : "";
        bool text = !strcmp(c->type, "TEXT"), key = i == 0 && !strcmp(c->name, "id") && !text;
        values = tt_arena_printf(a, text ? "%s%sutf8(\"%s\")" : "%s%s\"%s\"", values, comma, c->name);
        types = tt_arena_printf(a, "%s%s\"%s\" %s", types, comma, c->name, key ? "INTEGER PRIMARY KEY" : c->type);
    }
    int rc = run(d, tt_arena_printf(a, "CREATE TABLE out.\"%s\" (%s)", name, types));
    if (rc != SQLITE_OK) return rc;
    rc = run(d, tt_arena_printf(a, "INSERT INTO out.\"%s\" SELECT %s FROM main.\"%s\"", name, values, name));
    if (rc == SQLITE_OK) d->done->rows += (uint64_t)sqlite3_changes(d->db);
    d->done->tables++;
    return rc;
}

static int copy_computed(database *d, const tt_table_desc *of)
{
    TT_VEC(tt_sql_column) columns = {0};
    tt_sql_computed_columns(of, &columns.at, &columns.n);
    int rc = copy_table(d, of->id, columns.at, (uint32_t)columns.n);
    tt_vec_free(&columns);
    return rc;
}

/* Add indexes on the columns that queries look up. */
static int add_indexes(database *d)
{
    return run(d, "CREATE INDEX out.slices_start ON slices(start); CREATE INDEX out.slices_name ON slices(name); "
                  "CREATE INDEX out.slices_parent ON slices(parent); "
                  "CREATE INDEX out.slices_correlation ON slices(correlation) WHERE correlation IS NOT NULL; "
                  "CREATE INDEX out.slices_launch ON slices(launch) WHERE launch IS NOT NULL");
}

static int copy_all(database *d)
{
    sqlite3_int64 most = DATABASE_MOST;
    int rc = run(d, "ATTACH 'file:out?vfs=memdb' AS out");
    if (rc != SQLITE_OK) return rc;
    sqlite3_file_control(d->db, "out", SQLITE_FCNTL_SIZE_LIMIT, &most);
    const unsigned char *mark = (const unsigned char *)TT_EXPORT_DATABASE;
    unsigned id = (unsigned)mark[0] << 24 | (unsigned)mark[1] << 16 | (unsigned)mark[2] << 8 | mark[3];
    rc = run(d, tt_arena_printf(&d->arena, "PRAGMA out.application_id = %u; PRAGMA out.journal_mode = OFF; BEGIN", id));
    if (rc == SQLITE_OK) rc = copy_table(d, tt_sql_slices.name, tt_sql_slices.columns, tt_sql_slices.n_columns);
    for (uint32_t i = 0; tt_sql_event_table(i) && rc == SQLITE_OK; i++) {
        const tt_sql_table *t = tt_sql_event_table(i);
        rc = copy_table(d, t->name, t->columns, t->n_columns);
    }
    tt_table_list all = tt_session_tables(d->data.session);
    for (uint32_t i = 0; i < all.n && rc == SQLITE_OK; i++) {
        if (!tt_sql_is_event_table(all.at[i]->id)) rc = copy_computed(d, all.at[i]);
    }
    if (rc == SQLITE_OK) rc = run(d, "COMMIT");
    return rc == SQLITE_OK ? add_indexes(d) : rc;
}

static int open_database(database *d, tt_session *s)
{
    tt_sql_data_init(&d->data, s);
    int rc = sqlite3_open_v2(":memory:", &d->db,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc == SQLITE_OK) rc = tt_sql_register_all(d->db, &d->data);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function(d->db, "utf8", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, utf8, NULL, NULL);
    return rc;
}

static tt_status write_database(database *d, tt_session *s, const char *path, tt_err *err)
{
#if SQLITE_VERSION_NUMBER >= 3036000
    sqlite3_int64 n;
    const unsigned char *image = sqlite3_serialize(d->db, "out", &n, SQLITE_SERIALIZE_NOCOPY);
    if (!image) return tt_fail(err, TT_ERR_LIMIT, -1, "%s: SQLite does not give the database it made", path);
    tt_outfile *o = tt_outfile_open(path, 0, &s->inputs, err);
    if (!o) return err->code;
    bool good = true;
    for (sqlite3_int64 at = 0; good && at < n; at += 1 << 20)
        good = tt_outfile_write(o, (const char *)image + at, n - at < 1 << 20 ? (size_t)(n - at) : 1 << 20);
    return tt_outfile_close(o, good, err);
#else
    (void)d;
    (void)s;
    return tt_fail(err, TT_ERR_USAGE, -1, "%s: databases are written with SQLite 3.36 and later", path);
#endif
}

tt_status tt_sql_export(tt_session *s, const char *path, bool with_args, tt_sql_exported *done, tt_err *err)
{
    database d = {.with_args = with_args, .done = done};
    tt_status st;
    *done = (tt_sql_exported){0};
    int rc = open_database(&d, s);
    if (rc == SQLITE_OK) rc = copy_all(&d);
    if (rc == SQLITE_FULL || rc == SQLITE_NOMEM)
        st = tt_fail(err, TT_ERR_LIMIT, -1, "%s: the database would be larger than %d GiB, or than memory allows", path,
                     (int)(DATABASE_MOST >> 30));
    else if (rc != SQLITE_OK)
        st = tt_fail(err, TT_ERR_INPUT, -1, "%s: no database could be made: %s", path, sqlite3_errmsg(d.db));
    else
        st = write_database(&d, s, path, err);
    sqlite3_close(d.db);
    tt_sql_data_free(&d.data);
    tt_arena_free(&d.arena);
    return st;
}
