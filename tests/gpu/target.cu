// A CUDA program that prints exactly its work: kernels, copies, sets, graphs, events, a memory pool, several streams and threads.
// target [launches [steps]]; prints key=value pairs.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <thread>
#include <time.h>

__global__ void add_one(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
template <typename T, int N> __global__ void scale(T *x, int n) // a mangled name with arguments
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= N;
}
__global__ void nothing() {}

static double seconds()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        cudaError_t e = (call);                                                                                        \
        if (e != cudaSuccess) {                                                                                        \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e));                                                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { FLOATS = 1 << 20, STREAMS = 4, NODES = 8, GRAPHS = 10, THREADS = 3, OF_THREAD = 50 };

struct counts {
    long kernels, copies, sets, nodes, graphs, events, waits, allocations;
};

static float *device, *host;
static cudaStream_t streams[STREAMS];

static void work_of_thread(int t)
{
    nvtxRangePushA("a thread's work");
    for (int i = 0; i < OF_THREAD; i++) add_one<<<64, 256, 0, streams[t % STREAMS]>>>(device, 64 * 256);
    OK(cudaStreamSynchronize(streams[t % STREAMS]));
    nvtxRangePop();
}

static void one_step(int step, counts *c, cudaEvent_t event)
{
    char name[40];
    snprintf(name, sizeof name, "ProfilerStep#%d", step);
    nvtxRangePushA(name);
    nvtxRangePushA("copies");
    OK(cudaMemcpyAsync(device, host, FLOATS * sizeof *device, cudaMemcpyHostToDevice, streams[0]));
    OK(cudaMemsetAsync(device, 0, FLOATS * sizeof *device, streams[1]));
    c->copies++, c->sets++;
    OK(cudaEventRecord(event, streams[0]));
    OK(cudaStreamWaitEvent(streams[2], event, 0));
    c->events++, c->waits++;
    nvtxRangePop();
    nvtxRangePushA("kernels");
    for (int i = 0; i < 100; i++, c->kernels++) {
        if (i % 10) {
            add_one<<<(FLOATS + 255) / 256, 256, 0, streams[i % STREAMS]>>>(device, FLOATS);
        } else {
            scale<float, 2><<<(FLOATS + 255) / 256, 256, 0, streams[i % STREAMS]>>>(device, FLOATS);
        }
    }
    nvtxRangePop();
    float *part; // from the pool of the device
    OK(cudaMallocAsync(&part, 1 << 20, streams[3]));
    OK(cudaFreeAsync(part, streams[3]));
    c->allocations++;
    OK(cudaDeviceSynchronize());
    nvtxRangePop();
}

static void graphs(counts *c)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    for (int i = 0; i < NODES; i++) add_one<<<64, 256, 0, streams[0]>>>(device, 64 * 256);
    OK(cudaStreamEndCapture(streams[0], &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    nvtxRangePushA("graphs");
    for (int i = 0; i < GRAPHS; i++, c->graphs++, c->nodes += NODES) OK(cudaGraphLaunch(exec, streams[0]));
    OK(cudaDeviceSynchronize());
    nvtxRangePop();
}

int main(int argc, char **argv)
{
    int launches = argc > 1 ? atoi(argv[1]) : 1000, steps = argc > 2 ? atoi(argv[2]) : 5;
    counts c = {};
    cudaEvent_t event;
    if (getenv("TARGET_NVTX_FIRST")) { // as --ops does: the recorder is there before CUDA
        nvtxRangePushA("a range before cuInit");
        nvtxRangePop();
    }
    OK(cudaMalloc(&device, FLOATS * sizeof *device));
    OK(cudaMallocHost(&host, FLOATS * sizeof *host));
    for (auto &s : streams) OK(cudaStreamCreate(&s));
    OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    double stepped = 0; // from the second step on: the first step loads code
    for (int i = 0; i < steps; i++) {
        if (i == 1) stepped = seconds();
        one_step(i, &c, event);
    }
    double step_ms = steps > 1 ? (seconds() - stepped) / (steps - 1) * 1e3 : 0;
    graphs(&c);
    std::thread threads[THREADS];
    for (int t = 0; t < THREADS; t++) threads[t] = std::thread(work_of_thread, t);
    for (auto &t : threads) t.join();
    c.kernels += THREADS * OF_THREAD;
    double t = seconds();
    for (int i = 0; i < launches; i++, c.kernels++) nothing<<<1, 32, 0, streams[0]>>>();
    double per_launch = launches ? (seconds() - t) / launches * 1e9 : 0;
    OK(cudaDeviceSynchronize());
    printf("steps=%d kernels=%ld copies=%ld sets=%ld nodes=%ld graphs=%ld events=%ld waits=%ld allocations=%ld launch_ns=%.0f step_ms=%.4f\n",
           steps, c.kernels + c.nodes, c.copies, c.sets, c.nodes, c.graphs, c.events, c.waits, c.allocations, per_launch, step_ms);
    return 0;
}
