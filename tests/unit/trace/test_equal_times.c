// Slices with equal start and end: which slice encloses which, whatever their order in the file.
#include "tests/unit/made.h"

enum { MOST = 4 };

// Events without their times, the outermost event first.
static const struct {
    const char *what, *events[MOST];
} cases[] = {
    {"External id, before all else",
     {"\"cat\":\"cuda_runtime\",\"name\":\"z\",\"args\":{\"External id\":1}",
      "\"cat\":\"cpu_op\",\"name\":\"y\",\"args\":{\"External id\":2,\"Ev Idx\":9}",
      "\"cat\":\"user_annotation\",\"name\":\"x\",\"args\":{\"External id\":10,\"Ev Idx\":3}"}},
    {"ids beyond 32 bits, by their numbers",
     {"\"cat\":\"cpu_op\",\"name\":\"a\",\"args\":{\"External id\":7}",
      "\"cat\":\"cpu_op\",\"name\":\"d\",\"args\":{\"External id\":9999999999}",
      "\"cat\":\"cpu_op\",\"name\":\"c\",\"args\":{\"External id\":10000000001}",
      "\"cat\":\"cpu_op\",\"name\":\"b\",\"args\":{\"External id\":10000000002}"}},
    {"Ev Idx",
     {"\"cat\":\"cpu_op\",\"name\":\"z\",\"args\":{\"Ev Idx\":4}",
      "\"cat\":\"cpu_op\",\"name\":\"y\",\"args\":{\"Ev Idx\":5}",
      "\"cat\":\"user_annotation\",\"name\":\"x\",\"args\":{\"Ev Idx\":16}"}},
    {"Ev Idx where External ids are equal",
     {"\"cat\":\"cpu_op\",\"name\":\"z\",\"args\":{\"External id\":3,\"Ev Idx\":4}",
      "\"cat\":\"user_annotation\",\"name\":\"y\",\"args\":{\"External id\":3,\"Ev Idx\":5}"}},
    {"Python id",
     {"\"cat\":\"python_function\",\"name\":\"z\",\"args\":{\"Python id\":1}",
      "\"cat\":\"python_function\",\"name\":\"y\",\"args\":{\"Python id\":2,\"Python parent id\":1}",
      "\"cat\":\"python_function\",\"name\":\"x\",\"args\":{\"Python id\":30,\"Python parent id\":2}"}},
    {"category",
     {"\"cat\":\"user_annotation\",\"name\":\"z\"", "\"cat\":\"python_function\",\"name\":\"y\"",
      "\"cat\":\"cpu_op\",\"name\":\"x\"", "\"cat\":\"cuda_runtime\",\"name\":\"w\""}},
    {"an API call is inside of the operator that has an id, and a Python frame outside",
     {"\"cat\":\"python_function\",\"name\":\"z\",\"args\":{\"Python id\":8}",
      "\"cat\":\"cpu_op\",\"name\":\"y\",\"args\":{\"External id\":5}",
      "\"cat\":\"cuda_runtime\",\"name\":\"x\",\"args\":{\"correlation\":1}"}},
    {"name",
     {"\"cat\":\"cpu_op\",\"name\":\"aten::a\",\"args\":{\"Input Dims\":[[9]]}",
      "\"cat\":\"cpu_op\",\"name\":\"aten::b\"",
      "\"cat\":\"cpu_op\",\"name\":\"aten::c\",\"args\":{\"Input Dims\":[[1]]}"}},
    {"arguments",
     {"\"cat\":\"cpu_op\",\"name\":\"a\"", "\"cat\":\"cpu_op\",\"name\":\"a\",\"args\":{\"Input Dims\":[[1]]}",
      "\"cat\":\"cpu_op\",\"name\":\"a\",\"args\":{\"Input Dims\":[[1]],\"Call stack\":\"f\"}",
      "\"cat\":\"cpu_op\",\"name\":\"a\",\"args\":{\"Input Dims\":[[2]]}"}},
};

// Index of the case's event that row r came from, found by the line end before its text.
static int event_of(const tt_trace *s, tt_row r, const char *const *events, const char *text)
{
    const char *at = text + tt_row_text(s, r);
    const char *end = strchr(at, '\n');
    for (int k = 0; k < MOST && events[k]; k++) {
        size_t n = strlen(events[k]);
        if ((size_t)(end - at) > n && !memcmp(end - 2 - n, events[k], n)) return k;
    }
    return -1;
}

static void check_order(const char *what, const char *const *events, const int *order, int n)
{
    made_trace m;
    made_begin(&m);
    for (int i = 0; i < n; i++)
        fprintf(m.f, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":5,%s},\n", events[order[i]]);
    fprintf(m.f, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":11,\"dur\":2,\"cat\":\"cpu_op\",\"name\":\"inside\"},\n");
    fflush(m.f);
    char *text = strdup(m.text);
    tt_session *session = made_load(&m);
    const tt_trace *s = session->traces[0];
    tt_row last[2] = {TT_NONE, TT_NONE}; // last[0]: the last Python frame, last[1]: the last other slice
    CHECK_INT(s->n, n + 1);
    for (tt_row r = 0; r < s->n; r++) {
        tt_row *around = &last[!tt_kind_is_python(tt_row_kind(s, r))];
        bool right = (int)r == n || event_of(s, r, events, text) == (int)r;
        if (!CHECK(right && s->parent[r] == *around)) fprintf(stderr, "    %s: row %u\n", what, r);
        *around = r;
    }
    free(text);
    tt_session_free(session);
}

// Try every order of the file by permuting the events from `at` on.
static void check_orders(const char *what, const char *const *events, int *order, int n, int at)
{
    if (at == n) check_order(what, events, order, n);
    for (int i = at; i < n; i++) {
        int t = order[at];
        order[at] = order[i], order[i] = t;
        check_orders(what, events, order, n, at + 1);
        order[i] = order[at], order[at] = t;
    }
}

// Begins and ends without ids nest in the order of the file, among other slices between them.
static void test_pairs(void)
{
    made_trace m;
    made_begin(&m);
    fputs("{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":0,\"name\":\"z\"},\n{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":0,"
          "\"name\":\"a\"},\n"
          "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":4,\"name\":\"m\"},\n"
          "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":4},\n{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":4},\n",
          m.f);
    tt_session *session = made_load(&m);
    const tt_trace *s = session->traces[0];
    CHECK_INT(s->n, 3);
    CHECK_STR(tt_row_name(s, 0), "z");
    CHECK_STR(tt_row_name(s, 1), "m");
    CHECK_STR(tt_row_name(s, 2), "a");
    tt_session_free(session);
}

int main(void)
{
    temp_begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int order[MOST] = {0, 1, 2, 3}, n = 0;
        while (n < MOST && cases[i].events[n]) n++;
        check_orders(cases[i].what, cases[i].events, order, n, 0);
    }
    test_pairs();
    temp_end();
    return check_done();
}
