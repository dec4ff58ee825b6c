/* model/text/short_name.c - names without the parts that versions, devices and tuners choose. */
#include "model/text/short_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/text/demangle.h"

#define COUNT_OF(a) (sizeof(a) / sizeof(a)[0])

typedef struct part { /* a part of a text */
    const char *p;
    size_t n;
} part;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is(part w, const char *text) { return strlen(text) == w.n && !memcmp(w.p, text, w.n); }
static bool begins(part w, const char *text) { return w.n >= strlen(text) && !memcmp(w.p, text, strlen(text)); }

static bool is_any(part w, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is(w, list[i])) return true;
    return false;
}

static void put(tt_text *t, part w) { tt_text_put(t, w.p, w.n); }

/* ---- names of libraries of kernels: words between '_' ---- */

/* Whether the word is a tile: "128x64x32", "2x4". */
static bool is_tile(part w)
{
    size_t i = 0, crosses = 0;
    for (; i < w.n && (is_digit(w.p[i]) || (w.p[i] == 'x' && i && is_digit(w.p[i - 1]))); i++) crosses += w.p[i] == 'x';
    return crosses && i == w.n && is_digit(w.p[w.n - 1]);
}

/* Whether the word is `text` and a number: "ldg8", "stage4"; also "tilesize64x128x32", "cga1x1x1". */
static bool is_counted(part w, const char *text)
{
    size_t i = strlen(text);
    if (!begins(w, text) || i == w.n) return false;
    while (i < w.n && (is_digit(w.p[i]) || w.p[i] == 'x')) i++;
    return i == w.n && is_digit(w.p[strlen(text)]);
}

static bool is_architecture(part w)
{
    static const char *const names[] = {"maxwell", "pascal", "volta", "turing", "ampere", "ada", "hopper", "blackwell"};
    if (is_any(w, names, COUNT_OF(names))) return true;
    if (w.n > 3 && strchr("af", w.p[w.n - 1])) w.n--; /* sm90a, sm100f */
    return is_counted(w, "sm");
}

/* Whether the size of the problem or a tuner chose the word. */
static bool is_choice(part w)
{
    static const char *const plain[] = {"small",  "medium", "large",   "interior", "xregs",  "exp",   "execute",
                                        "kernel", "cudnn",  "infer",   "train",    "cublas", "split", "k",
                                        "splitK", "2cta",   "1cta",    "h",        "v",      "bz",    "coopA",
                                        "coopB",  "stages", "segment", "off",      "5x",     "pack",  "ediv"};
    static const char *const counted[] = {"tilesize", "stage", "stages", "warpsize", "warpgroupsize",
                                          "tensor",   "ldg",   "align",  "sliced",   "cga",
                                          "g",        "v",     "kernel"};
    if (!w.n || is_tile(w) || is_any(w, plain, COUNT_OF(plain))) return true;
    for (size_t i = 0; i < COUNT_OF(counted); i++)
        if (is_counted(w, counted[i])) return true;
    return false;
}

static part next_word(const char **at, const char *end)
{
    part w = {*at, 0};
    while (w.p + w.n < end && w.p[w.n] != '_') w.n++;
    *at = w.p + w.n + (w.p + w.n < end);
    return w;
}

/* The name belongs to a library's matrix product or convolution: it has a tile and an operation. */
static bool of_library(part name)
{
    static const char *const marks[] = {"gemm", "cudnn", "xmma", "nvjet", "cutlass", "winograd", "conv", "transpose"};
    bool tile = false, mark = false;
    for (const char *at = name.p, *end = name.p + name.n; at < end;) {
        part w = next_word(&at, end);
        tile = tile || is_tile(w) || is_counted(w, "tilesize");
        for (size_t i = 0; i < COUNT_OF(marks) && !mark; i++) mark = memmem(w.p, w.n, marks[i], strlen(marks[i]));
    }
    return tile && mark;
}

static void put_library_name(tt_text *out, part name)
{
    size_t before = out->n;
    bool cutlass = false;
    for (const char *at = name.p, *end = name.p + name.n; at < end;) {
        part w = next_word(&at, end);
        bool bare = cutlass && w.n == 2 && is_digit(w.p[0]) && is_digit(w.p[1]); /* cutlass_80_... */
        cutlass = is(w, "cutlass");
        if (bare || is_architecture(w) || is_choice(w)) continue;
        if (out->n > before) tt_text_put(out, "_", 1);
        put(out, w);
    }
    if (out->n == before) put(out, name);
}

/* words of AMD's libraries behind which a tuner's choices follow */
static part without_amd_tuning(part name)
{
    const char *cut = begins(name, "Cijk_") ? "_MT" : begins(name, "igemm_") ? "_bx" : NULL;
    if (!cut) return name;
    for (size_t i = 0; i + 3 < name.n; i++)
        if (!memcmp(name.p + i, cut, 3) && is_digit(name.p[i + 3])) return (part){name.p, i};
    return name;
}

/* Whether the part behind the last '_' has only digits and the marks of Triton's signatures: "3", "0d1d2de",
 * "0d1d2d3de4c". */
static bool is_generated_number(part w)
{
    if (!w.n || !is_digit(w.p[0])) return false;
    for (size_t i = 0; i < w.n; i++)
        if (!is_digit(w.p[i]) && !strchr("dec", w.p[i])) return false;
    return true;
}

static bool is_hash(part w)
{
    bool digit = false;
    if (w.n < 8) return false;
    for (size_t i = 0; i < w.n; i++) {
        if (!isxdigit((unsigned char)w.p[i])) return false;
        digit = digit || is_digit(w.p[i]);
    }
    return digit;
}

/* Drop a generated end. Triton: triton_poi_fused_add_3, kernel_0d1d2de; MindSpore: Cast-op73; any name: a hash. */
static part without_generated_end(part name)
{
    bool triton = begins(name, "triton_"), more = true;
    while (more) {
        size_t i = name.n;
        while (i && name.p[i - 1] != '_' && name.p[i - 1] != '-') i--;
        part last = {name.p + i, name.n - i};
        bool signature = is_generated_number(last) && memchr(last.p, 'd', last.n);
        bool number =
            triton ? is_generated_number(last) : signature || (i && last.p[-1] == '-' && is_counted(last, "op"));
        more = i > 1 && (number || is_hash(last));
        if (more) name.n = i - 1;
    }
    return name;
}

static void put_plain(tt_text *out, part name)
{
    name = without_generated_end(without_amd_tuning(name));
    if (of_library(name))
        put_library_name(out, name);
    else
        put(out, name);
}

/* ---- C++ ---- */

/* Position behind the bracket that begins at p, or end. "->" and "operator<" are no brackets. */
static const char *behind_group(const char *p, const char *end)
{
    size_t depth = 0;
    for (; p < end; p++) {
        if (*p == '<' || *p == '(' || *p == '{') depth++;
        if ((*p == '>' && p[-1] != '-') || *p == ')' || *p == '}') depth--;
        if (!depth) return p + 1;
    }
    return end;
}

/* Whether the word is a function made for any operation that it is given: the operation is elsewhere in the name. */
static bool is_shell(part w)
{
    static const char *const names[] = {
        "ReduceOp", "func_wrapper_t", "BinaryFunctor", "AUnaryFunctor",   "BUnaryFunctor",          "UnaryFunctor",
        "operator", "lambda",         "decltype",      "gpu_kernel_impl", "gpu_kernel_impl_nocast", "gpu_index_kernel",
        "ReduceOpT"};
    return is_any(w, names, COUNT_OF(names));
}

/* Whether a word of a template list, with the text behind it, names an operation: a function with a part of it (a
 * lambda), or a name that says so. */
static bool is_operation(part w, const char *end)
{
    static const char *const plain[] = {"plus", "minus", "multiplies", "divides", "maximum", "minimum"};
    const char *next = w.p + w.n;
    if (is_shell(w) || is_digit(w.p[0])) return false;
    if (next < end && *next == ':') return false; /* the word is a namespace */
    if (is_any(w, plain, COUNT_OF(plain)) || begins(w, "cutlass_")) return true;
    if (memmem(w.p, w.n, "unctor", 6)) return true;
    if ((w.n > 2 && !memcmp(next - 2, "Op", 2)) || (w.n > 3 && !memcmp(next - 3, "Ops", 3))) return true;
    if (next < end && *next == '<') next = behind_group(next, end);
    return next < end && *next == '(';
}

enum { OPERATIONS = 3 };

static size_t find_operations(const char *p, const char *end, part *found)
{
    size_t n = 0;
    while (p < end && n < OPERATIONS) {
        if (*p == '(' || *p == '{') {
            p = behind_group(p, end);
            continue;
        }
        if (!is_word(*p)) {
            p++;
            continue;
        }
        part w = {p, 0};
        while (p < end && is_word(*p)) p++;
        w.n = (size_t)(p - w.p);
        bool known = false;
        for (size_t i = 0; i < n; i++) known = known || (found[i].n == w.n && !memcmp(found[i].p, w.p, w.n));
        if (!known && is_operation(w, end)) found[n++] = w;
    }
    return n;
}

/* a C++ name without its groups, and the kernel's own template list, which stands last */
typedef struct cxx {
    tt_text head;
    part list;
} cxx;

static const char ANONYMOUS[] = "(anonymous namespace)::";

static void read_cxx(const char *p, const char *end, cxx *c)
{
    while (p < end) {
        if (*p == '(' && (size_t)(end - p) >= sizeof ANONYMOUS - 1 && !memcmp(p, ANONYMOUS, sizeof ANONYMOUS - 1)) {
            p += sizeof ANONYMOUS - 1;
        } else if (*p == '(' && c->head.n && is_word(c->head.at[c->head.n - 1])) {
            return; /* the arguments begin */
        } else if (*p == '<' || *p == '(' || *p == '{') {
            const char *behind = behind_group(p, end);
            if (*p == '<') c->list = (part){p + 1, (size_t)(behind - p - 1)};
            if (*p == '(') c->list = (part){p, 0};
            p = behind;
        } else {
            if (*p == ' ') c->head.n = 0; /* what came so far is the return type */
            if (*p != ' ') tt_text_put(&c->head, p, 1);
            p++;
        }
    }
}

/* Append "rocprim::ROCPRIM_400200_NS::detail::" without the namespace that holds the library's version. */
static void put_namespaces(tt_text *out, const char *p, const char *end)
{
    while (p < end) {
        const char *behind = memmem(p, (size_t)(end - p), "::", 2);
        if (!behind) break;
        part w = {p, (size_t)(behind - p)};
        bool version = w.n > 4 && !memcmp(behind - 3, "_NS", 3) && is_digit(behind[-4]);
        if (!version) tt_text_put(out, p, w.n + 2);
        p = behind + 2;
    }
}

static void put_cxx(tt_text *out, const char *p, const char *end)
{
    cxx c = {0};
    read_cxx(p, end, &c);
    part found[OPERATIONS], name = {c.head.at, c.head.n};
    size_t n = c.list.n ? find_operations(c.list.p, c.list.p + c.list.n, found) : 0;
    if (n &&
        begins(found[0], "cutlass_")) { /* cutlass::Kernel<cutlass_80_...>: the template argument says everything */
        put_plain(out, found[0]);
    } else if (name.n) {
        size_t last = name.n;
        while (last && name.p[last - 1] != ':') last--;
        put_namespaces(out, name.p, name.p + last);
        put_plain(out, (part){name.p + last, name.n - last});
        for (size_t i = 0; i < n; i++) {
            tt_text_put(out, i ? ", " : "<", i ? 2 : 1);
            put_plain(out, found[i]);
        }
        if (n) tt_text_put(out, ">", 1);
    }
    tt_vec_free(&c.head);
}

/* Whether the name has a template or argument list: a bracket right behind a word. "Memset (Device)" has none. */
static bool has_list(const char *name)
{
    for (const char *p = strpbrk(name, "<("); p; p = strpbrk(p + 1, "<("))
        if (p > name && is_word(p[-1])) return true;
    return false;
}

static const char *kept(tt_arena *a, const char *name, tt_text *t)
{
    const char *result = name;
    if (t->n && (t->n != strlen(name) || memcmp(t->at, name, t->n) != 0)) result = tt_arena_strndup(a, t->at, t->n);
    tt_vec_free(t);
    return result;
}

/* Number of bytes of a leading "void ". */
static size_t void_of(const char *name) { return strncmp(name, "void ", 5) ? 0 : 5; }

static const char *brief_kernel(tt_arena *a, const char *name)
{
    if (!strncasecmp(name, "memcpy", 6) || !strncasecmp(name, "memset", 6)) return name;
    unsigned tries = 1;
    char *plain = name[0] == '_' && name[1] == 'Z' ? tt_demangle(name, &tries) : NULL;
    const char *text = plain ? plain : name;
    size_t n = tt_kernel_name_length(text, strlen(text));
    tt_text t = {0};
    if (has_list(text))
        put_cxx(&t, text, text + n);
    else /* also a name that was cut off before its lists */
        put_plain(&t, (part){text + void_of(text), n - void_of(text)});
    const char *result = kept(a, name, &t);
    free(plain);
    return result;
}

static const char *function_of_kernel(tt_arena *a, const char *name)
{
    unsigned tries = 1;
    char *plain = name[0] == '_' && name[1] == 'Z' ? tt_demangle(name, &tries) : NULL;
    const char *text = plain ? plain : name;
    cxx c = {0};
    if (has_list(text))
        read_cxx(text, text + strlen(text), &c);
    else /* also a name that was cut off before its lists */
        put(&c.head, (part){text + void_of(text), strcspn(text + void_of(text), "(")});
    size_t last = c.head.n;
    while (last && c.head.at[last - 1] != ':') last--;
    const char *result = tt_arena_strndup(a, c.head.n ? c.head.at + last : "", c.head.n - last);
    tt_vec_free(&c.head);
    free(plain);
    return result;
}

static const char *full_kernel(tt_arena *a, const char *name)
{
    char *full = tt_demangle_shown(name);
    const char *result = full ? tt_arena_strndup(a, full, strlen(full)) : name;
    free(full);
    return result;
}

const char *tt_kernel_name(tt_arena *a, const char *name, tt_kernel_level level)
{
    return level == TT_KERNEL_FULL    ? full_kernel(a, name)
           : level == TT_KERNEL_BRIEF ? brief_kernel(a, name)
                                      : function_of_kernel(a, name);
}

/* ---- operators ---- */

static const char *brief_operator(tt_arena *a, const char *name)
{
    static const char backward[] = "Backward";
    size_t n = strlen(name), end = n;
    while (end && is_digit(name[end - 1])) end--;
    if (end == n || !end) return name;
    bool version = end >= sizeof backward && !memcmp(name + end - (sizeof backward - 1), backward, sizeof backward - 1);
    if (name[end - 1] == '#')
        end--;
    else if (!version)
        return name;
    return end ? tt_arena_strndup(a, name, end) : name;
}

const char *tt_brief_name(tt_arena *a, const char *name, bool is_device)
{
    return is_device ? brief_kernel(a, name) : brief_operator(a, name);
}
