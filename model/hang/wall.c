/* model/hang/wall.c - see wall.h. */
#include "model/hang/wall.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"

/* Columns of the groups, by description; the caller frees them. */
static uint32_t *find_columns(const tt_hang *h, tt_wall *w)
{
    tt_strings descs;
    uint32_t *column = tt_calloc(h->n_groups + (size_t)1, sizeof *column);
    tt_strings_init(&descs);
    w->columns = tt_calloc(h->n_groups + (size_t)1, sizeof *w->columns);
    w->p2p = tt_calloc(h->n_groups + (size_t)1, sizeof *w->p2p);
    for (uint32_t g = 0; g < h->n_groups; g++) {
        const char *desc = *h->groups[g].desc ? h->groups[g].desc : h->groups[g].name;
        column[g] = tt_strings_put(&descs, desc, strlen(desc)) - 1;
        if (column[g] == w->n_columns) w->columns[w->n_columns++] = desc;
        w->p2p[column[g]] |= h->groups[g].p2p == 1;
    }
    tt_strings_free(&descs);
    return column;
}

static tt_wall_cell cell_of(const tt_hang *h, const tt_hang_group *g, const tt_hang_member *m)
{
    if (h->ranks[m->rank].trace == TT_NONE) return (tt_wall_cell){0, TT_WALL_NO_DUMP};
    if (m->enqueued == TT_UNKNOWN) return (tt_wall_cell){0, TT_WALL_UNKNOWN};
    if (m->enqueued < g->enqueued) return (tt_wall_cell){g->enqueued - m->enqueued, TT_WALL_BEHIND};
    if (m->completed != TT_UNKNOWN && m->completed < g->completed)
        return (tt_wall_cell){g->completed - m->completed, TT_WALL_UNFINISHED};
    return (tt_wall_cell){0, TT_WALL_EVEN};
}

static bool is_worse(const tt_wall_cell *a, const tt_wall_cell *b)
{
    return a->kind != b->kind ? a->kind > b->kind : a->n > b->n;
}

/* The cells of all ranks; of several groups of one description the worst. The caller frees them. */
static tt_wall_cell *all_cells(const tt_hang *h, const tt_wall *w, const uint32_t *column)
{
    tt_wall_cell *cells = tt_calloc((size_t)h->n_ranks * w->n_columns + 1, sizeof *cells);
    for (uint32_t g = 0; g < h->n_groups; g++) {
        const tt_hang_group *x = &h->groups[g];
        for (uint32_t m = x->first; m < x->first + x->size; m++) {
            tt_wall_cell c = cell_of(h, x, &h->members[m]);
            tt_wall_cell *to = &cells[(size_t)h->members[m].rank * w->n_columns + column[g]];
            if (is_worse(&c, to)) *to = c;
        }
    }
    return cells;
}

typedef struct alike {                  /* a rank, and the first rank with the same cells */
    uint32_t rank, row, culprit, fault; /* culprit: 0 = it is one, so that culprits come first */
} alike;

/* Number of the row of each rank: ranks of equal cells, of the same fault, share one. */
static alike *find_rows(const tt_hang *h, const tt_wall *w, const tt_wall_cell *cells, uint32_t *n_rows)
{
    tt_strings rows;
    size_t bytes = w->n_columns * sizeof *cells;
    char *key = tt_malloc(bytes + 2 * sizeof(uint32_t));
    alike *out = tt_calloc(h->n_ranks + (size_t)1, sizeof *out);
    tt_strings_init(&rows);
    for (uint32_t r = 0; r < h->n_ranks; r++) {
        const tt_hang_rank *x = &h->ranks[r];
        uint32_t own = x->state == TT_HANG_CULPRIT ? x->fault : TT_NONE;
        if (bytes) memcpy(key, cells + (size_t)r * w->n_columns, bytes);
        memcpy(key + bytes, &own, sizeof own);
        out[r] = (alike){r, tt_strings_put(&rows, key, bytes + sizeof own) - 1, own == TT_NONE, own};
    }
    *n_rows = (uint32_t)rows.text.n - 1;
    tt_strings_free(&rows);
    free(key);
    return out;
}

static void fold(const tt_hang *h, tt_wall *w, const tt_wall_cell *cells)
{
    alike *ranks = find_rows(h, w, cells, &w->n_rows);
    TT_SORT_BY(ranks, h->n_ranks, TT_ASC(alike, culprit), TT_ASC(alike, row), TT_ASC(alike, rank));
    w->rows = tt_calloc(w->n_rows + (size_t)1, sizeof *w->rows);
    w->ranks = tt_calloc(h->n_ranks + (size_t)1, sizeof *w->ranks);
    w->cells = tt_calloc((size_t)w->n_rows * w->n_columns + 1, sizeof *w->cells);
    uint32_t n = 0;
    for (uint32_t i = 0; i < h->n_ranks; i++) {
        w->ranks[i] = ranks[i].rank;
        if (i && ranks[i].row == ranks[i - 1].row) {
            w->rows[n - 1].ranks.n++;
            continue;
        }
        w->rows[n] = (tt_wall_row){.ranks = {i, 1}, .culprit = !ranks[i].culprit, .fault = ranks[i].fault};
        memcpy(&w->cells[(size_t)n * w->n_columns], &cells[(size_t)ranks[i].rank * w->n_columns],
               w->n_columns * sizeof *cells);
        n++;
    }
    free(ranks);
}

tt_wall *tt_wall_new(const tt_hang *h)
{
    tt_wall *w = tt_calloc(1, sizeof *w);
    uint32_t *column = find_columns(h, w);
    tt_wall_cell *cells = all_cells(h, w, column);
    fold(h, w, cells);
    w->even = tt_calloc(w->n_columns + (size_t)1, sizeof *w->even);
    for (uint32_t c = 0; c < w->n_columns; c++) {
        w->even[c] = true;
        for (uint32_t r = 0; r < w->n_rows; r++) w->even[c] = w->even[c] && tt_wall_at(w, r, c)->kind <= TT_WALL_EVEN;
    }
    free(column);
    free(cells);
    return w;
}

void tt_wall_free(tt_wall *w)
{
    if (!w) return;
    free(w->columns);
    free(w->even);
    free(w->p2p);
    free(w->rows);
    free(w->cells);
    free(w->ranks);
    free(w);
}

const char *tt_wall_text(const tt_wall_cell *c, char out[24])
{
    switch ((tt_wall_kind)c->kind) {
    case TT_WALL_NO_MEMBER: return "";
    case TT_WALL_EVEN: return ".";
    case TT_WALL_UNKNOWN: return "?";
    case TT_WALL_NO_DUMP: return "x";
    case TT_WALL_UNFINISHED: snprintf(out, 24, "!%" PRId64, c->n); return out;
    case TT_WALL_BEHIND: snprintf(out, 24, "-%" PRId64, c->n); return out;
    }
    return "";
}

const char *tt_wall_initials(const char *desc, char *out, size_t cap)
{
    size_t n = 0, words = 0;
    for (const char *p = desc; *p;) {
        size_t len = strcspn(p, "_ -.:/");
        bool group = len == 5 && !strncasecmp(p, "group", 5);
        if (len && !group) words++;
        if (len && !group && n + 1 < cap) out[n++] = (char)toupper((unsigned char)*p);
        p += len;
        p += strspn(p, "_ -.:/");
    }
    out[n] = '\0';
    if (words < 2) snprintf(out, cap, "%s", desc);
    return out;
}
