/* capture/format/spool_name.h - names of spools. A recording of one process is HOST_rankN.START.ttspool (or
 * HOST_PID...), START in ns; of a ring it is several files, HOST_rankN.START.NNNNNN.ttspool, which readers show as
 * one recording with the name of the first form. */
#ifndef TT_CAPTURE_FORMAT_SPOOL_NAME_H
#define TT_CAPTURE_FORMAT_SPOOL_NAME_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define TT_SPOOL_ENDING ".ttspool"
enum { TT_SPOOL_SEGMENT_DIGITS = 6, TT_SPOOL_START_DIGITS = 10 }; /* at least so many */

/* Length of ".DIGITS" at the end of name[0..n); 0: fewer than `least` digits. */
static inline size_t tt_spool_number_at_end(const char *name, size_t n, size_t least)
{
    size_t i = n;
    while (i > 0 && name[i - 1] >= '0' && name[i - 1] <= '9') i--;
    return n - i >= least && n - i < 20 && i > 1 && name[i - 1] == '.' ? n - i + 1 : 0;
}

/* Whether a file name, of n bytes without the ending of a compression, is that of a segment. *stem: length of its part
 * before ".NNNNNN.ttspool"; *number: NNNNNN. */
static inline bool tt_spool_is_segment(const char *name, size_t n, size_t *stem, uint64_t *number)
{
    size_t end = sizeof TT_SPOOL_ENDING - 1;
    if (n <= end || memcmp(name + n - end, TT_SPOOL_ENDING, end) != 0) return false;
    size_t digits = tt_spool_number_at_end(name, n - end, TT_SPOOL_SEGMENT_DIGITS);
    if (!digits || !tt_spool_number_at_end(name, n - end - digits, TT_SPOOL_START_DIGITS)) return false;
    *stem = n - end - digits;
    *number = 0;
    for (size_t i = 1; i < digits; i++) *number = *number * 10 + (uint64_t)(name[*stem + i] - '0');
    return true;
}

#endif
