/* tests/doubles/fakedriver.c - a libcuda for programs that use the driver's interface (tests/gpu). cuInit() loads the
 * tool as the driver does and returns FAKE_INIT, if set. Work becomes records of the tests' libcupti, which reports
 * launches as calls of CUDA's runtime. A context exists from cuDevicePrimaryCtxRetain() on. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
typedef unsigned long long address;
typedef void *handle;

static int things[8]; /* targets of the handles */
static __thread int capturing;
static void (*told)(const char *line);

static void work(const char *line)
{
    if (told) told(line);
}

static void meet_cupti(void)
{
    const char *path = getenv("TRACETTY_CUPTI");
    void *lib = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL, *at = lib ? dlsym(lib, "fake_cupti_do") : NULL;
    if (at) memcpy(&told, &at, sizeof told);
}

#define FUNCTION(name, parameters)                                                                                     \
    EXPORT int name parameters;                                                                                        \
    int name parameters

FUNCTION(cuInit, (unsigned flags))
{
    static int once;
    const char *path = getenv("CUDA_INJECTION64_PATH"), *answer = getenv("FAKE_INIT");
    int (*start)(void) = NULL;
    (void)flags;
    if (!once++ && path) {
        void *lib = dlopen(path, RTLD_NOW);
        if (lib) *(void **)&start = dlsym(lib, "InitializeInjection");
        if (start) start();
    }
    return answer ? (int)strtol(answer, NULL, 10) : 0;
}
FUNCTION(cuDriverGetVersion, (int *version)) { return *version = 13000, 0; }
FUNCTION(cuDeviceGet, (int *device, int number)) { return *device = number, number ? 101 : 0; }
FUNCTION(cuDeviceGetAttribute, (int *value, int attribute, int device))
{
    *value = 0;
    return (attribute && !device) ? 0 : 1;
}
FUNCTION(cuDevicePrimaryCtxRetain, (handle *context, int device))
{
    (void)device;
    *context = &things[0];
    meet_cupti();
    work("device");
    work("context");
    return 0;
}
FUNCTION(cuCtxSetCurrent, (handle context)) { return context != &things[0]; }
FUNCTION(cuCtxSynchronize, (void))
{
    work("environment 1");
    return 0;
}
FUNCTION(cuModuleLoadData, (handle *module, const void *image)) { return *module = &things[1], image == NULL; }
FUNCTION(cuModuleGetFunction, (handle *f, handle module, const char *name))
{
    *f = &things[2];
    return module != &things[1] || !*name;
}
FUNCTION(cuMemAlloc_v2, (address *at, size_t n)) { return *at = 0x7000000000, n == 0; }
FUNCTION(cuMemAllocHost_v2, (void **at, size_t n)) { return (*at = calloc(1, n)) == NULL; }
FUNCTION(cuMemAllocManaged, (address *at, size_t n, unsigned flags)) { return *at = 0x7100000000, !n || !flags; }
FUNCTION(cuMemcpyHtoDAsync_v2, (address to, const void *from, size_t n, handle stream))
{
    work("copy 1");
    return !to || !from || !n || !stream;
}
FUNCTION(cuMemsetD8Async, (address to, unsigned char v, size_t n, handle stream))
{
    (void)v;
    work("set 1");
    return !to || !n || !stream;
}
FUNCTION(cuStreamCreate, (handle *stream, unsigned flags)) { return *stream = &things[3], flags > 1; }
FUNCTION(cuStreamSynchronize, (handle stream)) { return !stream; }
FUNCTION(cuEventCreate, (handle *event, unsigned flags)) { return *event = &things[4], flags > 7; }
FUNCTION(cuEventRecord, (handle event, handle stream))
{
    work("event 1");
    return !event || !stream;
}
FUNCTION(cuStreamWaitEvent, (handle stream, handle event, unsigned flags)) { return !stream || !event || flags; }
FUNCTION(cuMemAllocAsync, (address *at, size_t n, handle stream))
{
    *at = 0x7200000000;
    work("pool 1");
    return !n || !stream;
}
FUNCTION(cuMemFreeAsync, (address at, handle stream)) { return !at || !stream; }
FUNCTION(cuStreamBeginCapture_v2, (handle stream, int mode)) { return capturing = 1, !stream || mode; }
FUNCTION(cuStreamEndCapture, (handle stream, handle *graph))
{
    capturing = 0;
    *graph = &things[5];
    return !stream;
}
FUNCTION(cuGraphInstantiateWithFlags, (handle *exec, handle graph, unsigned long long flags))
{
    *exec = &things[6];
    work("instantiate");
    return !graph || flags;
}
FUNCTION(cuGraphLaunch, (handle exec, handle stream))
{
    work("replay 1");
    return !exec || !stream;
}
FUNCTION(cuLaunchKernel, (handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, handle stream, void **arguments, void **extra))
{
    (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)arguments, (void)extra;
    if (!capturing) work("launch 1");
    return !f || !stream;
}
FUNCTION(cuProfilerStart, (void))
{
    work("profiler 1");
    return 0;
}
FUNCTION(cuProfilerStop, (void))
{
    work("profiler 0");
    return 0;
}
