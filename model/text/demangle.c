/* Demangling by the C++ library that is linked anyway. See demangle.h.
 *
 * A mangled name refers back to its own parts, so a hostile one of 300 bytes can stand for gigabytes, and
 * __cxa_demangle() knows no limit. So how far a name can unfold is bounded beforehand, by counting its references;
 * what may unfold further stays as it is. No process is forked for it: that is not for a program with threads, and
 * the time of one that hangs has no limit. */
#include "model/text/demangle.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* UNFOLD_BITS: 16 MiB of text, which is half a second of work. SURE_BITS: as long as a name may be. */
enum { RAW_MOST = 16 << 10, TEXT_MOST = 64 << 10, PARTS = 1024, UNFOLD_BITS = 24, SURE_BITS = 16 };

static unsigned bits(size_t n)
{
    unsigned b = 0;
    while (n >> b) b++;
    return b;
}

/* The text is at most 2^this times as long as the name. References within identifiers count too: too many is safe. */
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
