/* tui/charts/link_matrix.c - the picture of the links between ranks. */
#include "tui/charts/link_matrix.h"
#include "model/base/buf.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/sort_by.h"
#include "model/tables/cells.h"
#include "model/tables/communication/columns.h"
#include "tui/screen/table_fetch.h"
#include "tui/widgets/scroll.h"

enum { LABEL_W = 11, LEAST = 2, WIDEST = 10 }; /* widths of labels and of columns */

/* ---- reading the table ---- */

/* The transport of this name, added if it is new; TT_NONE: there are too many. */
static uint32_t transport_of(tt_link_matrix *m, const char *name)
{
    uint32_t i = 0;
    while (i < m->n_transports && strcmp(m->transports[i].name, name) != 0) i++;
    if (i == TT_MAX_TRANSPORTS) return TT_NONE;
    if (i == m->n_transports) m->transports[m->n_transports++] = (tt_transport){.name = name};
    return i;
}

static uint32_t place_of(const tt_link_matrix *m, int64_t rank)
{
    size_t at = TT_SORTED_FIND(m->ranks, m->n_ranks, rank);
    return at < m->n_ranks ? (uint32_t)at : TT_NONE;
}

static bool is_link(const tt_table *t, uint32_t row)
{
    return tt_cell_i(t, row, TT_CLUSTER_LINKS_SRC) >= 0 && tt_cell_i(t, row, TT_CLUSTER_LINKS_DST) >= 0 &&
           tt_cell_i(t, row, TT_CLUSTER_LINKS_SIZE_BYTES) >= 0 && tt_cell_i(t, row, TT_CLUSTER_LINKS_TRANSIT) > 0 &&
           strcmp(tt_cell_s(t, row, TT_CLUSTER_LINKS_STEP), "average") != 0;
}

static void read_ranks(tt_link_matrix *m, const tt_table *t)
{
    m->ranks = tt_malloc((t->n_rows * (size_t)2 + 1) * sizeof *m->ranks);
    uint32_t n = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (!is_link(t, r)) continue;
        m->ranks[n++] = tt_cell_i(t, r, TT_CLUSTER_LINKS_SRC);
        m->ranks[n++] = tt_cell_i(t, r, TT_CLUSTER_LINKS_DST);
    }
    TT_SORT_UP(m->ranks, n);
    for (uint32_t i = 0; i < n; i++) {
        if (!i || m->ranks[i] != m->ranks[m->n_ranks - 1]) m->ranks[m->n_ranks++] = m->ranks[i];
    }
}

static int by_place(const void *a, const void *b)
{
    const tt_link *x = a, *y = b;
    if (x->transport != y->transport) return x->transport < y->transport ? -1 : 1;
    if (x->src != y->src) return x->src < y->src ? -1 : 1;
    if (x->dst != y->dst) return x->dst < y->dst ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Read the links; several rows of the same link become one. */
static void read_links(tt_link_matrix *m, const tt_table *t)
{
    m->links = tt_calloc(t->n_rows + (size_t)1, sizeof *m->links);
    uint32_t n = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        uint32_t transport = is_link(t, r) ? transport_of(m, tt_cell_s(t, r, TT_CLUSTER_LINKS_TRANSPORT)) : TT_NONE;
        if (transport == TT_NONE) continue;
        m->links[n++] = (tt_link){.transport = transport,
                                  .src = place_of(m, tt_cell_i(t, r, TT_CLUSTER_LINKS_SRC)),
                                  .dst = place_of(m, tt_cell_i(t, r, TT_CLUSTER_LINKS_DST)),
                                  .rank = tt_cell_i(t, r, TT_CLUSTER_LINKS_RANK),
                                  .bytes = (double)tt_cell_i(t, r, TT_CLUSTER_LINKS_SIZE_BYTES),
                                  .ns = (double)tt_cell_i(t, r, TT_CLUSTER_LINKS_TRANSIT)};
    }
    qsort(m->links, n, sizeof *m->links, by_place);
    for (uint32_t i = 0; i < n; i++) {
        if (m->n_links && !by_place(&m->links[m->n_links - 1], &m->links[i])) {
            m->links[m->n_links - 1].bytes += m->links[i].bytes;
            m->links[m->n_links - 1].ns += m->links[i].ns;
        } else {
            m->links[m->n_links++] = m->links[i];
        }
    }
}

/* Find the ranks that get a line; ranks that only receive, because their own profile is not loaded, get none. */
static void find_senders(tt_link_matrix *m)
{
    bool *sends = tt_calloc(m->n_ranks + (size_t)1, sizeof *sends);
    m->senders = tt_calloc(m->n_ranks + (size_t)1, sizeof *m->senders);
    for (uint32_t i = 0; i < m->n_links; i++) sends[m->links[i].src] = true;
    for (uint32_t i = 0; i < m->n_ranks; i++)
        if (sends[i]) m->senders[m->n_senders++] = i;
    free(sends);
}

static double speed(const tt_link *l) { return l->ns > 0 ? l->bytes / l->ns : 0; } /* bytes per ns are GB/s */

static void judge(tt_link_matrix *m)
{
    for (uint32_t i = 0; i < m->n_links; i++) {
        const tt_link *l = &m->links[i];
        tt_transport *t = &m->transports[l->transport];
        if (l->src == l->dst) continue;
        t->mean += speed(l);
        t->bytes += l->bytes;
        t->n_links++;
        if (speed(l) > t->best) t->best = speed(l);
    }
    for (uint32_t k = 0; k < m->n_transports; k++)
        m->transports[k].mean /= m->transports[k].n_links ? m->transports[k].n_links : 1;
    for (uint32_t i = 0; i < m->n_links; i++) {
        tt_link *l = &m->links[i];
        tt_transport *t = &m->transports[l->transport];
        l->slow = l->src != l->dst && speed(l) < 0.8 * t->mean;
        t->n_slow += l->slow;
    }
}

void tt_link_matrix_free(tt_link_matrix *m)
{
    free(m->links);
    free(m->ranks);
    free(m->senders);
    *m = (tt_link_matrix){0};
}

/* Choose a slow link of the transport, else its first link between two ranks. */
static void choose_first(tt_link_matrix *m)
{
    const tt_link *first = NULL;
    int good = -1;
    for (uint32_t i = 0; i < m->n_links; i++) {
        const tt_link *l = &m->links[i];
        if (l->transport != m->at) continue;
        int better = l->slow ? 2 : l->src != l->dst;
        if (better > good) first = l, good = better;
    }
    m->src = m->dst = 0;
    for (uint32_t i = 0; i < m->n_senders && first; i++)
        if (m->senders[i] == first->src) m->src = i;
    if (first) m->dst = first->dst;
}

void tt_link_matrix_set(tt_link_matrix *m, const tt_table *t)
{
    char was[64] = "";
    tt_link_matrix old = *m;
    if (old.n_transports) snprintf(was, sizeof was, "%s", old.transports[old.at].name);
    tt_link_matrix_free(m);
    if (!t || !t->n_rows) return;
    read_ranks(m, t);
    read_links(m, t);
    find_senders(m);
    judge(m);
    for (uint32_t k = 1; k < m->n_transports; k++) /* begin with the transport that carries most between ranks */
        if (m->transports[k].bytes > m->transports[m->at].bytes) m->at = k;
    choose_first(m);
    for (uint32_t k = 0; k < m->n_transports && *was; k++) {
        if (strcmp(m->transports[k].name, was) != 0 || old.n_ranks != m->n_ranks || old.n_senders != m->n_senders)
            continue;
        m->at = k;
        m->src = old.src;
        m->dst = old.dst;
        m->grid.top = old.grid.top;
        m->grid.left = old.grid.left;
    }
}

void tt_link_matrix_next_transport(tt_link_matrix *m)
{
    if (m->n_transports) m->at = (m->at + 1) % m->n_transports;
    choose_first(m);
}

static uint32_t moved(uint32_t at, int64_t by, uint32_t n)
{
    int64_t to = (int64_t)at + by, last = n ? (int64_t)n - 1 : 0;
    return (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}

void tt_link_matrix_move(tt_link_matrix *m, int64_t lines, int64_t columns)
{
    m->src = moved(m->src, lines, m->n_senders);
    m->dst = moved(m->dst, columns, m->n_ranks);
}

/* The first link from src to dst of the shown transport, and the number of ranks that measured the link. */
static const tt_link *link_of(const tt_link_matrix *m, uint32_t src, uint32_t dst, uint32_t *n)
{
    tt_link key = {.transport = m->at, .src = src, .dst = dst, .rank = INT64_MIN};
    uint32_t lo = 0, hi = m->n_links;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (by_place(&m->links[mid], &key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    *n = 0;
    while (lo + *n < m->n_links && m->links[lo + *n].transport == m->at && m->links[lo + *n].src == src &&
           m->links[lo + *n].dst == dst)
        ++*n;
    return *n ? &m->links[lo] : NULL;
}

/* Sum up a link over the ranks that measured it, and return their number: the slowest measurement of a slow link,
 * else all together. 0 = no such link. */
static uint32_t sum_of(const tt_link_matrix *m, uint32_t src, uint32_t dst, tt_link *sum)
{
    uint32_t n;
    const tt_link *l = link_of(m, src, dst, &n), *slow = NULL;
    if (!l) return 0;
    *sum = *l;
    for (uint32_t i = 0; i < n; i++) {
        if (l[i].slow && (!slow || speed(&l[i]) < speed(slow))) slow = &l[i];
        if (!i) continue;
        sum->bytes += l[i].bytes;
        sum->ns += l[i].ns;
    }
    if (slow) *sum = *slow;
    return n;
}

void tt_link_matrix_text(const tt_link_matrix *m, tt_unit unit, char *out, size_t cap)
{
    char bytes[TT_TEXT_CAP], ns[TT_TEXT_CAP];
    tt_link l;
    if (!m->n_links || m->src >= m->n_senders || m->dst >= m->n_ranks) {
        snprintf(out, cap, "no links");
        return;
    }
    const tt_transport *t = &m->transports[m->at];
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "rank %" PRId64 " to %" PRId64 " over %.30s: ", m->ranks[m->senders[m->src]], m->ranks[m->dst],
               *t->name ? t->name : "?");
    uint32_t measured = sum_of(m, m->senders[m->src], m->dst, &l);
    if (!measured) {
        tt_buf_add(&line, "no link of this kind");
        return;
    }
    tt_buf_add(&line, "%.3g GB/s, %s in %s", speed(&l), tt_format_bytes(bytes, (int64_t)l.bytes),
               tt_format_duration(ns, (int64_t)l.ns, unit));
    if (l.src == l.dst || !(t->mean > 0)) return;
    double off = 100 * (speed(&l) / t->mean - 1);
    tt_buf_add(&line, ", %.1f%% %s the mean of %.30s%s", fabs(off), off < 0 ? "below" : "above", t->name,
               l.slow ? ": slow" : "");
    if (measured > 1 && l.slow) tt_buf_add(&line, ", measured by rank %" PRId64, l.rank);
}

/* ---- drawing ---- */

int tt_link_matrix_height(const tt_link_matrix *m) { return m->n_senders > 1000 ? 1003 : (int)m->n_senders + 3; }

static void draw_rule(const tt_link_matrix *m, tt_canvas *c)
{
    const tt_transport *t = &m->transports[m->at];
    char title[160], legend[96];
    tt_buf line = tt_buf_of(title);
    tt_buf_add(&line, "Links  %.30s, GB/s", *t->name ? t->name : "?");
    if (m->n_transports > 1 && c->w >= 100) tt_buf_add(&line, " (%u of %u, b: the next)", m->at + 1, m->n_transports);
    if (c->w >= 100) tt_buf_add(&line, "   mean %.3g", t->mean);
    if (t->n_slow) tt_buf_add(&line, ", %u slow", t->n_slow);
    snprintf(legend, sizeof legend, "%s up to %.3g  ! slow", tt_heat_scale(c), t->best);
    tt_rule(c, 0, title, legend);
}

typedef struct drawing {
    const tt_link_matrix *m;
    bool focus; /* the chosen link has the cursor */
} drawing;

static tt_heat_cell show_link(const void *chart, uint32_t line, uint32_t dst)
{
    const drawing *d = chart;
    const tt_link_matrix *m = d->m;
    uint32_t src = m->senders[line];
    tt_link l;
    bool there = sum_of(m, src, dst, &l) > 0, between = there && src != dst;
    double best = m->transports[m->at].best, gbps = there ? speed(&l) : 0;
    tt_heat_cell v = {.shade = between ? tt_heat_shade(best > 0 ? gbps / best : 0) : TT_HEAT_BLANK,
                      .mark = between && l.slow ? '!' : 0,
                      .role = !between ? TT_ROLE_DIM
                              : l.slow ? TT_ROLE_WARN
                                       : TT_ROLE_BAR,
                      .chosen = d->focus && line == m->src && dst == m->dst};
    if (src == dst) v.shade = TT_HEAT_DOT;
    if (!tt_heat_grid_has_numbers(&m->grid)) return v;
    if (there)
        snprintf(v.number, sizeof v.number, gbps < 99.95 ? "%s%.1f" : "%s%.0f", l.slow ? "!" : "", gbps);
    else
        v.number[0] = '-';
    return v;
}

static void draw_head(const tt_link_matrix *m, tt_canvas *c, int y)
{
    const tt_heat_grid *g = &m->grid;
    char text[24];
    int free_x = g->x;
    tt_put_right(c, y, 0, LABEL_W - 1, TT_ROLE_HEAD, "from \\ to");
    for (int i = 0; i < g->columns; i++) {
        uint32_t dst = g->left + (uint32_t)i;
        int n = snprintf(text, sizeof text, "%" PRId64, m->ranks[dst]);
        int x = g->x + i * g->cell, at = x + tt_heat_grid_width(g) - n;
        if (at < free_x && g->cell < n + 1) continue;
        tt_heat_label(c, y, at < x ? x : at, n, dst == m->dst ? TT_ROLE_STRONG : TT_ROLE_HEAD, text, &free_x);
    }
}

void tt_link_matrix_draw(tt_link_matrix *m, tt_canvas *c, int y0, bool focus, tt_unit unit)
{
    tt_heat_grid *g = &m->grid;
    char text[256];
    g->h = 0;
    if (!m->n_links || c->h < 1) return;
    draw_rule(m, c);
    bool words = c->h >= 5;
    int room = c->w - LABEL_W - 1, lines = c->h - 2 - words;
    if (lines < 1 || room < LEAST) {
        tt_link_matrix_text(m, unit, text, sizeof text);
        tt_put_cut(c, 1, 1, TT_ROLE_TEXT, text, c->w - 2, TT_CUT_END);
        return;
    }
    g->n_lines = m->n_senders;
    g->n_columns = m->n_ranks;
    g->x = LABEL_W;
    g->y = y0 + 2;
    g->h = lines;
    tt_heat_grid_fit(g, room, LEAST, WIDEST);
    g->top = tt_scroll_within(g->top, m->src, lines, g->n_lines);
    g->left = tt_scroll_within(g->left, m->dst, g->columns, g->n_columns);
    draw_head(m, c, 1);
    for (int i = 0; i < lines && g->top + (uint32_t)i < g->n_lines; i++) {
        uint32_t line = g->top + (uint32_t)i;
        snprintf(text, sizeof text, "rank %" PRId64, m->ranks[m->senders[line]]);
        tt_put_right(c, 2 + i, 0, LABEL_W - 1, line == m->src ? TT_ROLE_STRONG : TT_ROLE_NAME, text);
        tt_heat_grid_draw(g, c, 2 + i, line, show_link, &(drawing){m, focus});
    }
    if (!words) return;
    uint32_t rows = g->n_lines - g->top;
    tt_link_matrix_text(m, unit, text, sizeof text);
    tt_put_cut(c, 2 + (rows < (uint32_t)lines ? (int)rows : lines), 1, TT_ROLE_TEXT, text, c->w - 2, TT_CUT_END);
}

bool tt_link_matrix_choose(tt_link_matrix *m, int y, int x)
{
    uint32_t line, column;
    if (!tt_heat_grid_hit(&m->grid, y, x, &line, &column) || column == TT_NONE) return false;
    m->src = line;
    m->dst = column;
    return true;
}
