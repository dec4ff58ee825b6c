/* Names of C++ kernels: their readable form; a hostile name costs little time and memory. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "model/text/demangle.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

static void check(const char *raw, const char *want)
{
    unsigned tries = 1;
    char *got = tt_demangle(raw, &tries);
    CHECK_STR(got ? got : "(none)", want);
    free(got);
}

/* Write a name whose parameters are A<int, int> and then A<p, p> of the parameter p before: each level doubles the
 * text. */
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

/* Write a name of packs of packs, f<J...>(Dp ...), each used several times. */
static void packs(char *out, int levels)
{
    static const char head[] = "_Z1fIJiiiiiiiiEEv", one[] = "DpPKT_";
    memcpy(out, head, sizeof head);
    for (size_t i = 0, n = sizeof head - 1; i < (size_t)levels; i++, n += sizeof one - 1)
        memcpy(out + n, one, sizeof one);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Peak memory of the process in kilobytes. */
static long peak(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}

static void hostile(void)
{
    char raw[2048];
    unsigned tries = 1;
    nested(raw, 10); /* 35 KB: short enough for a name */
    char *text = tt_demangle(raw, &tries);
    CHECK_INT(tries, 1);
    CHECK(text && !strncmp(text, "f(A<int, int>, A<A<int, int>, A<int, int> >, ", 44));
    free(text);
    long before = peak();
    double t = seconds();
    nested(raw, 34); /* 100 GiB: refused before it begins, so it uses up no try */
    for (int i = 0; i < 1000; i++) CHECK(!tt_demangle(raw, &tries));
    CHECK_INT(tries, 1);
    nested(raw, 12); /* 136 KB: too long for a name, but harmless to try */
    CHECK(!tt_demangle(raw, &tries));
    CHECK_INT(tries, 0);
    nested(raw, 10);
    CHECK(!tt_demangle(raw, &tries)); /* a valid name, but the file has used up its tries */
    text = tt_demangle("_Z6vecaddPfS_i", &tries);
    CHECK_STR(text ? text : "", "vecadd(float*, float*, int)");
    free(text);
    for (int levels = 1; levels < 100; levels++) {
        tries = 1;
        packs(raw, levels);
        free(tt_demangle(raw, &tries));
    }
    CHECK(seconds() - t < 20);
    CHECK(peak() - before < 256 << 10);
}

/* Random names made of the letters that the demangler knows: none takes long. */
static void at_random(void)
{
    static const char *const parts[] = {"S_",   "S0_", "S1_", "S2_", "S3_", "T_", "T0_", "Dp",  "sp", "I",
                                        "J",    "E",   "1A",  "2bc", "N",   "F",  "v",   "i",   "P",  "K",
                                        "Li4E", "X",   "St",  "Z",   "cv",  "Dt", "M",   "A3_", "Ul", "UlvE_"};
    double longest = 0;
    for (int i = 0; i < 20000; i++) {
        char raw[700] = "_Z1f";
        size_t n = 4, most = 20 + random_below(600);
        while (n < most) {
            const char *p = parts[random_below(sizeof parts / sizeof *parts)];
            memcpy(raw + n, p, strlen(p) + 1);
            n += strlen(p);
        }
        unsigned tries = 1;
        double t = seconds();
        free(tt_demangle(raw, &tries));
        if (seconds() - t > longest) longest = seconds() - t;
    }
    CHECK(longest < 5);
}

int main(void)
{
    check("_Z6vecaddPfS_i", "vecadd(float*, float*, int)");
    check("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEESt5arrayIPcLm3EEEEviT0_T1_",
          "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
          "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)");
    check("vecadd", "(none)");
    check("_Z", "(none)");
    check("_Znonsense", "(none)");
    check("", "(none)");
    hostile();
    at_random();
    return check_done();
}
