/* The search over all names: matches of each kind counted by hand, the order of matches, and the place where Enter
 * goes. */
#include <stdlib.h>

#include "tests/unit/picture.h"
#include "tests/unit/two_runs.h"

enum { STEP = 1000, MANY = 9 };

/* Two workers with two steps each. Names with "gemm": kernels sgemm (3 calls a worker) and dgemm_nt (1 call on one
 * worker); operator aten::gemm (2 calls a worker); annotation "warm GEMM" (1 call on one worker). */
static tt_session *made(void)
{
    made_run m = {0};
    for (int r = 0; r < 2; r++) {
        char name[32];
        snprintf(name, sizeof name, "worker%d", r);
        run_worker(&m, name, r);
        for (int k = 0; k < 2; k++) run_step(&m, k + 1, k * STEP, STEP);
        run_slice(&m, "cpu_op", "aten::gemm", 100, 50);
        run_slice(&m, "cpu_op", "aten::gemm", 200, 50);
        for (int i = 0; i < 3; i++) run_kernel(&m, "sgemm", 110 + i * 100, 150 + i * 100, 40);
        if (r == 0) {
            run_kernel(&m, "dgemm_nt", 410, 450, 20);
            run_slice(&m, "user_annotation", "warm GEMM", 500, 100);
            for (int i = 0; i < MANY; i++) {
                snprintf(name, sizeof name, "many_%d", i);
                run_kernel(&m, name, 1110 + i * 50, 1120 + i * 50, 30 - i);
            }
            run_slice(&m, "cpu_op", "aten::many_of_them", 1600, 20);
        }
    }
    return run_load(&m);
}

static const char *typed(tt_app *a, const char *text)
{
    char keys[128];
    snprintf(keys, sizeof keys, "^P \"%s\"", text);
    CHECK(tt_app_keys(a, keys, NULL));
    return picture_of(a, 40, 140);
}

static void closed(tt_app *a)
{
    CHECK(tt_app_keys(a, "Esc", NULL));
    CHECK(!a->anywhere);
}

static void counts(tt_app *a)
{
    const char *text = typed(a, "gemm"); /* matches of the worker in scope */
    CHECK(strstr(text, "Find anywhere"));
    CHECK(strstr(text, "2 kernels, 4 calls; 1 operator, 2 calls; 1 annotation, 1 call"));
    closed(a);
    CHECK(tt_app_keys(a, ": \"worker all\" Enter", NULL));
    text = typed(a, "gemm");
    CHECK(strstr(text, "2 kernels, 7 calls; 1 operator, 4 calls; 1 annotation, 1 call"));
    closed(a);
    CHECK(strstr(typed(a, "GEMM_"), "1 kernel, 1 call "));
    closed(a);
    CHECK(strstr(typed(a, "step 2"), "2 steps")); /* steps of two workers */
    closed(a);
    CHECK(strstr(typed(a, "nothing like it"), "nothing has such a name"));
    CHECK(tt_app_keys(a, "Enter", NULL)); /* Enter has no place to go */
    CHECK(!a->anywhere);
    CHECK(strstr(picture_of(a, 40, 140), "nothing to go to"));
}

/* The first four matches of each kind come first: an operator is visible although nine kernels match. */
static void first_of_each(tt_app *a)
{
    const char *text = typed(a, "many_");
    CHECK(strstr(text, "9 kernels, 9 calls; 1 operator, 1 call"));
    const char *last = NULL, *op = strstr(text, "aten::many_of_them");
    int before = 0;
    for (const char *p = strstr(text, "Find anywhere"); p && (p = strstr(p, "kernel     many_")); p++)
        before += op && p < op, last = p;
    CHECK_INT(before, 4);
    CHECK(op && last && op < last);
    for (int i = 0; i < 40; i++) CHECK(tt_app_keys(a, "Down", NULL)); /* Down stops at the last match */
    picture_of(a, 40, 140);
    for (int i = 0; i < 40; i++) CHECK(tt_app_keys(a, "PgUp", NULL));
    picture_of(a, 40, 140);
    closed(a);
}

/* Enter opens the tab with the row, or the timeline if no tab has the row. */
static void goes(tt_app *a)
{
    typed(a, "dgemm");
    CHECK(tt_app_keys(a, "Enter", NULL));
    const char *text = picture_of(a, 40, 140);
    CHECK(!a->anywhere && strstr(text, "[3 Kern"));
    const char *row = strstr(text, "\n>");
    CHECK(row && memmem(row, strcspn(row + 1, "\n"), "dgemm_nt", 8));
    typed(a, "warm gemm");
    CHECK(tt_app_keys(a, "Enter", NULL));
    text = picture_of(a, 40, 140);
    CHECK(strstr(text, "[4 Time"));
    CHECK(strstr(text, "warm GEMM"));
}

/* Draw the search at any size, also with a text typed for another session. */
static void sizes(tt_app *a)
{
    for (uint32_t h = 2; h < 30; h += 3)
        for (uint32_t w = 4; w < 120; w += 11) {
            typed(a, "e");
            picture_of(a, h, w);
            CHECK(tt_app_keys(a, "Down PgDn Up", NULL));
            picture_of(a, h, w);
            closed(a);
        }
    typed(a, "gemm");
    tt_app_offer_session(a, made(), true);
    CHECK(strstr(picture_of(a, 40, 140), "7 calls") || !a->anywhere);
    CHECK(tt_app_keys(a, "Down Enter", NULL));
    picture_of(a, 40, 140);
}

int main(void)
{
    temp_begin();
    tt_app *a = tt_app_new(false);
    tt_app_set_session(a, made());
    picture_of(a, 40, 140);
    counts(a);
    first_of_each(a);
    goes(a);
    sizes(a);
    tt_app_free(a);
    temp_end();
    return check_done();
}
