/* The words on rows of the timeline: labels of runs, short names, the selected slice and its details. */
#include <locale.h>
#include <string.h>

#include "tests/unit/made.h"
#include "tui/timeline/draw/detail_draw.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/navigate/select.h"
#include "tui/timeline/rows/detail.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/nodes.h"
#include "tui/timeline/rows/slice_row.h"
#include "tui/widgets/short_names.h"

enum { H = 40, W = 150 };

static void event(made_trace *m, const char *cat, const char *name, int pid, int tid, double us, double dur,
                  const char *args)
{
    fprintf(
        m->f,
        "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"args\":{%s}},\n",
        cat, name, pid, tid, us, dur, args);
}

static void kernel(made_trace *m, const char *name, double us, double dur, int correlation)
{
    char args[160];
    snprintf(args, sizeof args,
             "\"device\":0,\"stream\":7,\"correlation\":%d,\"grid\":[4,2,1],\"block\":[128,1,1],"
             "\"registers per thread\":96",
             correlation);
    event(m, "kernel", name, 0, 7, us, dur, args);
}

static tt_session *make(void)
{
    made_trace m;
    made_begin(&m);
    event(&m, "python_function", "train.py(31): step", 9, 9, 0, 9000, "\"Python id\":1");
    event(&m, "python_function", "nn.Module: Net_0", 9, 9, 10, 8000,
          "\"Python id\":2,\"Python parent id\":1,\"Python module id\":0");
    event(&m, "python_function", "nn.Module: Linear_3", 9, 9, 20, 2000,
          "\"Python id\":3,\"Python parent id\":2,\"Python module id\":3");
    event(&m, "cpu_op", "aten::addmm", 9, 9, 30, 500, "\"Input Dims\":[[32],[8,16],[16,32]],\"External id\":5");
    event(&m, "cuda_runtime", "cudaLaunchKernel", 9, 9, 100, 20, "\"correlation\":77,\"External id\":5");
    kernel(&m, "ampere_sgemm_128x64_nn", 170, 30, 77); /* starts 50 us after its launch ends */
    for (int i = 0; i < 12; i++)                       /* neighbours of one class with two names */
        kernel(&m, i % 2 ? "ampere_sgemm_32x32_nn" : "Cijk_Alik_Bljk_SB_MT64x16x32", 1000 + 80 * i, 80, 100 + i);
    for (int i = 0; i < 8; i++) /* neighbours with one name */
        kernel(&m,
               "void at::native::vectorized_elementwise_kernel<4, at::native::exp_kernel_cuda(at::T&)::{lambda()#1}, "
               "std::array<char*, 2ul> >(int)",
               3000 + 200 * i, 200, 200 + i);
    kernel(&m, "ampere_sgemm_128x64_nn", 5000, 2000, 300);
    return made_load(&m);
}

typedef struct picture {
    tt_canvas c;
    tt_timeline_frame f;
    tt_timeline_plan p;
    char text[H * W * 4 + H + 1];
} picture;

static void draw(picture *x, tt_timeline *t, bool ascii, bool mono)
{
    size_t n = 0;
    x->c.ascii = ascii;
    x->c.mono = mono;
    tt_canvas_resize(&x->c, H, W);
    x->p = tt_timeline_arrange(t, H, W, 0);
    tt_timeline_draw(t, &x->c, &x->p, &x->f);
    for (int y = 0; y < H; y++) {
        for (int i = 0; i < W; i++) n += tt_utf8_put(x->text + n, x->c.cells[y * x->c.stride + i].ch);
        x->text[n++] = '\n';
    }
    x->text[n] = '\0';
}

static bool shows(const picture *x, const char *what)
{
    bool found = strstr(x->text, what) != NULL;
    if (!found) fprintf(stderr, "no \"%s\" in\n%s", what, x->text);
    return found;
}

static tt_slice_ref slice_at(const tt_session *s, int64_t us, const char *name)
{
    const tt_trace *x = s->traces[0];
    for (tt_row r = 0; r < x->n; r++) {
        if (x->start[r] == us * 1000 && strcmp(tt_row_name(x, r), name) == 0) return (tt_slice_ref){0, r};
    }
    CHECK(false);
    return (tt_slice_ref){0, TT_NONE};
}

static void runs(tt_timeline *t, picture *x)
{
    t->sel.row = TT_NONE;
    draw(x, t, false, false);
    CHECK(shows(x, "gemm x12"));
    CHECK(shows(x, "exp_kernel_cuda x8"));
    tt_timeline_window(t, 900000, 2100000); /* zoomed in, each slice has its own label */
    draw(x, t, false, false);
    CHECK(strstr(x->text, "gemm x12") == NULL);
    CHECK(shows(x, "amper"));
    tt_timeline_whole(t);
}

static void names(void)
{
    static const struct {
        int w;
        const char *name, *want;
    } known[] = {
        {60,
         "void at::native::vectorized_elementwise_kernel<4, at::native::exp_kernel_cuda(at::T&)::{lambda()#1}>(int)",
         "exp_kernel_cuda"},
        {60,
         "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float>>>(int)",
         "MeanOps"},
        {60,
         "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2>(cutlass_80_ten::P)",
         "cutlass_tensorop_bf16_s16816gemm_bf16_tn"},
        {12, "_Z6vecaddPfS_i", "vecadd"},
        {40, "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Traits<64, 128, 128, 4, false>>(P)",
         "flash_fwd_kernel"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char out[256];
        tt_slice_short_name(out, sizeof out, TT_KIND_KERNEL, known[i].name, known[i].w, false);
        CHECK_STR(out, known[i].want);
    }
    char out[256];
    tt_slice_short_name(out, sizeof out, TT_KIND_STEP, "ProfilerStep#1012", 10, false);
    CHECK_STR(out, "step 1012");
    tt_slice_short_name(out, sizeof out, TT_KIND_GPU_ANNOTATION, "ProfilerStep#1012", 5, false);
    CHECK_STR(out, "1012");
    tt_slice_short_name(out, sizeof out, TT_KIND_MODULE, "nn.Module: BertSdpaSelfAttention_11", 12, false);
    CHECK_STR(out + strlen(out) - 3, "_11");
}

/* The selected slice keeps its colour; brackets mark its ends and its name is reversed. */
static void selected(tt_timeline *t, picture *x)
{
    tt_timeline_select(t, slice_at(t->session, 5000, "ampere_sgemm_128x64_nn"), false);
    draw(x, t, false, false);
    int row = tt_timeline_row_of(t, t->line) + x->p.rows_y, accent = 0, reversed = 0, own = 0;
    for (int col = 0; col < t->cols; col++) {
        tt_style st = x->c.cells[row * x->c.stride + x->p.label_w + col].style;
        if (!(st & TT_STYLE_FILL)) continue;
        accent += tt_style_fg(st) == TT_PAINT_ACCENT || tt_style_bg(st) == TT_PAINT_ACCENT;
        reversed += (st & TT_REVERSE) != 0;
        own += tt_paint_is_hue(tt_style_bg(st)) && tt_paint_hue_of(tt_style_bg(st)) == TT_HUE_KERNEL;
    }
    CHECK(accent >= 2 && accent <= 4);
    CHECK(reversed >= 10);
    CHECK(own >= 15);
    for (int k = 0; k < 2; k++) { /* first without colours, then in ASCII */
        draw(x, t, k, !k);
        const tt_cellc *line = &x->c.cells[row * x->c.stride + x->p.label_w];
        int open = -1, close = -1;
        for (int col = 0; col < t->cols; col++) {
            open = line[col].ch == '[' ? col : open;
            close = line[col].ch == ']' ? col : close;
        }
        CHECK(open >= 0 && close > open + 10);
    }
}

static const char *fact(const tt_detail *d, const char *key)
{
    for (size_t i = 0; i < d->facts.n; i++) {
        if (strcmp(d->facts.at[i].key, key) == 0) return d->facts.at[i].value;
    }
    return "(none)";
}

static void facts(tt_timeline *t)
{
    tt_detail d = {.of.row = TT_NONE};
    tt_detail_make(&d, t, slice_at(t->session, 170, "ampere_sgemm_128x64_nn"), TT_UNIT_US, false);
    CHECK(strncmp(fact(&d, "queued"), "50", 2) == 0);
    CHECK(strncmp(fact(&d, "launched by"), "cudaLaunchKernel, 70", 20) == 0);
    CHECK_STR(fact(&d, "operator"), "aten::addmm  [[32], [8, 16], [16, 32]]");
    CHECK_STR(fact(&d, "module"), "Net_0 > Linear_3");
    CHECK_STR(fact(&d, "python line"), "train.py(31): step");
    /* 30 + 2000 us of the name's 30 + 960 + 1600 + 2000 */
    CHECK(strncmp(fact(&d, "same name"), "2 calls   2", 11) == 0);
    CHECK(strstr(fact(&d, "same name"), "44.2% of GPU time") != NULL);
    CHECK_STR(fact(&d, "registers"), "96");
    CHECK_INT(tt_detail_pane_lines(&d, 160), 8); /* lines: one for the name, two of short facts, five of long facts */
    tt_detail_make(&d, t, slice_at(t->session, 5000, "ampere_sgemm_128x64_nn"), TT_UNIT_US, false);
    CHECK(strstr(fact(&d, "launched by"), "no launch event") != NULL);
    CHECK_STR(fact(&d, "queued"), "(none)");
    CHECK_STR(fact(&d, "python line"), "(none)");
    tt_detail_make(&d, t, slice_at(t->session, 30, "aten::addmm"), TT_UNIT_US, false);
    CHECK(strstr(fact(&d, "GPU time"), " in 1 kernel") != NULL);
    CHECK_STR(fact(&d, "module"), "Net_0 > Linear_3");
    tt_detail_free(&d);
}

int main(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8")) return 77;
    static picture x;
    temp_begin();
    tt_session *s = make();
    tt_timeline *t = tt_timeline_new(s);
    names();
    runs(t, &x);
    selected(t, &x);
    facts(t);
    tt_timeline_frame_free(&x.f);
    tt_canvas_free(&x.c);
    tt_timeline_free(t);
    tt_session_free(s);
    temp_end();
    return check_done();
}
