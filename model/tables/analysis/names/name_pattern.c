/* model/tables/analysis/names/name_pattern.c - see name_pattern.h. */
#include "model/tables/analysis/names/name_pattern.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static unsigned pair_of(const char *p)
{
    unsigned a = (unsigned char)p[0], b = (unsigned char)p[1];
    return ((unsigned)tolower((int)a) * 37u + (unsigned)tolower((int)b)) & 1023u;
}

tt_pattern_text tt_pattern_text_of(const char *text)
{
    tt_pattern_text t = {.text = text};
    for (const char *p = text; p[0] && p[1]; p++) t.pairs[pair_of(p) >> 6] |= UINT64_C(1) << (pair_of(p) & 63u);
    return t;
}

/* Whether a word of the name begins at `at`: no letter is before it, or a small letter before a capital. */
static bool word_begins(const char *name, const char *at)
{
    if (at == name || !isalpha((unsigned char)at[-1])) return true;
    return isupper((unsigned char)*at) && islower((unsigned char)at[-1]);
}

static bool word_ends(const char *end)
{
    return !isalpha((unsigned char)*end) || (isupper((unsigned char)*end) && islower((unsigned char)end[-1]));
}

bool tt_pattern_fits(const tt_pattern_text *in, const char *pattern)
{
    bool word = *pattern == '=';
    pattern += word;
    for (const char *p = pattern; p[0] && p[1]; p++)
        if (!(in->pairs[pair_of(p) >> 6] >> (pair_of(p) & 63u) & 1u)) return false;
    size_t n = strlen(pattern);
    for (const char *at = strcasestr(in->text, pattern); at; at = strcasestr(at + 1, pattern)) {
        if (!word || (word_begins(in->text, at) && word_ends(at + n))) return true;
    }
    return false;
}
