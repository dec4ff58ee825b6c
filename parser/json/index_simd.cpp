/* simdjson's stage 1 as a C function. See index_simd.h. The only C++ of the project. */
#include "parser/json/index_simd.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <new>
#include <simdjson.h>
#include <typeinfo>

extern "C" {
#include "model/base/mem.h"
}

/* A whole parser, of which only stage 1 is used: parsers choose the implementation for the processor in every version
 * from 1.0 on, while the functions to do so by hand have changed their names. */
struct tt_simd {
    simdjson::dom::parser parser;
    size_t capacity = 0;
};

extern "C" tt_simd *tt_simd_new(void)
{
    std::set_new_handler(tt_mem_fail); /* also for allocations by simdjson where nothing may be thrown */
    return new (std::nothrow) tt_simd;
}
extern "C" void tt_simd_free(tt_simd *s) { delete s; }
extern "C" tt_simd_result tt_simd_index(tt_simd *s, const char *text, size_t len, const uint32_t **at, size_t *n)
{
    static_assert(TT_SIMD_PADDING >= simdjson::SIMDJSON_PADDING, "padding");
    *at = nullptr;
    *n = 0;
    if (!s->parser.implementation || s->capacity < len) {
        size_t want = s->capacity ? s->capacity : size_t(1) << 16;
        while (want < len) want *= 2;
        s->parser.implementation.reset(); /* freed before the larger one is allocated */
        s->capacity = 0;
        if (s->parser.allocate(want, 16)) return TT_SIMD_FAILED;
        s->capacity = want;
    }
    auto &unit = *s->parser.implementation;
    auto error = unit.stage1(reinterpret_cast<const uint8_t *>(text), len, simdjson::stage1_mode::regular);
    *at = unit.structural_indexes.get();
    *n = unit.n_structural_indexes;
    switch (error) {
    case simdjson::SUCCESS: return TT_SIMD_OK;
    case simdjson::UTF8_ERROR: return TT_SIMD_BAD_UTF8;
    case simdjson::UNESCAPED_CHARS: return TT_SIMD_CONTROL;
    case simdjson::UNCLOSED_STRING: return TT_SIMD_OPEN;
    case simdjson::EMPTY: return TT_SIMD_EMPTY;
    default: return TT_SIMD_FAILED;
    }
}

/* The implementation's name is its namespace, as in simdjson::haswell::dom_parser_implementation: 1.x has another
 * function for the name. */
extern "C" bool tt_simd_describe(char *text, size_t cap)
{
    simdjson::dom::parser parser;
    char name[64] = "none";
    if (!parser.allocate(1024, 16)) {
        const auto &chosen = *parser.implementation;
        int failed = 0;
        char *type = abi::__cxa_demangle(typeid(chosen).name(), nullptr, nullptr, &failed);
        if (!type || std::sscanf(type, "simdjson::%63[^:]", name) != 1) std::snprintf(name, sizeof name, "unknown");
        std::free(type);
    }
    std::snprintf(text, cap, "simdjson %d.%d.%d, implementation %s", simdjson::SIMDJSON_VERSION_MAJOR,
                  simdjson::SIMDJSON_VERSION_MINOR, simdjson::SIMDJSON_VERSION_REVISION, name);
    return std::strcmp(name, "none") != 0 && std::strcmp(name, "fallback") != 0;
}
