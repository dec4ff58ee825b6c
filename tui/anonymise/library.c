/* tui/anonymise/library.c - names of device work and of library calls, identifier by identifier. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/names/comm_names.h"
#include "model/tables/analysis/names/kernel_class.h"
#include "model/tables/analysis/names/tensor_core.h"
#include "tui/anonymise/impl.h"

enum { NUMBER_MOST = 9 }; /* digits of a number in a name: tile sizes, template arguments */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* All parts between underscores are in the list, also with a number behind them: "Conv2D", "Conv2D1". */
static bool all_parts(tt_names list, const char *text, size_t n)
{
    for (size_t i = 0; i <= n;) {
        const char *end = memchr(text + i, '_', n - i);
        size_t length = end ? (size_t)(end - text) - i : n - i, bare = length;
        while (bare && is_digit(text[i + bare - 1])) bare--;
        if (length - bare > NUMBER_MOST) return false;
        if (!tt_names_have_numbered(list, text + i, length) && !tt_names_have_numbered(list, text + i, bare))
            return false;
        i += length + 1;
    }
    return true;
}

/* The name begins with one to three words of a code generator. */
static bool has_head(const char *text, size_t n)
{
    int parts = 0;
    for (size_t i = 1; i <= n && parts < 3; i++) {
        if (i < n && text[i] != '_') continue;
        if (tt_names_have_numbered(TT_NAMES_KERNEL_HEADS, text, i)) return true;
        parts++;
    }
    return false;
}

bool tt_is_inductor_name(const char *text, size_t n)
{
    return n > 7 && tt_starts(text, "triton_") && has_head(text, n) && all_parts(TT_NAMES_INDUCTOR_WORDS, text, n);
}

/* PyTorch calls the function of operator X "X_kernel_cuda" or the like. */
static bool is_of_operator(const char *text, size_t n)
{
    size_t end;
    for (const char *at = NULL; (at = tt_names_next(TT_NAMES_KERNEL_ENDS, at, &end)) != NULL;) {
        if (n > end && !memcmp(text + n - end, at, end) && tt_names_have(TT_NAMES_ATEN, text, n - end)) return true;
    }
    return false;
}

/* CUPTI and drivers write the version behind a call: "cudaLaunchKernel_v7000". */
static bool is_call(const char *text, size_t n)
{
    if (tt_names_have(TT_NAMES_CALLS, text, n)) return true;
    for (size_t at = n; at-- > 1;) {
        if (text[at] != '_' || !tt_names_have_numbered(TT_NAMES_CALL_ENDS, text + at, n - at)) continue;
        if (tt_names_have(TT_NAMES_CALLS, text, at)) return true;
    }
    return false;
}

static bool is_public(const char *text, size_t n)
{
    return tt_names_have(TT_NAMES_KERNELS, text, n) || is_call(text, n) || tt_names_have(TT_NAMES_ATEN, text, n) ||
           is_of_operator(text, n) || tt_is_inductor_name(text, n) ||
           (has_head(text, n) && all_parts(TT_NAMES_KERNEL_WORDS, text, n)) || all_parts(TT_NAMES_HLO_WORDS, text, n) ||
           all_parts(TT_NAMES_CANN, text, n);
}

/* A number, "2048", "7ul", "0.5f", "0x1F", short enough to identify nothing. */
static bool is_number(const char *text, size_t n)
{
    size_t number = strspn(text, "0123456789");
    if (number > n) number = n;
    return number && number <= NUMBER_MOST && n - number <= 3 && strspn(text + number, "uUlLfF") >= n - number;
}

/* Hide an identifier; words by which tables know kernels and calls stay behind its hash. */
static const char *hide_identifier(tt_hidden_event *e, const char *name)
{
    const char *words[] = {tt_kernel_class_word(name), tt_comm_kernel_word(name), tt_tensor_kernel_word(name)};
    const char *hidden = tt_hide(e, "kernel", name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i] && !strstr(hidden, words[i])) hidden = tt_arena_printf(&e->arena, "%s_%s", hidden, words[i]);
    }
    size_t length;
    for (const char *at = NULL; (at = tt_names_next(TT_NAMES_CALL_WORDS, at, &length)) != NULL;) {
        if (memmem(name, strlen(name), at, length))
            hidden = tt_arena_printf(&e->arena, "%s_%.*s", hidden, (int)length, at);
    }
    return hidden;
}

const char *tt_hide_library_name(tt_hidden_event *e, const char *text)
{
    if (tt_has_address(text)) return hide_identifier(e, text);
    tt_text out = {0};
    bool same = true;
    tt_text_put(&out, "", 0);
    for (const char *p = text; *p;) {
        size_t n = tt_word_length(p);
        bool control = (unsigned char)*p < ' ' || *p == 0x7F;
        if (n ? is_number(p, n) || is_public(p, n) : !control) {
            tt_text_put(&out, p, n ? n : 1);
        } else {
            const char *hidden = n ? hide_identifier(e, tt_arena_strndup(&e->arena, p, n)) : " ";
            tt_text_put(&out, hidden, strlen(hidden));
            same = false;
        }
        p += n ? n : 1;
    }
    const char *name = same ? text : tt_arena_strndup(&e->arena, out.at, out.n);
    tt_vec_free(&out);
    return name;
}
