/* tui/screens/memory/memory_snapshot.c - see memory_snapshot.h: panes, the map of the segments, where memory ran
 * out. */
#include "tui/screens/memory/memory_snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/sort_by.h"
#include "tui/screen/host.h"
#include "tui/widgets/format_value.h"

const tt_pane tt_snapshot_panes[TT_SNAPSHOT_PANES] = {
    {"memory_peak", "Live", NULL},
    {"memory_stacks", "Stacks", NULL},
    {"memory_events", "Allocations", NULL},
    {"memory_segments", "Segments", NULL},
    {"memory_fragmentation", "Fragmentation", NULL},
    {"memory_devices", "Devices", NULL},
    {"findings", "Findings", NULL},
};

bool tt_memory_any_snapshot(const tt_session *s)
{
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (s->traces[i]->snapshot) return true;
    }
    return false;
}

/* ---- out of memory ---- */

const tt_snapshot_event *tt_memory_oom_after(const tt_trace *s, unsigned device, int64_t t)
{
    const tt_snapshot_event *first = NULL;
    for (uint32_t i = 0; s->snapshot && i < s->snapshot->n_ooms; i++) {
        const tt_snapshot_event *e = &s->snapshot->events[s->snapshot->ooms[i]];
        if (e->device != device) continue;
        if (e->ts > t) return e;
        if (!first) first = e;
    }
    return first;
}

const tt_snapshot_event *tt_memory_oom_at(const tt_trace *s, unsigned device, int64_t t)
{
    const tt_snapshot_event *e = tt_memory_oom_after(s, device, t - 1);
    return e && e->ts == t ? e : NULL;
}

int tt_memory_oom_text(const tt_snapshot_event *e, char *out, size_t cap)
{
    char asked[TT_TEXT_CAP], left[TT_TEXT_CAP];
    tt_format_bytes(asked, e->size);
    if (e->addr == TT_SNAPSHOT_NOT_SAID) return snprintf(out, cap, "out of memory: %s requested", asked);
    return snprintf(out, cap, "out of memory: %s requested, %s free on the device", asked,
                    tt_format_bytes(left, (int64_t)e->addr));
}

bool tt_memory_takes(const tt_host *host, const tt_drilldown *o)
{
    const tt_session *session = tt_host_session(host);
    return o->what == TT_DRILL_RANGE && o->trace < session->n_traces && session->traces[o->trace]->snapshot;
}

/* ---- the map ---- */

void tt_memory_map_free(tt_memory_map *m)
{
    free(m->order);
    *m = (tt_memory_map){0};
}

typedef struct sized {
    int64_t free, size;
    uint32_t segment;
} sized;

static void add_blocks(tt_memory_map *m, const tt_snapshot *p, const tt_snapshot_segment *g)
{
    m->reserved += g->size;
    if (g->size > m->widest) m->widest = g->size;
    for (uint32_t i = 0; i < g->n; i++) {
        const tt_snapshot_block *b = &p->blocks[g->first + i];
        int64_t *to[] = {
            [TT_BLOCK_ACTIVE] = &m->allocated, [TT_BLOCK_PENDING] = &m->pending, [TT_BLOCK_FREE] = &m->free};
        *to[b->state] += b->size;
        if (b->state != TT_BLOCK_FREE) continue;
        m->pieces++;
        if (b->size > m->largest) m->largest = b->size;
    }
}

void tt_memory_map_of(tt_memory_map *m, const tt_trace *s, unsigned device)
{
    if (m->of == s && m->device == device && m->order) return;
    const tt_snapshot *p = s->snapshot;
    tt_memory_map_free(m);
    m->of = s;
    m->device = device;
    sized *list = tt_calloc(p->n_segments + (size_t)1, sizeof *list);
    for (uint32_t i = 0; i < p->n_segments; i++) {
        if (p->segments[i].device != device) continue;
        int64_t before = m->free;
        add_blocks(m, p, &p->segments[i]);
        list[m->n++] = (sized){m->free - before, p->segments[i].size, i};
    }
    TT_SORT_BY(list, m->n, TT_DESC(sized, free), TT_DESC(sized, size), TT_ASC(sized, segment));
    m->order = tt_calloc(m->n + (size_t)1, sizeof *m->order);
    for (uint32_t i = 0; i < m->n; i++) m->order[i] = list[i].segment;
    free(list);
}

void tt_memory_map_scroll(tt_memory_map *m, int by, int n)
{
    int64_t most = (int64_t)m->n - n, top = (int64_t)m->top + by;
    if (top > most) top = most;
    m->top = top > 0 ? (uint32_t)top : 0;
}

typedef struct look { /* the look of a cell */
    tt_style style;
    tt_glyph glyph;
} look;
enum { LARGEST = TT_BLOCK_FREE + 1, STATES };
static const look looks[STATES] = {[TT_BLOCK_ACTIVE] = {TT_ROLE_PLOT, TT_G_BLOCK},
                                   [TT_BLOCK_PENDING] = {TT_ROLE_WARN, TT_G_SHADE3},
                                   [TT_BLOCK_FREE] = {TT_ROLE_RULER, TT_G_SHADE1},
                                   [LARGEST] = {TT_ROLE_STRONG, TT_G_SHADE2}};
static const char *const state_names[STATES] = {"allocated", "pending", "free", "largest free"};

static void put_legend(tt_canvas *c, int y)
{
    int x = 2;
    for (int i = 0; i < STATES; i++) {
        tt_put_char(c, y, x, looks[i].style, tt_glyph_of(c, looks[i].glyph));
        tt_put_char(c, y, x + 1, looks[i].style, tt_glyph_of(c, looks[i].glyph));
        x += 5 + tt_put(c, y, x + 3, TT_ROLE_TEXT, state_names[i], -1);
    }
    tt_put_cut(c, y, x + 1, TT_ROLE_DIM, "one line a segment, most free memory first", c->w - x - 2, TT_CUT_END);
}

static void put_sum(const tt_memory_map *m, tt_canvas *c, int y)
{
    char reserved[TT_TEXT_CAP], allocated[TT_TEXT_CAP], pending[TT_TEXT_CAP], left[TT_TEXT_CAP], largest[TT_TEXT_CAP],
        pct[TT_TEXT_CAP], text[320];
    double scattered = m->free > 0 ? 100.0 * (1 - (double)m->largest / (double)m->free) : 0;
    snprintf(text, sizeof text,
             "%s reserved: %s allocated, %s pending, %s free in %u pieces, the largest %s: %s fragmented",
             tt_format_bytes(reserved, m->reserved), tt_format_bytes(allocated, m->allocated),
             tt_format_bytes(pending, m->pending), tt_format_bytes(left, m->free), m->pieces,
             tt_format_bytes(largest, m->largest), tt_format_percent(pct, scattered));
    if ((int)strlen(text) > c->w - 3)
        snprintf(text, sizeof text, "%s reserved, %s free in %u pieces, the largest %s: %s fragmented", reserved, left,
                 m->pieces, largest, pct);
    if ((int)strlen(text) > c->w - 3)
        snprintf(text, sizeof text, "%s free in %u pieces, the largest %s: %s fragmented", left, m->pieces, largest,
                 pct);
    tt_put_cut(c, y, 2, TT_ROLE_TEXT, text, c->w - 3, TT_CUT_END);
}

/* The state with most of the bytes [from, to) of a segment; *k: the block to begin with, moved on. */
static int state_of(const tt_memory_map *m, const tt_snapshot_segment *g, int64_t from, int64_t to, uint32_t *k)
{
    const tt_snapshot *p = m->of->snapshot;
    int64_t of[STATES] = {0};
    while (*k < g->n) {
        const tt_snapshot_block *b = &p->blocks[g->first + *k];
        int64_t b0 = (int64_t)(b->addr - g->addr), b1 = b0 + b->size;
        int64_t lo = b0 > from ? b0 : from, hi = b1 < to ? b1 : to;
        if (hi > lo) of[b->state == TT_BLOCK_FREE && b->size == m->largest ? LARGEST : b->state] += hi - lo;
        if (b1 > to) break;
        ++*k;
    }
    int most = TT_BLOCK_FREE;
    for (int i = 0; i < STATES; i++) {
        if (of[i] > of[most]) most = i;
    }
    return most;
}

/* Draw one segment: its size, its cells, and its purpose. */
static void put_segment(const tt_memory_map *m, const tt_snapshot_segment *g, tt_canvas *c, int y, int label)
{
    char text[TT_TEXT_CAP], what[64];
    const tt_snapshot *p = m->of->snapshot;
    int w = c->w - label - 20, cells = m->widest > 0 ? (int)((double)g->size / (double)m->widest * w + 0.5) : 0;
    uint32_t k = 0;
    if (cells < 2) cells = 2;
    tt_put_right(c, y, 0, label - 1, TT_ROLE_NUMBER, tt_format_bytes(text, g->size));
    for (int i = 0; i < cells; i++) {
        const look *l =
            &looks[state_of(m, g, g->size / cells * i, i + 1 < cells ? g->size / cells * (i + 1) : g->size, &k)];
        tt_put_char(c, y, label + i, l->style, tt_glyph_of(c, l->glyph));
    }
    tt_buf words = tt_buf_of(what);
    tt_buf_add(&words, "%s%s", g->large ? "large" : "small", g->expandable ? ", expandable" : "");
    if (g->stream < p->n_streams && p->streams[g->stream] != 0)
        tt_buf_add(&words, ", stream %lld", (long long)p->streams[g->stream]);
    tt_put_cut(c, y, label + (cells > w ? cells : w) + 1, TT_ROLE_DIM, what, 18, TT_CUT_END);
}

void tt_memory_map_draw(tt_memory_map *m, const char *device, tt_canvas *c)
{
    enum { HEAD = 3, LABEL = 11 };
    char title[80], right[48];
    snprintf(title, sizeof title, "%s  segments when the snapshot was taken", device);
    snprintf(right, sizeof right, "%u segments", m->n);
    tt_rule(c, 0, title, right);
    put_sum(m, c, 1);
    put_legend(c, 2);
    int lines = c->h - HEAD;
    tt_memory_map_scroll(m, 0, lines > 0 ? lines : 1);
    for (int i = 0; i < lines && m->top + (uint32_t)i < m->n; i++)
        put_segment(m, &m->of->snapshot->segments[m->order[m->top + (uint32_t)i]], c, HEAD + i, LABEL);
    if (!m->n) tt_put(c, HEAD, 2, TT_ROLE_DIM, "the snapshot has no segments of this device", -1);
}
