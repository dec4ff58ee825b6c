/* parser/mindinsight/data_cpu.c - minddata_cpu_utilization: processor use by the machine, the process and the
 * operators of the input pipeline. Samples are in percent; means leave out the first sample, in which profiling began.
 * The operator id -1 stands for no operator. */
#include <stdlib.h>
#include <string.h>

#include "model/text/json_text.h"
#include "parser/json/number.h"
#include "parser/mindinsight/data.h"

enum { SCOPE, OP, USER, SYS, IO, IDLE };
static const tt_imported_key columns[] = {
    {"scope", TT_T_STRING},    {"op_id", TT_T_COUNT},    {"user_pct", TT_T_PERCENT},
    {"sys_pct", TT_T_PERCENT}, {"io_pct", TT_T_PERCENT}, {"idle_pct", TT_T_PERCENT},
};

/* Mean of a list's numbers without the first; false = there is none. */
static bool mean_of(const char *object, const char *end, const char *key, double *out)
{
    tt_json_member list, v;
    double sum = 0;
    uint64_t n = 0, at = 0;
    if (!tt_json_find(object, end, key, &list) || !list.value_n || *list.value != '[') return false;
    for (const char *p = list.value + 1; tt_json_item(&p, list.value + list.value_n, &v); at++) {
        double d = v.value_n ? tt_parse_double(v.value, v.value + v.value_n) : 0;
        if (!at || !v.value_n || d != d) continue;
        sum += d;
        n++;
    }
    if (n) *out = sum / (double)n;
    return n > 0;
}

static bool add_row(tt_imported *t, const char *scope, const char *object, const char *end, int64_t op)
{
    static const char *const keys[] = {"user_utilization", "sys_utilization", "io_utilization", "idle_utilization"};
    double means[4];
    bool have[4], any = false;
    for (uint32_t k = 0; k < 4; k++) any |= have[k] = mean_of(object, end, keys[k], &means[k]);
    if (!any) return false;
    uint32_t row = tt_imported_row(t);
    tt_imported_set_s(t, row, SCOPE, scope, strlen(scope));
    if (op >= 0) tt_imported_set_i(t, row, OP, op);
    for (uint32_t k = 0; k < 4; k++) {
        if (have[k]) tt_imported_set_d(t, row, USER + k, means[k]);
    }
    return true;
}

static void put_operators(tt_imported *t, const char *from, const char *end)
{
    tt_json_member list, op, metrics;
    if (!tt_json_find(from, end, "op_info", &list) || !list.value_n || *list.value != '[') return;
    for (const char *p = list.value + 1; tt_json_item(&p, list.value + list.value_n, &op);) {
        int64_t id;
        if (!op.value_n || !tt_mi_integer(op.value, op.value + op.value_n, "op_id", &id) || id < 0) continue;
        if (!tt_json_find(op.value, op.value + op.value_n, "metrics", &metrics) || !metrics.value_n) continue;
        add_row(t, "operator", metrics.value, metrics.value + metrics.value_n, id);
    }
}

void tt_mi_cpu(tt_mi *m)
{
    static const char *const scopes[][2] = {{"device", "device_info"}, {"process", "process_info"}};
    tt_text text;
    tt_json_member v;
    if (!tt_mi_text(m, "cpu_use", &text)) return;
    const char *end = text.at + text.n, *from = tt_json_blanks(text.at, end);
    tt_imported *t = TT_MI_TABLE(m, "data_cpu", columns);
    for (size_t i = 0; i < 2; i++) {
        if (tt_json_find(from, end, scopes[i][1], &v) && v.value_n)
            add_row(t, scopes[i][0], v.value, v.value + v.value_n, -1);
    }
    put_operators(t, from, end);
    if (!t->n_rows) tt_mi_bad(m, "cpu_use", &text, NULL, "has no use of processors in it");
    if (t->n_rows && !tt_json_value_end(from, end)) tt_mi_bad(m, "cpu_use", &text, end, "ends early");
    tt_vec_free(&text);
}
