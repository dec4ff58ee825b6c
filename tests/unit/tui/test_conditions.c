/* test_conditions.c - a filter's conditions on columns, against rows chosen by hand. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/check.h"
#include "tests/unit/fixture.h"
#include "tui/table/conditions.h"

enum { NAME, CALLS, TIME, SIZE, SHARE };
static const tt_column columns[] = {
    [NAME] = {.key = "name", .title = "Name", .type = TT_T_STRING},
    [CALLS] = {.key = "calls", .title = "Calls", .type = TT_T_COUNT},
    [TIME] = {.key = "total_ns", .title = "CPU Total", .type = TT_T_DURATION},
    [SIZE] = {.key = "size_bytes", .title = "Size", .type = TT_T_BYTES},
    [SHARE] = {.key = "ratio_pct", .title = "%", .type = TT_T_PERCENT},
};

static void compute(const tt_query *q, tt_table *t)
{
    static const struct {
        const char *name;
        int64_t calls, ns, bytes;
        double pct;
    } rows[] = {{"conv", 3, 2500000, 1 << 20, 50.0}, {"add", 10, 250000, 512, 5.0}, {"copy", 10, 1000, 0, 0.02}};
    (void)q;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t r = tt_table_add(t);
        tt_set_ref(t, r, NAME, rows[i].name);
        tt_set_i(t, r, CALLS, rows[i].calls);
        tt_set_i(t, r, TIME, rows[i].ns);
        if (i != 2) tt_set_i(t, r, SIZE, rows[i].bytes); /* the size of copy is unknown */
        tt_set_d(t, r, SHARE, rows[i].pct);
    }
}

static const tt_table_desc desc = {.id = "limits", .title = "Limits", .cols = columns, .n_cols = 5, .compute = compute};

/* The rows that satisfy a filter's conditions, as digits; "!" = the filter is invalid. */
static const char *held(const tt_table *t, const char *filter, tt_conditions *c)
{
    static char out[8];
    tt_err err;
    size_t n = 0;
    if (!tt_conditions_parse(t, filter, c, &err)) return "!";
    for (uint32_t r = 0; r < t->n_rows; r++)
        if (tt_conditions_hold(t, r, c)) out[n++] = (char)('0' + r);
    out[n] = '\0';
    return out;
}

static void test_limits(void)
{
    tt_trace *trace = fixture_trace("a", "1", 0, true);
    fixture_track(trace, TT_TRACK_THREAD, "main");
    fixture_slice(trace, TT_KIND_CPU_OP, "x", 0, 1, NULL);
    tt_session *s = tt_session_new(&trace, 1, "");
    tt_scope scope = tt_scope_all;
    tt_options o = {0};
    const tt_table *t = tt_table_get(s, &desc, &scope, &o);
    tt_conditions c;
    static const struct {
        const char *filter, *rows, *text;
    } cases[] = {
        {"total>0.25", "0", ""}, /* in ms; the equal row does not satisfy it */
        {"total>=250us", "01", ""},
        {"total_ns<1.1us", "2", ""},
        {"CPUTotal<1ms", "12", ""},
        {"calls=10", "12", ""},
        {"calls=10 size>0", "1", ""},
        {"size>=1M", "0", ""},
        {"size<1KiB", "1", ""}, /* an unknown size is not less */
        {"%>5", "0", ""},
        {"ratio<=5%", "12", ""},
        {"conv calls>1", "012", "conv"},
        {"a b  c", "012", "a b  c"},
        {"a calls>9 b", "12", "a b"},
        {"name>3", "012", "name>3"},
        {"vector<float>", "012", "vector<float>"},
        {"x=1", "012", "x=1"},
        {"", "012", ""},
        {"calls>x", "!", NULL},
        {"total>2 parsecs", "0", "parsecs"},
        {"size>-1", "!", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_STR(held(t, cases[i].filter, &c), cases[i].rows);
        if (cases[i].text) CHECK_STR(c.text, cases[i].text);
    }
    fixture_session_free(s);
}

int main(void)
{
    test_limits();
    return check_done();
}
