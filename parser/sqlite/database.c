/* parser/sqlite/database.c - connections that can do no harm. See database.h. */
#include "parser/sqlite/database.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parser/sqlite/vfs.h"

enum {
    TABLES_MOST = 4096,
    COLUMNS_MOST = 256,
    NAME_MOST = 200,       /* most bytes of the name of a table or column */
    STEPS_BETWEEN = 20000, /* SQLite's instructions between two checks whether to stop */
    LOOKS_MOST = 5000,     /* most checks until the list of tables is known: a second or two */
    FIRST_NAMES = 6,
    VALUE_MOST = 128 << 20,
};

struct tt_db_image {
    char *path; /* path of the input */
    tt_db_bytes bytes;
    unsigned char *memory; /* bytes of a database in memory, owned; NULL for a file */
    struct stat was;       /* state of the file when it was opened */
};

struct tt_db {
    sqlite3 *db;
    const _Atomic bool *stop;
    unsigned looks_left; /* checks left while opening; 0 = no limit */
    TT_VEC(tt_db_table) tables;
    TT_VEC(const char *) other; /* names of views and tables without rows of their own */
    char first[512], damage[160];
    uint32_t n_first;
    tt_arena arena;
};

/* ---- the image ---- */

static tt_status unpack(tt_source *source, tt_db_image *i, const _Atomic bool *stop, tt_err *err)
{
    size_t cap = 1 << 20, got = 1;
    i->memory = tt_malloc(cap);
    TT_TRY(tt_source_rewind(source, err));
    while (got) {
        if (stop && atomic_load(stop)) return tt_fail(err, TT_ERR_CANCELLED, -1, "%s: cancelled", i->path);
        if (i->bytes.size == cap) i->memory = tt_realloc(i->memory, cap *= 2, 1);
        TT_TRY(tt_source_read(source, (char *)i->memory + i->bytes.size, cap - i->bytes.size, &got, err));
        i->bytes.size += got;
        if (i->bytes.size > TT_INPUT_UNPACK_MOST)
            return tt_fail(err, TT_ERR_INPUT, -1,
                           "%s: a database of more than %d MiB that is compressed, in an archive or on standard input, "
                           "where it cannot be read at any place: unpack it first and open the result",
                           i->path, (int)(TT_INPUT_UNPACK_MOST >> 20));
    }
    i->bytes.at = i->memory;
    return TT_OK;
}

/* Open the file itself, if the part is a plain file. It stays open, as the file may be removed meanwhile. */
static bool open_file(tt_db_image *i, const char *path, uint64_t size)
{
    struct stat named;
    if (stat(path, &named) != 0 || !S_ISREG(named.st_mode) || (uint64_t)named.st_size != size) return false;
    i->bytes.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    i->bytes.size = size;
    return i->bytes.fd >= 0 && fstat(i->bytes.fd, &i->was) == 0 && S_ISREG(i->was.st_mode) &&
           i->was.st_dev == named.st_dev && i->was.st_ino == named.st_ino;
}

/* An image in memory, which takes bytes (malloc) over. path: for messages. */
static tt_db_image *db_image_of(const char *path, unsigned char *bytes, uint64_t n)
{
    tt_db_image *i = tt_calloc(1, sizeof *i);
    *i = (tt_db_image){.path = tt_strdup(path), .memory = bytes, .bytes = {.fd = -1, .at = bytes, .size = n}};
    tt_db_bytes_look(&i->bytes);
    return i;
}

tt_status tt_db_image_open(tt_input *in, const _Atomic bool *stop, tt_db_image **out, tt_err *err)
{
    const char *path = tt_input_part_path(in, 0);
    tt_source *source;
    uint64_t size;
    *out = NULL;
    TT_TRY(tt_input_open_part(in, 0, &source, err));
    tt_db_image *i = db_image_of(path, NULL, 0);
    tt_status st = TT_OK;
    if (!tt_source_random(source, &size) || !open_file(i, path, size)) {
        if (i->bytes.fd >= 0) close(i->bytes.fd);
        i->bytes = (tt_db_bytes){.fd = -1};
        st = unpack(source, i, stop, err);
    }
    tt_db_bytes_look(&i->bytes);
    if (st == TT_OK)
        *out = i;
    else
        tt_db_image_free(i);
    return st;
}

void tt_db_image_free(tt_db_image *i)
{
    if (!i) return;
    if (i->bytes.fd >= 0) close(i->bytes.fd);
    free(i->path);
    free(i->memory);
    free(i);
}

bool tt_db_image_is_cut(const tt_db_image *i) { return i->bytes.says > i->bytes.size; }
uint64_t tt_db_image_size(const tt_db_image *i) { return i->bytes.size; }

bool tt_db_image_has_wal(const tt_db_image *i)
{
    struct stat st;
    tt_arena a = {0};
    bool has = i->bytes.fd >= 0 && stat(tt_arena_printf(&a, "%s-wal", i->path), &st) == 0 && st.st_size > 0;
    tt_arena_free(&a);
    return has;
}

bool tt_db_image_is_same(const tt_db_image *i)
{
    struct stat st;
    if (i->bytes.fd < 0) return true;
    return fstat(i->bytes.fd, &st) == 0 && st.st_size == i->was.st_size && st.st_mtim.tv_sec == i->was.st_mtim.tv_sec &&
           st.st_mtim.tv_nsec == i->was.st_mtim.tv_nsec;
}

/* ---- a connection ---- */

/* Stops SQLite on request, or after too many checks: a damaged list of tables whose pages form a circle has no end. */
static int stop_asked(void *arg)
{
    tt_db *d = arg;
    if (d->looks_left && !--d->looks_left) return 1;
    return d->stop && atomic_load_explicit(d->stop, memory_order_relaxed);
}

/* Allows only reading tables: no function, and only the pragma that lists columns. */
static int authorize(void *arg, int action, const char *a, const char *b, const char *schema, const char *trigger)
{
    (void)arg;
    (void)b;
    (void)schema;
    if (trigger) return SQLITE_DENY; /* access from a trigger or view */
    if (action == SQLITE_SELECT || action == SQLITE_READ) return SQLITE_OK;
    return action == SQLITE_PRAGMA && a && !strcasecmp(a, "table_xinfo") ? SQLITE_OK : SQLITE_DENY;
}

static void set_limits(sqlite3 *db, uint64_t most)
{
    static const struct {
        int which, value;
    } limits[] = {{SQLITE_LIMIT_SQL_LENGTH, 1 << 20}, {SQLITE_LIMIT_COLUMN, 2000},
                  {SQLITE_LIMIT_EXPR_DEPTH, 100},     {SQLITE_LIMIT_COMPOUND_SELECT, 2},
                  {SQLITE_LIMIT_VDBE_OP, 25000},      {SQLITE_LIMIT_FUNCTION_ARG, 8},
                  {SQLITE_LIMIT_ATTACHED, 0},         {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                  {SQLITE_LIMIT_VARIABLE_NUMBER, 8},  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) sqlite3_limit(db, limits[i].which, limits[i].value);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, most && most < VALUE_MOST ? (int)most : VALUE_MOST);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* "name" must be a column, never text */
}

static int open_connection(tt_db *d, const tt_db_image *i, uint64_t most)
{
    int rc = tt_db_bytes_open(&i->bytes, &d->db);
    if (rc != SQLITE_OK) return rc;
    set_limits(d->db, most);
    d->looks_left = LOOKS_MOST;
    sqlite3_progress_handler(d->db, STEPS_BETWEEN, stop_asked, d);
    /* mmap_size 0: truncating a mapped file would end the program */
    rc = sqlite3_exec(d->db,
                      "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA query_only=ON; "
                      "PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384",
                      NULL, NULL, NULL);
    sqlite3_set_authorizer(d->db, authorize, NULL);
    return rc;
}

/* ---- tables of the database ---- */

/* SQLite's message for the last call, which ended with rc. For some damaged lists of tables SQLite says "out of
 * memory". */
static const char *reason(const tt_db *d, int rc)
{
    if (rc == SQLITE_NOMEM) return "its list of tables is damaged, or larger than the memory";
    return d->db ? sqlite3_errmsg(d->db) : sqlite3_errstr(rc);
}

static void note_first(tt_db *d, const char *name)
{
    size_t n = strlen(d->first);
    if (++d->n_first == FIRST_NAMES + 1) snprintf(d->first + n, sizeof d->first - n, ", ...");
    if (d->n_first > FIRST_NAMES) return;
    snprintf(d->first + n, sizeof d->first - n, "%s%.60s", n ? ", " : "", name);
}

static const char *text_of(tt_db *d, sqlite3_stmt *s, int column)
{
    const char *p = (const char *)sqlite3_column_text(s, column);
    int n = p ? sqlite3_column_bytes(s, column) : 0;
    return p && n <= NAME_MOST && strlen(p) == (size_t)n ? tt_arena_strndup(&d->arena, p, (size_t)n) : NULL;
}

/* Append a name as an SQL identifier. */
static void put_identifier(tt_text *t, const char *name)
{
    tt_text_put(t, "\"", 1);
    for (; *name; name++) tt_text_put(t, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    tt_text_put(t, "\"", 1);
}

static sqlite3_stmt *prepare(tt_db *d, const char *sql)
{
    sqlite3_stmt *s = NULL;
    return sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) == SQLITE_OK ? s : NULL;
}

/* The stored columns of a table; generated ones (hidden is not 0) run expressions of the file. */
static const char *const *columns_of(tt_db *d, const char *table)
{
    tt_text sql = {0};
    TT_VEC(const char *) names = {0};
    tt_text_put(&sql, "PRAGMA table_xinfo(", 19);
    put_identifier(&sql, table);
    tt_text_put(&sql, ")", 1);
    sqlite3_stmt *s = prepare(d, sql.at);
    while (s && names.n < COLUMNS_MOST && sqlite3_step(s) == SQLITE_ROW) {
        const char *name = text_of(d, s, 1);
        if (name && sqlite3_column_int(s, 6) == 0) *tt_vec_push(&names) = name;
    }
    sqlite3_finalize(s);
    const char **list = tt_arena_alloc(&d->arena, (names.n + 1) * sizeof *list);
    if (names.n) memcpy(list, names.at, names.n * sizeof *list);
    list[names.n] = NULL;
    tt_vec_free(&names);
    tt_vec_free(&sql);
    return list;
}

/* Whether a table has pages of its own (virtual tables have none) and rowids (tables of the producers have them). */
static bool has_rows(tt_db *d, const char *table)
{
    sqlite3_stmt *s = tt_db_select(d, table, NULL, 0);
    sqlite3_finalize(s);
    return s != NULL;
}

static int list_tables(tt_db *d)
{
    sqlite3_stmt *s = prepare(d, "SELECT name, type, rootpage FROM sqlite_master WHERE type IN ('table', 'view')");
    int rc = s ? SQLITE_ROW : sqlite3_errcode(d->db);
    TT_VEC(const char *) names = {0};
    while (s && names.n < TABLES_MOST && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        const char *name = text_of(d, s, 0), *type = (const char *)sqlite3_column_text(s, 1);
        if (!name || !type || !strncmp(name, "sqlite_", 7)) continue;
        note_first(d, name);
        bool stored = !strcmp(type, "table") && sqlite3_column_int64(s, 2) > 0;
        if (stored)
            *tt_vec_push(&names) = name;
        else
            *tt_vec_push(&d->other) = name;
    }
    sqlite3_finalize(s);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE) snprintf(d->damage, sizeof d->damage, "%s", reason(d, rc));
    for (size_t i = 0; i < names.n; i++) {
        if (has_rows(d, names.at[i]))
            *tt_vec_push(&d->tables) = (tt_db_table){names.at[i], columns_of(d, names.at[i])};
        else
            *tt_vec_push(&d->other) = names.at[i];
    }
    tt_vec_free(&names);
    return rc;
}

tt_status tt_db_open(const tt_db_image *i, uint64_t most, const _Atomic bool *stop, tt_db **out, tt_err *err)
{
    tt_db *d = tt_calloc(1, sizeof *d);
    *out = NULL;
    d->stop = stop;
    int rc = open_connection(d, i, most);
    if (rc == SQLITE_OK) rc = list_tables(d);
    bool endless = rc == SQLITE_INTERRUPT && !d->looks_left;
    d->looks_left = 0;
    bool opened = d->tables.n || d->other.n || rc == SQLITE_DONE;
    if (!opened) {
        tt_status st = rc == SQLITE_INTERRUPT && !endless ? TT_ERR_CANCELLED : TT_ERR_INPUT;
        st = tt_fail(err, st, -1,
                     "%s: is an SQLite database that cannot be opened: %s; copy it again, whole, or export it again",
                     i->path, endless ? "its list of tables does not end" : reason(d, rc));
        tt_db_close(d);
        return st;
    }
    *out = d;
    return TT_OK;
}

void tt_db_close(tt_db *d)
{
    if (!d) return;
    sqlite3_close_v2(d->db);
    tt_vec_free(&d->tables);
    tt_vec_free(&d->other);
    tt_arena_free(&d->arena);
    free(d);
}

const tt_db_table *tt_db_tables(const tt_db *d, uint32_t *n)
{
    *n = (uint32_t)d->tables.n;
    return d->tables.at;
}

const tt_db_table *tt_db_find(const tt_db *d, const char *name)
{
    for (size_t i = 0; i < d->tables.n; i++) {
        if (!strcasecmp(d->tables.at[i].name, name)) return &d->tables.at[i];
    }
    return NULL;
}

bool tt_db_has_column(const tt_db_table *t, const char *name)
{
    for (uint32_t i = 0; t->columns[i]; i++) {
        if (!strcasecmp(t->columns[i], name)) return true;
    }
    return false;
}

bool tt_db_names(const tt_db *d, const char *name)
{
    for (size_t i = 0; i < d->other.n; i++) {
        if (!strcasecmp(d->other.at[i], name)) return true;
    }
    return tt_db_find(d, name) != NULL;
}

const char *tt_db_first_names(const tt_db *d) { return d->first; }
const char *tt_db_damage(const tt_db *d) { return d->damage; }

/* ---- statements ---- */

sqlite3_stmt *tt_db_select(tt_db *d, const char *table, const char *const *columns, uint32_t n)
{
    tt_text sql = {0};
    tt_text_put(&sql, "SELECT rowid", 12);
    for (uint32_t i = 0; i < n; i++) {
        tt_text_put(&sql, ", ", 2);
        if (columns[i])
            put_identifier(&sql, columns[i]);
        else
            tt_text_put(&sql, "NULL", 4);
    }
    tt_text_put(&sql, " FROM ", 6);
    put_identifier(&sql, table);
    tt_text_put(&sql, " NOT INDEXED WHERE rowid BETWEEN ?1 AND ?2", 42);
    sqlite3_stmt *s = prepare(d, sql.at);
    tt_vec_free(&sql);
    return s;
}

/* Find the id next to `at`, above it or below, `at` included. */
static bool one_id(tt_db *d, const char *table, bool above, int64_t at, int64_t *id, bool *broken)
{
    const char *rest = above ? " NOT INDEXED WHERE rowid >= ?1 ORDER BY rowid LIMIT 1"
                             : " NOT INDEXED WHERE rowid <= ?1 ORDER BY rowid DESC LIMIT 1";
    tt_text sql = {0};
    tt_text_put(&sql, "SELECT rowid FROM ", 18);
    put_identifier(&sql, table);
    tt_text_put(&sql, rest, strlen(rest));
    sqlite3_stmt *s = prepare(d, sql.at);
    tt_vec_free(&sql);
    if (s) sqlite3_bind_int64(s, 1, at);
    int rc = s ? sqlite3_step(s) : SQLITE_ERROR;
    if (rc == SQLITE_ROW) *id = sqlite3_column_int64(s, 0);
    if (rc == SQLITE_ROW && (above ? *id < at : *id > at)) rc = SQLITE_CORRUPT; /* a damaged tree */
    sqlite3_finalize(s);
    *broken = rc != SQLITE_ROW && rc != SQLITE_DONE;
    return rc == SQLITE_ROW;
}

bool tt_db_id_from(tt_db *d, const char *table, int64_t from, int64_t *id, bool *broken)
{
    return one_id(d, table, true, from, id, broken);
}

bool tt_db_last_id(tt_db *d, const char *table, int64_t to, int64_t *id, bool *broken)
{
    return one_id(d, table, false, to, id, broken);
}
