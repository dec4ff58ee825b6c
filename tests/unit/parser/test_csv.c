/* The csv reader: rows, cells, columns, numbers and damage in texts made by hand; then random texts, read in windows of
 * 1 byte, 7 bytes and many bytes, against a second, naive parser. */
#include "parser/csv/csv.h"
#include "parser/csv/mask.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"
#include "tests/unit/tempdir.h"

#include <math.h>

static const size_t windows[] = {1, 7, 0};
enum { WINDOWS = 3 };

typedef struct opened {
    tt_source *source;
    tt_csv *csv;
    tt_problems problems;
} opened;

/* Open a text as the file rows.csv; close it with done(). */
static opened *open_with(const char *text, size_t n, tt_csv_options options)
{
    opened *o = tt_calloc(1, sizeof *o);
    tt_err err;
    const char *path = temp_file("rows.csv", text, n);
    if (tt_source_open(path, &o->source, &err) != TT_OK) fprintf(stderr, "%s\n", err.message);
    o->csv = tt_csv_open_source(o->source, path, &options, &o->problems);
    return o;
}

static opened *open_text(const char *text) { return open_with(text, strlen(text), (tt_csv_options){0}); }

static void done(opened *o)
{
    tt_csv_close(o->csv);
    tt_source_close(o->source);
    free(o);
}

static char shown[4][4096];
static unsigned turn;

static const char *as_text(tt_csv_text t)
{
    char *p = shown[turn++ % 4];
    snprintf(p, sizeof shown[0], "%.*s", (int)t.n, t.at);
    return p;
}

static const char *cell(opened *o, int column) { return as_text(tt_csv_cell(o->csv, column)); }

static const char *example(const opened *o, tt_problem_kind kind) { return o->problems.of[kind].example; }
static uint64_t count(const opened *o, tt_problem_kind kind) { return o->problems.of[kind].count; }
#define BAD TT_PROBLEM_BAD_ROW

/* The whole text in one line: "LINE:[cell]..." for each row, then the number of problems. */
static const char *whole(const char *text, size_t n, tt_csv_options options)
{
    static char out[2][1 << 16];
    static unsigned which;
    char *p = out[which++ % 2], *begin = p, *end = p + sizeof out[0] - 64;
    opened *o = open_with(text, n, options);
    for (uint32_t i = 0; i < tt_csv_columns(o->csv); i++) {
        tt_csv_text name = tt_csv_name(o->csv, (int)i);
        p += snprintf(p, (size_t)(end - p), "[%.*s]", (int)name.n, name.at);
    }
    while (tt_csv_next(o->csv) && p < end) {
        p += snprintf(p, (size_t)(end - p), " %d:", (int)tt_csv_line(o->csv));
        for (uint32_t i = 0; i < tt_csv_cells(o->csv) && p < end; i++) {
            tt_csv_text t = tt_csv_cell(o->csv, (int)i);
            p += snprintf(p, (size_t)(end - p), "[%.*s]", (int)t.n, t.at);
        }
    }
    snprintf(p, 64, " bad %d", (int)count(o, BAD));
    done(o);
    return begin;
}

static void same_in_windows(const char *text, tt_csv_options options, const char *want)
{
    for (int w = 0; w < WINDOWS; w++) {
        options.window = windows[w];
        CHECK_STR(whole(text, strlen(text), options), want);
    }
}

static void test_rows(void)
{
    const tt_csv_options plain = {0};
    same_in_windows("a,b\n1,2\n3,4\n", plain, "[a][b] 2:[1][2] 3:[3][4] bad 0");
    same_in_windows("a,b\r\n1,2\r\n3,4", plain, "[a][b] 2:[1][2] 3:[3][4] bad 0");
    same_in_windows("\xEF\xBB\xBF"
                    "a,b\n1,2\n",
                    plain, "[a][b] 2:[1][2] bad 0");
    same_in_windows("\n\r\n a ,\tb\n\n 1\t, 2 \r\n  \n", plain, "[a][b] 5:[1][2] bad 0");
    same_in_windows("a,b\n\"1,x\",\"2\n\n3\"\n4,5\n", plain, "[a][b] 2:[1,x][2\n\n3] 5:[4][5] bad 0");
    same_in_windows("a,b\n\"say \"\"hi\"\"\",\"\"\n\"\"\"\",x\"y\n", plain,
                    "[a][b] 2:[say \"hi\"][] 3:[\"][x\"y] bad 0");
    same_in_windows("a,b\nN/A,\"N/A\"\nN/A2,n/a\n", plain, "[a][b] 2:[][] 3:[N/A2][n/a] bad 0");
    same_in_windows("a, \"b,c\"\n \"1\t\" ,\"2\" x\n", plain, "[a][b,c] 2:[1][2 x] bad 0");
    same_in_windows("a,b,\n1,2,\n3,4\n", plain, "[a][b][] 2:[1][2][] 3:[3][4] bad 1");
    same_in_windows("a,b\n1,2,\n3,4,5\n", plain, "[a][b] 2:[1][2][] 3:[3][4][5] bad 1");
    same_in_windows("a;b\n1,5;2\n", (tt_csv_options){.separator = ';'}, "[a][b] 2:[1,5][2] bad 0");
    same_in_windows("0 0  1\t7 \"10 \r\n\n 1  2", (tt_csv_options){.separator = ' ', .no_header = true},
                    " 1:[0][0][1][7][\"10] 3:[1][2] bad 0");
    same_in_windows("op_ids,0,1,2\nnames,x\n", (tt_csv_options){.no_header = true},
                    " 1:[op_ids][0][1][2] 2:[names][x] bad 0");
    same_in_windows("a,b\n1\n1,2,3\n", (tt_csv_options){.ragged = true}, "[a][b] 2:[1] 3:[1][2][3] bad 0");
}

static void test_damage(void)
{
    const tt_csv_options plain = {0};
    same_in_windows("a,b,c\n1,2,3\n4,5", plain, "[a][b][c] 2:[1][2][3] 3:[4][] bad 1"); /* 5 may be the start of 57 */
    same_in_windows("a,b,c\n1,2,3\n4,5\n6,7,8\n", plain, "[a][b][c] 2:[1][2][3] 3:[4][5] 4:[6][7][8] bad 1");
    /* an unclosed quote loses its row and the lines of the broken cell, but not the whole rows below */
    same_in_windows("a,b\n1,2\n3,\"at\n x:1\ny\n5,6\n7\n", plain, "[a][b] 2:[1][2] 6:[5][6] bad 1");
    same_in_windows("a,b\n1,2\n3,\"at\n x:1\ny", plain, "[a][b] 2:[1][2] bad 1");
    const tt_csv_options least = {.row_most = 12};
    same_in_windows("a,b\n1,2\n3,\"at x y z 12345678\"\n5,6\n", least, "[a][b] 2:[1][2] 4:[5][6] bad 1");
    opened *o = open_text("a,b,c\n1,2,3\n4\n5");
    while (tt_csv_next(o->csv)) continue;
    CHECK_STR(example(o, BAD), "rows.csv:3: 1 of 3 columns");
    CHECK_INT(count(o, BAD), 2);
    done(o);
    o = open_text("a,b,c\n1,2,3\n5,\"6");
    while (tt_csv_next(o->csv)) continue;
    CHECK_STR(example(o, BAD), "rows.csv:3: a quote does not end");
    done(o);
    o = open_text("a,b,c\n1,2,3\n5,6");
    while (tt_csv_next(o->csv)) continue;
    CHECK_STR(example(o, BAD), "rows.csv:3: 2 of 3 columns; the file is cut here");
    done(o);
}

/* Every line leaves a quote open, inside or outside of quotes: reading takes bounded time and reports that it gave up.
 */
static void test_quotes_without_end(void)
{
    enum { LINES = 200000 };
    static const char line[] = "x\",\",\n";
    char *text = malloc(LINES * 6 + 8);
    size_t n = 4;
    memcpy(text, "a,b\n", 4);
    for (int i = 0; i < LINES; i++, n += 6) memcpy(text + n, line, 6);
    opened *o = open_with(text, n, (tt_csv_options){0});
    while (tt_csv_next(o->csv)) continue;
    CHECK(count(o, BAD) >= 1 && count(o, BAD) < 100);
    done(o);
    free(text);
}

static void test_not_open(void)
{
    opened *o = open_text("\n \n");
    CHECK(!tt_csv_is_open(o->csv) && !tt_csv_next(o->csv) && tt_csv_columns(o->csv) == 0);
    CHECK_STR(example(o, TT_PROBLEM_MISSING_FILE), "rows.csv:1: the file is empty");
    CHECK_INT(tt_csv_need(o->csv, "a"), -1);
    CHECK_INT(count(o, TT_PROBLEM_MISSING_COLUMN), 0); /* the empty file was reported already */
    done(o);
    o = open_with("a,b\0c\n", 6, (tt_csv_options){0});
    CHECK(!tt_csv_is_open(o->csv));
    CHECK_STR(example(o, TT_PROBLEM_MISSING_FILE), "rows.csv:1: this is no text");
    done(o);

    tt_problems problems = {0};
    tt_input *in = tt_input_new(temp_path(""), NULL);
    tt_input_add(in, "empty", temp_file("empty.csv", "", 0), NULL, NULL);
    tt_input_add(in, "gone", temp_path("gone.csv"), NULL, NULL);
    tt_input_add(in, "good", temp_file("good.csv", "a\n1\n", 4), NULL, NULL);
    tt_csv *c = tt_csv_open(in, "empty", NULL, &problems);
    CHECK(!tt_csv_is_open(c));
    CHECK_INT(problems.of[TT_PROBLEM_MISSING_FILE].count, 1);
    CHECK(strncmp(problems.of[TT_PROBLEM_MISSING_FILE].example, "empty.csv:1: is empty", 21) == 0);
    tt_csv_close(c);
    c = tt_csv_open(in, "gone", NULL, &problems);
    CHECK(!tt_csv_is_open(c) && !tt_csv_next(c));
    CHECK_INT(problems.of[TT_PROBLEM_MISSING_FILE].count, 2);
    tt_csv_close(c);
    c = tt_csv_open(in, "nothing", NULL, &problems); /* the csv reader does not know whether a role is required */
    CHECK(!tt_csv_is_open(c) && !tt_csv_next(c));
    CHECK_INT(problems.of[TT_PROBLEM_MISSING_FILE].count, 2);
    tt_csv_close(c);
    for (int again = 0; again < 2; again++) { /* opening rewinds the input's source */
        c = tt_csv_open(in, "good", NULL, &problems);
        CHECK(tt_csv_is_open(c) && tt_csv_next(c) && tt_csv_is(c, 0, "1") && !tt_csv_next(c));
        CHECK_INT(tt_csv_offset(c), 4);
        tt_csv_close(c);
    }
    tt_input_free(in);
}

static void test_columns(void)
{
    opened *o =
        open_text("Step Id,Block Num,Start Time(us),computation_time,\"Duration(ms)\",Plain,ID,id\n1,2,3,4,5,6,7,8\n");
    CHECK_INT(tt_csv_column(o->csv, "step id"), 0);
    CHECK_INT(tt_csv_column(o->csv, "Block Dim|Block Num"), 1);
    CHECK_INT(tt_csv_column(o->csv, "Plain|Block Num"), 5); /* order of names, not of columns */
    CHECK_INT(tt_csv_column(o->csv, "computation"), -1);
    CHECK_INT(tt_csv_column(o->csv, "computation*"), 3);
    CHECK_INT(tt_csv_column(o->csv, "computation_time_and_more*"), -1);
    CHECK_INT(tt_csv_column(o->csv, "Id"), 6); /* the first of two equal columns */
    CHECK_INT(tt_csv_column(o->csv, ""), -1);
    CHECK(tt_csv_time_unit(o->csv, 2, 1) == TT_NS_OF_US && tt_csv_time_unit(o->csv, 4, 1) == TT_NS_OF_MS);
    CHECK(tt_csv_time_unit(o->csv, 5, TT_NS_OF_TICKS) == TT_NS_OF_TICKS && tt_csv_time_unit(o->csv, -1, 7) == 7);
    CHECK_STR(as_text(tt_csv_name(o->csv, 4)), "Duration(ms)");
    CHECK_INT(tt_csv_name(o->csv, 8).n + tt_csv_name(o->csv, -1).n, 0);
    CHECK_INT(tt_csv_need(o->csv, "Block Num"), 1);
    CHECK_INT(count(o, TT_PROBLEM_MISSING_COLUMN), 0);
    CHECK_INT(tt_csv_need(o->csv, "Free|Free Time*"), -1);
    CHECK_INT(count(o, TT_PROBLEM_MISSING_COLUMN), 1);
    CHECK_STR(example(o, TT_PROBLEM_MISSING_COLUMN), "rows.csv:1: column Free is missing");
    CHECK(tt_csv_next(o->csv));
    CHECK_STR(cell(o, 7), "8");
    CHECK_STR(cell(o, 7), "8"); /* the same cell, read a second time */
    CHECK_STR(cell(o, 8), "");
    CHECK_STR(cell(o, -1), "");
    done(o);
}

static void test_values(void)
{
    opened *o = open_text("t(us),n,d,b,x\n1736408883657086.220\t,16.0,0.5,true,abc\n,N/A,,,\n\"1,5\",1.5,nan,maybe,\n");
    int64_t v = -7;
    double d = -7;
    bool b = false;
    CHECK(tt_csv_next(o->csv));
    CHECK(tt_csv_ns(o->csv, 0, TT_NS_OF_US, &v) && v == INT64_C(1736408883657086220));
    CHECK(tt_csv_int(o->csv, 1, &v) && v == 16);
    CHECK(tt_csv_bytes(o->csv, 2, TT_BYTES_OF_KIB, &v) && v == 512);
    CHECK(tt_csv_double(o->csv, 2, &d) && d == 0.5);
    CHECK(tt_csv_bool(o->csv, 3, &b) && b);
    CHECK(tt_csv_is(o->csv, 4, "abc") && !tt_csv_is(o->csv, 4, "ab") && !tt_csv_is(o->csv, 3, "TRUE"));
    CHECK_INT(count(o, BAD), 0);
    CHECK(tt_csv_next(o->csv));
    v = -7, d = -7;
    CHECK(!tt_csv_ns(o->csv, 0, 1, &v) && !tt_csv_int(o->csv, 1, &v) && !tt_csv_double(o->csv, 2, &d));
    CHECK(!tt_csv_bool(o->csv, 3, &b) && !tt_csv_ns(o->csv, -1, 1, &v) && v == -7 && d == -7);
    CHECK_INT(count(o, BAD), 0); /* missing cells are no bad rows */
    CHECK(tt_csv_next(o->csv));
    CHECK(!tt_csv_ns(o->csv, 0, 1, &v) && v == -7);
    CHECK_STR(example(o, BAD), "rows.csv:4: t(us) is not a number: '1,5'");
    CHECK(!tt_csv_int(o->csv, 1, &v) && !tt_csv_double(o->csv, 2, &d) && !tt_csv_bool(o->csv, 3, &b));
    CHECK_INT(count(o, BAD), 4);
    tt_csv_bad(o->csv, -1, "is of no step");
    CHECK_INT(count(o, BAD), 5);
    CHECK(!tt_csv_next(o->csv) && !tt_csv_ns(o->csv, 0, 1, &v) && tt_csv_cells(o->csv) == 0);
    done(o);
}

/* The quick conversions of cells against the exact conversions of any text, among all kinds of neighbouring bytes. */
static void test_values_at_random(void)
{
    enum { ROWS = 20000 };
    tt_text text = {0};
    tt_text_put(&text, "t,u\n", 4);
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < 2; k++) {
            char number[48];
            size_t n = 0;
            for (uint64_t d = random_below(19); d; d--) number[n++] = (char)('0' + random_below(10));
            if (random_below(3)) number[n++] = '.';
            for (uint64_t d = random_below(6); d; d--) number[n++] = (char)('0' + random_below(10));
            if (n && !random_below(10)) number[random_below(n)] = "-x. e"[random_below(5)];
            tt_text_put(&text, number, n);
            tt_text_put(&text, k ? "\n" : ",", 1);
        }
    }
    opened *o = open_with(text.at, text.n, (tt_csv_options){.window = 100});
    unsigned wrong = 0, read = 0;
    while (tt_csv_next(o->csv)) {
        for (int k = 0; k < 2; k++) {
            int64_t a = -1, b = -1, c = -1, d = -1;
            tt_csv_text t = tt_csv_cell(o->csv, k);
            bool ok = tt_csv_ns(o->csv, k, TT_NS_OF_US, &a), whole_ok = tt_csv_int(o->csv, k, &c);
            wrong += ok != tt_decimal(t.at, t.n, TT_NS_OF_US, &b) || a != b;
            wrong += whole_ok != tt_decimal_whole(t.at, t.n, &d) || c != d;
            read += ok + whole_ok;
        }
    }
    CHECK_INT(wrong, 0);
    CHECK(read > ROWS);
    done(o);
    tt_vec_free(&text);
}

static void test_decimals(void)
{
    static const struct {
        const char *text;
        uint64_t unit;
        int64_t want; /* -1 = not a number */
    } cases[] = {
        {"8873.756000000001", TT_NS_OF_US, 8873756},
        {"4028.6750000000175", TT_NS_OF_US, 4028675},
        {"105991.87800000001", TT_NS_OF_US, 105991878},
        {"5e-05", TT_NS_OF_MS, 50},
        {"1E-05", TT_NS_OF_MS, 10},
        {"4.9999999e-7", TT_NS_OF_MS, 0},
        {"5e-7", TT_NS_OF_MS, 1},
        {"1.5E3", TT_NS_OF_US, 1500000},
        {"+.5", TT_NS_OF_US, 500},
        {"5.", TT_NS_OF_US, 5000},
        {"0.0005", TT_NS_OF_US, 1},
        {"0.00049999999999999999999999999999999999999999999999", TT_NS_OF_US, 0},
        {"0.00050000000000000000000000000000000000000000000000", TT_NS_OF_US, 1},
        {"0.0000000000000000000000000000000000000000000005e42", TT_NS_OF_US, 1},
        {"11904761904761.9", TT_NS_OF_TICKS, INT64_C(119047619047619)},
        {"1063874", TT_NS_OF_TICKS, 10638740},
        {"2109.60546875", TT_BYTES_OF_MIB, INT64_C(2212081664)},
        {"0.5", TT_BYTES_OF_KIB, 512},
        {"0.0009765625", TT_BYTES_OF_KIB, 1},
        {"0.00048828125", TT_BYTES_OF_KIB, 1},
        {"0.00048828124999999999999999999999999999999", TT_BYTES_OF_KIB, 0},
        {"1.001", TT_BYTES_OF_MB, 1001000},
        {"0", TT_NS_OF_S, 0},
        {"0e99999999999", TT_NS_OF_S, 0},
        {"1e-99999999999", TT_NS_OF_S, 0},
        {"2305843009213693952", 1, INT64_C(2305843009213693952)},
        {"2305843009213693953", 1, -1},
        {"2305843009.213693952", TT_NS_OF_S, INT64_C(2305843009213693952)},
        {"2305843009.2136939524", TT_NS_OF_S, INT64_C(2305843009213693952)},
        {"2305843009.2136939525", TT_NS_OF_S, -1},
        {"1e99999999999", 1, -1},
        {"00000000000000000000000000000000012", 1, 12},
        {"", 1, -1},
        {".", 1, -1},
        {"-", 1, -1},
        {"1e", 1, -1},
        {"1e+", 1, -1},
        {"1.2.3", 1, -1},
        {"1 2", 1, -1},
        {"0x10", 1, -1},
        {"nan", 1, -1},
        {"inf", 1, -1},
        {"12us", 1, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t v = -1;
        bool ok = tt_decimal(cases[i].text, strlen(cases[i].text), cases[i].unit, &v);
        CHECK_INT(v, cases[i].want);
        if (ok != (cases[i].want != -1)) CHECK_STR(cases[i].text, "the other");
    }
    int64_t v = 0;
    CHECK(tt_decimal("-1.0005", 7, TT_NS_OF_US, &v) && v == -1001);
    CHECK(tt_decimal(" -2\t", 4, TT_NS_OF_US, &v) && v == -2000);
}

/* Random decimals against a conversion by 128-bit integers. */
static void test_decimals_at_random(void)
{
    static const uint64_t units[] = {1, 10, 1000, 1024, 1000000, 1 << 20, 1000000000};
    unsigned wrong = 0;
    for (int i = 0; i < 200000; i++) {
        uint64_t unit = units[random_below(7)], digits = random_below(UINT64_C(1) << (1 + random_below(40)));
        unsigned decimals = (unsigned)random_below(13);
        unsigned __int128 scale = 1, want;
        char text[64];
        for (unsigned k = 0; k < decimals; k++) scale *= 10;
        want = ((unsigned __int128)digits * unit * 2 + scale) / (2 * scale);
        int n;
        if (random_below(2)) {
            n = snprintf(text, sizeof text, "%" PRIu64 ".%0*" PRIu64, (uint64_t)(digits / scale), (int)decimals,
                         (uint64_t)(digits % scale));
            if (!decimals) n -= 1;
        } else {
            n = snprintf(text, sizeof text, "%" PRIu64 "e%d", digits, -(int)decimals);
        }
        text[n < (int)sizeof text ? n : 0] = 0;
        int64_t got = -1;
        bool ok = tt_decimal(text, strlen(text), unit, &got);
        bool fits = want <= (unsigned __int128)1 << 61;
        if (ok != fits || (ok && (unsigned __int128)got != want)) {
            if (!wrong++) fprintf(stderr, "    first wrong: %s * %" PRIu64 "\n", text, unit);
        }
    }
    CHECK_INT(wrong, 0);
}

static void test_whole_numbers(void)
{
    static const struct {
        const char *text;
        bool ok;
        int64_t want;
    } cases[] = {{"16", true, 16},
                 {"16.0", true, 16},
                 {"1.6e1", true, 16},
                 {"160e-1", true, 16},
                 {"-3", true, -3},
                 {"9223372036854775807", true, INT64_MAX},
                 {"-9223372036854775808", true, INT64_MIN},
                 {"9223372036854775808", false, 0},
                 {"16.5", false, 0},
                 {"1e-1", false, 0},
                 {"0e-5", true, 0},
                 {"", false, 0},
                 {"-", false, 0},
                 {"1e30", false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t v = 0;
        CHECK(tt_decimal_whole(cases[i].text, strlen(cases[i].text), &v) == cases[i].ok);
        CHECK_INT(v, cases[i].want);
    }
}

static void test_masks(void)
{
    unsigned wrong = 0;
    for (int i = 0; i < 20000; i++) {
        char text[64];
        uint64_t want = 0;
        static const char likely[] = {',', '"', '\n', '\r', (char)0xAC, (char)0x8A, '-', '#', 11, 0};
        for (int k = 0; k < 64; k++) {
            text[k] = random_below(2) ? likely[random_below(sizeof likely)] : (char)random_below(256);
            want |= (uint64_t)(text[k] == ',' || text[k] == '"' || text[k] == '\n') << k;
        }
        wrong += tt_csv_mask(text, ',') != want || tt_csv_mask_words(text, ',') != want;
    }
    CHECK_INT(wrong, 0);
}

/* ---- against a naive parser ---- */

typedef struct naive {
    char out[1 << 16];
    size_t n;
    int rows, columns;
} naive;

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void naive_put(naive *v, const char *p, size_t n)
{
    while (n && blank(p[n - 1])) n--;
    while (n && blank(*p)) p++, n--;
    if (n == 3 && !memcmp(p, "N/A", 3)) n = 0;
    v->n += (size_t)snprintf(v->out + v->n, sizeof v->out - v->n, "[%.*s]", (int)n, p);
}

/* Read one row from p byte by byte: count its *cells and append its text to v. NULL = the text ends inside quotes. */
static const char *naive_row(naive *v, const char *p, const char *e, int *cells, int *lines, bool *empty)
{
    char text[4096];
    *cells = *lines = 0;
    *empty = true;
    for (;;) {
        size_t n = 0;
        const char *look = p;
        while (look < e && (*look == ' ' || *look == '\t')) look++;
        if (look < e && *look == '"') {
            *empty = false;
            for (p = look + 1;; p++) {
                if (p >= e) return NULL;
                *lines += *p == '\n';
                if (*p != '"') {
                    text[n++] = *p;
                } else if (p + 1 < e && p[1] == '"') {
                    text[n++] = *p++;
                } else {
                    break;
                }
            }
            p++;
        }
        while (p < e && *p != ',' && *p != '\n') {
            if (!blank(*p)) *empty = false;
            text[n++] = *p++;
        }
        naive_put(v, text, n);
        ++*cells;
        if (p < e && *p == ',') *empty = false;
        if (p == e || *p == '\n') {
            *lines += p < e;
            return p == e ? p : p + 1;
        }
        p++;
    }
}

static const char *naive_all(const char *text, size_t n)
{
    static naive v;
    const char *p = text, *e = text + n;
    int line = 1, columns = 0;
    bool recovered = false;
    v.n = 0;
    v.out[0] = 0;
    while (p < e) {
        size_t before = v.n;
        int cells, lines;
        bool empty;
        if (columns) v.n += (size_t)snprintf(v.out + v.n, sizeof v.out - v.n, " %d:", line);
        const char *next = naive_row(&v, p, e, &cells, &lines, &empty);
        bool keep = next && !empty;
        if (!next) {
            next = memchr(p, '\n', (size_t)(e - p));
            next = next ? next + 1 : e;
            lines = 1;
            recovered |= columns > 0;
        } else if (keep && columns && cells < columns && p < e && next == e && e[-1] != '\n') {
            char *last = strrchr(v.out, '['); /* the row was cut: its last cell is unknown */
            while (cells > 1 && last > v.out && last[-1] != ']') last--;
            keep = !recovered;
        } else if (keep && columns && cells != columns) {
            keep = !recovered;
        }
        if (!keep) v.out[v.n = before] = 0;
        if (keep && !columns) columns = cells;
        line += lines;
        p = next;
    }
    return v.out;
}

/* Compare without the " bad N" at the end, and without the last cell of a cut row, which the naive parser keeps. */
static void test_against_naive(void)
{
    static const char *const pieces[] = {"a",
                                         "b",
                                         ",",
                                         ",",
                                         "\"",
                                         "\"\"",
                                         "\n",
                                         "\r\n",
                                         " ",
                                         "\t",
                                         "N/A",
                                         "12",
                                         "\",",
                                         ",\"",
                                         "x y",
                                         "\"\n",
                                         "long text of many bytes, so that masks end in it"};
    unsigned wrong = 0, rows = 0;
    for (int i = 0; i < 1500 && wrong < 3; i++) {
        char text[4096];
        size_t n = (size_t)snprintf(text, sizeof text, "c1,c2%s\n", random_below(2) ? ",c3" : "");
        for (uint64_t k = random_below(60); k; k--) {
            const char *piece = pieces[random_below(sizeof pieces / sizeof pieces[0])];
            n += (size_t)snprintf(text + n, sizeof text - n, "%s", piece);
        }
        if (random_below(8)) n += (size_t)snprintf(text + n, sizeof text - n, "\n");
        const char *want = naive_all(text, n);
        for (int w = 0; w < WINDOWS; w++) {
            char got[1 << 15], *bad;
            snprintf(got, sizeof got, "%s", whole(text, n, (tt_csv_options){.window = windows[w]}));
            bad = strstr(got, " bad ");
            while (bad && strstr(bad + 1, " bad ")) bad = strstr(bad + 1, " bad ");
            if (bad) *bad = 0;
            size_t len = strlen(got);
            bool cut = text[n - 1] != '\n' && len > 2 && strcmp(got + len - 2, "[]") == 0;
            bool same = cut ? strncmp(got, want, len - 1) == 0 : strcmp(got, want) == 0;
            rows += same && strchr(got, ':') != NULL;
            if (!same && ++wrong)
                fprintf(stderr, "    text <%.*s>\n    got  %s\n    want %s\n", (int)n, text, got, want);
        }
    }
    CHECK_INT(wrong, 0);
    CHECK(rows > 2000);
}

int main(void)
{
    temp_begin();
    test_rows();
    test_damage();
    test_quotes_without_end();
    test_not_open();
    test_columns();
    test_values();
    test_values_at_random();
    test_decimals();
    test_decimals_at_random();
    test_whole_numbers();
    test_masks();
    test_against_naive();
    temp_end();
    return check_done();
}
