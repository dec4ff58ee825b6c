/* tests/doubles/bareclient.c - the smallest possible client of CUPTI, to measure the cost of CUPTI alone. A program
 * loads it in place of the recorder; it asks for the same records and drops them, and promises zeroed buffers, too. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/cupti_calls.h"

#define EXPORT __attribute__((visibility("default")))

enum { SIZE = 4 << 20, MOST = 64, CU_LAUNCH_KERNEL = 307 };
static struct {
    pthread_mutex_t lock;
    uint8_t *free[MOST];
    int n;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void request(uint8_t **out, size_t *size, size_t *most)
{
    pthread_mutex_lock(&pool.lock);
    *out = pool.n ? pool.free[--pool.n] : NULL;
    pthread_mutex_unlock(&pool.lock);
    if (!*out) *out = calloc(1, SIZE); /* a page is zeroed when it is first touched */
    *size = SIZE;
    *most = 0;
}

static void complete(void *context, uint32_t stream, uint8_t *data, size_t size, size_t valid)
{
    (void)context, (void)stream, (void)size, (void)valid;
    pthread_mutex_lock(&pool.lock);
    if (pool.n < MOST) pool.free[pool.n++] = data;
    pthread_mutex_unlock(&pool.lock);
}

EXPORT int InitializeInjection(void);
int InitializeInjection(void)
{
    static const uint32_t kinds[] = {CU_KIND_CONCURRENT_KERNEL, CU_KIND_MEMCPY,          CU_KIND_MEMSET,
                                     CU_KIND_RUNTIME,           CU_KIND_SYNCHRONIZATION, CU_KIND_OVERHEAD};
    const char *path = getenv("TRACETTY_CUPTI");
    void *lib = path ? dlopen(path, RTLD_NOW) : NULL, *at;
    int (*callbacks)(cu_request *, cu_complete *), (*enable)(uint32_t);
    if (!lib || !(at = dlsym(lib, "cuptiActivityRegisterCallbacks"))) return 0;
    memcpy(&callbacks, &at, sizeof callbacks);
    int (*set)(int, size_t *, void *);
    uint8_t on = 1;
    size_t size = sizeof on;
    if (!(at = dlsym(lib, "cuptiActivitySetAttribute"))) return 0;
    memcpy(&set, &at, sizeof set);
    if (set(CU_ATTR_ZEROED_OUT, &size, &on) || callbacks(request, complete) || !(at = dlsym(lib, "cuptiActivityEnable"))) return 0;
    memcpy(&enable, &at, sizeof enable);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) enable(kinds[i]);
    int (*driver)(uint32_t, uint8_t) = NULL; /* only the driver's launch calls */
    if ((at = dlsym(lib, "cuptiActivityEnableDriverApi"))) memcpy(&driver, &at, sizeof driver);
    if (driver) driver(CU_LAUNCH_KERNEL, 1);
    return 1;
}
