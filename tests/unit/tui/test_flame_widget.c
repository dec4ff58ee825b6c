/* The picture of merged calls: the node under every cell against widths computed here, movement that stays within the
 * picture, and a search that visits every match once. */
#include <glob.h>
#include <math.h>
#include <stdlib.h>

#include "tests/unit/check.h"
#include "tests/unit/made.h"
#include "tui/flame/flame_widget.h"

static tt_flame *flame(const tt_session *s)
{
    struct tt_window w = {INT64_MIN, INT64_MAX};
    tt_flame_spec spec = {.track = TT_ALL, .root = TT_NONE, .windows = {.at = &w, .n = 1}};
    return tt_flame_new(s, &spec, NULL);
}

static const tt_flame_node *node(const tt_flame_view *v, uint32_t i) { return &v->f->nodes.at[i]; }

/* Begin and end of a node's box, from the root of the picture down, in order of weight. */
static void place(const tt_flame_view *v, uint32_t i, double *x0, double *x1)
{
    *x0 = 0;
    *x1 = v->w;
    if (i == v->zoom) return;
    uint32_t up = node(v, i)->up;
    double from, to, whole = (double)node(v, up)->total[v->weight], sum = 0, before = 0, own = 0;
    place(v, up, &from, &to);
    for (uint32_t k = 0; k < node(v, up)->n; k++) {
        uint32_t child = tt_flame_child(v->f, up, k);
        if (child == i) {
            before = sum;
            own = (double)node(v, child)->total[v->weight];
        }
        sum += (double)node(v, child)->total[v->weight];
    }
    double scale = (to - from) / (sum > whole ? sum : whole);
    *x0 = from + scale * before;
    *x1 = *x0 + scale * own;
}

static bool shown(const tt_flame_view *v, uint32_t i)
{
    while (i != TT_NONE && i != v->zoom) i = node(v, i)->up;
    return i == v->zoom;
}

static void check_cells(tt_flame_view *v, int h, int w)
{
    tt_canvas c = {0};
    uint64_t wrong = 0, boxes = 0;
    tt_canvas_resize(&c, h, w);
    tt_flame_view_draw(v, &c, 3);
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            uint32_t i = tt_flame_view_at(v, y + 3, x);
            if (i == TT_NONE) continue;
            double x0, x1;
            place(v, i, &x0, &x1);
            boxes++;
            wrong += !shown(v, i) || (int)(node(v, i)->depth - node(v, v->zoom)->depth) != y + v->top;
            wrong += x < lround(x0) || x > lround(x1) || (lround(x1) > lround(x0) && x >= lround(x1));
        }
    }
    CHECK(boxes >= (uint64_t)w);
    CHECK_INT(wrong, 0);
    CHECK_INT(tt_flame_view_at(v, 2, 0), TT_NONE);
    CHECK_INT(tt_flame_view_at(v, 3, w), TT_NONE);
    tt_canvas_free(&c);
}

static void check_movement(tt_flame_view *v)
{
    static const tt_action keys[] = {TT_ACT_DOWN,    TT_ACT_DOWN,     TT_ACT_RIGHT,     TT_ACT_LEFT,
                                     TT_ACT_UP,      TT_ACT_ZOOM_OUT, TT_ACT_END,       TT_ACT_RIGHT,
                                     TT_ACT_ZOOM_IN, TT_ACT_PAGE_UP,  TT_ACT_PAGE_DOWN, TT_ACT_RIGHT};
    uint32_t seed = 7;
    for (int i = 0; i < 3000; i++) {
        seed = seed * 1664525u + 1013904223u;
        tt_action a = keys[(seed >> 10) % (sizeof keys / sizeof *keys)];
        tt_flame_view_act(v, a);
        if (!shown(v, v->cursor) || !node(v, v->cursor)->total[v->weight]) {
            CHECK(shown(v, v->cursor));
            CHECK(node(v, v->cursor)->total[v->weight] > 0);
            return;
        }
        if (a == TT_ACT_END) { /* no node below, and the widest node at each level on the way */
            CHECK(!node(v, v->cursor)->n || !node(v, tt_flame_child(v->f, v->cursor, 0))->total[v->weight]);
        }
    }
    tt_flame_view_act(v, TT_ACT_WHOLE);
    tt_flame_view_act(v, TT_ACT_TOP);
    CHECK_INT(v->cursor, 0);
    tt_flame_view_act(v, TT_ACT_END);
    for (uint32_t i = v->cursor; i; i = node(v, i)->up) CHECK_INT(tt_flame_child(v->f, node(v, i)->up, 0), i);
}

static void check_search(tt_flame_view *v, const char *text)
{
    uint64_t n = 0;
    uint8_t *met = calloc(v->f->nodes.n, 1);
    for (uint32_t i = 0; i < v->f->nodes.n; i++) {
        char buf[128];
        n += node(v, i)->total[v->weight] > 0 && strcasestr(tt_flame_name(v->f, i, buf, sizeof buf), text);
    }
    CHECK(n > 3);
    tt_flame_view_go(v, 0, 0);
    CHECK(tt_flame_view_find(v, text, 0));
    CHECK_INT(v->n_found, n);
    int64_t last = INT64_MAX;
    for (uint64_t i = 0; i < n; i++) {
        CHECK(!met[v->cursor]);
        CHECK(shown(v, v->cursor));
        CHECK(node(v, v->cursor)->total[v->weight] <= last);
        last = node(v, v->cursor)->total[v->weight];
        met[v->cursor] = 1;
        tt_flame_view_find(v, text, 1);
    }
    CHECK(met[v->cursor]); /* the search starts over */
    uint32_t first = v->cursor;
    tt_flame_view_find(v, text, -1);
    tt_flame_view_find(v, text, 1);
    CHECK_INT(v->cursor, first);
    CHECK(!tt_flame_view_find(v, "no such name", 1));
    free(met);
}

int main(void)
{
    glob_t found;
    CHECK_INT(glob("assets/sample_gpu/*rank0*.json.gz", 0, NULL, &found), 0);
    tt_session *s = load_trace(found.gl_pathv[0]);
    if (s) {
        tt_flame_view v = {0};
        tt_flame_view_set(&v, flame(s));
        for (int w = 0; w < TT_FLAME_WEIGHTS; w++) {
            tt_flame_view_weigh(&v, (tt_flame_weight)w);
            tt_flame_view_go(&v, 0, 0);
            check_cells(&v, 20, 80);
            check_cells(&v, 5, 33);
            tt_flame_view_act(&v, TT_ACT_END);
            check_cells(&v, 5, 120); /* the same when scrolled */
            tt_flame_view_act(&v, TT_ACT_UP);
            tt_flame_view_act(&v, TT_ACT_ZOOM_IN);
            check_cells(&v, 12, 80);
            check_movement(&v);
            check_search(&v, "addmm");
        }
        tt_flame_view_free(&v);
        tt_session_free(s);
    }
    globfree(&found);
    return check_done();
}
