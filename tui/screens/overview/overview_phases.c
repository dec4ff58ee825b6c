/* tui/screens/overview/overview_phases.c - a line for each phase of an engine of LLM serving, above the steps. */
#include <stdio.h>
#include <string.h>

#include "model/tables/serving/columns.h"
#include "tui/screen/host.h"
#include "tui/screens/overview/overview.h"

/* The columns of a line, from left to right; a column that does not fit is left out. */
static const struct {
    const char *title;
    int width;
    uint32_t column; /* column of table serving */
    tt_type type;
} columns[] = {
    {"steps", 7, TT_SERVING_STEPS, TT_T_COUNT},
    {"requests", 9, TT_SERVING_REQUESTS_MEAN, TT_T_NUMBER},
    {"tokens/s", 9, TT_SERVING_TOKENS_PER_S, TT_T_NUMBER},
    {"step p50", 11, TT_SERVING_TIME_P50, TT_T_DURATION},
    {"p99", 11, TT_SERVING_TIME_P99, TT_T_DURATION},
    {"busy", 7, TT_SERVING_BUSY_PCT, TT_T_PERCENT},
    {"gap p50", 11, TT_SERVING_GAP_P50, TT_T_DURATION},
};
enum { COLUMNS = sizeof columns / sizeof *columns, NAME_W = 12 };

static const tt_table *phases(const overview *o) { return o->tables.at[SERVING]; }

int tt_overview_phases_want(const overview *o) { return rows(o, SERVING) ? (int)rows(o, SERVING) + 1 : 0; }

static tt_cell cell_of(const tt_table *t, uint32_t row, uint32_t column)
{
    return tt_table_cell(t, row, (uint32_t)tt_column_shown(t, column));
}

static void draw_phase(const tt_session *s, const overview *o, uint32_t row, tt_unit unit, tt_canvas *c, int y)
{
    const tt_table *t = phases(o);
    char text[TT_TEXT_CAP], buf[32];
    const char *worker = worker_of(o, t, row), *top = tt_cell_s(t, row, TT_SERVING_TOP);
    int x = 1;
    if (*worker) {
        int name_w = least(c->w / 6, 12);
        tt_put_cut(c, y, x, TT_ROLE_DIM, tt_rank_name(s, worker, buf), name_w, TT_CUT_START);
        x += name_w + 1;
    }
    tt_put_cut(c, y, x, TT_ROLE_TEXT, tt_cell_s(t, row, TT_SERVING_PHASE), NAME_W, TT_CUT_END);
    x += NAME_W;
    for (int k = 0; k < COLUMNS && x + columns[k].width < c->w; k++) {
        tt_cell v = cell_of(t, row, columns[k].column);
        if (!tt_cell_unknown(columns[k].type, v))
            tt_put_right(c, y, x, columns[k].width, TT_ROLE_NUMBER,
                         tt_format_typed(text, columns[k].type, v, unit, false));
        x += columns[k].width;
    }
    if (*top && x + 4 < c->w) tt_put_cut(c, y, x + 3, TT_ROLE_DIM, top, c->w - x - 4, TT_CUT_END);
}

void tt_overview_draw_phases(tt_screen *screen, const overview *o, tt_canvas *c)
{
    const tt_session *s = tt_host_session(screen->host);
    int x = NAME_W + 1;
    tt_rule(c, 0, "Phases", NULL);
    if (!o->one_worker && *tt_cell_worker(phases(o), 0)) x += least(c->w / 6, 12) + 1;
    for (int k = 0; k < COLUMNS && x + columns[k].width < c->w; k++) {
        tt_put_right(c, 0, x, columns[k].width, TT_ROLE_DIM, columns[k].title);
        x += columns[k].width;
    }
    if (x + 16 < c->w) tt_put(c, 0, x + 3, TT_ROLE_DIM, "top operator", -1);
    for (uint32_t r = 0; r < rows(o, SERVING) && (int)r + 1 < c->h; r++)
        draw_phase(s, o, r, (tt_unit)tt_host_unit(screen->host), c, 1 + (int)r);
}
