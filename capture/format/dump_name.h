/* capture/format/dump_name.h - names of the folders of dumps, below the folder of their recording:
 * hang-20261128T203000.250Z-WHO: when the trigger came, UTC, and the rank of the process, or its number if it has no
 * rank. The milliseconds keep the order of two triggers within a second. A folder with such a name is complete, whether
 * its process runs or not. */
#ifndef TT_CAPTURE_FORMAT_DUMP_NAME_H
#define TT_CAPTURE_FORMAT_DUMP_NAME_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define TT_DUMP_FOLDER "hang-"
enum { TT_DUMP_STAMP = 20 }; /* length of 20261128T203000.250Z */

static inline int64_t tt_dump_number(const char *p, size_t n)
{
    int64_t v = 0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] < '0' || p[i] > '9') return -1;
        v = v * 10 + (p[i] - '0');
    }
    return v;
}

/* Read the name of a dump's folder: *at: ms since 1970; *who: the number at its end. */
static inline bool tt_dump_name_parse(const char *name, int64_t *at, int64_t *who)
{
    const char *p = name + sizeof TT_DUMP_FOLDER - 1, *end = p + TT_DUMP_STAMP;
    size_t digits;
    if (strncmp(name, TT_DUMP_FOLDER, sizeof TT_DUMP_FOLDER - 1) != 0 || strnlen(p, TT_DUMP_STAMP) < TT_DUMP_STAMP)
        return false;
    digits = *end == '-' ? strspn(end + 1, "0123456789") : 0;
    if (p[8] != 'T' || p[15] != '.' || p[19] != 'Z' || !digits || digits > 18 || end[1 + digits]) return false;
    int64_t y = tt_dump_number(p, 4), m = tt_dump_number(p + 4, 2), d = tt_dump_number(p + 6, 2),
            h = tt_dump_number(p + 9, 2), min = tt_dump_number(p + 11, 2), s = tt_dump_number(p + 13, 2),
            ms = tt_dump_number(p + 16, 3);
    if (y < 1970 || m < 1 || m > 12 || d < 1 || d > 31 || h < 0 || h > 23 || min < 0 || min > 59 || s < 0 || s > 60 ||
        ms < 0)
        return false;
    if (m <= 2) y--, m += 12; /* the year begins in March, so that the leap day is its last */
    int64_t days = y * 365 + y / 4 - y / 100 + y / 400 + (153 * (m - 3) + 2) / 5 + d - 1 - 719468;
    *at = (((days * 24 + h) * 60 + min) * 60 + s) * 1000 + ms;
    *who = tt_dump_number(end + 1, digits);
    return true;
}

#endif
