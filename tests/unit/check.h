// The unit tests' harness: CHECK* count and report, and main() ends with `return check_done();`.
// A failed check never stops the test: later ones often say why the first failed.
#ifndef TT_TESTS_UNIT_CHECK_H
#define TT_TESTS_UNIT_CHECK_H
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int check_passed_, check_failed_;

static inline int check_(int ok, const char *file, int line, const char *what)
{
    if (ok) {
        check_passed_++;
    } else {
        check_failed_++;
        fprintf(stderr, "%s:%d: %s\n", file, line, what);
    }
    return ok;
}

static inline void check_int_(int64_t a, int64_t b, const char *file, int line, const char *what)
{
    if (!check_(a == b, file, line, what)) fprintf(stderr, "    got %" PRId64 ", want %" PRId64 "\n", a, b);
}

static inline void check_str_(const char *a, const char *b, const char *file, int line, const char *what)
{
    int same = a && b ? strcmp(a, b) == 0 : a == b;
    if (!check_(same, file, line, what))
        fprintf(stderr, "    got  \"%s\"\n    want \"%s\"\n", a ? a : "(null)", b ? b : "(null)");
}

#define CHECK(cond) check_(!!(cond), __FILE__, __LINE__, #cond)
#define CHECK_INT(got, want) check_int_((int64_t)(got), (int64_t)(want), __FILE__, __LINE__, #got " == " #want)
#define CHECK_STR(got, want) check_str_((got), (want), __FILE__, __LINE__, #got " == " #want)

// The exit status of the test; a test that checked nothing has failed.
static inline int check_done(void)
{
    fprintf(stderr, "%d checks passed, %d failed\n", check_passed_, check_failed_);
    return check_failed_ || !check_passed_;
}

#endif
