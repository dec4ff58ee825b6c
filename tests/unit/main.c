// One program holds all unit tests of a folder. It runs the test named by argv[0] (`test_sort` is a link to the
// program). Each test keeps its own main(), which the Makefile compiles as main_test_sort().
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL, *name = slash ? slash + 1 : argc > 0 ? argv[0] : "";
    char symbol[256];
    int (*test)(void);
    snprintf(symbol, sizeof symbol, "main_%s", name);
    *(void **)&test = dlsym(RTLD_DEFAULT, symbol);
    if (test) return test();
    fprintf(stderr, "no unit test in this program: %s\n", name);
    return 127;
}
