// Fuzz target: the two indexers of a text. On valid JSON the vector indexer and the tolerant one must give the same
// trace, and the size of the windows must not matter.
#include "model/build/finish/finish.h"
#include "parser/chrome/document.h"
#include "parser/json/repair_value.h"
#include "parser/json/string.h"
#include "tests/fuzz/common.h"

static size_t decode(const char *in, size_t len, char *out, bool *bad) { return tt_json_unescape(in, len, out, bad); }
static size_t as_is(const char *in, size_t len, char *out)
{
    memcpy(out, in, len);
    return len;
}

/* Read the text in windows that grow by `step` bytes. */
static tt_trace *read_text(const uint8_t *data, size_t size, bool scalar, size_t step)
{
    tt_builder b;
    tt_chrome_parser w;
    char *memory = tt_calloc(size + 2 * TT_SIMD_PADDING, 1), *text = memory + TT_SIMD_PADDING;
    size_t have = 0, from = 0;
    tt_builder_init(&b);
    tt_chrome_parser_init(&w, &b);
    w.scalar = scalar;
    while (have < size) {
        size_t more = size - have < step ? size - have : step;
        memcpy(text + have, data + have, more);
        have += more;
        from += tt_chrome(&w, text + from, have - from, from, have == size);
    }
    MUST(from == size);
    const tt_build_codec codec = {.decode = decode, .tidy = as_is};
    tt_build_header h;
    tt_build_header_init(&h, &tt_rules_pytorch, "x", "w", "s", -1);
    tt_builder *builders[] = {&b};
    tt_trace *s = tt_build_finish(builders, 1, &h, &codec, true, 1);
    tt_chrome_parser_free(&w);
    tt_builder_free(&b);
    free(memory);
    return s;
}

static void same(const tt_trace *a, const tt_trace *b)
{
    MUST(a->n_events == b->n_events && a->n == b->n && a->n_tracks == b->n_tracks && a->n_flows == b->n_flows);
    MUST(a->n_launch_flows == b->n_launch_flows);
    MUST(a->n_instants == b->n_instants && a->end == b->end && a->origin_ns == b->origin_ns);
    for (tt_row r = 0; r < a->n; r++) {
        MUST(a->start[r] == b->start[r] && a->dur[r] == b->dur[r] && a->parent[r] == b->parent[r] &&
             a->depth[r] == b->depth[r]);
        MUST(a->correlation[r] == b->correlation[r] && a->external_id[r] == b->external_id[r] &&
             !strcmp(tt_row_name(a, r), tt_row_name(b, r)));
    }
}

static bool valid(const uint8_t *data, size_t size)
{
    tt_text text = {0};
    unsigned faults = 0;
    size_t used = tt_repair_value((const char *)data, size, TT_MEND_STRICT, &text, &faults);
    tt_vec_free(&text);
    while (used && used < size && strchr(" \n\r\t", data[used]) && data[used]) used++;
    return used == size && !faults;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    size_t step = 1 + data[size - 1] % 64; /* windows as small as single elements */
    tt_trace *whole = read_text(data, size, false, size);
    if (valid(data, size)) {
        tt_trace *scalar = read_text(data, size, true, size), *parts = read_text(data, size, false, step * 16);
        same(whole, scalar);
        same(whole, parts);
        tt_trace_free(scalar);
        tt_trace_free(parts);
    } else {
        tt_trace_free(read_text(data, size, true, step * 16));
    }
    tt_trace_free(whole);
    return 0;
}
