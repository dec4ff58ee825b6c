/* tui/anonymise/words.c - hashes, numbers and words of texts. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tui/anonymise/impl.h"

static const char digits[] = "0123456789", hex[] = "0123456789abcdefABCDEF";

enum { NUMBER_MOST = 20 }; /* digits of a number that stays */

const char *tt_hide_bytes(tt_hidden_event *e, const char *word, const char *text, size_t n)
{
    uint64_t h = tt_keyed_hash(&e->how->key, text, n) & UINT64_C(0xFFFFFFFFFF);
    return tt_arena_printf(&e->arena, "%s_%010" PRIx64, word, h);
}

const char *tt_hide(tt_hidden_event *e, const char *word, const char *text)
{
    return tt_hide_bytes(e, word, text, strlen(text));
}

const char *tt_hide_name(tt_hidden_event *e, const char *word, const char *text)
{
    static const char *const passes[] = {"backward", "forward"};
    const char *hidden = tt_hide(e, word, text);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (strcasestr(text, passes[i])) return tt_arena_printf(&e->arena, "%s.%s", hidden, passes[i]);
    }
    return hidden;
}

bool tt_starts(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

bool tt_kept(tt_names list, const char *text) { return tt_names_have(list, text, strlen(text)); }

bool tt_kept_numbered(tt_names list, const char *text) { return tt_names_have_numbered(list, text, strlen(text)); }

/* The length of the number at p, "-12.5e-3"; 0: there is none. A version of three numbers joined by points counts. */
static size_t number_length(const char *p)
{
    const char *from = p;
    p += *p == '-' || *p == '+';
    for (int points = 0;; points++, p++) {
        size_t n = strspn(p, digits);
        if (!n || n > NUMBER_MOST || points > 2) return 0;
        p += n;
        if (*p != '.') break;
    }
    if (*p == 'e' || *p == 'E') {
        size_t sign = p[1] == '-' || p[1] == '+', n = strspn(p + 1 + sign, digits);
        if (n && n < 4) p += 1 + sign + n;
    }
    return (size_t)(p - from);
}

bool tt_is_numbers(const char *text)
{
    bool may_begin = true, colon = false; /* a number ends at a separator: "1-2" is no number */
    for (const char *p = text; *p;) {
        size_t n = may_begin ? number_length(p) : 0;
        if (n) {
            p += n;
            may_begin = false;
        } else if (*p == ':' && !colon) { /* a process and a number: "1:4400" */
            colon = may_begin = true;
            p++;
        } else if (strchr(",;[](){} /%#\r\n\t", *p)) {
            may_begin = true;
            p++;
        } else {
            return false;
        }
    }
    return true;
}

static bool is_word(char c)
{
    unsigned char u = (unsigned char)c;
    return u >= 0x80 || u == '_' || (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z');
}

static bool has_groups(const char *text)
{
    int groups = 0;
    for (const char *p = text; *p;) {
        size_t n = strspn(p, hex);
        groups = n ? groups + 1 : 0;
        if (groups >= 4) return true;
        p += n ? n : 1;
        if (n && *p && strchr(".:-", *p) && strspn(p + 1, hex))
            p++;
        else
            groups = 0;
    }
    return false;
}

/* "fe80::1", but not "c10::Half" */
static bool has_short_address(const char *text)
{
    for (const char *p = text; *p;) {
        size_t n = strspn(p, "0123456789abcdefABCDEF:"), colons = strspn(p, ":");
        bool begins = p == text || !is_word(p[-1]);
        if (begins && n > colons && memmem(p, n, "::", 2) && !is_word(p[n])) return true;
        p += n ? n : 1;
    }
    return false;
}

bool tt_has_address(const char *text) { return has_groups(text) || has_short_address(text); }

size_t tt_word_length(const char *p)
{
    size_t n = 0;
    while (is_word(p[n])) n++;
    return n;
}

bool tt_words_kept(tt_names list, const char *text)
{
    if (tt_has_address(text)) return false;
    for (const char *p = text; *p;) {
        size_t n = tt_word_length(p), number = strspn(p, digits);
        bool control = (unsigned char)*p < ' ' && !strchr("\r\n\t", *p);
        if (control || *p == 0x7F) return false;
        if (n && !(number == n && n <= NUMBER_MOST) && !tt_names_have_numbered(list, p, n)) return false;
        p += n ? n : 1;
    }
    return true;
}

/* The text of `out`, valid as long as the event. */
static const char *taken(tt_hidden_event *e, tt_text *out)
{
    const char *whole = tt_arena_strndup(&e->arena, out->at, out->n);
    tt_vec_free(out);
    return whole;
}

const char *tt_hide_words(tt_hidden_event *e, tt_names list, const char *text)
{
    tt_text out = {0};
    if (tt_has_address(text)) return tt_hide(e, "text", text);
    tt_text_put(&out, "", 0);
    for (const char *p = text; *p;) {
        size_t n = tt_word_length(p), length = n ? n : 1;
        bool stays = n ? tt_names_have_numbered(list, p, n) : (unsigned char)*p >= ' ' && *p != 0x7F;
        const char *hidden = n ? tt_hide_bytes(e, "text", p, n) : " ";
        tt_text_put(&out, stays ? p : hidden, stays ? length : strlen(hidden));
        p += length;
    }
    return taken(e, &out);
}

const char *tt_hide_parts(tt_hidden_event *e, const char *text, char between, tt_hide_rule *rule)
{
    const char ends[] = {between, '\0'};
    tt_text out = {0};
    tt_text_put(&out, "", 0);
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, ends);
        const char *part = n ? rule(e, tt_arena_strndup(&e->arena, p, n)) : "";
        tt_text_put(&out, part, strlen(part));
        p += n;
        if (*p) tt_text_put(&out, p++, 1);
    }
    return taken(e, &out);
}
