/* model/text/regex.c - computes the size of an expression before the library compiles it. See regex.h. */
#include "model/text/regex.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The last piece of a branch: a character, a [...] or a group, with its repetitions. */
typedef struct piece {
    uint64_t size; /* number of characters with repetitions expanded */
    bool anchor;   /* it contains an anchor */
    bool empty;    /* it also matches the empty text */
} piece;

typedef struct level { /* state inside of a group */
    piece last;
    uint64_t before; /* size of the pieces before the last one, in all branches */
    bool anchor;     /* the group contains an anchor */
    bool rest_empty; /* all pieces of this branch before the last one may be empty */
    bool some_empty; /* a branch before this one may be empty */
} level;

typedef struct measure {
    level at[TT_REGEX_DEPTH + 1];
    unsigned depth;
    const char *why; /* NULL: fine so far */
} measure;

static const piece nothing = {.empty = true};

static void append_piece(measure *m, piece p)
{
    level *l = &m->at[m->depth];
    l->before += l->last.size;
    l->rest_empty &= l->last.empty;
    l->anchor |= p.anchor;
    l->last = p;
    if (l->before + p.size > TT_REGEX_SIZE)
        m->why = "the regular expression is too large when its repetitions are written out";
}

static void character(measure *m, bool anchor) { append_piece(m, (piece){1, anchor, anchor}); }

/* Repeat the last piece; the sign counts, too, so that the whole text is bounded. */
static void grow(measure *m, uint64_t times)
{
    level *l = &m->at[m->depth];
    l->last.size = l->last.size * times + 1;
    if (l->before + l->last.size > TT_REGEX_SIZE)
        m->why = "the regular expression is too large when its repetitions are written out";
}

/* A *, + or ? behind a piece. */
static void repeat(measure *m, char how)
{
    piece *p = &m->at[m->depth].last;
    if (p->anchor && how != '?') m->why = "^, $ and \\b cannot be inside of what a regular expression repeats";
    p->empty |= how != '+';
    if (!m->why) grow(m, how == '+' ? 2 : 1); /* a+ is written aa* */
}

/* Points behind a [...]; its first ] and its classes ([:alpha:]) do not end it. */
static const char *behind_bracket(const char *p)
{
    p++;
    if (*p == '^') p++;
    if (*p == ']') p++;
    while (*p && *p != ']') {
        if (*p == '[' && p[1] && strchr(":.=", p[1])) {
            const char end[] = {p[1], ']', '\0'}, *close = strstr(p + 2, end);
            p = close ? close + 2 : p + 1;
        } else {
            p++;
        }
    }
    return *p ? p + 1 : p;
}

static uint64_t number(const char **p)
{
    uint64_t v = 0;
    for (; **p >= '0' && **p <= '9'; (*p)++) v = v < 100000 ? v * 10 + (uint64_t)(**p - '0') : v;
    return v;
}

/* Points behind {m}, {m,} or {m,n}; other text is a plain character. */
static const char *interval(measure *m, const char *p)
{
    piece *last = &m->at[m->depth].last;
    const char *q = p + 1;
    uint64_t least = number(&q), most = least;
    if (*q == ',') {
        q++;
        most = *q == '}' ? least + 1 : number(&q);
    }
    if (*q != '}') {
        character(m, false);
        return p + 1;
    }
    most = most > least ? most : least;
    if (last->anchor && most > 1) m->why = "^, $ and \\b cannot be inside of what a regular expression repeats";
    if (last->empty && most > 1)
        m->why = "what may be empty cannot be repeated a number of times in a regular expression";
    last->empty |= !least;
    if (!m->why) grow(m, most ? most : 1);
    return q + 1;
}

static void open_group(measure *m)
{
    if (m->depth == TT_REGEX_DEPTH) {
        m->why = "the regular expression has too many parentheses inside each other";
        return;
    }
    m->at[++m->depth] = (level){.last = nothing, .rest_empty = true};
}

static void close_group(measure *m)
{
    if (!m->depth) { /* the library takes it as a plain character, too */
        character(m, false);
        return;
    }
    level l = m->at[m->depth--];
    append_piece(m, (piece){l.before + l.last.size + 1, l.anchor, l.some_empty || (l.rest_empty && l.last.empty)});
}

static void next_branch(measure *m)
{
    level *l = &m->at[m->depth];
    l->some_empty |= l->rest_empty && l->last.empty;
    append_piece(m, nothing);
    l->before++;
    l->rest_empty = true;
}

const char *tt_regex_refused(const char *text)
{
    measure m = {.at[0] = {.last = nothing, .rest_empty = true}};
    for (const char *p = text; *p && !m.why;) {
        switch (*p) {
        case '(': open_group(&m), p++; break;
        case ')': close_group(&m), p++; break;
        case '|': next_branch(&m), p++; break;
        case '[': character(&m, false), p = behind_bracket(p); break;
        case '{': p = interval(&m, p); break;
        case '*':
        case '+':
        case '?': repeat(&m, *p), p++; break;
        case '^':
        case '$': character(&m, true), p++; break;
        case '\\':
            if (p[1] >= '1' && p[1] <= '9') m.why = "\\1 and the like are not of POSIX extended regular expressions";
            character(&m, p[1] && strchr("bB<>`'", p[1]));
            p += p[1] ? 2 : 1;
            break;
        default: character(&m, false), p++;
        }
    }
    return m.why;
}

tt_status tt_regex_compile(regex_t *out, const char *text, tt_err *err)
{
    char buf[200];
    const char *why = tt_regex_refused(text);
    if (why) return tt_fail(err, TT_ERR_USAGE, -1, "%s: '%.200s'", why, text);
    int rc = regcomp(out, text, REG_EXTENDED | REG_NOSUB);
    if (!rc) return TT_OK;
    regerror(rc, out, buf, sizeof buf);
    return tt_fail(err, TT_ERR_USAGE, -1, "bad regular expression '%.200s': %s", text, buf);
}
