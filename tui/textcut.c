/* tui/textcut.c - shortening text to a number of columns.
 *
 * Names of C++ kernels are long where they say least: template arguments and parameters go first, then namespaces, and
 * what is still too long loses its middle, since both ends tell kernels apart. Brackets in other names stay.          */
#include <string.h>

#include "tui/canvas.h"

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

static int cp_width(uint32_t cp) { return cp == TT_BAD_BYTE || cp < 0x20 ? 1 : tt_char_width(cp); }

/* Bytes of the longest head of s that takes at most w columns. */
static size_t head_bytes(const char *s, size_t n, int w)
{
    size_t at = 0, used;
    for (int col = 0; at < n; at += used) {
        int width = cp_width(tt_utf8_next(s + at, n - at, &used));
        if (col + width > w) break;
        col += width;
    }
    return at;
}

static int width_of(const char *s, size_t n)
{
    int col = 0;
    size_t used;
    for (size_t at = 0; at < n; at += used) col += cp_width(tt_utf8_next(s + at, n - at, &used));
    return col;
}

/* Where the tail of s that takes at most w columns begins. O(n): counts from the front. */
static size_t tail_start(const char *s, size_t n, int w)
{
    int skip = width_of(s, n) - w;
    size_t at = 0, used;
    for (int col = 0; at < n && col < skip; at += used) col += cp_width(tt_utf8_next(s + at, n - at, &used));
    while (at < n && cp_width(tt_utf8_next(s + at, n - at, &used)) == 0) at += used;
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

/* A pair of round brackets at s[at]: its bytes, and whether it is what a C++ function takes. Profilers write brackets into names of their
 * own, "enumerate(DataLoader)#...", "module.py(12): forward": these tell calls apart. What a function takes is the end of its name, or
 * stands before the name of what lies in it, and one of the two must look like C++. */
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

/* A name without the parameters of C++ functions and without what is inside <...> but for its first `keep` bytes, which has no namespaces;
 * brackets that lost something get a mark. bare: no namespaces elsewhere either. O(n) */
static void strip_templates(out *o, const char *s, size_t n, const char *mark, size_t keep, bool bare)
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
        } else if ((angle ? keep > 0 : bare) && !name_before && namespace_bytes(s + i, n - i)) {
            i += namespace_bytes(s + i, n - i) - 1;
        } else if (ch == '(' && !angle && (name_before || before == ')')) {
            bool parameters;
            size_t len = bracket_bytes(s, n, i, cpp, braces > 0, &parameters);
            if (!parameters) out_bytes(o, s + i, len);
            i += len - 1;
        } else if (ch == '<' && !angle && name_before) {
            angle = 1;
            out_bytes(o, "<", 1);
            if (!keep) out_bytes(o, mark, strlen(mark));
        } else if (ch == '>' && angle == 1 && !round && before != '-') {
            angle = round = 0;
            out_bytes(o, ">", 1);
        } else {
            if (angle && !round) angle += ch == '<' ? 1 : ch == '>' && before != '-' ? -1 : 0;
            if (angle) round += (ch == '(') - (ch == ')');
            if (!angle || keep) out_bytes(o, &ch, 1);
            if (angle && keep && !--keep) out_bytes(o, mark, strlen(mark));
            braces += (ch == '{') - (ch == '}');
        }
        cpp = cpp || angle || begins(s + i, n - i, "::");
    }
}

/* A Python function without the folders of its file. */
static const char *without_folders(const char *s)
{
    const char *last = s, *file = strstr(s, ".py(");
    for (const char *p = s; file && p < file; p++) last = *p == '/' ? p + 1 : last;
    return last;
}

/* The name of a kernel for w columns: no template arguments, then no namespace, then as many arguments as there is room for, since they are
 * what tells some kernels apart. May still be too long. */
static const char *kernel_name(char *plain, size_t cap, const char *s, size_t n, int w, const char *mark)
{
    bool bare = false;
    for (size_t keep = 0;;) {
        out p = {plain, 0, cap};
        strip_templates(&p, s, n, mark, keep, bare);
        plain[p.n] = 0;
        int spare = w - width_of(plain, p.n);
        if (spare < 0 && !bare) {
            bare = true;
            continue;
        }
        if (keep || spare < 4 || !strstr(plain, mark)) return spare < 0 ? without_folders(plain) : plain;
        keep = (size_t)spare;
    }
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
    if (width_of(s, n) > w && cut == TT_CUT_KERNEL) {
        s = kernel_name(plain, sizeof plain, s, n, w, mark);
        n = strlen(s);
    }
    if (width_of(s, n) <= w) {
        out_bytes(&o, s, n);
    } else if (cut == TT_CUT_START) {
        out_bytes(&o, mark, strlen(mark));
        size_t from = tail_start(s, n, w - 1);
        out_bytes(&o, s + from, n - from);
    } else {
        int tail = cut == TT_CUT_END ? 0 : (w - 1) / 2;
        out_bytes(&o, s, head_bytes(s, n, w - 1 - tail));
        out_bytes(&o, mark, strlen(mark));
        size_t from = tail ? tail_start(s, n, tail) : n;
        out_bytes(&o, s + from, n - from);
    }
    text[o.n] = 0;
    return width_of(text, o.n);
}
