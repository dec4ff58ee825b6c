// A CUDA program that says exactly what it does: kernels, copies, sets, a graph, several streams. target [launches]
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <time.h>

__global__ void add_one(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
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
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

int main(int argc, char **argv)
{
    int launches = argc > 1 ? atoi(argv[1]) : 1000, n = 1 << 20, kernels = 0, copies = 0, sets = 0, nodes = 0;
    float *d, *h;
    cudaStream_t s[4];
    OK(cudaMalloc(&d, n * sizeof *d));
    OK(cudaMallocHost(&h, n * sizeof *h));
    for (auto &x : s) OK(cudaStreamCreate(&x));
    for (int step = 0; step < 5; step++) {
        char name[40];
        snprintf(name, sizeof name, "ProfilerStep#%d", step);
        nvtxRangePushA(name);
        nvtxRangePushA("aten::copy_");
        OK(cudaMemcpyAsync(d, h, n * sizeof *d, cudaMemcpyHostToDevice, s[0]));
        copies++;
        OK(cudaMemsetAsync(d, 0, n * sizeof *d, s[1]));
        sets++;
        nvtxRangePop();
        nvtxRangePushA("aten::add");
        for (int i = 0; i < 100; i++) add_one<<<(n + 255) / 256, 256, 0, s[i % 4]>>>(d, n), kernels++;
        nvtxRangePop();
        OK(cudaDeviceSynchronize());
        nvtxRangePop();
    }
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 8; i++) add_one<<<64, 256, 0, s[0]>>>(d, 64 * 256);
    OK(cudaStreamEndCapture(s[0], &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 10; i++, nodes += 8) OK(cudaGraphLaunch(exec, s[0]));
    OK(cudaDeviceSynchronize());
    double t = seconds();
    for (int i = 0; i < launches; i++) nothing<<<1, 32, 0, s[0]>>>(), kernels++;
    double per_launch = (seconds() - t) / launches * 1e9;
    OK(cudaDeviceSynchronize());
    printf("kernels %d copies %d sets %d nodes %d launch_ns %.0f\n", kernels + nodes, copies, sets, nodes, per_launch);
    return 0;
}
