/* tests/unit/trace/test_flame_fold.c - merging modules of one class and leaving out wrappers, on a trace made by hand.
 * */
#include "model/index/flame.h"
#include "model/text/frame_name.h"
#include "tests/unit/check.h"
#include "tests/unit/made.h"

static int ids;

static void frame(made_trace *m, const char *name, int from, int us)
{
    bool module = !strncmp(name, "nn.Module", 9);
    ids++;
    fprintf(
        m->f,
        "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d,\"args\":{"
        "\"Python id\":%d%s}},\n",
        name, from, us, ids, module ? ",\"Python module id\":0" : "");
}

static void op(made_trace *m, const char *name, int from, int us)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d,\"args\":{}},\n",
            name, from, us);
}

static void kernel(made_trace *m, int correlation, int from)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":5,\"args\":{"
            "\"correlation\":%d,\"device\":0,\"stream\":7}},\n",
            from, correlation);
}

static const tt_flame_node *node(const tt_flame *f, const char *name)
{
    char buf[128];
    const tt_flame_node *found = NULL;
    for (uint32_t i = 0; i < f->nodes.n; i++) {
        if (strcmp(tt_flame_name(f, i, buf, sizeof buf), name) != 0) continue;
        CHECK(!found);
        found = &f->nodes.at[i];
    }
    return found;
}

static tt_flame *flame(const tt_session *s, bool fold)
{
    struct tt_window w = {0, s->traces[0]->end + 1};
    tt_flame_spec spec = {.track = TT_ALL, .root = TT_NONE, .fold = fold, .windows = {.at = &w, .n = 1}};
    return tt_flame_new(s, &spec, NULL);
}

static void merged(void)
{
    made_trace m;
    char name[64];
    made_begin(&m);
    frame(&m, "train.py(9): main", 0, 1000);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "nn.Module: Block_%d", i);
        frame(&m, name, 100 * i, 80);
        frame(&m, "torch/nn/modules/module.py(1743): _call_impl", 100 * i + 5, 70);
        frame(&m, "net.py(3): forward", 100 * i + 10, 60);
        op(&m, "aten::mm", 100 * i + 20, 10 + i);
    }
    frame(&m, "nn.Module: Head_0", 400, 50);
    fprintf(m.f, "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":410,"
                 "\"dur\":5,\"args\":{\"correlation\":9}},\n");
    kernel(&m, 9, 420);
    kernel(&m, 0, 500);
    kernel(&m, 77, 600);
    tt_session *s = made_load(&m);
    if (!s) return;
    tt_flame *f = flame(s, true), *all = flame(s, false);
    const tt_flame_node *block = node(f, "Block x3"), *mm = node(f, "aten::mm"), *main = node(f, "train.py(9): main");
    CHECK(block && mm && main);
    if (block && mm && main) {
        CHECK_INT(block->calls, 3);
        CHECK_INT(block->total[TT_FLAME_TIME], 240000);
        CHECK_INT(mm->calls, 3);
        CHECK_INT(mm->total[TT_FLAME_TIME], 33000);
        CHECK_INT(mm->depth, block->depth + 2); /* only forward lies between them */
        CHECK_INT(main->self[TT_FLAME_TIME], 1000000 - 240000 - 50000);
    }
    CHECK(node(f, "nn.Module: Head_0") && !node(f, "torch/nn/modules/module.py(1743): _call_impl"));
    CHECK(node(all, "nn.Module: Block_1") && !node(all, "Block x3"));
    CHECK_INT(f->nodes.at[0].total[TT_FLAME_TIME], all->nodes.at[0].total[TT_FLAME_TIME]);
    CHECK_INT(f->nodes.at[0].total[TT_FLAME_DEVICE], 5000);
    CHECK_INT(f->launched, 1);
    CHECK_INT(f->unlaunched, 2);
    tt_flame_free(f);
    tt_flame_free(all);
    tt_session_free(s);
}

static void names(void)
{
    char class[64];
    size_t n;
    long line;
    CHECK(tt_frame_is_wrapper("torch/nn/modules/module.py(1743): _call_impl"));
    CHECK(tt_frame_is_wrapper("threading.py(973): run") &&
          tt_frame_is_wrapper("/usr/lib/python3.11/threading.py(973): run"));
    CHECK(tt_frame_is_wrapper("torch/utils/_contextlib.py(117): decorate_context"));
    CHECK(!tt_frame_is_wrapper("net.py(3): __call__") && tt_frame_is_wrapper("torch/_ops.py(1244): __call__"));
    CHECK(!tt_frame_is_wrapper("my_threading.py(9): run") && !tt_frame_is_wrapper("net.py(3): forward"));
    CHECK(!tt_frame_is_wrapper("<built-in function linear>") && !tt_frame_is_wrapper(""));
    CHECK_INT(tt_module_class(class, sizeof class, "nn.Module: Linear_17"), 6);
    CHECK(!strcmp(class, "Linear"));
    tt_module_class(class, sizeof class, "nn.Module: Conv2d_0");
    CHECK(!strcmp(class, "Conv2d"));
    tt_module_class(class, sizeof class, "_0");
    CHECK(!strcmp(class, "_0"));
    CHECK(tt_frame_place("a (b)/net.py(12): f", &n, &line) && n == 12 && line == 12);
    CHECK(!tt_frame_place("net.py: f", &n, &line) && !tt_frame_place("(12): f", &n, &line));
    CHECK(!tt_frame_place("net.py(99999999999999999999): f", &n, &line));
}

int main(void)
{
    temp_begin();
    merged();
    names();
    temp_end();
    return check_done();
}
