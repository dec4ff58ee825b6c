/* model/trace/imported.c - see imported.h. */
#include "model/trace/imported.h"

#include <stdlib.h>
#include <string.h>

#include "model/text/text_safety.h"

#define PRIO_MOST 9

static const char *word(tt_arena *a, const char *s)
{
    char *w = tt_arena_strndup(a, *s ? s : "_", *s ? strlen(s) : 1);
    for (char *p = w; *p; p++) {
        if (*p >= 'A' && *p <= 'Z') *p = (char)(*p + 'a' - 'A');
        if (!((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9'))) *p = '_';
    }
    return w;
}

static const char *safe(tt_arena *a, const char *s)
{
    size_t n = tt_sanitize_term(NULL, 0, s, strlen(s));
    char *text = tt_arena_alloc(a, n + 1);
    tt_sanitize_term(text, n + 1, s, strlen(s));
    return text;
}

tt_imported *tt_imported_new(const char *id, const char *title, const char *meaning)
{
    tt_imported *t = tt_calloc(1, sizeof *t);
    t->id = word(&t->arena, id);
    t->title = safe(&t->arena, title);
    t->meaning = safe(&t->arena, meaning);
    return t;
}

void tt_imported_free(tt_imported *t)
{
    if (!t) return;
    free(t->cols);
    free(t->cells);
    tt_arena_free(&t->arena);
    free(t);
}

int tt_imported_column_of(const tt_imported *t, const char *key)
{
    for (uint32_t c = 0; c < t->n_cols; c++) {
        if (!strcmp(t->cols[c].key, key)) return (int)c;
    }
    return -1;
}

uint32_t tt_imported_column(tt_imported *t, const char *key, const char *title, tt_type type, const char *help)
{
    const char *first = word(&t->arena, key), *unique = first;
    for (unsigned i = 2; tt_imported_column_of(t, unique) >= 0; i++)
        unique = tt_arena_printf(&t->arena, "%u_%s", i, first);
    t->cols = tt_realloc(t->cols, t->n_cols + 1, sizeof *t->cols);
    t->cols[t->n_cols] = (tt_column){.key = unique,
                                     .title = safe(&t->arena, title),
                                     .type = type,
                                     .prio = (uint8_t)(t->n_cols < 3           ? 0
                                                       : t->n_cols < PRIO_MOST ? t->n_cols
                                                                               : PRIO_MOST),
                                     .help = safe(&t->arena, help)};
    return t->n_cols++;
}

tt_imported *tt_imported_of(const char *id, const tt_imported_key *columns, uint32_t n)
{
    tt_imported *t = tt_imported_new(id, id, "");
    for (uint32_t i = 0; i < n; i++) tt_imported_column(t, columns[i].key, columns[i].key, columns[i].type, "");
    return t;
}

void tt_imported_sort(tt_imported *t, uint32_t col, bool desc)
{
    t->default_sort = t->cols[col].key;
    t->default_desc = desc;
}

uint32_t tt_imported_row(tt_imported *t)
{
    size_t used = (size_t)t->n_rows * t->n_cols;
    if (used + t->n_cols > t->cap_cells) {
        t->cap_cells = t->cap_cells ? t->cap_cells * 2 : (size_t)t->n_cols * 64;
        t->cells = tt_realloc(t->cells, t->cap_cells, sizeof *t->cells);
    }
    for (uint32_t c = 0; c < t->n_cols; c++) t->cells[used + c] = tt_cell_none(t->cols[c].type);
    return t->n_rows++;
}

static tt_cell *cell(tt_imported *t, uint32_t row, uint32_t col) { return &t->cells[(size_t)row * t->n_cols + col]; }

void tt_imported_set_i(tt_imported *t, uint32_t row, uint32_t col, int64_t v) { cell(t, row, col)->i = v; }
void tt_imported_set_d(tt_imported *t, uint32_t row, uint32_t col, double v) { cell(t, row, col)->d = v; }
void tt_imported_set_s(tt_imported *t, uint32_t row, uint32_t col, const char *s, size_t n)
{
    cell(t, row, col)->s = tt_arena_strndup(&t->arena, s, n);
}

void tt_trace_import(tt_trace *s, tt_imported *t)
{
    if (!t->n_cols) {
        tt_imported_free(t);
        return;
    }
    s->imported = tt_realloc(s->imported, s->n_imported + 1, sizeof(tt_imported *));
    s->imported[s->n_imported++] = t;
}

const tt_imported *tt_trace_imported(const tt_trace *s, const char *id)
{
    for (uint32_t i = 0; i < s->n_imported; i++) {
        if (s->imported[i]->n_rows && !strcmp(s->imported[i]->id, id)) return s->imported[i];
    }
    return NULL;
}
