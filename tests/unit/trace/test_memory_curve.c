/* test_memory_curve.c - curves of allocated memory, and the allocations alive at a moment. */
#include "model/index/memory_curve.h"
#include "model/tables/memory/memory.h"
#include "model/tables/registry/registry.h"
#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 1000 };

/* Allocation i comes at (i + 1) us and has i % 7 + 1 bytes; every third one is freed half a microsecond later. */
static tt_session *load_made(void)
{
    char *text = NULL;
    size_t n = 0;
    int64_t total = 100; /* memory allocated before the recording */
    FILE *f = open_memstream(&text, &n);
    fputs("{\"schemaVersion\":1,\"traceEvents\":[\n"
          "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"zero\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":0.5},\n"
          "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"early\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":499},\n"
          "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"late\",\"pid\":1,\"tid\":1,\"ts\":500.5,\"dur\":2000}",
          f);
    for (int i = 0; i < RECORDS; i++) {
        for (int k = 0; k <= (i % 3 == 0); k++) {
            int bytes = k ? -(i % 7 + 1) : i % 7 + 1;
            total += bytes;
            fprintf(f,
                    ",\n{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":1,"
                    "\"tid\":1,\"ts\":%d.%d,\"args\":{\"Device Type\":1,\"Device Id\":0,\"Bytes\":%d,\"Addr\":%d,"
                    "\"Total Allocated\":%lld,\"Total Reserved\":9000}}",
                    i + 1, k ? 5 : 0, bytes, 5000 + i, (long long)total);
        }
    }
    fputs("]}\n", f);
    fclose(f);
    const char *path = temp_file("memory.pt.trace.json", text, n);
    tt_load_options o = {.threads = 1};
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    if (!s) fprintf(stderr, "%s\n", err.message);
    free(text);
    return s;
}

/* The maximum by a look at every point. */
static int64_t slow_highest(const tt_memory_series *s, int64_t t0, int64_t t1)
{
    int64_t most = TT_UNKNOWN, held = TT_UNKNOWN;
    for (uint32_t i = 0; i < s->n && s->at[i].at < t1; i++) {
        if (s->at[i].at <= t0) {
            held = s->at[i].allocated;
        } else if (s->at[i].allocated > most) {
            most = s->at[i].allocated;
        }
    }
    return held > most ? held : most;
}

static void test_series(const tt_session *session)
{
    tt_memory_curves *c = tt_memory_curves_new(session);
    CHECK(c->records);
    CHECK_INT(c->n, 1);
    const tt_memory_series *s = &c->at[0];
    CHECK_STR(s->name, "GPU0");
    CHECK_INT(s->n, RECORDS + (RECORDS + 2) / 3);
    CHECK_INT(s->reserved, 9000);
    CHECK_INT(s->peak, slow_highest(s, 0, INT64_MAX));
    CHECK_INT(tt_memory_series_highest(s, s->peak_at, s->peak_at + 1).allocated, s->peak);
    CHECK_INT(tt_memory_series_highest(s, 0, 500).allocated, TT_UNKNOWN);
    CHECK_INT(tt_memory_series_point(s, 999), TT_NONE);
    CHECK_INT(tt_memory_series_point(s, 1000), 0);
    CHECK_INT(tt_memory_series_point(s, 1499), 0);
    CHECK_INT(tt_memory_series_point(s, 1500), 1);
    for (int64_t t0 = 0; t0 < 1100000; t0 += 7919) {
        for (int64_t w = 1; w < 1100000; w *= 3)
            CHECK_INT(tt_memory_series_highest(s, t0, t0 + w).allocated, slow_highest(s, t0, t0 + w));
    }
    tt_memory_curves_free(c);
}

static int64_t sum_of(const tt_table *t, const char *key)
{
    int64_t sum = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        int64_t v = tt_table_cell(t, r, (uint32_t)tt_table_column(t, key)).i;
        if (v != TT_UNKNOWN) sum += v;
    }
    return sum;
}

/* At any moment the rows add up to the allocated memory, by operator and allocation by allocation. */
static void test_alive(const tt_session *session)
{
    const tt_table_desc *d = tt_table_find("memory_alive");
    tt_memory_curves *c = tt_memory_curves_new(session);
    const tt_memory_series *s = &c->at[0];
    for (int64_t at = 1; at < 1100000; at += 33331) {
        int64_t records[2];
        for (uint8_t g = 0; g < 2; g++) {
            tt_options o = {.group = g, .arg = {at, TT_ALIVE_DEVICE(s->trace, s->device)}};
            tt_table *t = tt_table_compute(session, d, &tt_scope_all, &o);
            uint32_t point = tt_memory_series_point(s, at);
            CHECK_INT(sum_of(t, "size_bytes"), point == TT_NONE ? 0 : s->at[point].allocated);
            records[g] = g ? (int64_t)t->n_rows - (t->n_rows > 0) : sum_of(t, "allocations");
            tt_table_free(t);
        }
        CHECK_INT(records[0], records[1]);
    }
    tt_options peak = {0};
    tt_table *t = tt_table_compute(session, d, &tt_scope_all, &peak);
    CHECK_INT(sum_of(t, "size_bytes"), s->peak);
    CHECK_INT(t->n_rows, 4); /* memory of early, of late, from between them, and from before the recording */
    CHECK_INT(tt_table_cell(t, 0, (uint32_t)tt_table_column(t, "at_ns")).i, s->peak_at);
    tt_table_free(t);
    tt_options other = {.arg = {0, TT_ALIVE_DEVICE(7, s->device)}};
    t = tt_table_compute(session, d, &tt_scope_all, &other);
    CHECK_INT(t->n_rows, 0);
    CHECK(t->note != NULL);
    tt_table_free(t);
    tt_memory_curves_free(c);
}

int main(void)
{
    tt_session *s = load_made();
    if (CHECK(s)) {
        test_series(s);
        test_alive(s);
        tt_session_free(s);
    }
    return check_done();
}
