/* capture/cuda/cupti_find.c - searches libcupti. Two copies in one process conflict, so a loaded copy comes first.
 * Then it tries the major version of the loaded runtime, then the driver's version and earlier ones. See
 * cupti_find.h. */
#include "capture/cuda/cupti_find.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/cuda_info.h"

enum { LEAST_MAJOR = 11 }; /* CUDA 11: older records are not supported */

typedef struct search {
    void *lib;
    char *place;
    size_t cap;
} search;

static bool try_path(search *s, const char *path, int flags)
{
    if (s->lib) return true;
    s->lib = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags);
    if (s->lib) snprintf(s->place, s->cap, "%s", path);
    return s->lib != NULL;
}

static void try_glob(search *s, const char *pattern)
{
    glob_t g;
    if (s->lib || glob(pattern, 0, NULL, &g)) return;
    for (size_t i = g.gl_pathc; i-- > 0 && !s->lib;) try_path(s, g.gl_pathv[i], 0); /* newest is last */
    globfree(&g);
}

static void try_names(search *s, const char *dir, int major)
{
    char path[700];
    if (major) {
        snprintf(path, sizeof path, "%s/libcupti.so.%d", dir, major);
        try_path(s, path, 0);
        snprintf(path, sizeof path, "%s/libcupti.so.%d.*", dir, major);
        try_glob(s, path);
        snprintf(path, sizeof path, "%s/libcupti-*.so.%d*", dir, major); /* as packagers rename it in wheels */
        try_glob(s, path);
    } else {
        snprintf(path, sizeof path, "%s/libcupti.so*", dir);
        try_glob(s, path);
    }
}

/* Python packages bring CUPTI beside other CUDA libraries: .../nvidia/cublas/lib/libcublas.so.12 is loaded, then
 * .../nvidia/cuda_cupti/lib or .../nvidia/cu13/lib has libcupti. */
static void try_python(search *s, int major)
{
    char line[1024], dir[1100];
    FILE *f = fopen("/proc/self/maps", "re");
    while (f && !s->lib && fgets(line, sizeof line, f)) {
        char *path = strchr(line, '/'), *at = path ? strstr(path, "/nvidia/") : NULL;
        if (!at || !strstr(at, "/lib/")) {
            at = path ? strstr(path, "/torch/lib/") : NULL;
            if (!at) continue;
        }
        *at = 0;
        snprintf(dir, sizeof dir, "%s/nvidia/cuda_cupti/lib", path);
        try_names(s, dir, major);
        snprintf(dir, sizeof dir, "%s/nvidia/cu%d/lib", path, major ? major : 13);
        try_names(s, dir, major);
    }
    if (f) fclose(f);
}

static void try_places(search *s, int major)
{
    static const char *const under[] = {"extras/CUPTI/lib64", "lib64", "lib"};
    const char *roots[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda", "/usr/local/cuda-*",
                           "/opt/cuda"};
    char name[64], dir[600];
    try_python(s, major);
    snprintf(name, sizeof name, "libcupti.so.%d", major);
    if (major) try_path(s, name, 0);
    for (size_t r = 0; r < sizeof roots / sizeof *roots; r++) {
        for (size_t u = 0; u < 3 && roots[r] && *roots[r]; u++) {
            snprintf(dir, sizeof dir, "%s/%s", roots[r], under[u]);
            try_names(s, dir, major);
        }
    }
    if (!major) try_path(s, "libcupti.so", 0);
}

/* Major version in the file name of the loaded runtime: 12 of .../libcudart.so.12.4.127 or
 * .../libcudart-a7b20f20.so.12; 0: none is loaded, or no number. The runtime cannot be asked while it is
 * initialised. */
static int runtime_major(void)
{
    char path[700];
    const char *number = tt_loaded_library("libcudart", path, sizeof path) ? strstr(path, ".so.") : NULL;
    long major = number ? strtol(number + 4, NULL, 10) : 0;
    return major >= LEAST_MAJOR && major < 100 ? (int)major : 0;
}

/* Try the major version of the program's runtime, then of the driver and below: an older CUPTI works on a newer
 * driver. */
static void try_majors(search *s)
{
    int runtime = runtime_major(), driver = tt_cuda_driver_version() / 1000;
    if (runtime && (!driver || runtime <= driver)) try_places(s, runtime);
    for (int major = driver; major >= LEAST_MAJOR && !s->lib; major--) {
        if (major != runtime) try_places(s, major);
    }
    if (!s->lib && !driver) try_places(s, 0);
}

void *tt_cupti_load(const char *given, char *place, size_t cap)
{
    search s = {.place = place, .cap = cap};
    const char *env = getenv("TRACETTY_CUPTI");
    *place = 0;
    if (given && *given) {
        try_path(&s, given, 0);
        return s.lib;
    }
    if (env && *env) {
        try_path(&s, env, 0);
        return s.lib;
    }
    char loaded[700];
    if (tt_loaded_library("libcupti", loaded, sizeof loaded)) try_path(&s, loaded, RTLD_NOLOAD);
    try_majors(&s);
    return s.lib;
}

/* Subscribe with a name; holder gets the name of the present subscriber. */
static int subscribe_by_name(const cu_functions *f, void **subscriber, void *callback, char holder[CU_HOLDER])
{
    cu_subscriber params = {.size = sizeof params, .name = "tracetty", .holder = holder, .holder_cap = CU_HOLDER};
    int e = f->Subscribe_v2 ? f->Subscribe_v2(subscriber, callback, NULL, &params) : -1;
    holder[CU_HOLDER - 1] = 0;
    return e;
}

int tt_cupti_subscribe(const cu_functions *f, void **subscriber, void *callback, char holder[CU_HOLDER])
{
    uint32_t version = 0;
    void *none;
    bool scoped = !f->GetVersion(&version) && version >= CU_VERSION_SCOPED;
    memset(holder, 0, CU_HOLDER);
    int e = scoped ? -1 : subscribe_by_name(f, subscriber, callback, holder);
    if (e && e != CU_ERROR_BUSY) e = f->Subscribe(subscriber, callback, NULL);
    bool ask = scoped && e == CU_ERROR_BUSY; /* for the holder's name alone */
    if (ask && !subscribe_by_name(f, &none, callback, holder) && f->Unsubscribe) f->Unsubscribe(none);
    return e;
}

bool tt_cupti_functions(void *lib, cu_functions *f, const char **missing)
{
    void *at;
    memset(f, 0, sizeof *f);
#define X(required, name, parameters)                                                                                  \
    at = dlsym(lib, "cupti" #name);                                                                                    \
    memcpy(&f->name, &at, sizeof f->name);                                                                             \
    if (required && !at) {                                                                                             \
        *missing = "cupti" #name;                                                                                      \
        return false;                                                                                                  \
    }
    CU_FUNCTIONS(X)
#undef X
    return true;
}
