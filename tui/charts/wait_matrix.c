/* tui/charts/wait_matrix.c - the picture of the waiting in collectives. */
#include "tui/charts/wait_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/communication/columns.h"
#include "tui/screen/table_fetch.h"
#include "tui/widgets/scroll.h"

enum { WIDEST = 10 };
/* values in place of a wait: the rank takes no part, the call is inconclusive */
enum { NO_PART = -1, DOUBTFUL = -2 };

void tt_wait_matrix_free(tt_wait_matrix *m)
{
    free(m->rank);
    free(m->waited);
    free(m->heat);
    free(m->caused);
    *m = (tt_wait_matrix){0};
}

void tt_wait_matrix_set(tt_wait_matrix *m, const tt_table *t, const char *const *names, uint32_t n)
{
    free(m->rank);
    free(m->waited);
    m->rank = NULL;
    m->waited = NULL;
    m->t = t;
    m->n_calls = m->n_doubtful = 0;
    m->n_ranks = n;
    m->grid.h = 0;
    if (!t) return;
    m->rank = tt_malloc((t->n_rows + 1u) * sizeof *m->rank);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const char *worker = tt_cell_worker(t, r);
        int64_t call = tt_cell_i(t, r, TT_COMM_WAITS_CALL);
        uint32_t i = r && strcmp(worker, tt_cell_worker(t, r - 1)) == 0 ? m->rank[r - 1] : 0;
        while (i < n && strcmp(names[i], worker) != 0) i++;
        m->rank[r] = i < n ? i : TT_NONE;
        if (call >= m->n_calls) m->n_calls = (uint32_t)call + 1;
    }
    m->waited = tt_calloc(m->n_calls + (size_t)1, sizeof *m->waited);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        int64_t waited = tt_cell_i(t, r, TT_COMM_WAITS_WAITED), *all = &m->waited[tt_cell_i(t, r, TT_COMM_WAITS_CALL)];
        m->n_doubtful += waited == TT_UNKNOWN && *all != DOUBTFUL;
        *all = waited == TT_UNKNOWN ? DOUBTFUL : *all + waited;
    }
}

/* Sum up the columns of this frame; returns the largest wait. */
static int64_t add_up(tt_wait_matrix *m)
{
    size_t need = (size_t)m->n_ranks * m->grid.n_columns;
    int64_t most = 0;
    if (need > m->n_heat) {
        free(m->heat);
        free(m->caused);
        m->heat = tt_malloc(need * sizeof *m->heat);
        m->caused = tt_malloc(need * sizeof *m->caused);
        m->n_heat = need;
    }
    for (size_t i = 0; i < need; i++) { /* no rank takes part yet */
        m->heat[i] = NO_PART;
        m->caused[i] = 0;
    }
    int waited = tt_column_shown(m->t, TT_COMM_WAITS_WAITED), call = tt_column_shown(m->t, TT_COMM_WAITS_CALL);
    int last = tt_column_shown(m->t, TT_COMM_WAITS_CAME_LAST);
    for (uint32_t r = 0; r < m->t->n_rows; r++) {
        int64_t number = tt_table_cell(m->t, r, (uint32_t)call).i;
        if (m->rank[r] == TT_NONE) continue;
        size_t at = (size_t)m->rank[r] * m->grid.n_columns + (size_t)number / m->per;
        if (m->waited[number] == DOUBTFUL) {
            if (m->heat[at] == NO_PART) m->heat[at] = DOUBTFUL;
            continue;
        }
        if (m->heat[at] < 0) m->heat[at] = 0;
        m->heat[at] += tt_table_cell(m->t, r, (uint32_t)waited).i;
        if (tt_table_cell(m->t, r, (uint32_t)last).i == 1) m->caused[at] += m->waited[number];
        if (m->heat[at] > most) most = m->heat[at];
    }
    return most;
}

/* The rank is the one in the column for which the others waited most, and long enough to matter. */
static bool is_late(const tt_wait_matrix *m, uint32_t rank, uint32_t col, int64_t most)
{
    int64_t mine = m->caused[(size_t)rank * m->grid.n_columns + col];
    for (uint32_t r = 0; r < m->n_ranks; r++) {
        if (m->caused[(size_t)r * m->grid.n_columns + col] > mine) return false;
    }
    return mine > most / 20;
}

typedef struct drawing {
    const tt_wait_matrix *m;
    int64_t most; /* longest wait on screen */
    bool dots;    /* a rank that does not wait has a dot; in ASCII the dot is a shade */
} drawing;

static tt_heat_cell show_wait(const void *chart, uint32_t rank, uint32_t col)
{
    const drawing *d = chart;
    int64_t ns = d->m->heat[(size_t)rank * d->m->grid.n_columns + col];
    tt_heat_cell v = {.shade = TT_HEAT_BLANK, .role = TT_ROLE_DIM};
    if (ns == DOUBTFUL) v.mark = '?';
    if (ns == 0 && d->dots) v.shade = TT_HEAT_DOT;
    if (ns > 0 && d->most > 0) { /* by the root: one long wait leaves the others visible */
        v.shade = tt_heat_shade(sqrt((double)ns / (double)d->most));
        v.role = TT_ROLE_BAR;
    }
    if (ns >= 0 && is_late(d->m, rank, col, d->most)) {
        v.mark = '!';
        v.role = TT_ROLE_WARN;
    }
    return v;
}

/* Mark below the columns where steps begin. */
static void draw_steps(const tt_wait_matrix *m, tt_canvas *c, int y)
{
    const tt_heat_grid *g = &m->grid;
    char text[32];
    int free_x = g->x;
    const char *before = "";
    const char **step = tt_calloc(g->n_columns + 1u, sizeof *step);
    for (uint32_t r = m->t->n_rows; r-- > 0;) /* the first collective of a column comes first in the table */
        step[(size_t)tt_cell_i(m->t, r, TT_COMM_WAITS_CALL) / m->per] = tt_cell_s(m->t, r, TT_COMM_WAITS_STEP);
    for (int col = 0; col < g->columns; col++) {
        if (!step[col] || !*step[col] || strcmp(step[col], before) == 0) continue;
        before = step[col];
        snprintf(text, sizeof text, "%s%.20s", c->ascii ? "|step " : "\u2575step ", step[col]);
        tt_heat_label(c, y, g->x + col * g->cell, (int)strlen(step[col]) + 6, TT_ROLE_RULER, text, &free_x);
    }
    free(step);
}

static void draw_rule(const tt_wait_matrix *m, tt_canvas *c, int64_t most)
{
    char title[96], legend[96], text[TT_TEXT_CAP];
    tt_buf left = tt_buf_of(title), right = tt_buf_of(legend);
    tt_buf_add(&left, "Wait per collective (%s)", tt_format_count(text, m->n_calls));
    if (m->per > 1) tt_buf_add(&left, ", %u a column", m->per);
    tt_buf_add(&right, "%s darkest %s  ! last%s", tt_heat_scale(c), tt_format_duration(text, most, TT_UNIT_AUTO),
               c->w < 100 ? "" : " to arrive");
    if (m->n_doubtful) tt_buf_add(&right, "  ? inconclusive");
    tt_rule(c, 0, title, c->w >= 66 ? legend : NULL);
}

void tt_wait_matrix_draw(tt_wait_matrix *m, tt_canvas *c, int y0, const char *const *names, uint32_t at, int name_w,
                         int x, tt_unit unit)
{
    tt_heat_grid *g = &m->grid;
    char text[TT_TEXT_CAP];
    int room = c->w - x - 1;
    g->h = 0;
    if (!tt_wait_matrix_any(m) || room < 8 || c->h < 1) return;
    bool rule = c->h > 1, steps = c->h > 3 || (c->h == 3 && m->n_ranks == 1);
    m->per = (m->n_calls + (uint32_t)room - 1) / (uint32_t)room;
    g->n_lines = m->n_ranks;
    g->n_columns = (m->n_calls + m->per - 1) / m->per;
    g->x = x;
    g->y = y0 + rule;
    g->h = c->h - rule - steps;
    tt_heat_grid_fit(g, room, 1, WIDEST);
    g->top = tt_scroll_within(g->top, at, g->h, g->n_lines);
    int64_t most = add_up(m);
    if (rule) draw_rule(m, c, most);
    for (int y = 0; y < g->h && g->top + (uint32_t)y < g->n_lines; y++) {
        uint32_t rank = g->top + (uint32_t)y;
        int64_t sum = 0;
        for (uint32_t col = 0; col < g->n_columns; col++) {
            int64_t ns = m->heat[(size_t)rank * g->n_columns + col];
            sum += ns > 0 ? ns : 0;
        }
        tt_put_cut(c, y + rule, 1, rank == at ? TT_ROLE_STRONG : TT_ROLE_NAME, rule ? names[rank] : "waits", name_w,
                   TT_CUT_START);
        tt_put_right(c, y + rule, name_w + 1, x - name_w - 3, TT_ROLE_NUMBER, tt_format_duration(text, sum, unit));
        tt_heat_grid_draw(g, c, y + rule, rank, show_wait, &(drawing){m, most, !c->ascii});
    }
    if (steps) draw_steps(m, c, c->h - 1);
}

uint32_t tt_wait_matrix_at(const tt_wait_matrix *m, int y, int x, uint32_t *row)
{
    int64_t most = -1;
    uint32_t line, column;
    *row = TT_NONE;
    if (!tt_heat_grid_hit(&m->grid, y, x, &line, &column)) return TT_NONE;
    if (column == TT_NONE) return line;
    for (uint32_t r = 0; r < m->t->n_rows; r++) {
        int64_t ns = tt_cell_i(m->t, r, TT_COMM_WAITS_WAITED);
        if (ns == TT_UNKNOWN) ns = 0;
        if (m->rank[r] != line || tt_cell_i(m->t, r, TT_COMM_WAITS_CALL) / m->per != column || ns <= most) continue;
        most = ns;
        *row = r;
    }
    return line;
}
