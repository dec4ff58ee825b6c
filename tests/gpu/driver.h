/* tests/gpu/driver.h - the driver's API, loaded at run time, and kernels as PTX that the driver compiles: programs that
 * include it need no CUDA to build. Functions after `launch` are NULL when the driver lacks them. */
#ifndef TT_TESTS_GPU_DRIVER_H
#define TT_TESTS_GPU_DRIVER_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long long address;
typedef void *handle;

/* X(member, name, parameters) */
#define DRIVER_FUNCTIONS(X)                                                                                            \
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
#define DRIVER_EXTRAS(X)                                                                                               \
    X(cooperative, "cuLaunchCooperativeKernel",                                                                        \
      (handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **))                 \
    X(copy_now, "cuMemcpyHtoD_v2", (address, const void *, size_t))                                                    \
    X(copy_inside, "cuMemcpyDtoDAsync_v2", (address, address, size_t, handle))                                         \
    X(copy_back, "cuMemcpyDtoHAsync_v2", (void *, address, size_t, handle))                                            \
    X(set_words, "cuMemsetD32Async", (address, unsigned, size_t, handle))                                              \
    X(write_value, "cuStreamWriteValue32_v2", (handle, address, unsigned, unsigned))                                   \
    X(wait_value, "cuStreamWaitValue32_v2", (handle, address, unsigned, unsigned))                                     \
    X(mem_info, "cuMemGetInfo_v2", (size_t *, size_t *))                                                               \
    X(profiler_start, "cuProfilerStart", (void))                                                                       \
    X(profiler_stop, "cuProfilerStop", (void))
static struct {
#define X(member, name, parameters) int(*member) parameters;
    DRIVER_FUNCTIONS(X)
    DRIVER_EXTRAS(X)
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

/* x[i] += 1 or *= 2 for i < n; the second kernel has the name of a C++ template: void scale<float, 2>(float*, int) */
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
/* Runs for so many ns of the device's clock. */
#define SPIN                                                                                                           \
    ".visible .entry spin(.param .u64 ns)\n"                                                                           \
    "{\n"                                                                                                              \
    "    .reg .pred q; .reg .b64 d<4>;\n"                                                                              \
    "    ld.param.u64 d0, [ns];\n"                                                                                     \
    "    mov.u64 d1, %globaltimer;\n"                                                                                  \
    "    add.s64 d2, d1, d0;\n"                                                                                        \
    "AGAIN: mov.u64 d3, %globaltimer;\n"                                                                               \
    "    setp.lt.u64 q, d3, d2;\n"                                                                                     \
    "    @q bra AGAIN;\n"                                                                                              \
    "    ret;\n"                                                                                                       \
    "}\n"
static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n" ELEMENTWISE("add_one",
                                                                                        "add.f32 f1, f0, 0f3F800000;")
    ELEMENTWISE("_Z5scaleIfLi2EEvPT_i", "mul.f32 f1, f0, 0f40000000;") ".visible .entry nothing()\n{\n    ret;\n}\n"
    SPIN;

/* Load the driver. Prints a message and returns false without one, or with an old one. */
static int driver_load(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW);
    const char *missing = NULL;
#define X(member, name, parameters)                                                                                    \
    if (lib) *(void **)&cu.member = dlsym(lib, name);                                                                  \
    if (!cu.member) missing = name;
    DRIVER_FUNCTIONS(X)
#undef X
#define X(member, name, parameters)                                                                                    \
    if (lib) *(void **)&cu.member = dlsym(lib, name);
    DRIVER_EXTRAS(X)
#undef X
    if (missing) fprintf(stderr, "target: no %s: %s\n", missing, lib ? "an old driver" : "no driver");
    return !missing;
}

/* Create a context on the first device, and load the kernels. */
static handle driver_begin(handle *context)
{
    handle module;
    int device;
    OK(cu.init(0));
    OK(cu.device_get(&device, 0));
    OK(cu.retain(context, device));
    OK(cu.set_current(*context));
    OK(cu.module_load(&module, ptx));
    return module;
}

/* Number of graph nodes: TARGET_NODES if a test double of the driver sets it. */
static int nodes(void)
{
    const char *other = getenv("TARGET_NODES");
    return other ? (int)strtol(other, NULL, 10) : 8;
}

static double seconds(void)
{
    struct timespec s;
    clock_gettime(CLOCK_MONOTONIC, &s);
    return (double)s.tv_sec + (double)s.tv_nsec * 1e-9;
}

#endif
