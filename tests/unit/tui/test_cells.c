/* Colours of timeline cells against the slices inside them: no cell mixes colours; a cell with many slices has the
 * colour of the class with most of the time. The classes of names are written here by hand. */
#include <locale.h>
#include <string.h>

#include "tests/unit/made.h"
#include "tests/unit/random.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/nodes.h"

enum { N = 3000, H = 30, W = 140 };

static const struct {
    const char *name;
    tt_hue hue;
} known[] = {
    {"ampere_sgemm_128x64_nn", TT_HUE_KERNEL},
    {"cudnn_infer_volta_scudnn_128x64_relu_small_nn_v1", TT_HUE_KERNEL},
    {"void flash_fwd_kernel<int>(P)", TT_HUE_ATTENTION},
    {"void (anonymous namespace)::softmax_warp_forward<float>(float*)", TT_HUE_NORM},
    {"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>(F)", TT_HUE_ELEMENTWISE},
    {"void CatArrayBatchedCopy<float>(float*)", TT_HUE_MEMCPY},
    {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclComm*)", TT_HUE_COMMUNICATION},
    {"kernel_a", TT_HUE_KERNEL_OTHER},
};
enum { KNOWN = sizeof known / sizeof *known };

typedef struct piece {
    int64_t start, end; /* ns */
    unsigned what;      /* index in known */
} piece;

static piece pieces[N];

static tt_session *make(uint64_t seed)
{
    made_trace m;
    uint64_t rnd = seed * 2654435761u + RANDOM_SEED;
    int64_t us = 10;
    made_begin(&m);
    for (unsigned i = 0; i < N; i++) {
        int64_t dur = 1 + (int64_t)(random_next(&rnd) % (i % 100 < 4 ? 3000 : 30));
        unsigned what = (unsigned)(random_next(&rnd) % (i % 500 < 200 ? 2 : KNOWN)); /* with stretches of one class */
        pieces[i] = (piece){us * 1000, (us + dur) * 1000, what};
        fprintf(m.f,
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":7,\"ts\":%lld,\"dur\":%lld,"
                "\"args\":{\"device\":0,\"stream\":7,\"correlation\":%u}},\n",
                known[what].name, (long long)us, (long long)dur, i + 1);
        us += dur + (random_next(&rnd) % 3 ? 0 : (int64_t)(random_next(&rnd) % 40));
    }
    return made_load(&m);
}

/* Line of the stream on the screen. */
static int stream_row(tt_timeline *t, const tt_timeline_plan *p)
{
    for (int i = 0; i < p->rows; i++) {
        uint32_t line = tt_timeline_line_at(t, i);
        const tt_timeline_node *n = line == TT_NONE ? NULL : &t->nodes.at[t->lines.at[line].node];
        if (n && n->kind == TT_TIMELINE_TRACK && n->device) return i;
    }
    return -1;
}

static uint64_t hue_bit(tt_paint p) { return tt_paint_is_hue(p) ? (uint64_t)1 << tt_paint_hue_of(p) : 0; }

static unsigned check_window(tt_timeline *t, tt_canvas *c, tt_timeline_frame *f)
{
    tt_canvas_clear(c);
    tt_timeline_plan p = tt_timeline_arrange(t, H, W, 0);
    tt_timeline_draw(t, c, &p, f);
    int row = stream_row(t, &p);
    unsigned foreign = 0, wrong = 0, many = 0, first = t->session->traces[0]->start[0] == 0 ? 10000 : 0;
    CHECK(row >= 0);
    for (int col = 0; row >= 0 && col < t->cols; col++) {
        int64_t a = tt_timeline_edge(t, col) + first, b = tt_timeline_edge(t, col + 1) + first, in[TT_HUE_COUNT_] = {0};
        uint64_t there = 0;
        unsigned n = 0, best = 0;
        for (unsigned i = 0; i < N; i++) {
            if (pieces[i].start >= b || pieces[i].end <= a) continue;
            tt_hue h = known[pieces[i].what].hue;
            in[h] += (pieces[i].end < b ? pieces[i].end : b) - (pieces[i].start > a ? pieces[i].start : a);
            there |= (uint64_t)1 << h;
            n++;
        }
        for (unsigned h = 0; h < TT_HUE_COUNT_; h++) best = in[h] > in[best] ? h : best;
        const tt_cellc *cell = &c->cells[(size_t)(p.rows_y + row) * (size_t)c->stride + (size_t)(p.label_w + col)];
        uint64_t shown =
            cell->style & TT_STYLE_FILL ? hue_bit(tt_style_fg(cell->style)) | hue_bit(tt_style_bg(cell->style)) : 0;
        foreign += (shown & ~there) != 0 || (n > 0 && shown == 0);
        if (n < 3) continue; /* one or two slices may be drawn side by side */
        many++;
        wrong += shown != (uint64_t)1 << best;
    }
    CHECK_INT(foreign, 0);
    CHECK_INT(wrong, 0);
    return many;
}

static void check_seed(uint64_t seed, bool mono)
{
    tt_session *s = make(seed);
    tt_timeline *t = tt_timeline_new(s);
    tt_canvas c = {.mono = mono};
    tt_timeline_frame f = {0};
    unsigned many = 0;
    tt_canvas_resize(&c, H, W);
    tt_timeline_whole(t);
    for (int i = 0; i < 20; i++) {
        t->sel.row = TT_NONE;
        many += check_window(t, &c, &f);
        if (i % 4 == 3)
            tt_timeline_pan(t, 1);
        else
            tt_timeline_zoom(t, 2, 3);
    }
    CHECK(many > 200);
    tt_timeline_frame_free(&f);
    tt_canvas_free(&c);
    tt_timeline_free(t);
    tt_session_free(s);
}

int main(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8")) return 77;
    temp_begin();
    for (uint64_t seed = 1; seed < 4; seed++) check_seed(seed, false);
    check_seed(4, true);
    temp_end();
    return check_done();
}
