/* Rows by step, computed in one pass, against the same table restricted to each step (--steps): every table with rows
 * by step, by every grouping, over samples of every framework and real traces with several workers. */
#include <glob.h>
#include <stdlib.h>

#include "model/tables/registry/registry.h"
#include "model/tables/table.h"
#include "tests/unit/made.h"

enum { STEPS_LOOKED_AT = 4 };

static const char *main_of(const char *id, bool device)
{
    if (!strcmp(id, "key_averages")) return device ? "cuda_total_ns" : "cpu_total_ns";
    if (!strcmp(id, "memcpy")) return "device_total_ns";
    if (!strcmp(id, "kernels") || !strcmp(id, "runtime_api") || !strcmp(id, "comm_sizes")) return "total_ns";
    return "host_total_ns";
}

static const char *text_at(const tt_table *t, uint32_t row, const char *key)
{
    int c = tt_table_column(t, key);
    return c >= 0 ? tt_table_cell(t, row, (uint32_t)c).s : NULL;
}

static int64_t int_at(const tt_table *t, uint32_t row, const char *key)
{
    int c = tt_table_column(t, key);
    return c >= 0 ? tt_table_cell(t, row, (uint32_t)c).i : TT_UNKNOWN;
}

static int64_t calls_at(const tt_table *t, uint32_t row)
{
    return int_at(t, row, tt_table_column(t, "calls") >= 0 ? "calls" : "occurrences");
}

static int64_t main_at(const tt_table *t, uint32_t row)
{
    const char *side = text_at(t, row, "side");
    return int_at(t, row, main_of(t->desc->id, side && !strcmp(side, "device")));
}

/* The key of a row: all cells before its calls, except properties of calls. The caller frees it. */
static char *key_of(const tt_table *t, uint32_t row)
{
    char *text;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    for (uint32_t c = 0; c < t->n_cols; c++) {
        const tt_column *col = t->cols[c];
        if (!strcmp(col->key, "calls") || !strcmp(col->key, "occurrences")) break;
        if (!strcmp(col->key, "core") || !strcmp(col->key, "type") || col->type == TT_T_BOOL) continue;
        tt_cell cell = tt_table_cell(t, row, c);
        if (col->type == TT_T_STRING)
            fprintf(f, "%s|", cell.s ? cell.s : "\1");
        else
            fprintf(f, "%" PRId64 "|", cell.i);
    }
    fclose(f);
    return text;
}

typedef struct keyed {
    char *key;
    uint32_t row;
} keyed;

static int by_key(const void *a, const void *b) { return strcmp(((const keyed *)a)->key, ((const keyed *)b)->key); }

static keyed *keys_of(const tt_table *t)
{
    keyed *k = tt_calloc(t->n_rows + 1u, sizeof *k);
    for (uint32_t r = 0; r < t->n_rows; r++) k[r] = (keyed){key_of(t, r), r};
    if (t->n_rows) qsort(k, t->n_rows, sizeof *k, by_key);
    return k;
}

static void free_keys(keyed *k, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) free(k[i].key);
    free(k);
}

/* Sums over all rows with this key; a person cannot tell rows of one name apart either. */
typedef struct sum {
    int64_t calls, ns;
} sum;

static void check_step(const tt_session *s, const tt_table *whole, const keyed *keys, const tt_step_sums *sums,
                       int64_t number, const tt_options *o)
{
    tt_scope scope = tt_scope_all;
    scope.has_steps = true;
    scope.step_first = scope.step_last = number;
    tt_table *one = tt_table_compute(s, whole->desc, &scope, o);
    keyed *of_one = keys_of(one);
    bool places = !strcmp(whole->desc->id, "modules"); /* a place has its module's numbers, whichever was called */
    uint32_t i = 0, wrong = 0;
    for (uint32_t w = 0; w < whole->n_rows;) {
        sum have = {0, 0}, want = {0, 0};
        const char *key = keys[w].key;
        bool there = false;
        for (; w < whole->n_rows && !strcmp(keys[w].key, key); w++) {
            uint32_t n, row = keys[w].row, trace = tt_step_sums_part(sums, row)->trace;
            const tt_step_cell *cells = tt_step_sums_of(sums, row, &n);
            for (uint32_t c = 0; c < n; c++) {
                if (s->traces[trace]->steps[cells[c].step].number != number) continue;
                have.calls += cells[c].calls;
                have.ns += cells[c].ns;
            }
        }
        for (; i < one->n_rows && strcmp(of_one[i].key, key) < 0; i++) wrong++; /* the whole table has every row */
        for (; i < one->n_rows && !strcmp(of_one[i].key, key); i++) {
            int64_t calls = calls_at(one, of_one[i].row), ns = main_at(one, of_one[i].row);
            want.calls += calls == TT_UNKNOWN ? 0 : calls;
            want.ns += ns == TT_UNKNOWN ? 0 : ns;
            there = true;
        }
        if (places && !there) continue;
        if (have.calls != want.calls || have.ns != want.ns) {
            if (!wrong++)
                fprintf(stderr,
                        "    %s step %" PRId64 " of %s: %.80s: %" PRId64 " calls, %" PRId64 " ns; alone %" PRId64
                        ", %" PRId64 "\n",
                        whole->desc->id, number, s->traces[0]->path, key, have.calls, have.ns, want.calls, want.ns);
        }
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(i, one->n_rows);
    free_keys(of_one, one->n_rows);
    tt_table_free(one);
}

static uint32_t check_table(const tt_session *s, const tt_table_desc *d, uint8_t group)
{
    tt_options o = {.group = group};
    tt_step_sums sums = {0};
    tt_table *plain = tt_table_compute(s, d, &tt_scope_all, &o);
    tt_table *whole = tt_table_compute_by_step(s, d, &tt_scope_all, &o, &sums);
    keyed *keys = keys_of(whole);
    const tt_trace *t = s->traces[0];
    uint32_t looked = 0;
    CHECK_INT(whole->n_rows, plain->n_rows); /* asking for steps changes no row */
    for (uint32_t i = 0; i < t->n_steps && looked < STEPS_LOOKED_AT; i++) {
        if (t->steps[i].row == TT_NONE) continue;
        check_step(s, whole, keys, &sums, t->steps[i].number, &o);
        looked++;
    }
    free_keys(keys, whole->n_rows);
    tt_step_sums_free(&sums);
    tt_table_free(plain);
    tt_table_free(whole);
    return looked;
}

static uint32_t check_session(tt_session *s)
{
    uint32_t looked = 0;
    for (uint32_t i = 0; s && i < tt_n_tables; i++) {
        const tt_table_desc *d = tt_tables[i];
        if (!(d->flags & TT_TABLE_STEP_SUMS)) continue;
        for (uint8_t g = 0; g == 0 || (d->groups && d->groups[g]); g++) looked += check_table(s, d, g);
    }
    tt_session_free(s);
    return looked;
}

static uint32_t check_paths(const char *pattern)
{
    glob_t found;
    uint32_t looked = 0;
    if (!glob(pattern, GLOB_BRACE, NULL, &found))
        for (size_t i = 0; i < found.gl_pathc; i++) looked += check_session(load_trace(found.gl_pathv[i]));
    globfree(&found);
    return looked;
}

static void samples(void)
{
    uint32_t tables = 0;
    for (uint32_t i = 0; i < tt_n_tables; i++) tables += (tt_tables[i]->flags & TT_TABLE_STEP_SUMS) != 0;
    CHECK_INT(tables, 9);
    CHECK(check_paths("assets/sample_{gpu,paddle,ascend,mindinsight}") > 60);
}

static void corpus(void)
{
    const char *folder = getenv("TRACETTY_CORPUS");
    char pattern[4096];
    if (!folder || !*folder) {
        puts("skip corpus: TRACETTY_CORPUS is not set");
        return;
    }
    snprintf(
        pattern, sizeof pattern,
        "%s/traces/pytorch/{hta_trace_diff_test,hta_nccl_parser,hta_event_sync_multi_stream,resnet50_num_workers_4,"
        "torch_real_cpu_train_tree,rule_scope,rule_nolaunch,unit_all_categories_0}",
        folder);
    CHECK(check_paths(pattern) > 100);
}

/* Groups by hand: out of order, joined, and of several traces. */
static void by_hand(void)
{
    tt_step_sums x = {0}, apart = {0};
    uint32_t n, to[] = {1, 0};
    tt_step_sums_begin(&x, 3, 0);
    tt_step_sums_put(&x, 1, 0, 1, 10);
    tt_step_sums_put(&x, 1, 1, 1, 20);
    tt_step_sums_put(&x, 1, 0, 1, 5); /* step 0 again: the values add up */
    tt_step_sums_put(&x, 1, TT_NONE, 1, 99);
    tt_step_sums_put(&apart, 0, 0, 2, 7);
    tt_step_sums_put(&apart, 1, 4, 1, 1);
    tt_step_sums_join(&x, &apart, to);
    tt_step_sums_begin(&x, 5, 3); /* three earlier rows, the third without any step */
    tt_step_sums_put(&x, 0, 9, 1, 100);
    tt_step_sums_row(&x, 4, 0); /* two rows are one group */
    tt_step_sums_row(&x, 3, 0);
    tt_step_sums_sort(&x);
    const tt_step_cell *c = tt_step_sums_of(&x, 1, &n);
    int64_t calls = 0, ns = 0;
    for (uint32_t i = 0; i < n; i++) {
        calls += c[i].step == 0 ? c[i].calls : 0;
        ns += c[i].step == 0 ? c[i].ns : 0;
    }
    CHECK_INT(calls, 4);
    CHECK_INT(ns, 22);
    c = tt_step_sums_of(&x, 0, &n);
    CHECK_INT(n, 1);
    CHECK_INT(c[0].step, 4);
    tt_step_sums_of(&x, 2, &n);
    CHECK_INT(n, 0);
    for (uint32_t row = 3; row < 5; row++) {
        c = tt_step_sums_of(&x, row, &n);
        CHECK_INT(n, 1);
        CHECK_INT(c[0].ns, 100);
        CHECK_INT(tt_step_sums_part(&x, row)->trace, 5);
    }
    CHECK_INT(tt_step_sums_part(&x, 2)->trace, 3);
    tt_step_sums_free(&x);
    tt_step_sums_free(&apart);
}

int main(void)
{
    temp_begin();
    by_hand();
    samples();
    corpus();
    temp_end();
    return check_done();
}
