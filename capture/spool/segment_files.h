/* capture/spool/segment_files.h - makes a second name, or a copy, of a file. Private to capture/spool; called on the
 * files thread. */
#ifndef TT_CAPTURE_SPOOL_SEGMENT_FILES_H
#define TT_CAPTURE_SPOOL_SEGMENT_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* Link the file: 0; 1: there is no such file; -errno. A link that was made before is as good. */
int tt_segment_link(const char *from, const char *to);
/* Whether a link failed for a reason that does not hold for a copy. */
bool tt_segment_may_copy(int e);
/* Copy the file from *at on, which counts up, until clock_ms is over: 1: complete, or there is no such file; 0: not
 * yet; -errno. At 0 the copy must not exist. */
int tt_segment_copy(const char *from, const char *to, uint64_t *at, int64_t clock_ms);
int64_t tt_segment_clock_ms(void);

#endif
