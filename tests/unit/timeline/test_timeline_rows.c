/* One thread and several threads draw the same rows; highlighted cells against a scan of all slices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/check.h"
#include "tests/unit/fixture.h"
#include "tests/unit/random.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/nodes.h"
#include "tui/timeline/rows/sources.h"

enum { TRACKS = 5, DEPTHS = 4, PER_LANE = 400, ROWS = TRACKS * DEPTHS * PER_LANE, NAMES = 9, H = 40, W = 150 };

typedef struct key {
    int64_t start;
    unsigned depth;
} key;

static int by_start(const void *a, const void *b)
{
    const key *x = a, *y = b;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : (int)x->depth - (int)y->depth;
}

/* Tracks whose lanes hold slices of random length, independent of each other. */
static void fill(tt_trace *s, uint64_t seed)
{
    static key keys[DEPTHS * PER_LANE];
    char name[32];
    uint64_t rnd = seed * 2654435761u + RANDOM_SEED;
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "aten::name_%d", i);
        tt_strings_put(&s->strings, name, strlen(name));
    }
    for (uint32_t t = 0; t < TRACKS; t++) {
        for (unsigned d = 0; d < DEPTHS; d++) {
            int64_t at = 0;
            for (unsigned i = 0; i < PER_LANE; i++) {
                keys[d * PER_LANE + i] = (key){at, d};
                at += 20 + (int64_t)(random_next(&rnd) % (random_next(&rnd) % 8 ? 60 : 6000));
            }
        }
        qsort(keys, DEPTHS * PER_LANE, sizeof *keys, by_start);
        s->tracks[t] = (tt_track){.first = s->n, .n = DEPTHS * PER_LANE, .depths = DEPTHS, .tid = 1 + t, .name = 1 + t};
        for (unsigned i = 0; i < DEPTHS * PER_LANE; i++, s->n++) {
            s->start[s->n] = keys[i].start;
            s->dur[s->n] = 1 + (int64_t)(random_next(&rnd) % 20);
            s->depth[s->n] = (uint16_t)keys[i].depth;
            s->cat[s->n] = (uint8_t)(random_next(&rnd) % 2 ? TT_KIND_CPU_OP : TT_KIND_ANNOTATION);
            s->name[s->n] = 1 + (tt_sid)(random_next(&rnd) % NAMES);
            s->parent[s->n] = TT_NONE;
            int64_t end = s->start[s->n] + s->dur[s->n];
            s->end = end > s->end ? end : s->end;
        }
    }
    s->n_tracks = TRACKS;
}

static tt_trace *new_trace(uint64_t seed)
{
    tt_trace *s = fixture_rows("w", "0", ROWS);
    s->processes[0].device = -1;
    s->n_processes = 1;
    s->steps[0].row = TT_NONE;
    s->n_steps = 1;
    fill(s, seed);
    return s;
}

static tt_timeline_plan draw(tt_timeline *t, tt_canvas *c, tt_timeline_frame *f)
{
    tt_canvas_clear(c);
    tt_timeline_plan p = tt_timeline_arrange(t, H, W, 0);
    tt_timeline_draw(t, c, &p, f);
    return p;
}

/* Of the cells with more than one slice, exactly those in which a matching slice begins are not dimmed. */
static void check_highlight(const tt_timeline *t, const tt_canvas *c, const tt_timeline_plan *p, const tt_trace *s)
{
    tt_lod_cell cells[W];
    unsigned wrong = 0, lit = 0;
    for (int row = 0; row < p->rows; row++) {
        uint32_t line = tt_timeline_line_at(t, row);
        const tt_line *l = line == TT_NONE ? NULL : &t->lines.at[line];
        if (!l || l->depth == TT_NONE) continue;
        uint32_t track = t->nodes.at[l->node].index;
        tt_lod_query(t->lods[0], track, l->depth, t->t0, t->t1, (uint32_t)t->cols, cells);
        for (int col = 0; col < t->cols; col++) {
            if (cells[col].count < 3) continue; /* one or two slices are drawn exactly */
            bool match = s->name[cells[col].longest] == 3;
            int64_t a = tt_timeline_edge(t, col), b = tt_timeline_edge(t, col + 1);
            for (tt_row r = s->tracks[track].first; r < s->tracks[track].first + s->tracks[track].n; r++) {
                match = match || (s->depth[r] == l->depth && s->name[r] == 3 && s->start[r] >= a && s->start[r] < b);
            }
            const tt_cellc *cell =
                &c->cells[(size_t)(p->rows_y + row) * (size_t)c->stride + (size_t)(p->label_w + col)];
            bool dim = tt_style_fg(cell->style) == TT_PAINT_DIM || tt_style_bg(cell->style) == TT_PAINT_DIM;
            wrong += dim == match;
            lit += match;
        }
    }
    CHECK_INT(wrong, 0);
    CHECK(lit > 0 || t->t1 - t->t0 < 20000);
}

static void check_trace(uint64_t seed)
{
    tt_trace *s = new_trace(seed);
    tt_session *session = tt_session_new(&s, 1, "");
    tt_timeline *t = tt_timeline_new(session);
    tt_canvas one = {0}, several = {0};
    tt_timeline_frame f = {.arrows = true, .many = UINT64_MAX}, g = {.arrows = true, .many = 1};
    tt_canvas_resize(&one, H, W);
    tt_canvas_resize(&several, H, W);
    t->sel.row = TT_NONE;
    for (int highlight = 0; highlight < 2; highlight++) {
        tt_timeline_match(t, highlight ? "aten::name_2" : NULL, true);
        tt_timeline_whole(t);
        for (int i = 0; i < 24; i++) {
            tt_timeline_plan p = draw(t, &one, &f);
            draw(t, &several, &g);
            CHECK_INT(memcmp(one.cells, several.cells, (size_t)H * W * sizeof *one.cells), 0);
            if (highlight) check_highlight(t, &one, &p, s);
            if (i % 3 == 2) {
                tt_timeline_pan(t, 1);
            } else {
                tt_timeline_zoom(t, 2, 3);
            }
        }
    }
    tt_timeline_frame_free(&f);
    tt_timeline_frame_free(&g);
    tt_canvas_free(&one);
    tt_canvas_free(&several);
    tt_timeline_free(t);
    fixture_session_free(session);
}

/* Every kind of row has a label; moving along a row selects a stretch of time and shows facts about it. */
static void test_sources(void)
{
    for (int k = 0; k < TT_TIMELINE_KINDS_; k++) {
        const tt_row_source *of = tt_row_sources[k];
        CHECK(of != NULL);
        CHECK(!of->name != !of->label);
        CHECK(!of->hit || (of->move && of->detail && of->noun));
        CHECK(!of->slice || of->hit);
        CHECK(!of->is_wait || of->hit);
        CHECK(!of->needs || of->cells);
    }
}

int main(void)
{
    test_sources();
    for (uint64_t seed = 1; seed < 6; seed++) check_trace(seed);
    return check_done();
}
