/* By LD_PRELOAD: a library with the names of the recorder's entry points, as libtorch_cpu exports InitializeInjection
 * and libcupti InitializeInjectionNvtx2. Each says when it is called. */
#include <stdio.h>

#define NAMESAKE(name)                                                                                                 \
    int name(void);                                                                                                    \
    int name(void) { return fputs("namesake: " #name "\n", stderr), 1; }

NAMESAKE(InitializeInjection)
NAMESAKE(InitializeInjectionNvtx)
NAMESAKE(InitializeInjectionNvtx2)
NAMESAKE(tracetty_range_push_cat)
