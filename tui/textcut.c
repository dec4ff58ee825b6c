/* tui/textcut.c - shortening text to a number of columns.
 *
 * Names of C++ kernels are long where they say least: template arguments and parameters go first, then namespaces, and
 * what is still too long loses its middle, since both ends tell kernels apart.                                        */
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

/* Bytes of a namespace and its :: at the beginning of s, 0 = there is none. */
static size_t namespace_bytes(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && (s[i] == '_' || (s[i] >= '0' && s[i] <= '9') || ((s[i] | 32) >= 'a' && (s[i] | 32) <= 'z'))) i++;
    return i && i + 1 < n && s[i] == ':' && s[i + 1] == ':' ? i + 2 : 0;
}

/* A kernel's name without its parameter list and without what is inside <...> but for its first `keep` bytes; brackets that lost
 * something get a mark. */
static void strip_templates(out *o, const char *s, size_t n, const char *mark, size_t keep)
{
    int angle = 0, round = 0;
    if (n > 5 && memcmp(s, "void ", 5) == 0) s += 5, n -= 5;
    for (size_t i = 0; i < n; i++) {
        char ch = s[i], before = i ? s[i - 1] : ' ';
        bool name_before = before == '_' || before == '>' || (before >= '0' && before <= '9') ||
                           ((before | 32) >= 'a' && (before | 32) <= 'z');
        static const char anonymous[] = "(anonymous namespace)::";
        if (!round && n - i >= sizeof anonymous - 1 && !memcmp(s + i, anonymous, sizeof anonymous - 1)) {
            i += sizeof anonymous - 2;
        } else if (angle && keep && !name_before && namespace_bytes(s + i, n - i)) {
            i += namespace_bytes(s + i, n - i) - 1;
        } else if (ch == '(' && (round || (!angle && name_before))) {
            round++;
        } else if (ch == ')' && round) {
            round--;
        } else if (ch == '<' && !round && !angle && name_before) {
            angle = 1;
            out_bytes(o, "<", 1);
            if (!keep) out_bytes(o, mark, strlen(mark));
        } else if (ch == '>' && angle == 1 && !round && before != '-') {
            angle = 0;
            out_bytes(o, ">", 1);
        } else if (angle && !round && keep) {
            out_bytes(o, &ch, 1);
            angle += ch == '<' ? 1 : ch == '>' && before != '-' ? -1 : 0;
            if (!--keep) out_bytes(o, mark, strlen(mark));
        } else if (angle && !round) {
            angle += ch == '<' ? 1 : ch == '>' && before != '-' ? -1 : 0;
        } else if (!round) {
            out_bytes(o, &ch, 1);
        }
    }
}

/* The part after the last :: that is not inside brackets. */
static const char *last_component(const char *s)
{
    const char *last = s;
    for (const char *p = s; *p && *p != '<' && *p != '('; p++) {
        if (p[0] == ':' && p[1] == ':' && p[2]) last = p + 2;
    }
    return last;
}

/* The name of a kernel for w columns: no template arguments, then no namespace, then as many arguments as there is room for, since they are
 * what tells some kernels apart. May still be too long. */
static const char *kernel_name(char *plain, size_t cap, const char *s, size_t n, int w, const char *mark)
{
    for (size_t keep = 0;;) {
        out p = {plain, 0, cap};
        strip_templates(&p, s, n, mark, keep);
        plain[p.n] = 0;
        const char *name = width_of(plain, p.n) > w ? last_component(plain) : plain;
        int spare = w - width_of(name, strlen(name));
        if (keep || spare < 4 || !strstr(name, mark)) return name;
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
