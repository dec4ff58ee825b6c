/* tests/bench/csv.c - speed of reading csv, with the conversions that a reader of kernel_details.csv makes.
 *
 *     csv FILE     every row of FILE: times, ids and texts by column name
 *
 * Prints {"seconds": on one core, "bytes": n, "rows": n, "sum": of the durations in ns}. */
#include "parser/csv/csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double core_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { TIMES = 3, IDS = 4, TEXTS = 6 };

int main(int argc, char **argv)
{
    static const char *const times[TIMES] = {"Duration(us)", "Start Time(us)", "Wait Time(us)"};
    static const char *const ids[IDS] = {"Model ID", "Task ID", "Stream ID", "Block Dim"};
    static const char *const texts[TEXTS] = {
        "Name", "Type", "Accelerator Core", "Input Shapes", "Input Data Types", "Output Shapes"};
    tt_problems problems = {0};
    tt_source *s;
    tt_err err;
    int column[TIMES + IDS + TEXTS];
    uint64_t rows = 0, letters = 0;
    int64_t sum = 0;
    double t0 = core_time();
    if (argc != 2 || tt_source_open(argv[1], &s, &err) != TT_OK) {
        fprintf(stderr, "csv: %s\n", argc == 2 ? err.message : "usage: csv FILE");
        return 2;
    }
    tt_csv *c = tt_csv_open_source(s, argv[1], NULL, &problems);
    for (int i = 0; i < TIMES; i++) column[i] = tt_csv_need(c, times[i]);
    for (int i = 0; i < IDS; i++) column[TIMES + i] = tt_csv_need(c, ids[i]);
    for (int i = 0; i < TEXTS; i++) column[TIMES + IDS + i] = tt_csv_need(c, texts[i]);
    while (tt_csv_next(c)) {
        int64_t v[TIMES + IDS] = {0};
        for (int i = 0; i < TIMES; i++) (void)tt_csv_ns(c, column[i], TT_NS_OF_US, &v[i]);
        for (int i = 0; i < IDS; i++) (void)tt_csv_int(c, column[TIMES + i], &v[TIMES + i]);
        for (int i = 0; i < TEXTS; i++) letters += tt_csv_cell(c, column[TIMES + IDS + i]).n;
        sum += v[0];
        rows++;
    }
    printf("{\"seconds\": %.6f, \"bytes\": %" PRIu64 ", \"rows\": %" PRIu64 ", \"sum\": %" PRId64 "}\n",
           core_time() - t0, tt_csv_offset(c), rows, sum);
    bool wrong = !letters || tt_problems_matter(&problems);
    tt_csv_close(c);
    tt_source_close(s);
    return wrong;
}
