/* capture/cuda/cuda_info.c - asks libcuda and libcudart for versions and limits, if they are loaded. See
 * cuda_info.h. */
#include "capture/cuda/cuda_info.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

/* ---- what is loaded ---- */

typedef struct wanted {
    const char *begins;
    char *path;
    size_t cap;
    bool found;
} wanted;

static int on_loaded(struct dl_phdr_info *info, size_t size, void *arg)
{
    wanted *w = arg;
    const char *slash = strrchr(info->dlpi_name, '/'), *base = slash ? slash + 1 : info->dlpi_name;
    (void)size;
    w->found = !strncmp(base, w->begins, strlen(w->begins)) && strlen(info->dlpi_name) < w->cap;
    if (w->found) memcpy(w->path, info->dlpi_name, strlen(info->dlpi_name) + 1);
    return w->found;
}

/* Walk the loaded libraries. The callback must open no library: the list is locked during the walk, and loading takes
 * the two locks in the other order. */
bool tt_loaded_library(const char *begins, char *path, size_t cap)
{
    wanted w = {.begins = begins, .path = path, .cap = cap};
    dl_iterate_phdr(on_loaded, &w);
    return w.found;
}

/* Look up a function of a loaded library into *out; on success the reference keeps the library loaded. */
static bool function(const char *library, const char *name, void *out)
{
    void *lib = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD), *f = lib ? dlsym(lib, name) : NULL;
    memcpy(out, &f, sizeof f);
    if (lib && !f) dlclose(lib);
    return f != NULL;
}

/* ---- questions ---- */

static const char driver[] = "libcuda.so.1";
enum { SHARED_MEMORY_PER_BLOCK_OPTIN = 97 }; /* value of CUdevice_attribute */

int tt_cuda_driver_version(void)
{
    int version = 0, (*get)(int *);
    return function(driver, "cuDriverGetVersion", &get) && !get(&version) ? version : 0;
}

int tt_cuda_runtime_version(void)
{
    char path[700];
    int version = 0, (*get)(int *);
    bool have = tt_loaded_library("libcudart", path, sizeof path) && function(path, "cudaRuntimeGetVersion", &get);
    return have && !get(&version) ? version : 0;
}

uint32_t tt_cuda_shared_optin(uint32_t device)
{
    int handle = 0, bytes = 0, (*by_number)(int *, int), (*attribute)(int *, int, int);
    if (!function(driver, "cuDeviceGet", &by_number) || !function(driver, "cuDeviceGetAttribute", &attribute)) return 0;
    if (by_number(&handle, (int)device) || attribute(&bytes, SHARED_MEMORY_PER_BLOCK_OPTIN, handle)) return 0;
    return bytes > 0 ? (uint32_t)bytes : 0;
}
