// The harness of the unit tests: CHECK* macros count checks and report failures; main() ends with
// `return check_done();`. Every test file has its own main(void) and counts, although one program holds all tests of a
// folder (tests/unit/main.c). A failed check does not stop the test, because later checks often show why the first one
// failed. Each function with a check counts as one test: check_done() prints "ok NAME" or "FAIL NAME" for it.
#ifndef TT_TESTS_UNIT_CHECK_H
#define TT_TESTS_UNIT_CHECK_H
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name; // __func__, the same pointer for all checks of a function
    int passed, failed;
} check_function_;

enum { CHECK_FUNCTIONS_ = 64 };

static check_function_ check_functions_[CHECK_FUNCTIONS_];
static int check_functions_n_, check_last_; // check_last_: index of the function with the last check

static inline check_function_ *check_function_of_(const char *name)
{
    if (check_functions_n_ && check_functions_[check_last_].name == name) return &check_functions_[check_last_];
    int i = 0;
    while (i < check_functions_n_ && strcmp(check_functions_[i].name, name) != 0) i++;
    /* all functions beyond the limit share the last entry */
    if (i == CHECK_FUNCTIONS_)
        i--;
    else if (i == check_functions_n_)
        check_functions_[check_functions_n_++].name = name;
    return &check_functions_[check_last_ = i];
}

static inline int check_(int ok, const char *function, const char *file, int line, const char *what)
{
    check_function_ *f = check_function_of_(function);
    if (ok) {
        f->passed++;
    } else {
        f->failed++;
        fprintf(stderr, "%s:%d: %s\n", file, line, what);
    }
    return ok;
}

static inline void check_int_(int64_t a, int64_t b, const char *function, const char *file, int line, const char *what)
{
    if (!check_(a == b, function, file, line, what)) fprintf(stderr, "    got %" PRId64 ", want %" PRId64 "\n", a, b);
}

static inline void check_str_(const char *a, const char *b, const char *function, const char *file, int line,
                              const char *what)
{
    int same = a && b ? strcmp(a, b) == 0 : a == b;
    if (!check_(same, function, file, line, what))
        fprintf(stderr, "    got  \"%s\"\n    want \"%s\"\n", a ? a : "(null)", b ? b : "(null)");
}

#define CHECK(cond) check_(!!(cond), __func__, __FILE__, __LINE__, #cond)
#define CHECK_INT(got, want)                                                                                           \
    check_int_((int64_t)(got), (int64_t)(want), __func__, __FILE__, __LINE__, #got " == " #want)
#define CHECK_STR(got, want) check_str_((got), (want), __func__, __FILE__, __LINE__, #got " == " #want)

// Report, and return the exit status of the test; a test without any check fails.
static inline int check_done(void)
{
    int passed = 0, failed = 0;
    for (int i = 0; i < check_functions_n_; i++) {
        const check_function_ *f = &check_functions_[i];
        printf("%s %s (%d checks)\n", f->failed ? "FAIL" : "ok", f->name, f->passed + f->failed);
        passed += f->passed;
        failed += f->failed;
    }
    fprintf(stderr, "%d checks passed, %d failed\n", passed, failed);
    return failed || !passed;
}

#endif
