/* Demangling by the already linked C++ library. See demangle.h.
 *
 * A mangled name can refer to its own parts, so a hostile one of 300 bytes can stand for gigabytes, and
 * __cxa_demangle() has no limit. So the expansion is bounded beforehand by counting references; names that can
 * expand further are unchanged. No process is forked: the program has threads, and a hanging child has no time
 * limit. */
#include "model/text/demangle.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* UNFOLD_BITS: 16 MiB of text, which is half a second of work. SURE_BITS: as long as a name may be. */
enum { RAW_MOST = 16 << 10, TEXT_MOST = 64 << 10, PARTS = 1024, UNFOLD_BITS = 24, SURE_BITS = 16 };

size_t tt_kernel_name_length(const char *name, size_t n)
{
    static const char *const endings[] = {" [clone .kd]", ".kd"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t m = strlen(endings[i]);
        if (n > m && !memcmp(name + n - m, endings[i], m)) return n - m;
    }
    return n;
}

static unsigned bits(size_t n)
{
    unsigned b = 0;
    while (n >> b) b++;
    return b;
}

/* log2 bound of the expansion factor. References within identifiers count, too, which is safe. */
static unsigned growth(const char *raw, size_t n)
{
    uint16_t times[2][PARTS] = {{0}};
    unsigned sum = 0;
    for (const char *p = raw; p < raw + n; p++) {
        if (p[0] == 'D' && p[1] == 'p') sum += bits(n);
        if (p[0] == 's' && p[1] == 'p') sum += bits(n);
        if (*p != 'S' && *p != 'T') continue;
        size_t index = 0;
        const char *q = p + 1;
        for (; (*q >= '0' && *q <= '9') || (*q >= 'A' && *q <= 'Z'); q++) {
            index = index * 36 + (size_t)(*q <= '9' ? *q - '0' : *q - 'A' + 10) + 1;
            if (index > PARTS) index = PARTS;
        }
        if (*q == '_') times[*p == 'T'][index % PARTS]++;
    }
    for (size_t i = 0; i < 2 * PARTS; i++) {
        if (times[i / PARTS][i % PARTS] > 1) sum += bits(times[i / PARTS][i % PARTS] - 1u);
    }
    return sum;
}

char *tt_demangle(const char *raw, unsigned *tries)
{
    size_t n = strlen(raw);
    int status;
    if (strncmp(raw, "_Z", 2) != 0 || n > RAW_MOST) return NULL;
    if (growth(raw, n) + bits(n) > (*tries ? UNFOLD_BITS : SURE_BITS)) return NULL;
    char *text = __cxa_demangle(raw, NULL, NULL, &status);
    if (!text || strlen(text) <= TEXT_MOST) return text;
    free(text);
    *tries -= *tries > 0;
    return NULL;
}

/* Replace every `from` by `to`; NULL if the text has no `from`, or has `to` already. */
static char *replaced(const char *s, const char *from, const char *to)
{
    size_t n = strlen(from), m = strlen(to), count = 0;
    for (const char *p = s; (p = strstr(p, from)) != NULL; p += n) count++;
    if (!count || strstr(s, to)) return NULL;
    char *out = malloc(strlen(s) + count * m + 1), *at = out;
    for (const char *p; out && (p = strstr(s, from)) != NULL; s = p + n) {
        memcpy(at, s, (size_t)(p - s));
        memcpy(at + (p - s), to, m);
        at += (size_t)(p - s) + m;
    }
    if (out) memcpy(at, s, strlen(s) + 1);
    return out;
}

/* bfloat16 is DF16b, which libraries before 2023 do not know: it takes the place of a type that no kernel has. */
static char *with_bfloat16(const char *raw)
{
    unsigned tries = 0;
    char *known = replaced(raw, "DF16b", "Dd"), *text = known ? tt_demangle(known, &tries) : NULL;
    char *out = text ? replaced(text, "decimal64", "bfloat16") : NULL;
    free(known);
    free(text);
    return out;
}

/* "_ZN2ns6kernelI..." -> "ns::kernel<...>". */
static char *identifiers(const char *raw)
{
    size_t n = strlen(raw), at = 0;
    char *out = n < RAW_MOST ? malloc(2 * n + 8) : NULL;
    const char *p = raw + 2;
    while (out && (*p == 'N' || *p == 'K' || *p == 'L')) p++;
    while (out && *p >= '1' && *p <= '9') {
        size_t len = 0;
        while (*p >= '0' && *p <= '9' && len < RAW_MOST) len = len * 10 + (size_t)(*p++ - '0');
        if (len > strlen(p)) break;
        if (at) at += (size_t)(stpcpy(out + at, "::") - (out + at));
        memcpy(out + at, p, len);
        at += len;
        p += len;
    }
    if (!out || !at) {
        free(out);
        return NULL;
    }
    memcpy(out + at, *p == 'I' ? "<...>" : "", *p == 'I' ? 6 : 1);
    return out;
}

char *tt_demangle_shown(const char *raw)
{
    unsigned tries = 0;
    if (strncmp(raw, "_Z", 2) != 0) return NULL;
    char *text = with_bfloat16(raw); /* a library that knows bfloat16 prints std::bfloat16_t: replace that first */
    if (!text) text = tt_demangle(raw, &tries);
    return text ? text : identifiers(raw);
}
