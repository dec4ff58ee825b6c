/* Programs that use the GPU in a forked child, or fork children that never do. Usage: forks MODE [END]
 *   plain   the parent makes no call of the recorder before it forks; the child begins CUDA and launches 5 kernels
 *   marked  the same, and the parent makes a mark first, as --ops and NVTX ranges do
 *   owner   the same, and the parent records itself, into the directory that OWN_DIR names
 *   used    the parent begins CUDA itself, then forks the child; CUDA's injection runs in the child once more
 *   idle    the parent makes a mark, then forks a child that only makes marks, as workers of a data loader do
 *   early   the parent forks that child first, and makes its own mark before the child does
 * END: exit or _exit, how the child ends. The child reports how it could go on: "child: N". */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/tracetty.h"

typedef int call(unsigned flags);
typedef int retain(void **context, int device);
typedef int launch(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **arguments, void **extra);

static void *function(const char *name)
{
    void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
    return cuda ? dlsym(cuda, name) : NULL;
}

/* Begin CUDA and launch n kernels; the number of calls that could be made. */
static int use_gpu(int n)
{
    call *init;
    retain *context;
    launch *kernel;
    void *made;
    *(void **)&init = function("cuInit");
    *(void **)&context = function("cuDevicePrimaryCtxRetain");
    *(void **)&kernel = function("cuLaunchKernel");
    if (!init || !context || !kernel || init(0) || context(&made, 0)) return 0;
    for (int i = 0; i < n; i++) kernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    return n + 2;
}

/* What CUDA does when it begins in a process. */
static void inject(void)
{
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *lib = path ? dlopen(path, RTLD_NOW) : NULL;
    int (*start)(void) = NULL;
    if (lib) *(void **)&start = dlsym(lib, "InitializeInjection");
    if (start) start();
}

static void marks(const char *what)
{
    for (int i = 0; i < 3; i++) tracetty_mark(what);
}

static int child(const char *mode)
{
    const struct timespec s = {1, 500000000}; /* CUPTI's records are asked for once a second */
    bool gpu = strcmp(mode, "idle") != 0 && strcmp(mode, "early") != 0;
    if (!strcmp(mode, "used")) inject();
    int calls = gpu && strcmp(mode, "used") != 0 ? use_gpu(5) : 0;
    marks("of the child");
    if (gpu) nanosleep(&s, NULL);
    return calls;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "plain", *end = argc > 2 ? argv[2] : "exit";
    bool early = !strcmp(mode, "early");
    int go[2];
    char c = 0;
    if (pipe(go)) return 1;
    if (!strcmp(mode, "owner") && getenv("OWN_DIR")) tracetty_init(getenv("OWN_DIR"));
    if (!strcmp(mode, "used")) use_gpu(2);
    if (strcmp(mode, "plain") != 0 && !early) marks("of the parent");
    pid_t p = fork();
    if (!p) {
        if (read(go[0], &c, 1) != 1) _exit(1);
        printf("child: %d\n", child(mode));
        fflush(stdout);
        if (!strcmp(end, "_exit")) _exit(0);
        exit(0);
    }
    if (early) marks("of the parent");
    if (write(go[1], &c, 1) != 1) return 1;
    int status = 0;
    return p < 0 || waitpid(p, &status, 0) != p || status;
}
