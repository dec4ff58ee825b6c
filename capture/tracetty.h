/* tracetty.h - lets a program mark its work in its own recording.
 *
 * Every function may be called from any thread, with or without a recorder: without one it costs a few nanoseconds. A
 * program that includes this header need not be linked with libtracetty_capture.so: the functions below find the
 * library when the process has it loaded (`tracetty record -- COMMAND`), or load it by TRACETTY_CAPTURE_LIB or the
 * usual search when tracetty_init() asks for it. Define TRACETTY_LINKED before including it to call the library
 * directly (link with -ltracetty_capture).
 *
 * Signal handlers: the first call in a process, and the first in each thread, allocates memory and finds the library,
 * so a handler must not make it. Later calls may come from a handler, even one that interrupted malloc(). When a
 * handler interrupts one of these functions, or an NVTX function, its own call does nothing, returns the result of a
 * call without a recorder, and is counted among the drops. Leave a handler by returning: after a longjmp() out of one
 * of these functions its thread records nothing any more. */
#ifndef TRACETTY_H
#define TRACETTY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRACETTY_VERSION 1

typedef struct tracetty_status {
    uint32_t attached;  /* 1: this process is attached to a recorder */
    uint32_t recording; /* 1: recording is on now, by the schedule */
    uint64_t events;    /* records written */
    uint64_t drops;     /* events that were lost */
    uint64_t bytes;     /* size of the spool */
    int64_t step;       /* number of the current step, -1 = none yet */
} tracetty_status_t;

/* X(result, name, parameters, arguments, value without a library)
 * init        record this process into a directory without `tracetty record`; 0, else -errno
 *             (CUDA and NVTX may be in use already; ranges of NVTX are recorded from libraries that use it for the
 *             first time afterwards)
 * start stop  begin and end recording; 0, -1 without a recorder
 * step        the end of a step and the beginning of the next one; samples < 0: not given
 * range_push  begin of a range of this thread; ranges nest; _cat: with a category: "dataloader", "forward", "backward",
 *             "optimization", "communication", "cpu_op", "python", "user_annotation"
 * range_start a range that may end on another thread; the result goes to range_end
 * meta        a fact about the run; the value is JSON text
 * status      fills at most `size` bytes of *out; 0, -1 without a recorder */
#define TRACETTY_FUNCTIONS(X)                                                                                          \
    X(int, init, (const char *dir), (dir), -1)                                                                         \
    X(int, start, (void), (), -1)                                                                                      \
    X(int, stop, (void), (), -1)                                                                                       \
    X(int, step, (int64_t samples), (samples), -1)                                                                     \
    X(int, range_push, (const char *name), (name), -1)                                                                 \
    X(int, range_push_cat, (const char *name, const char *category), (name, category), -1)                             \
    X(int, range_pop, (void), (), -1)                                                                                  \
    X(uint64_t, range_start, (const char *name), (name), 0)                                                            \
    X(int, range_end, (uint64_t id), (id), -1)                                                                         \
    X(int, mark, (const char *name), (name), -1)                                                                       \
    X(int, counter, (const char *name, double value), (name, value), -1)                                               \
    X(int, meta, (const char *key, const char *json_value), (key, json_value), -1)                                     \
    X(int, name_thread, (const char *name), (name), -1)                                                                \
    X(int, status, (tracetty_status_t * out, size_t size), (out, size), -1)                                            \
    X(int, version, (void), (), 0)

#ifdef TRACETTY_LINKED
#define TRACETTY_DECLARE(result, name, parameters, arguments, none) result tracetty_##name parameters;
TRACETTY_FUNCTIONS(TRACETTY_DECLARE)
#undef TRACETTY_DECLARE
#else
#include <dlfcn.h>
#include <stdlib.h>

/* Handle of the library if it is loaded; with `load` it is loaded if found. */
static inline void *tracetty_library_(int load)
{
    const char *path = getenv("TRACETTY_CAPTURE_LIB");
    if (!path) path = getenv("NVTX_INJECTION64_PATH"); /* may be another tool's, without our names */
    void *lib = path ? dlopen(path, RTLD_NOW | (load || getenv("TRACETTY_CTL") ? 0 : RTLD_NOLOAD)) : NULL;
    if (!lib) lib = dlopen("libtracetty_capture.so", RTLD_NOW | (load ? 0 : RTLD_NOLOAD));
    return lib && dlsym(lib, "tracetty_version") ? lib : NULL;
}

/* Looked up once per source file; tracetty_init() looks again while the library is missing. */
#define TRACETTY_DECLARE(result, name, parameters, arguments, none)                                                    \
    static inline result tracetty_##name parameters                                                                    \
    {                                                                                                                  \
        typedef result(*call_type) parameters;                                                                         \
        static void *function;                                                                                         \
        static int looked;                                                                                             \
        int had = __atomic_load_n(&looked, __ATOMIC_ACQUIRE); /* read first: once set, function is set, too */         \
        void *f = __atomic_load_n(&function, __ATOMIC_ACQUIRE);                                                        \
        if (!f && (!had || #name[0] == 'i')) {                                                                         \
            void *lib = tracetty_library_(#name[0] == 'i');                                                            \
            f = lib ? dlsym(lib, "tracetty_" #name) : NULL;                                                            \
            __atomic_store_n(&function, f, __ATOMIC_RELEASE);                                                          \
            __atomic_store_n(&looked, 1, __ATOMIC_RELEASE);                                                            \
        }                                                                                                              \
        call_type call;                                                                                                \
        __builtin_memcpy(&call, &f, sizeof call);                                                                      \
        return f ? call arguments : none;                                                                              \
    }
TRACETTY_FUNCTIONS(TRACETTY_DECLARE)
#undef TRACETTY_DECLARE
#endif

#ifdef __cplusplus
}
#endif

#endif
