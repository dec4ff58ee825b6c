/* test_canvas.c - drawing on a canvas: clipping, widths, cutting, bars; no control character ever gets into a cell. */
#include "tests/unit/check.h"
#include "tests/unit/random.h"
#include "tui/app/dump/dump.h"
#include "tui/widgets/canvas.h"

#include <locale.h>
#include <stdlib.h>

static char *shown(const tt_canvas *c)
{
    static char text[8192];
    FILE *f = fmemopen(text, sizeof text, "w");
    tt_dump(f, c, tt_themes[0], TT_LEVEL_MONO, true);
    fclose(f);
    return text;
}

static tt_canvas canvas(int h, int w, bool ascii)
{
    tt_canvas c = {.ascii = ascii};
    tt_canvas_resize(&c, h, w);
    return c;
}

static void test_put(void)
{
    tt_canvas c = canvas(2, 8, false);
    CHECK_INT(tt_put(&c, 0, 5, TT_ROLE_TEXT, "abcdef", -1), 3);
    CHECK_INT(tt_put(&c, 1, 0, TT_ROLE_TEXT, "e\xcc\x81t\xc3\xa9", -1), 3); /* e with a combining accent, t, e-acute */
    CHECK_STR(shown(&c), "     abc\ne\xcc\x81t\xc3\xa9\n");
    tt_canvas_clear(&c);
    CHECK_INT(tt_put(&c, 0, 0, TT_ROLE_TEXT, "\xe6\xbc\xa2\xe5\xad\x97", 3),
              2); /* the second wide character does not fit whole */
    CHECK_INT(tt_put(&c, 1, 7, TT_ROLE_TEXT, "\xe6\xbc\xa2", -1), 0);
    tt_put(&c, 0, 1, TT_ROLE_TEXT, "x", -1); /* over a right half: the left half goes, too */
    CHECK_STR(shown(&c), " x\n\n");
    tt_put(&c, -1, 0, TT_ROLE_TEXT, "no", -1);
    tt_put(&c, 5, 0, TT_ROLE_TEXT, "no", -1);
    tt_put(&c, 0, -1, TT_ROLE_TEXT, "ab", -1);
    CHECK_STR(shown(&c), "bx\n\n");
    tt_canvas_free(&c);
}

static void test_controls(void)
{
    tt_canvas c = canvas(1, 40, false);
    tt_put(&c, 0, 0, TT_ROLE_TEXT,
           "a\033[31mb\x7f\xc2\x9b"
           "c\xe2\x80\xae\xff\td\n",
           -1);
    for (int x = 0; x < c.w; x++) CHECK(!tt_is_control(c.cells[x].ch) && c.cells[x].ch != TT_BAD_BYTE);
    tt_put_char(&c, 0, 0, TT_ROLE_TEXT, 27);
    CHECK_INT(c.cells[0].ch, 0x241b);
    tt_canvas a = canvas(1, 10, true);
    tt_put(&a, 0, 0, TT_ROLE_TEXT, "\xc3\xa9\xe6\xbc\xa2z", -1);
    CHECK_STR(shown(&a), "??z\n");
    tt_canvas_free(&c);
    tt_canvas_free(&a);
}

/* Parts of names that cutting may drop, and brackets that must stay. */
static void test_cut_names(void)
{
    static const struct {
        const char *name;
        int w;
        const char *cut;
    } of[] = {
        {"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 56, NULL},
        {"execute_32_context_0(sq0sk0)_generation_32(sq32sk32785)", 50, NULL},
        {"Communication(Not Overlapped)", 24, "Communicatio~Overlapped)"},
        {"## wait() of all ##", 16, "## wait(~ all ##"},
        {"torch/nn/modules/module.py(1518): _call_impl", 30, "module.py(1518): _call_impl"},
        {"<frozen importlib._bootstrap>(1390): _handle_fromlist", 51, NULL},
        {"ncclKernel_SendRecv(ncclDevComm*, unsigned long, ncclWork*)", 30, "ncclKernel_SendRecv"},
        {"void ns::k<int>(float*)::{lambda(int)#1}::operator()(int) const", 40,
         "ns::k<int>::{lambda#1}::operator() const"},
        {"cask::computeOffsets(cask::ComputeOffsetsParams)", 20, "cask::computeOffsets"},
        {"autograd::engine::evaluate_function: torch::autograd::CppNode<Lookup>", 51,
         "evaluate_function: CppNode<Lookup>"},
        {"std::enable_if<(((8)>(0)))&&c::exists, void>::type v::norm<c::T, 8>(c::T*, long)", 29, "norm<T, 8>"},
        {"void n::reduce_kernel<512, 1, n::ReduceOp<float, n::sum> >(n::R)", 28, "reduce_kernel<~ReduceOp<fl~>"},
        {"void cutlass::Kernel2<cutlass_80_bf16_32x32_128x2_tn_align8>(x::Params)", 30,
         "Kernel2<cutlass_80~_tn_align8>"},
        {"some_long_kernel_name_of_mine<4, 128, 23>", 24, "some_long_~me_of_mine<~>"},
        {"void cutlass::Kernel<f16>(f16::Par", 24, "cutlass::Kernel<f16>"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char out[256];
        tt_text_cut(out, sizeof out, of[i].name, of[i].w, TT_CUT_KERNEL, true);
        if (of[i].cut) {
            CHECK_STR(out, of[i].cut);
        } else { /* only the middle of the name is lost */
            char middle[256];
            tt_text_cut(middle, sizeof middle, of[i].name, of[i].w, TT_CUT_MIDDLE, true);
            CHECK_STR(out, middle);
        }
    }
}

/* Whatever brackets a name has, it is never wider than asked for, and whole when it fits. */
static void test_cut_random(void)
{
    static const char letters[] = "ab_9<<>>(),:: {}#-*~\xc3\xa9";
    for (int i = 0; i < 20000; i++) {
        char name[64], out[256];
        size_t n = random_below(sizeof name);
        for (size_t k = 0; k < n; k++) name[k] = letters[random_below(sizeof letters - 1)];
        name[n] = 0;
        int w = (int)random_below(50), used = tt_text_cut(out, sizeof out, name, w, TT_CUT_KERNEL, true);
        CHECK(used <= w && (int)tt_text_width(out, strlen(out)) == used);
        if ((int)tt_text_width(name, n) <= w) CHECK_STR(out, name);
    }
}

static void test_cut(void)
{
    char out[256];
    CHECK_INT(tt_text_cut(out, sizeof out, "abcdefgh", 8, TT_CUT_END, true), 8);
    CHECK_STR(out, "abcdefgh");
    tt_text_cut(out, sizeof out, "abcdefgh", 5, TT_CUT_END, true);
    CHECK_STR(out, "abcd~");
    tt_text_cut(out, sizeof out, "abcdefgh", 5, TT_CUT_START, true);
    CHECK_STR(out, "~efgh");
    tt_text_cut(out, sizeof out, "abcdefgh", 5, TT_CUT_MIDDLE, true);
    CHECK_STR(out, "ab~gh");
    static const char kernel[] =
        "void at::native::(anonymous namespace)::vectorized_elementwise_kernel<4, at::F<int>>(int, F<x>)";
    tt_text_cut(out, sizeof out, kernel, 60, TT_CUT_KERNEL, true);
    CHECK_STR(out, "at::native::vectorized_elementwise_kernel<4, F<int>>");
    tt_text_cut(out, sizeof out, kernel, 34, TT_CUT_KERNEL, true);
    CHECK_STR(out, "vectorized_~wise_kernel<4, F<int>>");
    tt_text_cut(out, sizeof out, kernel, 50, TT_CUT_KERNEL, true);
    CHECK_STR(out, "vectorized_elementwise_kernel<4, F<int>>");
    tt_text_cut(out, sizeof out, "void n::f<x::a<b, c>, (m::n::char)1>(int)", 14, TT_CUT_KERNEL, true);
    CHECK_STR(out, "f<a<b, c>, (~>");
    CHECK_INT(tt_text_cut(out, sizeof out, kernel, 20, TT_CUT_KERNEL, true), 20);
    tt_text_cut(out, sizeof out, "Memcpy HtoD (Pageable -> Device)", 30, TT_CUT_KERNEL, true);
    CHECK_INT(strlen(out), 30);
    CHECK(strncmp(out, "Memcpy HtoD", 11) == 0);
    for (int w = 0; w < 40; w++) {
        CHECK(tt_text_cut(out, sizeof out, "\xe6\xbc\xa2\xe5\xad\x97 and more \xe6\xbc\xa2\xe5\xad\x97<a>(b)", w,
                          TT_CUT_MIDDLE, false) <= w);
    }
}

static void test_shapes(void)
{
    tt_canvas c = canvas(4, 10, false);
    tt_hbar(&c, 0, 0, 4, 0.5, TT_ROLE_BAR);
    tt_hbar(&c, 1, 0, 4, 0.0001, TT_ROLE_BAR);
    tt_hbar(&c, 2, 0, 4, 7.0, TT_ROLE_BAR);
    CHECK_STR(shown(&c),
              "\xe2\x96\x88\xe2\x96\x88\n\xe2\x96\x8f\n\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\n\n");
    tt_canvas a = canvas(3, 12, true);
    tt_canvas in = tt_box(&a, 0, 0, 3, 12, "Hi");
    tt_put(&in, 0, 0, TT_ROLE_TEXT, "0123456789xx", -1);
    CHECK_STR(shown(&a), "+- Hi -----+\n|0123456789|\n+----------+\n");
    tt_canvas_clear(&a);
    CHECK_INT(tt_put_wrapped(&a, 0, 0, 3, 12, TT_ROLE_TEXT, "one two three four"), 2);
    CHECK_STR(shown(&a), "one two\nthree four\n\n");
    tt_put_right(&a, 2, 0, 12, TT_ROLE_TEXT, "12");
    CHECK_STR(shown(&a), "one two\nthree four\n          12\n");
    tt_canvas_free(&c);
    tt_canvas_free(&a);
}

static void test_styles(void)
{
    CHECK_INT(TT_HUE_COUNT_ * TT_TONES < TT_PAINT_MARK, 1);
    CHECK_INT(TT_ROLE_COUNT_ < 256, 1);
    for (tt_paint fg = 0; fg < 64; fg++) {
        tt_style st = tt_style_fill(fg, (tt_paint)(63 - fg));
        CHECK_INT(tt_style_fg(st), fg);
        CHECK_INT(tt_style_bg(st), 63 - fg);
        CHECK(!(st & (TT_BOLD | TT_REVERSE | TT_UNDERLINE)));
    }
    CHECK_INT(tt_paint_slice(TT_KIND_KERNEL, "gemm"), tt_paint_slice(TT_KIND_KERNEL, "gemm"));
    CHECK_INT(tt_hue_slice(TT_KIND_KERNEL, "ncclDevKernel_AllReduce_Sum_f16_RING_LL(ncclDevComm*)"),
              TT_HUE_COMMUNICATION);
    CHECK_INT(tt_hue_slice(TT_KIND_KERNEL, "gemm"), TT_HUE_KERNEL);
    for (int th = 0; tt_themes[th]; th++) { /* every style has an ink at every level, within its colours */
        for (unsigned st = 0; st < 1u << 16; st += 7) {
            CHECK_INT(tt_theme_ink(tt_themes[th], TT_LEVEL_MONO, (tt_style)st).fg, -1);
            tt_ink e = tt_theme_ink(tt_themes[th], TT_LEVEL_8, (tt_style)st),
                   x = tt_theme_ink(tt_themes[th], TT_LEVEL_256, (tt_style)st);
            CHECK(e.fg >= -1 && e.fg < 8 && e.bg >= -1 && e.bg < 8 && x.fg >= -1 && x.fg < 256 && x.bg < 256);
        }
    }
}

int main(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8")) return 77; /* widths of characters come from the locale */
    test_put();
    test_controls();
    test_cut();
    test_cut_names();
    test_cut_random();
    test_shapes();
    test_styles();
    return check_done();
}
