/* tui/charts/wait_matrix.c - the picture of the waiting in collectives. */
#include "tui/charts/wait_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/communication/columns.h"
#include "tui/screen/table_fetch.h"

enum { WIDEST = 10 };
/* values in place of a wait: the rank takes no part, the call is inconclusive */
enum { NO_PART = -1, DOUBTFUL = -2 };

void tt_wait_matrix_free(tt_wait_matrix *m)
{
    free(m->rank);
    free(m->waited);
    free(m->heat);
    free(m->caused);
    *m = (tt_wait_matrix){.y = -1};
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
    m->y = -1;
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
    size_t need = (size_t)m->n_ranks * (size_t)m->columns;
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
        size_t at = (size_t)m->rank[r] * (size_t)m->columns + (size_t)number / m->per;
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
static bool is_late(const tt_wait_matrix *m, uint32_t rank, int col, int64_t most)
{
    int64_t mine = m->caused[(size_t)rank * (size_t)m->columns + (size_t)col];
    for (uint32_t r = 0; r < m->n_ranks; r++) {
        if (m->caused[(size_t)r * (size_t)m->columns + (size_t)col] > mine) return false;
    }
    return mine > most / 20;
}

static void draw_line(const tt_wait_matrix *m, tt_canvas *c, int y, uint32_t rank, int64_t most)
{
    int w = m->cell > 2 ? m->cell - 1 : m->cell;
    for (int col = 0; col < m->columns; col++) {
        int64_t ns = m->heat[(size_t)rank * (size_t)m->columns + (size_t)col];
        int level = ns <= 0 || most <= 0 ? 0
                                         : 1 + (int)(sqrt((double)ns / (double)most) *
                                                     /* by the root: one long wait leaves the others visible */
                                                     3.999);
        static const tt_glyph shades[] = {TT_G_DOT, TT_G_SHADE1, TT_G_SHADE2, TT_G_SHADE3, TT_G_BLOCK};
        uint32_t ch = ns == DOUBTFUL ? '?' : ns < 0 ? ' ' : tt_glyph_of(c, shades[level]);
        if (level == 0 && c->ascii && ns != DOUBTFUL) ch = ' ';
        bool late = ns >= 0 && is_late(m, rank, col, most);
        tt_fill(c, y, m->x + col * m->cell, 1, w,
                late    ? TT_ROLE_WARN
                : level ? TT_ROLE_BAR
                        : TT_ROLE_DIM,
                late ? '!' : ch);
    }
}

/* Mark below the columns where steps begin. */
static void draw_steps(const tt_wait_matrix *m, tt_canvas *c, int y)
{
    char text[32];
    int free_x = m->x;
    const char *before = "";
    const char **step = tt_calloc((size_t)m->columns + 1, sizeof *step);
    for (uint32_t r = m->t->n_rows; r-- > 0;) /* the first collective of a column comes first in the table */
        step[(size_t)tt_cell_i(m->t, r, TT_COMM_WAITS_CALL) / m->per] = tt_cell_s(m->t, r, TT_COMM_WAITS_STEP);
    for (int col = 0; col < m->columns; col++) {
        if (!step[col] || !*step[col] || strcmp(step[col], before) == 0) continue;
        before = step[col];
        snprintf(text, sizeof text, "%s%.20s", c->ascii ? "|step " : "\u2575step ", step[col]);
        int at = m->x + col * m->cell, w = (int)strlen(step[col]) + 6;
        if (at < free_x || at + w > c->w) continue;
        free_x = at + w + 1;
        tt_put(c, y, at, TT_ROLE_RULER, text, -1);
    }
    free(step);
}

void tt_wait_matrix_draw(tt_wait_matrix *m, tt_canvas *c, int y0, const char *const *names, uint32_t at, int name_w,
                         int x, tt_unit unit)
{
    char title[96], legend[96], text[TT_TEXT_CAP];
    int room = c->w - x - 1;
    m->y = -1;
    if (!tt_wait_matrix_any(m) || room < 8 || c->h < 1) return;
    bool rule = c->h > 1, steps = c->h > 3 || (c->h == 3 && m->n_ranks == 1);
    m->per = (m->n_calls + (uint32_t)room - 1) / (uint32_t)room;
    m->columns = (int)((m->n_calls + m->per - 1) / m->per);
    m->cell = room / m->columns < WIDEST ? room / m->columns : WIDEST;
    m->x = x;
    m->h = c->h - rule - steps;
    m->y = y0 + rule;
    if (m->top > at) m->top = at;
    if (at >= m->top + (uint32_t)m->h) m->top = at - (uint32_t)m->h + 1;
    if (m->top + (uint32_t)m->h > m->n_ranks) m->top = m->n_ranks > (uint32_t)m->h ? m->n_ranks - (uint32_t)m->h : 0;
    int64_t most = add_up(m);
    int n = snprintf(title, sizeof title, "Wait per collective (%s)", tt_format_count(text, m->n_calls));
    if (m->per > 1) snprintf(title + n, sizeof title - (size_t)n, ", %u a column", m->per);
    tt_format_duration(text, most, TT_UNIT_AUTO);
    snprintf(legend, sizeof legend, c->w < 100 ? "%s darkest %s  ! last" : "%s darkest %s  ! last to arrive",
             c->ascii ? ".:%#" : "\u2591\u2592\u2593\u2588", text);
    if (m->n_doubtful) {
        size_t used = strlen(legend);
        snprintf(legend + used, sizeof legend - used, "  ? inconclusive");
    }
    if (rule) tt_rule(c, 0, title, c->w >= 66 ? legend : NULL);
    for (int y = 0; y < m->h && m->top + (uint32_t)y < m->n_ranks; y++) {
        uint32_t rank = m->top + (uint32_t)y;
        int64_t sum = 0;
        for (int col = 0; col < m->columns; col++) {
            int64_t ns = m->heat[(size_t)rank * (size_t)m->columns + (size_t)col];
            sum += ns > 0 ? ns : 0;
        }
        tt_put_cut(c, y + rule, 1, rank == at ? TT_ROLE_STRONG : TT_ROLE_NAME, rule ? names[rank] : "waits", name_w,
                   TT_CUT_START);
        tt_put_right(c, y + rule, name_w + 1, x - name_w - 3, TT_ROLE_NUMBER, tt_format_duration(text, sum, unit));
        draw_line(m, c, y + rule, rank, most);
    }
    if (steps) draw_steps(m, c, c->h - 1);
}

uint32_t tt_wait_matrix_at(const tt_wait_matrix *m, int y, int x, uint32_t *row)
{
    int64_t most = -1;
    uint32_t line = m->top + (uint32_t)(y - m->y);
    *row = TT_NONE;
    if (m->y < 0 || y < m->y || y >= m->y + m->h || line >= m->n_ranks) return TT_NONE;
    if (x < m->x || x >= m->x + m->columns * m->cell) return line;
    for (uint32_t r = 0; r < m->t->n_rows; r++) {
        int64_t ns = tt_cell_i(m->t, r, TT_COMM_WAITS_WAITED);
        if (ns == TT_UNKNOWN) ns = 0;
        if (m->rank[r] != line || tt_cell_i(m->t, r, TT_COMM_WAITS_CALL) / m->per != (x - m->x) / m->cell || ns <= most)
            continue;
        most = ns;
        *row = r;
    }
    return line;
}
