/* model/base/buf.h - text that is put together piece by piece in memory of fixed size, such as a line of a screen.
 *
 * The text always ends with a NUL; what does not fit any more is cut. The memory belongs to the caller. */
#ifndef TT_MODEL_BASE_BUF_H
#define TT_MODEL_BASE_BUF_H

#include <stddef.h>

typedef struct tt_buf {
    char *at;
    size_t n, cap; /* n: length of the text, without its NUL; cap: bytes at `at`, at least 1 */
} tt_buf;

/* An empty text in `cap` bytes at `at`. */
tt_buf tt_buf_on(char *at, size_t cap);
/* The text that already stands in `cap` bytes at `at`, to append to. */
tt_buf tt_buf_behind(char *at, size_t cap);
/* An empty text in an array of char. */
#define tt_buf_of(array) tt_buf_on((array), sizeof(array))
/* Append formatted text. */
void tt_buf_add(tt_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Append formatted text as the next member of a list: `separator` comes first unless the text is still empty. */
void tt_buf_list(tt_buf *b, const char *separator, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
