/* tests/gpu/target.c - the work of target.cu for machines without nvcc: the driver's API, loaded at run time, and
 * kernels as PTX that the driver compiles. target [launches [steps]]; prints its work as key=value pairs. Builds
 * without CUDA. TARGET_MANAGED=1: also moves a MiB of unified memory to and fro. TARGET_NVTX_FIRST=1: a range before
 * cuInit(). */
#include <pthread.h>

#include "capture/tracetty.h"
#include "tests/gpu/driver.h"

enum { FLOATS = 1 << 20, STREAMS = 4, GRAPHS = 10, THREADS = 3, OF_THREAD = 50, MANAGED = 1 << 20 };

static struct {
    handle context, streams[STREAMS], add_one, scale, nothing, event;
    address device;
    void *host;
    long kernels, copies, sets, nodes, graphs, events, waits, allocations;
} t;

static void elementwise(handle kernel, address at, int n, handle stream)
{
    void *arguments[] = {&at, &n};
    OK(cu.launch(kernel, (unsigned)(n + 255) / 256, 1, 1, 256, 1, 1, 0, stream, arguments, NULL));
}

static void *work_of_thread(void *arg)
{
    handle stream = t.streams[(long)arg % STREAMS];
    OK(cu.set_current(t.context));
    tracetty_range_push("a thread's work");
    for (int i = 0; i < OF_THREAD; i++) elementwise(t.add_one, t.device, 64 * 256, stream);
    OK(cu.stream_sync(stream));
    tracetty_range_pop();
    return NULL;
}

static void one_step(int step)
{
    char name[40];
    address part;
    snprintf(name, sizeof name, "ProfilerStep#%d", step);
    tracetty_range_push(name);
    tracetty_range_push("copies");
    OK(cu.copy(t.device, t.host, FLOATS * sizeof(float), t.streams[0]));
    OK(cu.set(t.device, 0, FLOATS * sizeof(float), t.streams[1]));
    OK(cu.event_record(t.event, t.streams[0]));
    OK(cu.wait_event(t.streams[2], t.event, 0));
    t.copies++, t.sets++, t.events++, t.waits++;
    tracetty_range_pop();
    tracetty_range_push("kernels");
    for (int i = 0; i < 100; i++, t.kernels++)
        elementwise(i % 10 ? t.add_one : t.scale, t.device, FLOATS, t.streams[i % STREAMS]);
    tracetty_range_pop();
    OK(cu.pool_alloc(&part, 1 << 20, t.streams[3]));
    OK(cu.pool_free(part, t.streams[3]));
    t.allocations++;
    OK(cu.synchronize());
    tracetty_range_pop();
}

static void graphs(void)
{
    handle graph, exec;
    OK(cu.begin_capture(t.streams[0], 0));
    for (int i = 0; i < nodes(); i++) elementwise(t.add_one, t.device, 64 * 256, t.streams[0]);
    OK(cu.end_capture(t.streams[0], &graph));
    OK(cu.instantiate(&exec, graph, 0));
    tracetty_range_push("graphs");
    for (int i = 0; i < GRAPHS; i++, t.graphs++, t.nodes += nodes()) OK(cu.graph_launch(exec, t.streams[0]));
    OK(cu.synchronize());
    tracetty_range_pop();
}

/* Host and device write, the host reads: pages move both ways. */
static void managed(void)
{
    address at;
    OK(cu.managed_alloc(&at, MANAGED, 1));
    float *host = (float *)(size_t)at, sum = 0;
    for (size_t i = 0; i < MANAGED / sizeof *host; i++) host[i] = 1;
    elementwise(t.add_one, at, MANAGED / sizeof *host, t.streams[0]);
    t.kernels++;
    OK(cu.synchronize());
    for (size_t i = 0; i < MANAGED / sizeof *host; i += 1024) sum += host[i];
    printf("sum=%.0f ", (double)sum);
}

static void begin(void)
{
    handle module = driver_begin(&t.context);
    OK(cu.get_function(&t.add_one, module, "add_one"));
    OK(cu.get_function(&t.scale, module, "_Z5scaleIfLi2EEvPT_i"));
    OK(cu.get_function(&t.nothing, module, "nothing"));
    OK(cu.mem_alloc(&t.device, FLOATS * sizeof(float)));
    OK(cu.host_alloc(&t.host, FLOATS * sizeof(float)));
    for (int i = 0; i < STREAMS; i++) OK(cu.stream_create(&t.streams[i], 1));
    OK(cu.event_create(&t.event, 2)); /* an event without timing */
}

int main(int argc, char **argv)
{
    long launches = argc > 1 ? strtol(argv[1], NULL, 10) : 1000, steps = argc > 2 ? strtol(argv[2], NULL, 10) : 5;
    if (argc > 1 && !strcmp(argv[1], "--ptx")) return puts(ptx) < 0;
    if (getenv("TARGET_NVTX_FIRST")) { /* as --ops does: the recorder is there before CUDA */
        tracetty_range_push("a range before cuInit");
        tracetty_range_pop();
    }
    if (!driver_load()) return 1;
    begin();
    double stepped = 0; /* s, from the second step on: the first step loads code */
    for (int i = 0; i < steps; i++) {
        if (i == 1) stepped = seconds();
        one_step(i);
    }
    double step_ms = steps > 1 ? (seconds() - stepped) / (double)(steps - 1) * 1e3 : 0;
    graphs();
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work_of_thread, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    t.kernels += THREADS * OF_THREAD;
    if (getenv("TARGET_MANAGED")) managed();
    double begun = seconds();
    for (long i = 0; i < launches; i++, t.kernels++)
        OK(cu.launch(t.nothing, 1, 1, 1, 32, 1, 1, 0, t.streams[0], NULL, NULL));
    double per_launch = launches ? (seconds() - begun) / (double)launches * 1e9 : 0;
    OK(cu.synchronize());
    printf("steps=%ld kernels=%ld copies=%ld sets=%ld nodes=%ld graphs=%ld events=%ld waits=%ld allocations=%ld "
           "launch_ns=%.0f step_ms=%.4f\n",
           steps, t.kernels + t.nodes, t.copies, t.sets, t.nodes, t.graphs, t.events, t.waits, t.allocations,
           per_launch, step_ms);
    return 0;
}
