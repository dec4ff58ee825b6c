// Fuzz target: mend text. The output of the strict mode must be valid JSON: mending it again changes nothing and finds
// no fault.
#include "parser/json/number.h"
#include "parser/json/repair_value.h"
#include "parser/json/string.h"
#include "tests/fuzz/common.h"

static void numbers(const uint8_t *data, size_t size)
{
    char text[256 + 32] = {0};
    size_t n = size < 256 ? size : 256;
    memcpy(text + 8, data, n);
    int64_t v;
    bool fraction = false;
    if (tt_parse_us(text + 8, text + 8 + n, &v, &fraction)) MUST(v <= (int64_t)1 << 61 && v >= -((int64_t)1 << 61));
    (void)tt_parse_int(text + 8, text + 8 + n, &v);
    double d = tt_parse_double(text + 8, text + 8 + n);
    MUST(d != d || d - d == 0);
}

static void strings(const uint8_t *data, size_t size)
{
    char *out = tt_malloc(size);
    bool bad = false;
    size_t n = tt_json_unescape((const char *)data, size, out, &bad);
    MUST(n <= size && !memchr(out, 0, n));
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    numbers(data, size);
    strings(data, size);
    for (unsigned how = 0; how < 8; how++) {
        tt_text text = {0}, again = {0};
        unsigned faults = 0;
        char *copy = tt_malloc(size); /* a copy of the exact size, so that a sanitizer notices reads behind it */
        memcpy(copy, data, size);
        size_t used = tt_repair_value(copy, size, how, &text, &faults);
        MUST(used <= size);
        if (used && (how & TT_MEND_STRICT)) {
            size_t all = tt_repair_value(text.at, text.n, TT_MEND_STRICT, &again, &faults);
            MUST(all == text.n && again.n == text.n && !memcmp(again.at, text.at, text.n));
            MUST(!faults);
            for (size_t i = 0; i < text.n; i++) MUST((unsigned char)text.at[i] >= 0x20 || strchr("\n\r\t", text.at[i]));
        }
        tt_vec_free(&text);
        tt_vec_free(&again);
        free(copy);
    }
    return 0;
}
