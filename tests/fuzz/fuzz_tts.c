// Fuzz target: bytes as a summary file. The target adds correct checksums and packing, which no mutation would find.
// The first byte chooses what the rest is: a whole file (0), the block "calls" (1), rows of tables (2), a trace's
// imported tables (3), or a directory (4).
#include "model/summary/calls.h"
#include "model/summary/stub.h"
#include "model/summary/tts.h"
#include "tests/fuzz/common.h"

static const char *const tables[] = {"table kernels name", "table comm_steps", "table findings", "table step_breakdown",
                                     "table operators shape"};

/* Write the block "calls" of a recording that holds a single step. */
static void put_nothing(tt_text *out)
{
    tt_step step = {.number = 3, .row = TT_NONE, .end = 1000, .host_end = 1000, .kept = true};
    tt_step_span span = {.t1 = 1000};
    tt_trace s = {.rules = &tt_rules_pytorch, .steps = &step, .n_steps = 1, .step_spans = &span, .n_step_spans = 1};
    tt_tts_calls none = {0};
    tt_strings_init(&s.strings);
    tt_tts_put_calls(&s, &none, out);
    tt_strings_free(&s.strings);
}

static void add_source(tt_tts_making *m, int64_t rank, const tt_text *calls, const char *const *ids, size_t n_ids,
                       const tt_text *bytes)
{
    m->s = (tt_tts_source){.rank = rank,
                           .end = 1000,
                           .world = 2,
                           .path = "/a/b.json",
                           .worker = "rank",
                           .span = "1",
                           .host = "h",
                           .device = "",
                           .tool = "0"};
    tt_tts_add_block(m, TT_TTS_CALLS, calls);
    for (size_t i = 0; i < n_ids; i++) tt_tts_add_block(m, ids[i], bytes);
    tt_tts_close_entry(m);
}

/* Write a file of two ranks with these blocks. */
static void put_file(const tt_text *calls, const char *const *ids, size_t n_ids, const tt_text *bytes, tt_text *file)
{
    tt_tts_making m[2] = {{0}, {0}};
    const tt_tts_source *sources[2] = {&m[0].s, &m[1].s};
    for (int i = 0; i < 2; i++) add_source(&m[i], i, calls, ids, n_ids, bytes);
    tt_tts_head(sources, 2, file);
    for (int i = 0; i < 2; i++) {
        tt_text_put(file, m[i].body.at, m[i].body.n);
        tt_tts_making_free(&m[i]);
    }
}

/* Write a file whose directory has these bytes as its only entry. */
static void put_directory(const tt_text *bytes, tt_text *file)
{
    tt_tts_source s = {.entry = bytes->at, .entry_n = bytes->n, .stored = bytes->n};
    const tt_tts_source *one[1] = {&s};
    tt_tts_head(one, 1, file);
    tt_text_put(file, bytes->at, bytes->n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const brought[] = {"imported 0"};
    tt_text calls = {0}, bytes = {0}, file = {0};
    if (size < 2) return 0;
    tt_text_put(&bytes, (const char *)data + 1, size - 1);
    if (data[0] % 5 != 1) put_nothing(&calls);
    switch (data[0] % 5) {
    case 0: tt_text_put(&file, bytes.at, bytes.n); break;
    case 1: put_file(&bytes, NULL, 0, &bytes, &file); break;
    case 2: put_file(&calls, tables, sizeof tables / sizeof *tables, &bytes, &file); break;
    case 3: put_file(&calls, brought, 1, &bytes, &file); break;
    default: put_directory(&bytes, &file);
    }
    use_session(load_bytes(file.at, file.n, 1));
    tt_vec_free(&calls);
    tt_vec_free(&bytes);
    tt_vec_free(&file);
    return 0;
}
