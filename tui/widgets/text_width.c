/* tui/widgets/text_width.c - shortening text to a number of columns.
 *
 * The longest parts of a C++ kernel's name say least: parameters and template arguments go first, then namespaces. A
 * name that is still too long loses its middle, since both ends tell kernels apart. Brackets in other names stay. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/demangle.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/short_names.h"

enum { LEAST_SHARED = 20 }; /* a name keeps at least so many columns before template arguments get room */

typedef struct out {
    char *at;
    size_t n, cap;
} out;

static void out_bytes(out *o, const char *s, size_t n)
{
    if (o->n + n >= o->cap) return;
    memcpy(o->at + o->n, s, n);
    o->n += n;
}

/* Bytes of the longest head of s that takes at most w columns. */
static size_t head_bytes(const char *s, size_t n, int w)
{
    size_t at = 0, used;
    for (int col = 0; at < n; at += used) {
        int width = tt_char_width(tt_utf8_next(s + at, n - at, &used));
        if (col + width > w) break;
        col += width;
    }
    return at;
}

static int width_of(const char *s, size_t n) { return (int)tt_text_width(s, n); }

/* Where the tail of s that takes at most w columns begins. O(n): counts from the front. */
static size_t tail_start(const char *s, size_t n, int w)
{
    int skip = width_of(s, n) - w;
    size_t at = 0, used;
    for (int col = 0; at < n && col < skip; at += used) col += tt_char_width(tt_utf8_next(s + at, n - at, &used));
    while (at < n && tt_char_width(tt_utf8_next(s + at, n - at, &used)) == 0) at += used;
    return at;
}

static bool is_word(char ch) { return ch == '_' || (ch >= '0' && ch <= '9') || ((ch | 32) >= 'a' && (ch | 32) <= 'z'); }

/* Bytes of a namespace and its :: at the beginning of s, 0 = there is none. */
static size_t namespace_bytes(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && is_word(s[i])) i++;
    return i && i + 2 < n && s[i] == ':' && s[i + 1] == ':' ? i + 2 : 0;
}

static bool begins(const char *s, size_t n, const char *with)
{
    size_t len = strlen(with);
    return n >= len && !memcmp(s, with, len);
}

static bool has_types(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '*' || s[i] == '&' || s[i] == '<' || begins(s + i, n - i, "::")) return true;
    }
    return false;
}

/* The bytes of a pair of round brackets at s[at], and whether they are the parameters of a C++ function. Profilers
 * write brackets into names of their own, "enumerate(DataLoader)#...", "module.py(12): forward": these tell calls
 * apart. Parameters end the name, or stand before the name of something inside the function, and either the name or
 * the parameters look like C++. */
static size_t bracket_bytes(const char *s, size_t n, size_t at, bool cpp, bool braces, bool *parameters)
{
    size_t end = at, depth = 0;
    do {
        depth += s[end] == '(';
        depth -= s[end] == ')';
    } while (++end < n && depth);
    const char *rest = s + end;
    size_t left = n - end;
    bool ends = !left || *rest == '[' || begins(rest, left, " [") || begins(rest, left, " const") ||
                begins(rest, left, "::") || (braces && *rest == '#');
    *parameters = ends && (cpp || has_types(s + at, end - at));
    return end - at;
}

/* Write a name without the parameters of C++ functions. arguments: template arguments stay, without namespaces; else a
 * mark stands for them. bare: namespaces go outside of template arguments, too. O(n) */
static void strip(out *o, const char *s, size_t n, const char *mark, bool arguments, bool bare)
{
    int angle = 0, round = 0, braces = 0; /* round: inside angle brackets, where > compares */
    bool cpp = begins(s, n, "void ");
    if (cpp) s += 5, n -= 5;
    for (size_t i = 0; i < n; i++) {
        char ch = s[i], before = i ? s[i - 1] : ' ';
        bool name_before = before == '>' || is_word(before);
        static const char anonymous[] = "(anonymous namespace)::";
        if (begins(s + i, n - i, anonymous)) {
            i += sizeof anonymous - 2;
        } else if ((angle ? arguments : bare) && !name_before && namespace_bytes(s + i, n - i)) {
            i += namespace_bytes(s + i, n - i) - 1;
        } else if (ch == '(' && !angle && (name_before || before == ')')) {
            bool parameters;
            size_t len = bracket_bytes(s, n, i, cpp, braces > 0, &parameters);
            if (!parameters) out_bytes(o, s + i, len);
            i += len - 1;
        } else if (ch == '<' && !angle && name_before) {
            angle = 1;
            out_bytes(o, "<", 1);
            if (!arguments) out_bytes(o, mark, strlen(mark));
        } else if (ch == '>' && angle == 1 && !round && before != '-') {
            angle = round = 0;
            out_bytes(o, ">", 1);
        } else {
            if (angle && !round) angle += ch == '<' ? 1 : ch == '>' && before != '-' ? -1 : 0;
            if (angle) round += (ch == '(') - (ch == ')');
            if (!angle || arguments) out_bytes(o, &ch, 1);
            braces += (ch == '{') - (ch == '}');
        }
        cpp = cpp || angle || begins(s + i, n - i, "::");
    }
    o->at[o->n] = 0;
}

/* A Python function without the folders of its file. */
static const char *without_folders(const char *s)
{
    const char *last = s, *file = strstr(s, ".py(");
    for (const char *p = s; file && p < file; p++) last = *p == '/' ? p + 1 : last;
    return last;
}

/* Write s in w columns, with a mark for its middle where it is longer; `tail` columns stay behind the mark. */
static void out_middle(out *o, const char *s, size_t n, int w, int tail, const char *mark)
{
    if (width_of(s, n) <= w) {
        out_bytes(o, s, n);
        return;
    }
    out_bytes(o, s, head_bytes(s, n, w - 1 - tail));
    out_bytes(o, mark, strlen(mark));
    size_t from = tail ? tail_start(s, n, tail) : n;
    out_bytes(o, s + from, n - from);
}

/* Find the template list <...> at the end of a name, and the beginning of the name in front of it, behind the return
 * type. False = the name does not end in a template list. */
static bool find_arguments(const char *s, size_t n, size_t *name, size_t *open)
{
    size_t depth = 0, round = 0, close = n;
    *name = 0;
    *open = n;
    for (size_t i = 0; i < n; i++) {
        char before = i ? s[i - 1] : ' ';
        if (s[i] == '(' || s[i] == ')') {
            round += s[i] == '(' ? 1 : round ? SIZE_MAX : 0;
        } else if (s[i] == '<' && !round && (depth || is_word(before))) {
            *open = depth++ ? *open : i;
        } else if (s[i] == '>' && !round && depth && before != '-') {
            close = --depth ? close : i;
        } else if (s[i] == ' ' && !depth && !round && before != ':') {
            *name = i + 1;
        }
    }
    return *name < *open && *open < n && (depth || close == n - 1);
}

/* The template argument tells little, because many kernels have it: a number, a flag, a type of elements. */
static bool is_common(const char *arg, size_t n)
{
    static const char *const words[] = {"true",          "false",    "bool",    "char",       "short",    "int",
                                        "long",          "float",    "double",  "half",       "unsigned", "signed",
                                        "const",         "BFloat16", "Half",    "bfloat16_t", "half_t",   "__half",
                                        "__nv_bfloat16", "int64_t",  "int32_t", "uint8_t"};
    while (n) {
        size_t len = 0, i = 0;
        while (len < n && arg[len] != ' ') len++;
        bool number = strspn(arg, "-0123456789ul") >= len;
        while (i < sizeof words / sizeof *words && (strlen(words[i]) != len || memcmp(words[i], arg, len) != 0)) i++;
        if (!number && i == sizeof words / sizeof *words) return false;
        arg += len + (len < n);
        n -= len + (len < n);
    }
    return true;
}

/* The first template argument that is not common; the end when all are. */
static const char *first_telling(const char *args, const char *end)
{
    while (args < end) {
        size_t n = strcspn(args, ",");
        if (n > (size_t)(end - args)) n = (size_t)(end - args);
        if (!is_common(args, n)) return args;
        args += n;
        while (args < end && (*args == ',' || *args == ' ')) args++;
    }
    return end;
}

/* Share w columns between a name and its template arguments, since either may tell kernels apart. Common arguments go
 * first; if all are common, the name gets its room first. */
static bool share_room(char *plain, size_t cap, int w, const char *mark)
{
    size_t n = strlen(plain), name, open;
    char text[1024];
    out o = {text, 0, sizeof text};
    if (!find_arguments(plain, n, &name, &open)) return false;
    const char *args = plain + open + 1, *end = plain + n - (plain[n - 1] == '>');
    int base = width_of(plain + name, open - name), own = width_of(args, (size_t)(end - args)), room = w - 2;
    const char *telling = first_telling(args, end);
    int most = own < room * 2 / 5 ? own : room * 2 / 5;
    if (telling == end) most = room - base < 1 ? 1 : own < room - base ? own : room - base;
    if (w < LEAST_SHARED && base > room - 4) return false;
    if (base > room - most) base = w < LEAST_SHARED ? base : room - most;
    out_middle(&o, plain + name, open - name, base, (base - 1) / 2, mark);
    out_bytes(&o, "<", 1);
    bool skipped = own > room - base && telling > args && telling < end;
    if (skipped) {
        out_bytes(&o, mark, strlen(mark));
        args = telling;
    }
    bool word = strcspn(args, ",({<") >= (size_t)(end - args); /* one word: its end says as much as its beginning */
    most = room - base - skipped;
    out_middle(&o, args, (size_t)(end - args), most, word ? (most - 1) / 2 : 0, mark);
    out_bytes(&o, ">", 1);
    if (o.n >= cap) return false;
    memcpy(plain, text, o.n);
    plain[o.n] = 0;
    return true;
}

/* The name of a kernel for w columns: without parameters, then without namespaces, then with less of its template
 * arguments. May still be too long. */
static const char *kernel_name(char *plain, size_t cap, const char *s, size_t n, int w, const char *mark)
{
    for (int bare = 0; bare < 2; bare++) {
        out p = {plain, 0, cap};
        strip(&p, s, n, mark, true, bare);
        if (width_of(plain, p.n) <= w) return plain;
    }
    if (share_room(plain, cap, w, mark)) return plain;
    out p = {plain, 0, cap};
    strip(&p, s, n, mark, false, true);
    return width_of(plain, p.n) > w ? without_folders(plain) : plain;
}

/* The Python frame without leading folders, so that it and a mark fit into w columns. */
static const char *less_folders(const char *s, int w)
{
    const char *file = without_folders(s);
    for (const char *p = s; p < file; p++) {
        if (*p == '/' && p > s && width_of(p, strlen(p)) + 1 <= w) return p;
    }
    return file;
}

static int cut_mangled(char *text, size_t cap, const char *s, int w, bool ascii)
{
    char *plain = tt_demangle_shown(s);
    int used = plain ? tt_text_cut(text, cap, plain, w, TT_CUT_KERNEL, ascii) : -1;
    free(plain);
    return used;
}

void tt_kernel_plain(char *plain, size_t cap, const char *s)
{
    out p = {plain, 0, cap};
    strip(&p, s, strlen(s), "", true, true);
}

int tt_text_cut(char *text, size_t cap, const char *s, int w, tt_cut cut, bool ascii)
{
    const char *mark = ascii ? "~" : "\xe2\x80\xa6";
    out o = {text, 0, cap};
    size_t n = strlen(s);
    char plain[1024];
    if (cap == 0) return 0;
    text[0] = 0;
    if (w <= 0) return 0;
    if (cut == TT_CUT_KERNEL && begins(s, n, "_Z")) {
        int used = cut_mangled(text, cap, s, w, ascii);
        if (used >= 0) return used;
    }
    if (width_of(s, n) > w && cut == TT_CUT_PLACE) {
        const char *less = less_folders(s, w);
        bool folders = less > s && *less == '/';
        s = less;
        n = strlen(s);
        const char *function = strstr(s, "): "); /* file and line say more than the function */
        if (function && width_of(s, n) + folders > w) n = (size_t)(function + 1 - s);
        if (folders) out_bytes(&o, mark, strlen(mark));
        w -= folders;
    }
    if (width_of(s, n) > w && cut == TT_CUT_KERNEL) {
        s = kernel_name(plain, sizeof plain, s, n, w, mark);
        n = strlen(s);
    }
    if (width_of(s, n) <= w) {
        out_bytes(&o, s, n);
    } else if (cut == TT_CUT_START || cut == TT_CUT_PLACE) {
        out_bytes(&o, mark, strlen(mark));
        size_t from = tail_start(s, n, w - 1);
        out_bytes(&o, s + from, n - from);
    } else {
        out_middle(&o, s, n, w, cut == TT_CUT_END ? 0 : (w - 1) / 2, mark);
    }
    text[o.n] = 0;
    return width_of(text, o.n);
}
