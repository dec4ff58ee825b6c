/* tests/unit/tui/test_format_value.c - values formatted for people, JSON for programs, and parsed values of options.
 * */
#include <math.h>
#include <stdlib.h>

#include "parser/json/write.h"
#include "tests/unit/check.h"
#include "tui/args/cli.h"

static char out[TT_TEXT_CAP];

static void test_durations(void)
{
    CHECK_STR(tt_format_duration(out, 0, TT_UNIT_AUTO), "0");
    CHECK_STR(tt_format_duration(out, 999, TT_UNIT_AUTO), "999 ns");
    CHECK_STR(tt_format_duration(out, 22804, TT_UNIT_AUTO), "22.80 \xc2\xb5s");
    CHECK_STR(tt_format_duration(out, 852000, TT_UNIT_AUTO), "852 \xc2\xb5s");
    CHECK_STR(tt_format_duration(out, 852001, TT_UNIT_AUTO), "852.0 \xc2\xb5s");
    CHECK_STR(tt_format_duration(out, 141123456, TT_UNIT_AUTO), "141.1 ms");
    CHECK_STR(tt_format_duration(out, 1500000, TT_UNIT_AUTO), "1.500 ms");
    CHECK_STR(tt_format_duration(out, 999999600, TT_UNIT_AUTO), "1.000 s");
    CHECK_STR(tt_format_duration(out, 999940000, TT_UNIT_AUTO), "999.9 ms");
    CHECK_STR(tt_format_duration(out, 90000000000, TT_UNIT_AUTO), "90.00 s");
    CHECK_STR(tt_format_duration(out, -1500, TT_UNIT_AUTO), "-1.500 \xc2\xb5s");
    CHECK_STR(tt_format_duration(out, INT64_MAX, TT_UNIT_AUTO), "9223372037 s");
    CHECK_STR(tt_format_duration(out, 850, TT_UNIT_US), "0.850 \xc2\xb5s");
    CHECK_STR(tt_format_ascii(out), "0.850 us");
    CHECK_STR(tt_format_duration(out, 850, TT_UNIT_S), "0.000 s");
    CHECK_STR(tt_format_duration(out, 1234567, TT_UNIT_NS), "1234567 ns");
    CHECK_STR(tt_format_time(out, 1234567, TT_UNIT_AUTO), "1.234567 ms");
    CHECK_STR(tt_format_time(out, 1200000, TT_UNIT_AUTO), "1.2 ms");
    CHECK_STR(tt_format_time(out, 0, TT_UNIT_AUTO), "0");
    CHECK_STR(tt_format_time(out, 2000000001, TT_UNIT_AUTO), "2.000000001 s");
    CHECK_STR(tt_format_time(out, -5, TT_UNIT_US), "-0.005 \xc2\xb5s");
}

/* Check the texts of a column, as the rows of a table show them. */
static void column(tt_type type, const tt_cell *v, uint32_t n, const char *const *want)
{
    const tt_column c = {.key = "x", .type = type};
    tt_digits d = {0};
    for (uint32_t i = 0; i < n; i++) tt_digits_learn(&d, type, v[i]);
    for (uint32_t i = 0; i < n; i++) CHECK_STR(tt_format_cell(out, &c, v[i], TT_UNIT_AUTO, &d), want[i]);
}

static void test_columns(void)
{
    const tt_cell mixed[] = {{.i = 141123456}, {.i = 4085123}, {.i = 737672}, {.i = 85911}, {.i = 0}, {.i = 999}};
    column(TT_T_DURATION, mixed, 6,
           (const char *const[]){"141.1 ms", "4.1 ms", "737.7 \xc2\xb5s", "85.9 \xc2\xb5s", "0", "999 ns"});
    const tt_cell whole[] = {{.i = 852000}, {.i = 4000}, {.i = 1941000}};
    column(TT_T_DURATION, whole, 3, (const char *const[]){"852 \xc2\xb5s", "4 \xc2\xb5s", "1.941 ms"});
    const tt_cell rounded[] = {{.i = 123400000}, {.i = 999960000}};
    column(TT_T_DURATION, rounded, 2, (const char *const[]){"123.4 ms", "1.000 s"});
    const tt_cell places[] = {{.i = 46401650}, {.i = 46506352}, {.i = 156000}, {.i = 0}};
    column(TT_T_TIME, places, 4, (const char *const[]){"46.401650 ms", "46.506352 ms", "0.156000 ms", "0"});
    const tt_cell coarse[] = {{.i = 416080000}, {.i = 292863000}};
    column(TT_T_TIME, coarse, 2, (const char *const[]){"416.080 ms", "292.863 ms"});
    const tt_cell rates[] = {{.d = 641.4155}, {.d = 46.545}, {.d = 12}};
    column(TT_T_NUMBER, rates, 3, (const char *const[]){"641", "47", "12"});
    const tt_cell wide[] = {{.d = 641.4155}, {.d = 1.43}, {.d = 0.001}, {.d = 0}};
    column(TT_T_NUMBER, wide, 4, (const char *const[]){"641.42", "1.43", "<0.01", "0"});
    const tt_cell counts[] = {{.d = 5}, {.d = 3352}};
    column(TT_T_NUMBER, counts, 2, (const char *const[]){"5", "3,352"});
    const tt_cell bytes[] = {{.i = 79LL << 30}, {.i = 3LL << 29}, {.i = 231424}, {.i = 512}};
    column(TT_T_BYTES, bytes, 4, (const char *const[]){"79.00 GiB", "1.50 GiB", "226 KiB", "512 B"});
}

/* A change is shown as a percentage while the percentage is meaningful. */
static void test_changes(void)
{
    CHECK_STR(tt_format_typed(out, TT_T_PERCENT, (tt_cell){.d = 4733.47}, TT_UNIT_AUTO, true), "x48");
    CHECK_STR(tt_format_typed(out, TT_T_PERCENT, (tt_cell){.d = 410}, TT_UNIT_AUTO, true), "x5.1");
    CHECK_STR(tt_format_typed(out, TT_T_PERCENT, (tt_cell){.d = 400}, TT_UNIT_AUTO, true), "+400.0%");
    CHECK_STR(tt_format_typed(out, TT_T_PERCENT, (tt_cell){.d = -65.264}, TT_UNIT_AUTO, true), "-65.3%");
    CHECK_STR(tt_format_typed(out, TT_T_PERCENT, (tt_cell){.d = 0}, TT_UNIT_AUTO, true), "0");
    CHECK_STR(tt_format_typed(out, TT_T_PERCENT, (tt_cell){.d = 4733.47}, TT_UNIT_AUTO, false), "4733.5%");
    const tt_column flops = {.key = "flops", .type = TT_T_COUNT};
    CHECK_STR(tt_format_cell(out, &flops, (tt_cell){.i = 2475914428416}, TT_UNIT_AUTO, NULL), "2.48 TFLOP");
    CHECK_STR(tt_format_cell(out, &flops, (tt_cell){.i = 999}, TT_UNIT_AUTO, NULL), "999 FLOP");
    CHECK_STR(tt_format_cell(out, &flops, (tt_cell){.i = 999600}, TT_UNIT_AUTO, NULL), "1.00 MFLOP");
}

static void test_numbers(void)
{
    CHECK_STR(tt_format_count(out, 0), "0");
    CHECK_STR(tt_format_count(out, 999), "999");
    CHECK_STR(tt_format_count(out, -1234567), "-1,234,567");
    CHECK_STR(tt_format_counted(out, 1, "slice"), "1 slice");
    CHECK_STR(tt_format_counted(out, 0, "slice"), "0 slices");
    CHECK_STR(tt_format_counted(out, 1234, "folded stack"), "1,234 folded stacks");
    CHECK_STR(tt_format_count(out, INT64_MIN), "-9,223,372,036,854,775,808");
    CHECK_STR(tt_format_bytes(out, 512), "512 B");
    CHECK_STR(tt_format_bytes(out, 1536), "1.50 KiB");
    CHECK_STR(tt_format_bytes(out, -(3LL << 30)), "-3 GiB");
    CHECK_STR(tt_format_bytes(out, 1048575), "1.00 MiB");
    CHECK_STR(tt_format_percent(out, 12.345), "12.3%");
    CHECK_STR(tt_format_percent(out, 0), "0");
    CHECK_STR(tt_format_percent(out, 0.453), "0.45%");
    CHECK_STR(tt_format_percent(out, 0.998), "1.0%");
    CHECK_STR(tt_format_percent(out, 0.001), "<0.01%");
    CHECK_STR(tt_format_percent(out, NAN), "-");
    /* a share is at most 100%; a share of a peak and a change may be more */
    tt_column share = {.key = "share_pct", .type = TT_T_PERCENT}, of_peak = share, change = share;
    of_peak.above_all = true;
    change.key = "delta_pct";
    CHECK_STR(tt_format_cell(out, &share, (tt_cell){.d = 164.5}, TT_UNIT_AUTO, NULL), ">100%");
    CHECK_STR(tt_format_cell(out, &share, (tt_cell){.d = 100.04}, TT_UNIT_AUTO, NULL), "100.0%");
    CHECK_STR(tt_format_cell(out, &of_peak, (tt_cell){.d = 164.5}, TT_UNIT_AUTO, NULL), "164.5%");
    CHECK_STR(tt_format_cell(out, &change, (tt_cell){.d = 164.5}, TT_UNIT_AUTO, NULL), "+164.5%");
    CHECK_STR(tt_format_number(out, 2.5), "2.5");
    CHECK_STR(tt_format_number(out, -0.0), "0");
    CHECK_STR(tt_format_number(out, 1048576), "1,048,576");
    CHECK_STR(tt_format_number(out, 641.4155), "641");
    CHECK_STR(tt_format_number(out, 46.545455), "46.5");
    CHECK_STR(tt_format_number(out, 2.1993495274752135), "2.2");
    CHECK_STR(tt_format_number(out, 0.1212), "0.121");
    CHECK_STR(tt_format_number(out, INFINITY), "-");
    CHECK_STR(tt_format_number(out, 0.00001), "1e-05");
    tt_format_number(out, 1.7e308);
    tt_format_percent(out, -1.7e308);
    const tt_column op = {.key = "operator", .type = TT_T_STRING, .unknown = "no launch recorded"},
                    text = {.key = "grid", .type = TT_T_STRING}, yes = {.key = "b", .type = TT_T_BOOL},
                    ns = {.key = "x_ns", .type = TT_T_DURATION};
    CHECK_STR(tt_cell_text(&op, (tt_cell){.s = NULL}), "no launch recorded");
    CHECK_STR(tt_cell_output(&op, (tt_cell){.s = NULL}), "(unattributed)");
    CHECK_STR(tt_cell_output(&text, (tt_cell){.s = NULL}), "-");
    tt_digits shares = {.top = 0}, small = {.top = 0};
    tt_digits_learn(&shares, TT_T_PERCENT, (tt_cell){.d = 67.6});
    tt_digits_learn(&shares, TT_T_PERCENT, (tt_cell){.d = 0.45});
    const tt_column part = {.key = "share_pct", .type = TT_T_PERCENT};
    CHECK_STR(tt_format_cell(out, &part, (tt_cell){.d = 67.6}, TT_UNIT_AUTO, &shares), "67.6%");
    CHECK_STR(tt_format_cell(out, &part, (tt_cell){.d = 0.45}, TT_UNIT_AUTO, &shares), "0.5%");
    CHECK_STR(tt_format_cell(out, &part, (tt_cell){.d = 0.04}, TT_UNIT_AUTO, &shares), "<0.1%");
    tt_digits_learn(&small, TT_T_PERCENT, (tt_cell){.d = 0.45});
    CHECK_STR(tt_format_cell(out, &part, (tt_cell){.d = 0.04}, TT_UNIT_AUTO, &small), "0.04%");
    CHECK_STR(tt_cell_text(&text, (tt_cell){.s = NULL}), "-");
    CHECK_STR(tt_format_cell(out, &yes, (tt_cell){.i = 1}, TT_UNIT_AUTO, NULL), "yes");
    CHECK_STR(tt_format_cell(out, &yes, (tt_cell){.i = TT_UNKNOWN}, TT_UNIT_AUTO, NULL), "-");
    CHECK_STR(tt_format_cell(out, &ns, (tt_cell){.i = 1500}, TT_UNIT_MS, NULL), "0.002 ms");
}

static void test_json(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    tt_json j;
    tt_json_init(&j, f);
    tt_json_open(&j, '{', false);
    tt_json_key(&j, "empty");
    tt_json_open(&j, '[', false);
    tt_json_close(&j, ']');
    tt_json_key(&j, "row");
    tt_json_open(&j, '{', true);
    tt_json_key(&j, "n\"1");
    tt_json_int(&j, INT64_MIN);
    tt_json_key(&j, "nan");
    tt_json_double(&j, NAN);
    tt_json_key(&j, "list");
    tt_json_open(&j, '[', false); /* a list begun inside a line stays on the line */
    tt_json_double(&j, 0.1);
    tt_json_bool(&j, true);
    tt_json_text(&j, NULL);
    tt_json_close(&j, ']');
    tt_json_close(&j, '}');
    tt_json_key(&j, "last");
    tt_json_text(&j, "\033");
    tt_json_close(&j, '}');
    fclose(f);
    CHECK_STR(text, "{\n  \"empty\": [],\n  \"row\": {\"n\\\"1\": -9223372036854775808, \"nan\": null, \"list\": [0.1, "
                    "true, null]},\n"
                    "  \"last\": \"\\u001b\"\n}\n");
    free(text);
}

static void test_values(void)
{
    int64_t a, b;
    const char *end;
    CHECK(tt_parse_count("30", &a) && a == 30);
    CHECK(!tt_parse_count("", &a) && !tt_parse_count("-1", &a) && !tt_parse_count("1e3", &a));
    CHECK(!tt_parse_count("99999999999999999999", &a));
    CHECK(tt_parse_time("12.5ms", &end, 1, &a) && a == 12500000 && !*end);
    CHECK(tt_parse_time("0.000000001s", &end, 1, &a) && a == 1);
    CHECK(tt_parse_time("1.0000000019s", &end, 1, &a) && a == 1000000001); /* fractions of a nanosecond are cut */
    CHECK(tt_parse_time("7", &end, 1000, &a) && a == 7000);
    CHECK(tt_parse_time(".5us", &end, 1, &a) && a == 500);
    CHECK(!tt_parse_time("ms", &end, 1, &a) && !tt_parse_time("9999999999999s", &end, 1, &a));
    CHECK(tt_parse_range("12.5ms-80ms", &a, &b) && a == 12500000 && b == 80000000);
    CHECK(tt_parse_range("1-2", &a, &b) && a == 1000000 && b == 2000000);
    CHECK(tt_parse_range("12-80us", &a, &b) && a == 12000 && b == 80000);
    CHECK(tt_parse_range("900us-1ms", &a, &b) && a == 900000 && b == 1000000);
    CHECK(tt_parse_range("1s-", &a, &b) && a == 1000000000 && b == INT64_MAX);
    CHECK(tt_parse_range("-5ms", &a, &b) && a == 0 && b == 5000000);
    CHECK(!tt_parse_range("", &a, &b) && !tt_parse_range("-", &a, &b) && !tt_parse_range("5ms", &a, &b));
    CHECK(!tt_parse_range("5ms-4ms", &a, &b) && !tt_parse_range("1-2x", &a, &b) && !tt_parse_range("1x-2", &a, &b));
    CHECK(tt_parse_range("12\xc2\xb5s-0.08 ms", &a, &b) && a == 12000 && b == 80000);
    uint64_t n;
    CHECK(tt_parse_size("100", &n) && n == 100);
    CHECK(tt_parse_size("12k", &n) && n == 12288);
    CHECK(tt_parse_size("512MiB", &n) && n == 512u << 20);
    CHECK(tt_parse_size("4Gb", &n) && n == UINT64_C(4) << 30);
    CHECK(tt_parse_size("8388607T", &n) && n == UINT64_C(8388607) << 40);
    CHECK(!tt_parse_size("8388608T", &n) && !tt_parse_size("9223372036854775808", &n));
    CHECK(!tt_parse_size("", &n) && !tt_parse_size("M", &n) && !tt_parse_size("-1", &n) && !tt_parse_size("1x", &n));
    CHECK(!tt_parse_size("1MM", &n) && !tt_parse_size("1i", &n) && !tt_parse_size("1 M", &n));
    CHECK(tt_parse_steps("3-7", &a, &b) && a == 3 && b == 7);
    CHECK(tt_parse_steps("5", &a, &b) && a == 5 && b == 5);
    CHECK(tt_parse_steps("3-", &a, &b) && a == 3 && b == INT64_MAX);
    CHECK(!tt_parse_steps("7-3", &a, &b) && !tt_parse_steps("", &a, &b) && !tt_parse_steps("-3", &a, &b) &&
          !tt_parse_steps("3-x", &a, &b));
    const char *words[] = {"operators", "kernels", "key_averages"};
    CHECK_STR(tt_closest("kernel", words, 3), "kernels");
    CHECK_STR(tt_closest("opreators", words, 3), "operators");
    CHECK(tt_closest("zzz", words, 3) == NULL);
}

/* Points of time that `:goto` accepts. */
static void test_points(void)
{
    int64_t at;
    const char *const twelve[] = {"12\xc2\xb5s", "12\xce\xbcs", "12us",      "12 us",
                                  "12000ns",     "0.012",       "0.000012s", "12.0005us"};
    for (size_t i = 0; i < sizeof twelve / sizeof *twelve; i++)
        CHECK(tt_parse_point(twelve[i], 5, 7, &at) && at == 12000);
    CHECK(tt_parse_point("1717171717.123456789s", 0, 0, &at) && at == 1717171717123456789);
    CHECK(tt_parse_point("+250us", 1000, 0, &at) && at == 251000);
    CHECK(tt_parse_point("-2", 1000, 0, &at) && at == -1999000);
    CHECK(tt_parse_point("50%", 0, 3000, &at) && at == 1500);
    CHECK(tt_parse_point("33.3 %", 0, 1000000000000000000, &at) && at == 333000000000000000);
    CHECK(tt_parse_point("0%", 9, 3000, &at) && at == 0);
    CHECK(tt_parse_point("100%", 0, INT64_MAX / 4, &at) && at == INT64_MAX / 4);
    const char *const none[] = {"",     "%",     "+",    "-",      "--5",    "+-5", "5x",   "x5",
                                "5ms2", "1e3",   "0x10", "nan",    "100.1%", "-5%", "50%%", "50ms%",
                                "50s%", "50%ms", " 5 5", "12\xc2", "5ms ",   "inf"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if (tt_parse_point(none[i], 0, 1000, &at)) fprintf(stderr, "taken for a time: '%s'\n", none[i]);
        CHECK(!tt_parse_point(none[i], 0, 1000, &at));
    }
    CHECK(!tt_parse_point("9223372036s", 0, 0, &at) && !tt_parse_point("99999999999s", 0, 0, &at));
    CHECK(!tt_parse_point("+2000000000s", INT64_MAX / 4, 0, &at) && !tt_parse_point("+9223372036s", INT64_MAX, 0, &at));
}

static tt_status parse(tt_cli *c, tt_err *err, const char *a, const char *b, const char *d)
{
    const char *argv[] = {"tracetty", a, b, d, NULL};
    int argc = 1 + (a != NULL) + (b != NULL) + (d != NULL);
    tt_status st = tt_cli_parse(argc, (char *const *)argv, c, err);
    return st;
}

static void test_command_line(void)
{
    tt_cli c;
    tt_err e;
    CHECK_INT(parse(&c, &e, "summary", "--limit=5", "x.json"), TT_OK);
    CHECK(c.command == TT_CMD_SUMMARY && c.n_args == 1);
    CHECK_STR(c.value[TT_OPT_LIMIT], "5");
    tt_cli_free(&c);
    CHECK_INT(parse(&c, &e, "--color", "never", "a/b"), TT_OK);
    CHECK(c.command == TT_CMD_EXPLORE);
    tt_cli_free(&c);
    CHECK_INT(parse(&c, &e, "--", "summary", NULL), TT_OK);
    CHECK(c.command == TT_CMD_EXPLORE && c.n_args == 1);
    tt_cli_free(&c);
    CHECK_INT(parse(&c, &e, "-", NULL, NULL), TT_OK);
    CHECK(c.command == TT_CMD_EXPLORE && c.n_args == 1);
    tt_cli_free(&c);
    CHECK_INT(parse(&c, &e, "sumary", "x.json", NULL), TT_ERR_USAGE);
    CHECK(strstr(e.message, "summary") != NULL);
    tt_cli_free(&c);
    CHECK_INT(parse(&c, &e, "summary", "--fromat", "json"), TT_ERR_USAGE);
    CHECK(strstr(e.message, "--format") != NULL);
    tt_cli_free(&c);
    CHECK_INT(parse(&c, &e, "summary", "--format", "xml"), TT_ERR_USAGE);
    CHECK(strstr(e.message, "text, csv, json") != NULL);
    tt_cli_free(&c);
    CHECK_INT(parse(&c, &e, "tables", "--limit", "3"), TT_ERR_USAGE);
    tt_cli_free(&c);
    CHECK_INT(parse(&c, &e, "summary", "--limit", NULL), TT_ERR_USAGE);
    tt_cli_free(&c);
    /* every option has a command, and no two options share one */
    for (int i = 0; i < TT_OPT_COUNT_; i++) {
        CHECK(tt_option_infos[i].commands != 0);
        for (int k = 0; k < i; k++) {
            const tt_option_info *a = &tt_option_infos[i], *b = &tt_option_infos[k];
            CHECK(!(a->commands & b->commands) || strcmp(a->name, b->name) != 0);
        }
    }
}

int main(void)
{
    test_durations();
    test_columns();
    test_changes();
    test_numbers();
    test_json();
    test_values();
    test_points();
    test_command_line();
    return check_done();
}
