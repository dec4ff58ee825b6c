/* What target.cu does, for machines without nvcc: the driver's own interface, loaded at run time, and kernels as PTX
 * that the driver compiles. target [launches [steps]]; prints what it did as key=value pairs. Needs nothing of
 * CUDA's to build. TARGET_MANAGED=1: a MiB of unified memory goes to and fro, too. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/tracetty.h"

typedef unsigned long long address;
typedef void *handle;

/* X(member, name, parameters) */
#define FUNCTIONS(X)                                                                                                   \
    X(init, "cuInit", (unsigned))                                                                                      \
    X(device_get, "cuDeviceGet", (int *, int))                                                                         \
    X(retain, "cuDevicePrimaryCtxRetain", (handle *, int))                                                             \
    X(set_current, "cuCtxSetCurrent", (handle))                                                                        \
    X(synchronize, "cuCtxSynchronize", (void))                                                                         \
    X(module_load, "cuModuleLoadData", (handle *, const void *))                                                       \
    X(get_function, "cuModuleGetFunction", (handle *, handle, const char *))                                           \
    X(mem_alloc, "cuMemAlloc_v2", (address *, size_t))                                                                 \
    X(host_alloc, "cuMemAllocHost_v2", (void **, size_t))                                                              \
    X(managed_alloc, "cuMemAllocManaged", (address *, size_t, unsigned))                                               \
    X(copy, "cuMemcpyHtoDAsync_v2", (address, const void *, size_t, handle))                                           \
    X(set, "cuMemsetD8Async", (address, unsigned char, size_t, handle))                                                \
    X(stream_create, "cuStreamCreate", (handle *, unsigned))                                                           \
    X(stream_sync, "cuStreamSynchronize", (handle))                                                                    \
    X(event_create, "cuEventCreate", (handle *, unsigned))                                                             \
    X(event_record, "cuEventRecord", (handle, handle))                                                                 \
    X(wait_event, "cuStreamWaitEvent", (handle, handle, unsigned))                                                     \
    X(pool_alloc, "cuMemAllocAsync", (address *, size_t, handle))                                                      \
    X(pool_free, "cuMemFreeAsync", (address, handle))                                                                  \
    X(begin_capture, "cuStreamBeginCapture_v2", (handle, int))                                                         \
    X(end_capture, "cuStreamEndCapture", (handle, handle *))                                                           \
    X(instantiate, "cuGraphInstantiateWithFlags", (handle *, handle, unsigned long long))                              \
    X(graph_launch, "cuGraphLaunch", (handle, handle))                                                                 \
    X(launch, "cuLaunchKernel",                                                                                        \
      (handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **))
static struct {
#define X(member, name, parameters) int(*member) parameters;
    FUNCTIONS(X)
#undef X
} cu;

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        int e_ = (call);                                                                                               \
        if (e_) {                                                                                                      \
            fprintf(stderr, "%s: error %d\n", #call, e_);                                                              \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* x[i] += 1 or *= 2 for i < n; the second one's name is that of a C++ template: void scale<float, 2>(float*, int) */
#define ELEMENTWISE(name, operation)                                                                                   \
    ".visible .entry " name "(.param .u64 p, .param .u32 n)\n"                                                         \
    "{\n"                                                                                                              \
    "    .reg .pred q; .reg .b32 r<5>; .reg .b64 d<4>; .reg .f32 f<2>;\n"                                              \
    "    ld.param.u64 d0, [p]; ld.param.u32 r0, [n];\n"                                                                \
    "    mov.u32 r1, %ctaid.x; mov.u32 r2, %ntid.x; mov.u32 r3, %tid.x;\n"                                             \
    "    mad.lo.s32 r4, r1, r2, r3;\n"                                                                                 \
    "    setp.ge.s32 q, r4, r0;\n"                                                                                     \
    "    @q bra DONE;\n"                                                                                               \
    "    cvta.to.global.u64 d1, d0;\n"                                                                                 \
    "    mul.wide.s32 d2, r4, 4;\n"                                                                                    \
    "    add.s64 d3, d1, d2;\n"                                                                                        \
    "    ld.global.f32 f0, [d3];\n"                                                                                    \
    "    " operation "\n"                                                                                              \
    "    st.global.f32 [d3], f1;\n"                                                                                    \
    "DONE: ret;\n"                                                                                                     \
    "}\n"
static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n" ELEMENTWISE("add_one",
                                                                                        "add.f32 f1, f0, 0f3F800000;")
    ELEMENTWISE("_Z5scaleIfLi2EEvPT_i", "mul.f32 f1, f0, 0f40000000;") ".visible .entry nothing()\n{\n    ret;\n}\n";

enum { FLOATS = 1 << 20, STREAMS = 4, NODES = 8, GRAPHS = 10, THREADS = 3, OF_THREAD = 50, MANAGED = 1 << 20 };

static struct {
    handle context, streams[STREAMS], add_one, scale, nothing, event;
    address device;
    void *host;
    long kernels, copies, sets, nodes, graphs, events, waits, allocations;
} t;

static double seconds(void)
{
    struct timespec s;
    clock_gettime(CLOCK_MONOTONIC, &s);
    return (double)s.tv_sec + (double)s.tv_nsec * 1e-9;
}

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
    for (int i = 0; i < NODES; i++) elementwise(t.add_one, t.device, 64 * 256, t.streams[0]);
    OK(cu.end_capture(t.streams[0], &graph));
    OK(cu.instantiate(&exec, graph, 0));
    tracetty_range_push("graphs");
    for (int i = 0; i < GRAPHS; i++, t.graphs++, t.nodes += NODES) OK(cu.graph_launch(exec, t.streams[0]));
    OK(cu.synchronize());
    tracetty_range_pop();
}

/* Written by the host, by the device, read by the host: pages move both ways. */
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
    handle module;
    int device;
    OK(cu.init(0));
    OK(cu.device_get(&device, 0));
    OK(cu.retain(&t.context, device));
    OK(cu.set_current(t.context));
    OK(cu.module_load(&module, ptx));
    OK(cu.get_function(&t.add_one, module, "add_one"));
    OK(cu.get_function(&t.scale, module, "_Z5scaleIfLi2EEvPT_i"));
    OK(cu.get_function(&t.nothing, module, "nothing"));
    OK(cu.mem_alloc(&t.device, FLOATS * sizeof(float)));
    OK(cu.host_alloc(&t.host, FLOATS * sizeof(float)));
    for (int i = 0; i < STREAMS; i++) OK(cu.stream_create(&t.streams[i], 1));
    OK(cu.event_create(&t.event, 2)); /* without times */
}

int main(int argc, char **argv)
{
    long launches = argc > 1 ? strtol(argv[1], NULL, 10) : 1000, steps = argc > 2 ? strtol(argv[2], NULL, 10) : 5;
    if (argc > 1 && !strcmp(argv[1], "--ptx")) return puts(ptx) < 0;
    void *lib = dlopen("libcuda.so.1", RTLD_NOW);
    const char *missing = NULL;
#define X(member, name, parameters)                                                                                    \
    if (lib) *(void **)&cu.member = dlsym(lib, name);                                                                  \
    if (!cu.member) missing = name;
    FUNCTIONS(X)
#undef X
    if (missing) return fprintf(stderr, "target: no %s: %s\n", missing, lib ? "an old driver" : "no driver"), 1;
    begin();
    for (int i = 0; i < steps; i++) one_step(i);
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
           "launch_ns=%.0f\n",
           steps, t.kernels + t.nodes, t.copies, t.sets, t.nodes, t.graphs, t.events, t.waits, t.allocations,
           per_launch);
    return 0;
}
