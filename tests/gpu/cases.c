/* tests/gpu/cases.c - difficult cases on a GPU, one a call, each with known counts: cases MODE [N [M]]. Prints its
 * work as key=value pairs. Uses the driver's API alone (driver.h), like target.c.
 *   threads T N   T threads with N launches each
 *   cycles N      N steps of 10 ms in ranges while 8 threads launch all the time
 *   profiler      twice: launches, cuProfilerStart(), 100 launches, cuProfilerStop(), launches; the longest start
 *   range         the same with a range called "the range"
 *   graphs        for --start-paused: a graph instantiated while nothing is recorded, launched in two windows
 *   stuck FILE    50 launches, a kernel that runs for 10 minutes, 20 launches behind it; "pid PID", then waits for
 *                 its end
 *   behind FILE   as ticks, but kernels of 2 ms, which are launched as fast as the driver lets it
 *   ticks FILE    launches for a minute, or until it is killed; "pid PID", then each 100 ms "NS LAUNCHED"
 * (CLOCK_REALTIME) each          calls that launch work besides cuLaunchKernel, where the driver has them memory N N
 * launches, and free device memory before and after init          result of cuInit() alone */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "capture/tracetty.h"
#include "tests/gpu/driver.h"

enum { LAUNCHES = 10, INSIDE = 100, OUTSIDE = 50, LAUNCHERS = 8, BYTES = 1 << 20 };

static struct {
    handle context, stream, nothing, spin;
    address device;
    void *host;
    atomic_long launched;
    atomic_bool stop;
} t;

static void begin(void)
{
    handle module = driver_begin(&t.context);
    OK(cu.get_function(&t.nothing, module, "nothing"));
    OK(cu.get_function(&t.spin, module, "spin"));
    OK(cu.mem_alloc(&t.device, BYTES));
    OK(cu.host_alloc(&t.host, BYTES));
    OK(cu.stream_create(&t.stream, 1));
}

static void launch(handle stream)
{
    OK(cu.launch(t.nothing, 1, 1, 1, 32, 1, 1, 0, stream, NULL, NULL));
    atomic_fetch_add(&t.launched, 1);
}

static void nap_ms(long ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL); }

static void *many(void *n)
{
    OK(cu.set_current(t.context));
    for (long i = 0; i < (long)n; i++) launch(t.stream);
    return NULL;
}

static void threads(long n, long each)
{
    enum { MOST = 256 };
    pthread_t id[MOST];
    if (n > MOST) n = MOST;
    for (long i = 0; i < n; i++) pthread_create(&id[i], NULL, many, (void *)each);
    for (long i = 0; i < n; i++) pthread_join(id[i], NULL);
    OK(cu.synchronize());
    printf("kernels=%ld\n", atomic_load(&t.launched));
}

static void *all_the_time(void *unused)
{
    (void)unused;
    OK(cu.set_current(t.context));
    while (!atomic_load(&t.stop)) {
        launch(t.stream);
        nanosleep(&(struct timespec){0, 100000}, NULL);
    }
    return NULL;
}

static void cycles(long n)
{
    pthread_t id[LAUNCHERS];
    char name[40];
    for (int i = 0; i < LAUNCHERS; i++) pthread_create(&id[i], NULL, all_the_time, NULL);
    double begun = seconds();
    for (long i = 0; i < n; i++) {
        snprintf(name, sizeof name, "ProfilerStep#%ld", i);
        tracetty_range_push(name);
        for (int k = 0; k < 10; k++) launch(t.stream);
        nap_ms(10);
        tracetty_range_pop();
    }
    double took = seconds() - begun;
    atomic_store(&t.stop, true);
    for (int i = 0; i < LAUNCHERS; i++) pthread_join(id[i], NULL);
    OK(cu.synchronize());
    printf("steps=%ld kernels=%ld step_ms=%.3f\n", n, atomic_load(&t.launched), took * 1e3 / (double)n);
}

static void window(int by_range, double *longest)
{
    double at = seconds();
    if (by_range) {
        tracetty_range_push("the range");
    } else if (cu.profiler_start) {
        OK(cu.profiler_start());
    }
    at = seconds() - at;
    if (at > *longest) *longest = at;
    for (int i = 0; i < INSIDE; i++) launch(t.stream);
    OK(cu.synchronize());
    if (by_range) {
        tracetty_range_pop();
    } else if (cu.profiler_stop) {
        OK(cu.profiler_stop());
    }
}

static void windows(int by_range)
{
    double longest = 0;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < OUTSIDE; k++) launch(t.stream);
        OK(cu.synchronize());
        window(by_range, &longest);
        for (int k = 0; k < OUTSIDE; k++) launch(t.stream);
        OK(cu.synchronize());
        nap_ms(500);
    }
    printf("kernels=%d start_ms=%.3f\n", 2 * INSIDE, longest * 1e3);
}

static void graphs(void)
{
    handle graph, exec;
    OK(cu.begin_capture(t.stream, 0));
    for (int i = 0; i < nodes(); i++) OK(cu.launch(t.nothing, 1, 1, 1, 32, 1, 1, 0, t.stream, NULL, NULL));
    OK(cu.end_capture(t.stream, &graph));
    OK(cu.instantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) {
        tracetty_start();
        nap_ms(500); /* the recorder's own thread enables what is recorded */
        for (int k = 0; k < LAUNCHES; k++) OK(cu.graph_launch(exec, t.stream));
        OK(cu.synchronize());
        tracetty_stop();
        nap_ms(500);
    }
    printf("graphs=%d kernels=%d\n", 2 * LAUNCHES, 2 * LAUNCHES * nodes());
}

static void launch_spin(unsigned long long ns)
{
    void *arguments[] = {&ns};
    OK(cu.launch(t.spin, 1, 1, 1, 1, 1, 1, 0, t.stream, arguments, NULL));
    atomic_fetch_add(&t.launched, 1);
}

static FILE *begin_file(const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out) exit(1);
    fprintf(out, "pid %d\n", getpid());
    fflush(out);
    return out;
}

static void stuck(const char *path)
{
    for (int i = 0; i < 50; i++) launch(t.stream);
    OK(cu.stream_sync(t.stream));
    launch_spin(600000000000ULL);
    for (int i = 0; i < 20; i++) launch(t.stream);
    begin_file(path);
    for (;;) nap_ms(1000);
}

static void behind(const char *path)
{
    FILE *out = begin_file(path);
    for (double end = seconds() + 60; seconds() < end;) {
        struct timespec now;
        for (double until = seconds() + 0.1; seconds() < until;) launch_spin(2000000);
        clock_gettime(CLOCK_REALTIME, &now);
        fprintf(out, "%lld %ld\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec, atomic_load(&t.launched));
        fflush(out);
    }
}

static void ticks(const char *path)
{
    FILE *out = begin_file(path);
    for (double end = seconds() + 60; seconds() < end;) {
        struct timespec now;
        double until = seconds() + 0.1;
        while (seconds() < until) {
            for (int i = 0; i < 20; i++) launch(t.stream);
            OK(cu.stream_sync(t.stream));
            nap_ms(1);
        }
        clock_gettime(CLOCK_REALTIME, &now);
        fprintf(out, "%lld %ld\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec, atomic_load(&t.launched));
        fflush(out);
    }
}

/* X(work, function, arguments) */
#define EACH(X)                                                                                                        \
    X(1, cu.launch, (t.nothing, 1, 1, 1, 32, 1, 1, 0, t.stream, NULL, NULL))                                           \
    X(1, cu.cooperative, (t.nothing, 1, 1, 1, 32, 1, 1, 0, t.stream, NULL))                                            \
    X(1, cu.copy, (t.device, t.host, BYTES, t.stream))                                                                 \
    X(1, cu.copy_now, (t.device, t.host, BYTES))                                                                       \
    X(1, cu.copy_inside, (t.device, t.device + BYTES / 2, BYTES / 2, t.stream))                                        \
    X(1, cu.copy_back, (t.host, t.device, BYTES, t.stream))                                                            \
    X(1, cu.set, (t.device, 0, BYTES, t.stream))                                                                       \
    X(1, cu.set_words, (t.device, 0, BYTES / 4, t.stream))                                                             \
    X(0, cu.write_value, (t.stream, t.device, 1, 0))                                                                   \
    X(0, cu.wait_value, (t.stream, t.device, 1, 0))

static void each(void)
{
    int work = 0, refused = 0;
#define X(n, function, arguments)                                                                                      \
    if (function) {                                                                                                    \
        int e = function arguments;                                                                                    \
        work += e ? 0 : (n);                                                                                           \
        refused += e != 0;                                                                                             \
    }
    EACH(X)
#undef X
    OK(cu.synchronize());
    printf("work=%d refused=%d\n", work, refused);
}

static void memory(long n)
{
    size_t before = 0, after = 0, all;
    if (cu.mem_info) OK(cu.mem_info(&before, &all));
    for (long i = 0; i < n; i++) launch(t.stream);
    if (cu.mem_info) OK(cu.mem_info(&after, &all)); /* while the device is still busy with them */
    OK(cu.synchronize());
    printf("kernels=%ld taken_mib=%ld\n", n, before > after ? (long)((before - after) >> 20) : 0);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    long n = argc > 2 ? strtol(argv[2], NULL, 10) : 64, m = argc > 3 ? strtol(argv[3], NULL, 10) : 100;
    if (!driver_load()) return 1;
    if (!strcmp(mode, "init")) return printf("cuInit=%d\n", cu.init(0)) < 0;
    begin();
    if (!strcmp(mode, "threads")) threads(n, m);
    if (!strcmp(mode, "cycles")) cycles(n);
    if (!strcmp(mode, "profiler")) windows(0);
    if (!strcmp(mode, "range")) windows(1);
    if (!strcmp(mode, "graphs")) graphs();
    if (!strcmp(mode, "ticks")) ticks(argv[2]);
    if (!strcmp(mode, "stuck")) stuck(argv[2]);
    if (!strcmp(mode, "behind")) behind(argv[2]);
    if (!strcmp(mode, "each")) each();
    if (!strcmp(mode, "memory")) memory(n);
    return 0;
}
