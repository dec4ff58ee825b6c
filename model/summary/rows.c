/* model/summary/rows.c - see rows.h. */
#include "model/summary/rows.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"

static bool is_real(tt_type type) { return type == TT_T_PERCENT || type == TT_T_NUMBER; }

/* ---- writing ---- */

/* The texts of all cells, sorted; a text's number is its place, from 1. */
typedef struct text_set {
    tt_strings all;
    const char **sorted;
    uint32_t *place; /* place by id in all */
} text_set;

static void texts_make(text_set *x, const tt_tts_rows *t)
{
    tt_strings_init(&x->all);
    for (uint32_t c = 0; c < t->n_cols; c++) {
        for (uint32_t r = 0; r < t->n_rows && t->cols[c]->type == TT_T_STRING; r++) {
            const char *s = t->cells[(size_t)r * t->n_cols + c].s;
            if (s) tt_strings_put(&x->all, s, strlen(s));
        }
    }
    size_t n = x->all.text.n;
    x->sorted = tt_malloc(n * sizeof *x->sorted);
    x->place = tt_malloc(n * sizeof *x->place);
    memcpy(x->sorted, x->all.text.at, n * sizeof *x->sorted);
    TT_SORT_UP(x->sorted, n);
    for (size_t i = 0; i < n; i++)
        x->place[tt_strings_find(&x->all, x->sorted[i], strlen(x->sorted[i]))] = (uint32_t)i + 1;
}

static void texts_free(text_set *x)
{
    free(x->sorted);
    free(x->place);
    tt_strings_free(&x->all);
}

static void put_column(const tt_tts_rows *t, uint32_t c, const text_set *x, tt_text *out)
{
    tt_type type = t->cols[c]->type;
    int64_t last = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        tt_cell cell = t->cells[(size_t)r * t->n_cols + c];
        uint64_t bits;
        if (type == TT_T_STRING) {
            tt_wire_put_u(out, cell.s ? x->place[tt_strings_find(&x->all, cell.s, strlen(cell.s))] : 0);
        } else if (is_real(type)) {
            double d = isnan(cell.d) ? (double)NAN : cell.d; /* one representation of NaN */
            memcpy(&bits, &d, sizeof bits);
            tt_wire_put_fixed(out, bits, 8);
        } else if (type == TT_T_TIME && cell.i != TT_UNKNOWN) { /* rows are often in time order: store differences */
            tt_wire_put_u(out, 1);
            tt_wire_put_i(out, (int64_t)((uint64_t)cell.i - (uint64_t)last));
            last = cell.i;
        } else if (type == TT_T_TIME) {
            tt_wire_put_u(out, 0);
        } else {
            tt_wire_put_i(out, cell.i);
        }
    }
}

void tt_tts_put_rows(const tt_tts_rows *t, tt_text *out)
{
    text_set x;
    texts_make(&x, t);
    tt_wire_put_text(out, t->note);
    tt_wire_put_u(out, t->n_cols);
    for (uint32_t c = 0; c < t->n_cols; c++) {
        tt_wire_put_text(out, t->cols[c]->key);
        tt_wire_put_u(out, (uint64_t)t->cols[c]->type);
    }
    tt_wire_put_u(out, x.all.text.n);
    for (size_t i = 0; i < x.all.text.n; i++) tt_wire_put_text(out, x.sorted[i]);
    tt_wire_put_u(out, t->n_rows);
    for (uint32_t c = 0; c < t->n_cols; c++) put_column(t, c, &x, out);
    texts_free(&x);
}

void tt_tts_put_imported(const tt_imported *t, tt_text *out)
{
    const tt_column **cols = tt_malloc((t->n_cols + 1u) * sizeof *cols);
    tt_wire_put_text(out, t->id);
    tt_wire_put_text(out, t->title);
    tt_wire_put_text(out, t->meaning);
    tt_wire_put_text(out, t->default_sort);
    tt_wire_put_u(out, t->default_desc);
    tt_wire_put_u(out, t->n_cols);
    for (uint32_t c = 0; c < t->n_cols; c++) {
        cols[c] = &t->cols[c];
        tt_wire_put_text(out, cols[c]->title);
        tt_wire_put_text(out, cols[c]->help);
    }
    tt_tts_put_rows(&(tt_tts_rows){cols, t->n_cols, t->n_rows, t->cells, NULL}, out);
    free(cols);
}

/* ---- reading ---- */

typedef struct said { /* description of a brought column */
    const char *title, *help;
} said;

static bool get_columns(tt_wire *in, tt_imported *t, tt_arena *a, const said *of, size_t n_said)
{
    uint64_t n = tt_wire_count(in, 2);
    for (uint64_t c = 0; c < n; c++) {
        const char *key = tt_wire_text(in, a);
        uint64_t type = tt_wire_u(in);
        if (in->bad || type > TT_T_NUMBER || (of && c >= n_said)) return false;
        tt_imported_column(t, key, of ? of[c].title : key, (tt_type)type, of ? of[c].help : "");
    }
    return !in->bad;
}

static tt_cell get_cell(tt_wire *in, tt_type type, const char *const *texts, uint64_t n_texts, int64_t *last)
{
    tt_cell cell = tt_cell_none(type);
    if (type == TT_T_STRING) {
        uint64_t i = tt_wire_u(in);
        in->bad |= i > n_texts;
        if (i && !in->bad) cell.s = texts[i - 1];
    } else if (is_real(type)) {
        uint64_t bits = tt_wire_fixed(in, 8);
        memcpy(&cell.d, &bits, sizeof bits);
    } else if (type != TT_T_TIME) {
        cell.i = tt_wire_i(in);
    } else if (tt_wire_u(in)) {
        cell.i = *last = (int64_t)((uint64_t)*last + (uint64_t)tt_wire_i(in));
    }
    return cell;
}

static bool get_cells(tt_wire *in, tt_imported *t, int64_t origin)
{
    uint64_t n_texts = tt_wire_count(in, 1);
    const char **texts = tt_malloc((size_t)(n_texts + 1) * sizeof *texts);
    for (uint64_t i = 0; i < n_texts; i++) texts[i] = tt_wire_text(in, &t->arena);
    uint64_t n = tt_wire_count(in, t->n_cols ? t->n_cols : 1);
    for (uint64_t r = 0; r < n && t->n_cols; r++) tt_imported_row(t);
    for (uint32_t c = 0; c < t->n_cols && !in->bad; c++) {
        int64_t last = 0;
        for (uint64_t r = 0; r < n; r++) {
            tt_cell *cell = &t->cells[(size_t)r * t->n_cols + c];
            *cell = get_cell(in, t->cols[c].type, texts, n_texts, &last);
            if (t->cols[c].type == TT_T_TIME && cell->i != TT_UNKNOWN)
                cell->i = (int64_t)((uint64_t)cell->i + (uint64_t)origin);
        }
    }
    free(texts);
    return !in->bad && in->p == in->end;
}

static tt_imported *get_table(tt_wire *in, tt_imported *t, int64_t origin, const char **note, const said *of,
                              size_t n_said)
{
    const char *text = tt_wire_text(in, &t->arena);
    if (get_columns(in, t, &t->arena, of, n_said) && get_cells(in, t, origin)) {
        *note = *text ? text : NULL;
        return t;
    }
    tt_imported_free(t);
    return NULL;
}

tt_imported *tt_tts_get_rows(tt_wire *in, int64_t origin, const char **note)
{
    return get_table(in, tt_imported_new("summary", "", ""), origin, note, NULL, 0);
}

tt_imported *tt_tts_get_imported(tt_wire *in)
{
    tt_arena a = {0};
    TT_VEC(said) columns = {0};
    const char *id = tt_wire_text(in, &a), *title = tt_wire_text(in, &a), *meaning = tt_wire_text(in, &a);
    const char *sort = tt_wire_text(in, &a), *unused;
    bool desc = tt_wire_u(in) != 0;
    uint64_t n = tt_wire_count(in, 2);
    for (uint64_t i = 0; i < n; i++) {
        said x = {.title = tt_wire_text(in, &a)};
        x.help = tt_wire_text(in, &a);
        *tt_vec_push(&columns) = x;
    }
    tt_imported *t = get_table(in, tt_imported_new(id, title, meaning), 0, &unused, columns.at, columns.n);
    int col = t && *sort ? tt_imported_column_of(t, sort) : -1;
    if (col >= 0) tt_imported_sort(t, (uint32_t)col, desc);
    tt_vec_free(&columns);
    tt_arena_free(&a);
    return t;
}
