/* parser/discover/file_name.c - see file_name.h. */
#include "parser/discover/file_name.h"

#include <string.h>

static size_t cut(const char *s, size_t n, const char *end)
{
    size_t m = strlen(end);

    return n >= m && memcmp(s + n - m, end, m) == 0 ? n - m : n;
}

size_t tt_discover_uncompressed(const char *s)
{
    size_t n = strlen(s), m = cut(s, n, ".gz");

    return m != n ? m : cut(s, n, ".zst");
}

int64_t tt_discover_rank(const char *s)
{
    static const char *const words[] = {"rank", "worker", "TP-"};

    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        for (const char *p = s; (p = strcasestr(p, words[w])) != NULL; p++) {
            const char *d = p + strlen(words[w]);
            int64_t v = 0;
            int n = 0;

            if (p > s && ((p[-1] | 32) >= 'a' && (p[-1] | 32) <= 'z')) continue;
            if (*d == '_' || *d == '-' || *d == '.' || *d == '=') d++;
            for (; *d >= '0' && *d <= '9' && n < 9; d++, n++) v = v * 10 + (*d - '0');
            if (n > 0 && !(*d >= '0' && *d <= '9')) return v;
        }
    }
    return -1;
}
