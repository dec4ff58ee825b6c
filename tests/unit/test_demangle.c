/* Names of C++ kernels: what they read as, and that a hostile one costs a moment only. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parser/demangle.h"
#include "tests/unit/check.h"

static void check(const char *raw, const char *want)
{
    unsigned tries = 1;
    char *got = tt_demangle(raw, &tries);
    CHECK_STR(got ? got : "(none)", want);
    free(got);
}

/* A<int, int>, and in each further parameter A of the one before, twice: every level doubles the text. */
static void nested(char *out, int levels)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    memcpy(out, "_Z1f1AIiiE", 11);
    size_t n = strlen(out);
    for (int i = 0; i < levels; i++, n += 10) {
        char part[] = "S_IS0_S0_E";
        part[4] = part[7] = digits[i];
        memcpy(out + n, part, sizeof part);
    }
}

int main(void)
{
    char raw[512];
    check("_Z6vecaddPfS_i", "vecadd(float*, float*, int)");
    check("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEESt5arrayIPcLm3EEEEviT0_T1_",
          "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
          "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)");
    check("vecadd", "(none)");
    check("_Z", "(none)");
    check("_Znonsense", "(none)");
    check("", "(none)");
    nested(raw, 10); /* large enough for the limited process, small enough to be a name */
    unsigned tries = 1;
    char *text = tt_demangle(raw, &tries);
    CHECK_INT(tries, 1);
    CHECK(text && !strncmp(text, "f(A<int, int>, A<A<int, int>, A<int, int> >, ", 44));
    free(text);
    nested(raw, 34); /* would be 100 GiB */
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    CHECK(!tt_demangle(raw, &tries));
    CHECK_INT(tries, 0);
    for (int i = 0; i < 1000; i++) CHECK(!tt_demangle(raw, &tries)); /* not tried any more */
    clock_gettime(CLOCK_MONOTONIC, &b);
    CHECK(b.tv_sec - a.tv_sec < 60);
    return check_done();
}
