/* tui/sql/result.c - values of SQLite as cells: the type of a column is known once all its values are. */
#include "tui/sql/result.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parser/json/write.h"

typedef enum held { /* kind of the values of a column so far; each kind can hold all kinds before it */
                    HELD_NOTHING,
                    HELD_INTEGERS,
                    HELD_NUMBERS,
                    HELD_TEXTS,
} held;

typedef struct result {
    tt_table *t;
    tt_column *cols;
    held *held;
    tt_arena *texts; /* texts of cells */
    const tt_session *session;
    int slice, start, duration; /* columns for drill-downs, -1 = none */
    tt_sql_clock *clock;        /* NULL: rows come one by one */
    uint64_t most;              /* bytes of the whole result at most */
    int given_up;               /* SQLITE_INTERRUPT or SQLITE_TOOBIG; SQLITE_OK = not given up */
} result;

static tt_table *new_table(const char *id, const char *title, const char *meaning, uint32_t n_cols, tt_column **cols)
{
    tt_table *t = tt_calloc(1, sizeof *t);
    tt_table_desc *d = tt_arena_alloc(&t->arena, sizeof *d);
    *cols = tt_arena_alloc(&t->arena, (n_cols + 1) * sizeof **cols);
    t->col_store = tt_calloc(n_cols + 1, sizeof *t->col_store);
    for (uint32_t i = 0; i < n_cols; i++) {
        (*cols)[i] = (tt_column){.type = TT_T_STRING};
        t->col_store[i] = &(*cols)[i];
    }
    *d = (tt_table_desc){.id = id, .title = title, .meaning = meaning, .cols = *cols, .n_cols = n_cols};
    t->desc = d;
    t->cols = t->col_store;
    t->n_cols = n_cols;
    return t;
}

/* ---- what columns are ---- */

static const struct {
    const char *declared;
    tt_type type;
} declared_types[] = {
    {"TIME", TT_T_TIME},       {"DURATION", TT_T_DURATION}, {"BYTES", TT_T_BYTES},
    {"PERCENT", TT_T_PERCENT}, {"BOOLEAN", TT_T_BOOL},      {"REAL", TT_T_NUMBER},
};

static const struct {
    const char *ending;
    tt_type type;
} endings[] = {{"_at_ns", TT_T_TIME}, {"_ns", TT_T_DURATION}, {"_bytes", TT_T_BYTES}, {"_pct", TT_T_PERCENT}};

static bool ends_with(const char *s, const char *ending)
{
    size_t n = strlen(s), e = strlen(ending);
    return n >= e && !strcmp(s + n - e, ending);
}

/* The type that the declared type or the name of the column asks for; else COUNT. */
static tt_type wanted_type(const char *declared, const char *key)
{
    for (size_t i = 0; declared && i < sizeof declared_types / sizeof *declared_types; i++) {
        if (!strcmp(declared, declared_types[i].declared)) return declared_types[i].type;
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (ends_with(key, endings[i].ending)) return endings[i].type;
    }
    return TT_T_COUNT;
}

/* The numbers are ids (slices, tracks, streams, steps), shown without separators so that they can be typed again. */
static bool is_id(const char *declared, const char *key)
{
    static const char *const keys[] = {"id",      "slice",    "track",  "stream", "step",   "correlation", "launch",
                                       "address", "operator", "parent", "number", "device", "flow",        "rank"};
    if (declared && !strcmp(declared, "SLICE")) return true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!strcmp(key, keys[i]) || (ends_with(key, keys[i]) && key[strlen(key) - strlen(keys[i]) - 1] == '_'))
            return true;
    }
    return false;
}

static bool is_real(tt_type t) { return t == TT_T_PERCENT || t == TT_T_NUMBER; }

static bool is_taken(const result *r, const char *key, uint32_t before)
{
    for (uint32_t i = 0; i < before; i++) {
        if (!strcmp(r->cols[i].key, key)) return true;
    }
    return false;
}

/* A key for the column that no other column has: keys are members of JSON objects. */
static const char *key_of(result *r, uint32_t col, const char *name)
{
    const char *key = name && *name ? tt_arena_strndup(&r->t->arena, name, strlen(name)) : "column";
    const char *first = key;
    for (uint32_t n = 2; is_taken(r, key, col); n++) key = tt_arena_printf(&r->t->arena, "%s_%u", first, n);
    return key;
}

static void name_columns(result *r, sqlite3_stmt *s)
{
    r->slice = r->start = r->duration = -1;
    for (uint32_t i = 0; i < r->t->n_cols; i++) {
        const char *declared = sqlite3_column_decltype(s, (int)i);
        tt_column *c = &r->cols[i];
        c->key = key_of(r, i, sqlite3_column_name(s, (int)i));
        c->title = c->key;
        c->help = "";
        c->type = wanted_type(declared, c->key);
        c->is_id = is_id(declared, c->key);
        bool slice = declared ? !strcmp(declared, "SLICE") : !strcmp(c->key, "slice");
        if (slice && (r->slice < 0 || !strcmp(c->key, "id"))) r->slice = (int)i;
        if (c->type == TT_T_TIME && r->start < 0) r->start = (int)i;
        if (c->type == TT_T_DURATION && r->duration < 0) r->duration = (int)i;
    }
}

/* ---- values ---- */

static tt_cell *cell_of(result *r, uint32_t row, uint32_t col)
{
    return &r->t->cells[(size_t)row * r->t->n_cols + col];
}

static bool is_too_large(const result *r)
{
    uint64_t cells = (uint64_t)r->t->cap_rows * r->t->n_cols * sizeof *r->t->cells;
    return r->texts->total + cells > r->most;
}

static void to_numbers(result *r, uint32_t col)
{
    for (uint32_t i = 0; i < r->t->n_rows; i++) {
        tt_cell *c = cell_of(r, i, col);
        int64_t was = c->i;
        c->d = was == TT_UNKNOWN ? NAN : (double)was;
    }
}

static const char *number_text(tt_arena *a, double d)
{
    tt_text text = {0};
    tt_json j;
    tt_json_init_text(&j, &text);
    tt_json_double(&j, d);
    const char *copy = tt_arena_strndup(a, text.at, text.n);
    tt_vec_free(&text);
    return copy;
}

static void to_texts(result *r, uint32_t col)
{
    bool integers = r->held[col] <= HELD_INTEGERS;
    for (uint32_t i = 0; i < r->t->n_rows && !r->given_up; i++) {
        if (i % TT_SQL_LOOK_EVERY == 0 && r->clock && tt_sql_ends(r->clock)) r->given_up = SQLITE_INTERRUPT;
        if (i % TT_SQL_LOOK_EVERY == 0 && r->clock && is_too_large(r)) r->given_up = SQLITE_TOOBIG;
        tt_cell *c = cell_of(r, i, col), was = *c;
        if (integers)
            c->s = was.i == TT_UNKNOWN ? NULL : tt_arena_printf(r->texts, "%" PRId64, was.i);
        else
            c->s = isnan(was.d) ? NULL : number_text(r->texts, was.d);
    }
}

/* Make the column hold values of this kind, too. */
static void widen(result *r, uint32_t col, held to)
{
    if (to <= r->held[col]) return;
    if (to == HELD_NUMBERS) to_numbers(r, col); /* NULLs were unknown integers until now */
    if (to == HELD_TEXTS) to_texts(r, col);
    r->held[col] = to;
}

static held held_by(int type)
{
    switch (type) {
    case SQLITE_NULL: return HELD_NOTHING;
    case SQLITE_INTEGER: return HELD_INTEGERS;
    case SQLITE_FLOAT: return HELD_NUMBERS;
    default: return HELD_TEXTS;
    }
}

static const char *blob_text(tt_arena *a, const unsigned char *p, int n)
{
    char *text = tt_arena_alloc(a, (size_t)n * 2 + 1);
    for (int i = 0; i < n; i++) {
        text[2 * i] = "0123456789abcdef"[p[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[p[i] & 15];
    }
    text[2 * (size_t)n] = '\0';
    return text;
}

/* A NUL in a text of SQLite is kept as strings.h keeps it. */
static const char *text_of(tt_arena *a, const char *p, size_t n)
{
    size_t nuls = 0, to = 0;
    for (size_t i = 0; i < n; i++) nuls += !p[i];
    if (!nuls) return tt_arena_strndup(a, p, n);
    char *text = tt_arena_alloc(a, n + nuls + 1);
    for (size_t i = 0; i < n; i++) {
        if (!p[i]) text[to++] = (char)0xC0;
        text[to++] = p[i] ? p[i] : (char)0x80;
    }
    text[to] = '\0';
    return text;
}

static void set_cell(result *r, uint32_t row, uint32_t col, sqlite3_stmt *s)
{
    int type = sqlite3_column_type(s, (int)col);
    tt_arena *a = r->texts;
    widen(r, col, held_by(type));
    tt_cell *c = cell_of(r, row, col);
    switch (r->held[col]) {
    case HELD_NOTHING:
    case HELD_INTEGERS: c->i = type == SQLITE_NULL ? TT_UNKNOWN : sqlite3_column_int64(s, (int)col); break;
    case HELD_NUMBERS: c->d = type == SQLITE_NULL ? NAN : sqlite3_column_double(s, (int)col); break;
    case HELD_TEXTS:
        if (type == SQLITE_NULL) {
            c->s = NULL;
        } else if (type == SQLITE_BLOB) {
            const unsigned char *p = sqlite3_column_blob(s, (int)col);
            c->s = blob_text(a, p, p ? sqlite3_column_bytes(s, (int)col) : 0);
        } else {
            const char *p = (const char *)sqlite3_column_text(s, (int)col);
            c->s = p ? text_of(a, p, (size_t)sqlite3_column_bytes(s, (int)col)) : NULL;
        }
    }
}

static void settle_types(result *r)
{
    for (uint32_t c = 0; c < r->t->n_cols; c++) {
        tt_type *type = &r->cols[c].type;
        if (r->held[c] == HELD_TEXTS) {
            *type = TT_T_STRING;
        } else if (r->held[c] == HELD_NUMBERS) {
            if (!is_real(*type)) *type = TT_T_NUMBER;
        } else if (is_real(*type)) {
            to_numbers(r, c);
        }
        if (*type == TT_T_PERCENT) r->cols[c].above_all = true;
    }
}

/* ---- where rows lead ---- */

static bool lead_to_slice(const result *r, uint32_t row, tt_drilldown *o)
{
    if (r->slice < 0 || r->held[r->slice] != HELD_INTEGERS) return false;
    int64_t id = tt_table_cell(r->t, row, (uint32_t)r->slice).i;
    if (id < 0 || id >> 32 >= r->session->n_traces) return false;
    *o = (tt_drilldown){.what = TT_DRILL_ROW, .trace = (uint32_t)(id >> 32), .row = (tt_row)(uint32_t)id};
    return o->row < r->session->traces[o->trace]->n;
}

static bool lead_to_time(const result *r, uint32_t row, tt_drilldown *o)
{
    if (r->start < 0 || r->held[r->start] != HELD_INTEGERS) return false;
    int64_t t0 = tt_table_cell(r->t, row, (uint32_t)r->start).i, length = 1, t1;
    if (r->duration >= 0 && r->held[r->duration] == HELD_INTEGERS)
        length = tt_table_cell(r->t, row, (uint32_t)r->duration).i;
    if (t0 == TT_UNKNOWN || t0 < 0 || length < 1) return false;
    if (__builtin_add_overflow(t0, length, &t1) || t1 > r->session->end_ns + 1) return false;
    *o = (tt_drilldown){.what = TT_DRILL_RANGE, .t0 = t0, .t1 = t1};
    return true;
}

static void set_drilldowns(result *r)
{
    if (r->slice < 0 && r->start < 0) return;
    r->t->drilldowns = tt_calloc(r->t->cap_rows + 1, sizeof *r->t->drilldowns);
    for (uint32_t i = 0; i < r->t->n_rows; i++) {
        tt_drilldown o = {0};
        if (lead_to_slice(r, i, &o) || lead_to_time(r, i, &o)) r->t->drilldowns[i] = o;
    }
}

static void begin(result *r, sqlite3_stmt *s, const tt_session *session)
{
    uint32_t n = (uint32_t)sqlite3_column_count(s);
    *r = (result){.session = session};
    r->t = new_table("query", "Query", "", n, &r->cols);
    r->texts = &r->t->arena;
    r->t->device = session->n_traces ? session->traces[0]->rules->device : NULL;
    r->held = tt_calloc((size_t)n + 1, sizeof *r->held);
    name_columns(r, s);
}

static void set_row(result *r, uint32_t row, sqlite3_stmt *s)
{
    for (uint32_t c = 0; c < r->t->n_cols; c++) set_cell(r, row, c, s);
}

tt_table *tt_sql_result(sqlite3_stmt *s, const tt_session *session, const char *query, uint64_t most,
                        tt_sql_clock *clock, int *rc)
{
    result r;
    begin(&r, s, session);
    r.clock = clock;
    r.most = most;
    uint32_t n = r.t->n_cols;
    ((tt_table_desc *)r.t->desc)->meaning = tt_arena_strndup(&r.t->arena, query, strlen(query));
    while (!r.given_up && (*rc = sqlite3_step(s)) == SQLITE_ROW) {
        if (r.t->n_rows == r.t->cap_rows) {
            r.t->cap_rows = r.t->cap_rows ? r.t->cap_rows * 2 : 64;
            r.t->cells = tt_realloc(r.t->cells, r.t->cap_rows * n, sizeof *r.t->cells);
        }
        set_row(&r, r.t->n_rows, s);
        r.t->n_rows++; /* only now: changing the kind of a column changes the rows before this one */
        if (!r.given_up && (is_too_large(&r) || r.t->n_rows == UINT32_MAX)) r.given_up = SQLITE_TOOBIG;
    }
    if (r.given_up) *rc = r.given_up;
    if (*rc != SQLITE_DONE) r.t->n_rows = 0; /* half of a column may still have its old kind */
    settle_types(&r);
    set_drilldowns(&r);
    free(r.held);
    return r.t;
}

/* ---- a row at a time ---- */

enum { TEXTS_KEPT = 1 << 20 }; /* bytes of texts that are kept before they are freed */

/* Go back to the types that are known before any value. */
static void forget_row(result *r, const tt_type *wanted)
{
    for (uint32_t c = 0; c < r->t->n_cols; c++) {
        r->cols[c].type = wanted[c];
        r->held[c] = HELD_NOTHING;
    }
    r->t->n_rows = 0;
    if (r->texts->total > TEXTS_KEPT) tt_arena_free(r->texts);
}

int tt_sql_each_row(sqlite3_stmt *s, const tt_session *session, tt_sql_take *take, void *arg)
{
    result r;
    tt_arena texts = {0};
    int rc = sqlite3_step(s);
    begin(&r, s, session);
    r.texts = &texts;
    r.t->cells = tt_calloc((size_t)r.t->n_cols + 1, sizeof *r.t->cells);
    r.t->cap_rows = 1;
    tt_type *wanted = tt_calloc((size_t)r.t->n_cols + 1, sizeof *wanted);
    for (uint32_t c = 0; c < r.t->n_cols; c++) wanted[c] = r.cols[c].type;
    bool goes_on = (rc == SQLITE_ROW || rc == SQLITE_DONE) && take(arg, r.t);
    for (; goes_on && rc == SQLITE_ROW; rc = goes_on ? sqlite3_step(s) : SQLITE_DONE) {
        forget_row(&r, wanted);
        set_row(&r, 0, s);
        r.t->n_rows = 1;
        settle_types(&r);
        goes_on = take(arg, r.t);
    }
    if (!goes_on && rc == SQLITE_ROW) rc = SQLITE_DONE;
    free(wanted);
    free(r.held);
    tt_table_free(r.t);
    tt_arena_free(&texts);
    return rc;
}

/* ---- lists of what there is ---- */

tt_table *tt_sql_list(const char *title, const char *const *keys, uint32_t n)
{
    tt_column *cols;
    tt_table *t = new_table(keys[0], title, "", n, &cols);
    for (uint32_t i = 0; i < n; i++) cols[i] = (tt_column){.key = keys[i], .title = keys[i], .help = ""};
    return t;
}

void tt_sql_list_add(tt_table *t, const char *const *texts)
{
    uint32_t row = tt_table_add(t);
    for (uint32_t i = 0; i < t->n_cols; i++)
        t->cells[(size_t)row * t->n_cols + i].s =
            texts[i] ? tt_arena_strndup(&t->arena, texts[i], strlen(texts[i])) : NULL;
}
