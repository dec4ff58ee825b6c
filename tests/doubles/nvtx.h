/* NVTX as its headers implement it: tables of functions that do nothing until an injection library fills them in. */
#ifndef TT_TESTS_DOUBLES_NVTX_H
#define TT_TESTS_DOUBLES_NVTX_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { NVTX_FUNCTIONS = 16 };
typedef void (*nvtx_fn)(void);
static nvtx_fn core[NVTX_FUNCTIONS], core2[NVTX_FUNCTIONS];
static nvtx_fn *core_table[NVTX_FUNCTIONS], *core2_table[NVTX_FUNCTIONS];

static int nvtx_functions(int module, nvtx_fn ***table, unsigned *n)
{
    if (module != 1 && module != 5) return 0;
    *table = module == 1 ? core_table : core2_table;
    *n = NVTX_FUNCTIONS;
    return 1;
}

static const void *nvtx_export_table(uint32_t id)
{
    static const struct {
        size_t size;
        int (*get)(int, nvtx_fn ***, unsigned *);
    } callbacks = {sizeof callbacks, nvtx_functions};
    return id == 1 ? &callbacks : NULL;
}

/* Load the tool that the environment names and call its function `entry` to fill in the tables. Returns 1 on success.
 */
static int nvtx_load(const char *entry)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    for (int i = 0; i < NVTX_FUNCTIONS; i++) {
        core_table[i] = &core[i];
        core2_table[i] = &core2[i];
    }
    void *lib = path ? dlopen(path, RTLD_LAZY) : NULL;
    int (*start)(const void *(*)(uint32_t)) = NULL;
    if (lib) *(void **)&start = dlsym(lib, entry);
    int taken = start && start(nvtx_export_table);
    if (lib && !taken) dlclose(lib);
    return taken;
}

#endif
