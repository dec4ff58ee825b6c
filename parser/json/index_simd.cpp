// simdjson's stage 1 as a C function: see simd_index.h. The only C++ of the project.
#include "parser/json/index_simd.h"

#include <memory>
#include <new>
#include <simdjson.h>

extern "C" {
#include "model/base/mem.h"
}

namespace
{
const simdjson::implementation &unit()
{
#if !defined TT_SIMDJSON_MAJOR || TT_SIMDJSON_MAJOR >= 3 /* from pkg-config; 1.x named it otherwise */
    return *simdjson::get_active_implementation();
#else
    return *simdjson::active_implementation;
#endif
}
} // namespace

struct tt_simd {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
    size_t capacity = 0;
};

extern "C" tt_simd *tt_simd_new(void)
{
    std::set_new_handler(tt_mem_fail); /* also for what simdjson allocates where nothing may be thrown */
    return new (std::nothrow) tt_simd;
}
extern "C" void tt_simd_free(tt_simd *s) { delete s; }
extern "C" tt_simd_result tt_simd_index(tt_simd *s, const char *text, size_t len, const uint32_t **at, size_t *n)
{
    static_assert(TT_SIMD_PADDING >= simdjson::SIMDJSON_PADDING, "padding");
    if (!s->parser || s->capacity < len) {
        size_t want = s->capacity ? s->capacity : size_t(1) << 16;
        while (want < len) want *= 2;
        s->parser.reset();
        s->capacity = 0;
        if (unit().create_dom_parser_implementation(want, 16, s->parser)) return TT_SIMD_FAILED;
        s->capacity = want;
    }
    auto error = s->parser->stage1(reinterpret_cast<const uint8_t *>(text), len, simdjson::stage1_mode::regular);
    *at = s->parser->structural_indexes.get();
    *n = s->parser->n_structural_indexes;
    switch (error) {
    case simdjson::SUCCESS: return TT_SIMD_OK;
    case simdjson::UTF8_ERROR: return TT_SIMD_BAD_UTF8;
    case simdjson::UNESCAPED_CHARS: return TT_SIMD_CONTROL;
    case simdjson::UNCLOSED_STRING: return TT_SIMD_OPEN;
    case simdjson::EMPTY: return TT_SIMD_EMPTY;
    default: return TT_SIMD_FAILED;
    }
}
