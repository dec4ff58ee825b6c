// Fuzz target: bytes as a csv file. Rows, cells, numbers and problems must not depend on the size of the windows. The
// first byte chooses the separator, the header and the limit of a row; the second byte chooses the windows.
#include "parser/csv/csv.h"
#include "tests/fuzz/common.h"

static uint64_t mix(uint64_t h, const void *p, size_t n)
{
    for (size_t i = 0; i < n; i++) h = (h ^ ((const unsigned char *)p)[i]) * UINT64_C(1099511628211);
    return (h ^ n) * UINT64_C(1099511628211);
}

/* Ask the row everything that a reader can ask. */
static uint64_t use_row(tt_csv *c, uint64_t h)
{
    uint64_t line = tt_csv_line(c);
    h = mix(h, &line, sizeof line);
    for (uint32_t i = 0; i < tt_csv_cells(c) + 1; i++) {
        int64_t v[4] = {0};
        double d = 0;
        bool b = false;
        tt_csv_text t = tt_csv_cell(c, (int)i), again = tt_csv_cell(c, (int)i);
        MUST(t.at && t.n == again.n && !memcmp(t.at, again.at, t.n));
        MUST(i < tt_csv_cells(c) || !t.n);
        h = mix(h, t.at, t.n);
        (void)tt_csv_ns(c, (int)i, TT_NS_OF_US, &v[0]);
        (void)tt_csv_ns(c, (int)i, TT_NS_OF_TICKS, &v[1]);
        (void)tt_csv_bytes(c, (int)i, TT_BYTES_OF_KIB, &v[2]);
        MUST(v[0] <= INT64_C(1) << 61 && v[0] >= -(INT64_C(1) << 61));
        (void)tt_csv_int(c, (int)i, &v[3]);
        if (tt_csv_double(c, (int)i, &d)) MUST(d - d == 0);
        (void)tt_csv_bool(c, (int)i, &b);
        h = mix(mix(h, v, sizeof v), &d, sizeof d) + b;
    }
    return h;
}

static uint64_t read_all(const char *path, tt_csv_options options, tt_problems *problems)
{
    tt_source *s;
    tt_err err;
    if (tt_source_open(path, &s, &err) != TT_OK) return 0;
    tt_csv *c = tt_csv_open_source(s, path, &options, problems);
    uint64_t h = tt_csv_columns(c), last = 0;
    for (uint32_t i = 0; i < tt_csv_columns(c); i++) {
        tt_csv_text name = tt_csv_name(c, (int)i);
        h = mix(h, name.at, name.n) + tt_csv_time_unit(c, (int)i, 3);
    }
    h += (uint64_t)tt_csv_need(c, "Name|Start Time*") + (uint64_t)tt_csv_need(c, "step_num");
    while (tt_csv_next(c)) {
        MUST(tt_csv_line(c) > last);
        last = tt_csv_line(c);
        h = use_row(c, h);
    }
    MUST(!tt_csv_next(c) && !tt_csv_cells(c));
    tt_csv_close(c);
    tt_source_close(s);
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char separators[] = {0, ',', ';', ' '};
    if (size < 2) return 0;
    tt_csv_options options = {.separator = separators[data[0] & 3],
                              .no_header = data[0] & 4,
                              .ragged = data[0] & 8,
                              .row_most = data[0] & 16 ? 16 : 0};
    memory_file f = file_of(data + 2, size - 2);
    tt_problems *a = tt_calloc(2, sizeof *a), *b = a + 1;
    uint64_t whole = read_all(f.path, options, a);
    options.window = 1 + data[1] % 70;
    MUST(read_all(f.path, options, b) == whole);
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        MUST(a->of[k].count == b->of[k].count && !strcmp(a->of[k].example, b->of[k].example));
    }
    free(a);
    close(f.fd);
    return 0;
}
