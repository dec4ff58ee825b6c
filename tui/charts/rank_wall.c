/* tui/charts/rank_wall.c - see rank_wall.h. */
#include "tui/charts/rank_wall.h"
#include "model/base/buf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/communication/columns.h"
#include "model/text/strings.h"
#include "tui/charts/step_parts.h"
#include "tui/screen/table_fetch.h"

enum { LABEL_W = 24, NOTE_W = 46, WIDEST = 8, STEPS_MOST = 4096 };

void tt_rank_wall_free(tt_rank_wall *w)
{
    for (uint32_t i = 0; i < w->n_steps; i++) free(w->steps[i]);
    free(w->steps);
    free(w->row);
    free(w->cells);
    *w = (tt_rank_wall){0};
}

/* ---- what is shown ---- */

static int64_t *cell(const tt_rank_wall *w, int part, uint32_t rank, uint32_t step)
{
    return &w->cells[((size_t)part * w->n_ranks + rank) * w->n_steps + step];
}

/* Number the names of workers or of steps. */
static tt_strings numbers_of(const char *const *names, uint32_t n, uint32_t **number)
{
    tt_strings ids;
    tt_strings_init(&ids);
    *number = tt_calloc(n + 2u, sizeof **number); /* by id */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t known = (uint32_t)ids.text.n;
        tt_sid id = tt_strings_put(&ids, names[i], strlen(names[i]));
        if (id == known) (*number)[id] = i;
    }
    return ids;
}

static uint32_t number_of(const tt_strings *ids, const uint32_t *number, const char *name)
{
    tt_sid id = tt_strings_find(ids, name, strlen(name));
    return id == UINT32_MAX || !id ? TT_NONE : number[id];
}

/* Collect the steps in the order in which they first occur. */
static tt_strings find_steps(tt_rank_wall *w, const tt_table *steps)
{
    tt_strings ids;
    tt_strings_init(&ids);
    for (uint32_t r = 0; r < steps->n_rows && ids.text.n <= STEPS_MOST; r++) {
        const char *s = tt_cell_s(steps, r, TT_COMM_STEPS_STEP);
        if (*s) tt_strings_put(&ids, s, strlen(s));
    }
    w->n_steps = (uint32_t)ids.text.n - 1; /* without "" */
    w->steps = tt_calloc(w->n_steps + 1u, sizeof *w->steps);
    for (uint32_t i = 0; i < w->n_steps; i++) w->steps[i] = tt_strdup(ids.text.at[i + 1]);
    return ids;
}

static int64_t known(int64_t v) { return v == TT_UNKNOWN || v < 0 ? 0 : v; }

static void fill(tt_rank_wall *w, const tt_table *t, bool waits, const tt_strings *workers, const uint32_t *number,
                 const tt_strings *steps)
{
    for (uint32_t r = 0; t && r < t->n_rows; r++) {
        const char *step = tt_cell_s(t, r, waits ? TT_COMM_WAIT_STEP : TT_COMM_STEPS_STEP);
        uint32_t rank = number_of(workers, number, tt_cell_worker(t, r));
        tt_sid at = *step ? tt_strings_find(steps, step, strlen(step)) : 0;
        if (rank == TT_NONE || !at || at == UINT32_MAX) continue;
        if (waits) {
            *cell(w, TT_WALL_WAIT, rank, at - 1) = known(tt_cell_i(t, r, TT_COMM_WAIT_SYNCHRONIZING));
            continue;
        }
        int64_t busy =
            known(tt_cell_i(t, r, TT_COMM_STEPS_COMPUTATION)) + known(tt_cell_i(t, r, TT_COMM_STEPS_OVERLAP));
        *cell(w, TT_WALL_BUSY, rank, at - 1) = busy;
        *cell(w, TT_WALL_STEP, rank, at - 1) =
            busy + known(tt_cell_i(t, r, TT_COMM_STEPS_COMMUNICATION)) + known(tt_cell_i(t, r, TT_COMM_STEPS_OTHER));
    }
}

static void find_range(tt_rank_wall *w, int part)
{
    w->low[part] = INT64_MAX;
    w->high[part] = 0;
    for (size_t i = 0, n = (size_t)w->n_ranks * w->n_steps; i < n; i++) {
        int64_t v = w->cells[(size_t)part * n + i];
        if (v == TT_UNKNOWN) continue;
        if (v < w->low[part]) w->low[part] = v;
        if (v > w->high[part]) w->high[part] = v;
    }
    if (part == TT_WALL_WAIT) w->low[part] = 0;
}

/* The number of ranks on each host, if all hosts have as many and their ranks are adjacent. */
static uint32_t ranks_per_host(const tt_rank_wall *w)
{
    uint32_t per = 0, n = 0;
    const char *host = "";
    for (uint32_t i = 0; i <= w->n_ranks; i++) {
        const char *mine =
            i < w->n_ranks && w->row[i] != TT_NONE ? tt_cell_s(w->times, w->row[i], TT_RANK_TIMES_HOST) : "";
        if (i && i < w->n_ranks && !strcmp(mine, host)) {
            n++;
            continue;
        }
        if (i && per && n != per && i < w->n_ranks) return 1;
        if (i && !per) per = n;
        if (i < w->n_ranks && !*mine) return 1;
        host = mine;
        n = 1;
    }
    return per ? per : 1;
}

void tt_rank_wall_set(tt_rank_wall *w, const tt_table *times, const tt_table *steps, const tt_table *wait,
                      const char *const *names, uint32_t n)
{
    uint32_t from = w->from, to = w->to, was = w->n_ranks;
    tt_rank_wall_free(w);
    if (!times || !times->n_rows || !steps || !n) return;
    w->times = times;
    w->n_ranks = n;
    w->from = was == n ? from : 0;
    w->to = was == n ? to : n;
    uint32_t *number;
    tt_strings workers = numbers_of(names, n, &number), step_ids = find_steps(w, steps);
    size_t cells = (size_t)TT_WALL_PARTS * n * w->n_steps;
    w->cells = tt_malloc((cells + 1) * sizeof *w->cells);
    for (size_t i = 0; i < cells; i++) w->cells[i] = TT_UNKNOWN;
    w->row = tt_malloc(n * sizeof *w->row);
    for (uint32_t i = 0; i < n; i++) w->row[i] = TT_NONE;
    for (uint32_t r = 0; r < times->n_rows; r++) {
        uint32_t i = number_of(&workers, number, tt_cell_worker(times, r));
        if (i != TT_NONE && w->row[i] == TT_NONE) w->row[i] = r;
    }
    fill(w, steps, false, &workers, number, &step_ids);
    fill(w, wait, true, &workers, number, &step_ids);
    for (int p = 0; p < TT_WALL_PARTS; p++) find_range(w, p);
    w->per_host = ranks_per_host(w);
    free(number);
    tt_strings_free(&workers);
    tt_strings_free(&step_ids);
}

/* ---- lines ---- */

/* The number of ranks on a line with which all fit: whole machines, or an even division of all machines. */
static uint32_t fold_for(const tt_rank_wall *w, int lines)
{
    uint32_t n = w->to - w->from, room = lines > 0 ? (uint32_t)lines : 1, fold = (n + room - 1) / room;
    if (fold > 1 && w->per_host > 1) {
        uint32_t k = fold;
        while (w->per_host % k && k < w->per_host) k++;
        fold = fold <= w->per_host ? k : (fold + w->per_host - 1) / w->per_host * w->per_host;
    }
    return fold ? fold : 1;
}

/* How long a rank made others wait by itself; the rank with most gives its name to the line. */
static int64_t guilt(const tt_rank_wall *w, uint32_t rank)
{
    if (w->row[rank] == TT_NONE) return 0;
    return known(tt_cell_i(w->times, w->row[rank], TT_RANK_TIMES_LATE_CALLS)) *
           known(tt_cell_i(w->times, w->row[rank], TT_RANK_TIMES_LATE));
}

/* The rank behind the last rank of the line that begins with rank `first`. */
static uint32_t end_of_line(const tt_rank_wall *w, uint32_t first)
{
    return first + w->fold < w->to ? first + w->fold : w->to;
}

static uint32_t latest_of(const tt_rank_wall *w, uint32_t first, uint32_t end)
{
    uint32_t worst = first;
    for (uint32_t i = first; i < end; i++)
        if (guilt(w, i) > guilt(w, worst)) worst = i;
    return worst;
}

/* The rank is late so often that the user should look: in a tenth of its calls. */
static bool is_late(const tt_rank_wall *w, uint32_t rank)
{
    int64_t late = w->row[rank] == TT_NONE ? 0 : known(tt_cell_i(w->times, w->row[rank], TT_RANK_TIMES_LATE_CALLS));
    return late >= 4 && late * 10 >= tt_cell_i(w->times, w->row[rank], TT_RANK_TIMES_CALLS);
}

uint32_t tt_rank_wall_moved(const tt_rank_wall *w, uint32_t at, int64_t lines)
{
    uint32_t fold = w->fold ? w->fold : 1;
    int64_t line = (int64_t)(at < w->from ? 0 : (at - w->from) / fold) + lines, last = (w->to - w->from - 1) / fold;
    line = line < 0 ? 0 : line > last ? last : line;
    uint32_t first = w->from + (uint32_t)line * fold;
    return latest_of(w, first, first + fold < w->to ? first + fold : w->to);
}

bool tt_rank_wall_into(tt_rank_wall *w, uint32_t *at)
{
    if (w->fold <= 1 || *at < w->from || *at >= w->to) return false;
    uint32_t first = w->from + (*at - w->from) / w->fold * w->fold;
    uint32_t end = end_of_line(w, first);
    w->from = first;
    w->to = end;
    *at = latest_of(w, first, end);
    return true;
}

bool tt_rank_wall_out(tt_rank_wall *w)
{
    if (!w->from && w->to == w->n_ranks) return false;
    w->from = 0;
    w->to = w->n_ranks;
    return true;
}

uint32_t tt_rank_wall_at(const tt_rank_wall *w, int y)
{
    uint32_t line, column;
    if (!tt_heat_grid_hit(&w->grid, y, 0, &line, &column)) return TT_NONE;
    uint32_t first = w->from + line * w->fold;
    return first < w->to ? latest_of(w, first, end_of_line(w, first)) : TT_NONE;
}

/* ---- drawing ---- */

/* The value of the rank that stands out among the ranks of a line: the longest step, but the shortest wait, because
 * others wait for that rank. */
static int64_t extreme_of(const tt_rank_wall *w, int part, uint32_t first, uint32_t end, uint32_t step0, uint32_t step1)
{
    int64_t out = TT_UNKNOWN;
    for (uint32_t r = first; r < end; r++) {
        int64_t most = TT_UNKNOWN; /* longest of its steps in the column */
        for (uint32_t s = step0; s < step1; s++)
            if (*cell(w, part, r, s) > most) most = *cell(w, part, r, s);
        if (most == TT_UNKNOWN) continue;
        if (out == TT_UNKNOWN || (part == TT_WALL_WAIT ? most < out : most > out)) out = most;
    }
    return out;
}

typedef struct drawing {
    const tt_rank_wall *w;
    int part;
} drawing;

static tt_heat_cell show_part(const void *chart, uint32_t line, uint32_t column)
{
    static const tt_role roles[TT_WALL_PARTS] = {TT_ROLE_BAR, TT_ROLE_WARN, TT_ROLE_BAR};
    const drawing *d = chart;
    const tt_rank_wall *w = d->w;
    uint32_t first = w->from + line * w->fold, columns = w->grid.n_columns;
    uint32_t s0 = (uint32_t)((uint64_t)column * w->n_steps / columns);
    uint32_t s1 = (uint32_t)((uint64_t)(column + 1) * w->n_steps / columns);
    int64_t v = extreme_of(w, d->part, first, end_of_line(w, first), s0, s1);
    if (v == TT_UNKNOWN) return (tt_heat_cell){.shade = TT_HEAT_BLANK, .role = TT_ROLE_DIM};
    /* differences below a hundredth have no shade: they would look like a pattern */
    int64_t low = w->low[d->part], high = w->high[d->part];
    bool flat = high - low < high / 100 || high == low;
    double share = flat ? 0 : (double)(v - low) / (double)(high - low);
    return (tt_heat_cell){.shade = tt_heat_shade(share), .role = roles[d->part]};
}

static void label_of(const tt_rank_wall *w, const char *const *labels, uint32_t first, uint32_t end, char *out,
                     size_t cap)
{
    const char *host = w->row[first] == TT_NONE ? "" : tt_cell_s(w->times, w->row[first], TT_RANK_TIMES_HOST);
    const char *last = w->row[end - 1] == TT_NONE ? "" : tt_cell_s(w->times, w->row[end - 1], TT_RANK_TIMES_HOST);
    int64_t a = w->row[first] == TT_NONE ? TT_UNKNOWN : tt_cell_i(w->times, w->row[first], TT_RANK_TIMES_RANK);
    int64_t b = w->row[end - 1] == TT_NONE ? TT_UNKNOWN : tt_cell_i(w->times, w->row[end - 1], TT_RANK_TIMES_RANK);
    if (end - first == 1) {
        snprintf(out, cap, "%s  %s", labels[first], host);
    } else if (a != TT_UNKNOWN && b == a + (int64_t)(end - first) - 1) {
        snprintf(out, cap,
                 *host && !strcmp(host, last) ? "%lld-%lld  %s"
                 : *host                      ? "%lld-%lld  %s .."
                                              : "ranks %lld-%lld",
                 (long long)a, (long long)b, host);
    } else {
        snprintf(out, cap, "%s ..", labels[first]);
    }
}

static void note_of(const tt_rank_wall *w, const char *const *labels, uint32_t first, uint32_t end, char *out,
                    size_t cap)
{
    uint32_t late = 0, worst = latest_of(w, first, end);
    char ns[TT_TEXT_CAP];
    for (uint32_t i = first; i < end; i++) late += is_late(w, i);
    out[0] = 0;
    if (!late) return;
    uint32_t row = w->row[worst];
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "%s%s +%s, %lld/%lld", end - first > 1 ? labels[worst] : "late", end - first > 1 ? "" : " by",
               tt_brief_ns(ns, tt_cell_i(w->times, row, TT_RANK_TIMES_LATE)),
               (long long)tt_cell_i(w->times, row, TT_RANK_TIMES_LATE_CALLS),
               (long long)tt_cell_i(w->times, row, TT_RANK_TIMES_CALLS));
    const char *since = tt_cell_s(w->times, row, TT_RANK_TIMES_LATE_SINCE);
    if (*since) tt_buf_add(&line, ", since step %.12s", since);
    if (late > 1) tt_buf_add(&line, ", %u late", late);
}

static void draw_heads(const tt_rank_wall *w, tt_canvas *c, int y, const int *x, int width)
{
    const char *const titles[TT_WALL_PARTS] = {"Step", w->fold > 1 ? "Least wait" : "Wait", "Compute"};
    for (int p = 0; p < TT_WALL_PARTS; p++) {
        char low[TT_TEXT_CAP], high[TT_TEXT_CAP], text[96];
        if (w->high[p] < w->low[p]) continue;
        tt_brief_ns(low, w->low[p]);
        tt_brief_ns(high, w->high[p]);
        snprintf(text, sizeof text, width >= 24 ? "%s %s..%s" : "%s", titles[p], low, high);
        tt_put_cut(c, y, x[p], TT_ROLE_DIM, text, width, TT_CUT_END);
    }
    tt_put(c, y, x[TT_WALL_PARTS], TT_ROLE_DIM, "Late by itself", -1);
}

void tt_rank_wall_draw(tt_rank_wall *w, tt_canvas *c, int y0, const char *const *labels, uint32_t at, bool focus)
{
    tt_heat_grid *g = &w->grid;
    int x[TT_WALL_PARTS + 1], note = c->w >= 110 ? NOTE_W : c->w / 3;
    int width = (c->w - LABEL_W - 3 - note) / TT_WALL_PARTS - 2;
    g->h = 0;
    if (!w->times || !w->n_steps || width < 3 || c->h < 2) return;
    for (int p = 0; p <= TT_WALL_PARTS; p++) x[p] = LABEL_W + 2 + p * (width + 2);
    g->y = y0 + 1;
    g->h = c->h - 1;
    w->fold = fold_for(w, g->h);
    g->n_lines = (w->to - w->from + w->fold - 1) / w->fold;
    g->n_columns = w->n_steps < (uint32_t)width ? w->n_steps : (uint32_t)width;
    tt_heat_grid_fit(g, width, 1, WIDEST);
    uint32_t chosen = at < w->from ? 0 : (at - w->from) / w->fold;
    g->top = chosen >= (uint32_t)g->h ? chosen - (uint32_t)g->h + 1 : 0;
    draw_heads(w, c, 0, x, width);
    for (int i = 0; i < g->h && g->top + (uint32_t)i < g->n_lines; i++) {
        char text[160];
        uint32_t line = g->top + (uint32_t)i, first = w->from + line * w->fold, end = end_of_line(w, first);
        bool on = focus && line == chosen;
        note_of(w, labels, first, end, text, sizeof text);
        tt_put_char(c, 1 + i, 0, *text ? TT_ROLE_WARN : TT_ROLE_STRONG, on ? '>' : *text ? '!' : ' ');
        tt_put_cut(c, 1 + i, x[TT_WALL_PARTS], TT_ROLE_WARN, text, c->w - x[TT_WALL_PARTS], TT_CUT_END);
        bool late = *text != 0;
        label_of(w, labels, first, end, text, sizeof text);
        tt_put_cut(c, 1 + i, 1, on ? TT_ROLE_CURSOR : late ? TT_ROLE_WARN : TT_ROLE_NAME, text, LABEL_W, TT_CUT_END);
        for (int p = 0; p < TT_WALL_PARTS; p++) {
            g->x = x[p];
            tt_heat_grid_draw(g, c, 1 + i, line, show_part, &(drawing){w, p});
        }
    }
}
