// Sums of kernels by class, cut to a part of the time: by hand, then random kernels and intervals against a look at
// each microsecond.
#include "model/tables/analysis/device/kernel_sums.h"
#include "tests/unit/made.h"
#include "tests/unit/random.h"

static void work(made_trace *m, const char *cat, const char *name, int device, int stream, int ts, int dur)
{
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{"
            "\"device\":%d,\"stream\":%d}},\n",
            cat, name, device, stream, ts, dur, device, stream);
}

static void by_hand(void)
{
    made_trace m;
    made_begin(&m);
    work(&m, "kernel", "sgemm", 0, 7, 0, 100);
    work(&m, "kernel", "add_kernel", 0, 8, 50, 100); // runs beside the first kernel
    work(&m, "kernel", "copy_kernel", 0, 7, 200, 0); // a kernel without duration
    work(&m, "gpu_memcpy", "Memcpy HtoD", 0, 7, 210, 50);
    work(&m, "kernel", "add_kernel", 0, 8, 300, 40);
    work(&m, "kernel", "softmax", 1, 7, 10, 10);
    tt_session *s = made_load(&m);
    tt_kernel_sums all = tt_kernel_sums_of(s, 0, 0, NULL);
    CHECK_INT(all.ns[TT_KERNEL_GEMM], 100000);
    CHECK_INT(all.ns[TT_KERNEL_ELEMENTWISE], 140000);
    CHECK_INT(all.calls[TT_KERNEL_ELEMENTWISE], 2);
    CHECK_INT(all.calls[TT_KERNEL_COPY], 1); // the Memcpy does not count
    CHECK_INT(all.ns[TT_KERNEL_COPY], 0);
    CHECK_INT(all.all_ns, 240000);
    CHECK_INT(all.all_calls, 4);
    tt_ivs in = {0};
    tt_ivs_add(&in, 20000, 60000);
    tt_ivs_add(&in, 100000, 120000); // the product ends where the interval begins
    tt_ivs_add(&in, 200000, 310000);
    all = tt_kernel_sums_of(s, 0, 0, &in);
    CHECK_INT(all.ns[TT_KERNEL_GEMM], 40000);
    CHECK_INT(all.ns[TT_KERNEL_ELEMENTWISE], 10000 + 20000 + 10000);
    CHECK_INT(all.calls[TT_KERNEL_ELEMENTWISE], 2);
    CHECK_INT(all.calls[TT_KERNEL_COPY], 1);
    CHECK_INT(all.all_ns, 80000);
    all = tt_kernel_sums_of(s, 0, 1, &in);
    CHECK_INT(all.all_calls, 0);
    in.n = 0;
    CHECK_INT(tt_kernel_sums_of(s, 0, 0, &in).all_calls, 0);
    tt_vec_free(&in);
    tt_session_free(s);
}

static void random_times(void)
{
    static const char *const names[] = {"sgemm", "add_kernel", "softmax", "k"};
    static const tt_kernel_class class[] = {TT_KERNEL_GEMM, TT_KERNEL_ELEMENTWISE, TT_KERNEL_NORM, TT_KERNEL_OTHER};
    for (uint64_t seed = 1; seed <= 30; seed++) {
        uint64_t r = seed;
        int64_t want[TT_KERNEL_CLASS_COUNT_] = {0};
        bool inside[300] = {false};
        tt_ivs in = {0};
        made_trace m;
        made_begin(&m);
        fputs("{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":1},\n", m.f);
        for (int i = 0; i < 6; i++) {
            int t = (int)(random_next(&r) % 250), n = (int)(random_next(&r) % 40);
            tt_ivs_add(&in, t * 1000, (t + n) * 1000);
            for (int k = t; k < t + n; k++) inside[k] = true;
        }
        tt_ivs_normalise(&in);
        for (int stream = 7; stream < 9; stream++) {
            for (int i = 0, t = 0; i < 20 && t < 270; i++) {
                int n = (int)(random_next(&r) % 20);
                size_t name = random_next(&r) % 4;
                t += (int)(random_next(&r) % 10);
                work(&m, "kernel", names[name], 0, stream, t, n);
                for (int k = t; k < t + n; k++) want[class[name]] += inside[k] ? 1000 : 0;
                t += n;
            }
        }
        tt_session *s = made_load(&m);
        tt_kernel_sums got = tt_kernel_sums_of(s, 0, 0, &in);
        for (int c = 0; c < TT_KERNEL_CLASS_COUNT_; c++) CHECK_INT(got.ns[c], want[c]);
        tt_vec_free(&in);
        tt_session_free(s);
    }
}

int main(void)
{
    temp_begin();
    by_hand();
    random_times();
    temp_end();
    return check_done();
}
