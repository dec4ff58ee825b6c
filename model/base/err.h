/* model/base/err.h - how a function says that it failed.
 *
 * A function that can fail on bad input returns a tt_status and, when the caller passed a tt_err, fills it in.
 * The text names the path, the offset and the remedy; it may hold bytes of the input, so every output
 * path prints it through the sanitiser (model/text/text_safety.h). */
#ifndef TT_MODEL_BASE_ERR_H
#define TT_MODEL_BASE_ERR_H

#include <stdint.h>

/* The values are the exit status of the program (README.md: 3 = missing, unreadable or no trace; 4 = limit). */
typedef enum tt_status {
    TT_OK = 0,
    TT_ERR_USAGE = 2,
    TT_ERR_INPUT = 3,
    TT_ERR_LIMIT = 4,
    TT_ERR_CANCELLED = 5, /* the user cancelled; what was read until then is kept */
} tt_status;

typedef struct tt_err {
    tt_status code;
    int cause;      /* errno of the system call that failed, 0 = the input is at fault */
    int64_t offset; /* byte offset in the decompressed text, -1 when there is none */
    char message[1024];
} tt_err;

/* Fill *err (may be NULL), with cause 0, and return code. */
tt_status tt_fail(tt_err *err, tt_status code, int64_t offset, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#define TT_TRY(e)                                                                                                      \
    do {                                                                                                               \
        tt_status st_ = (e);                                                                                           \
        if (st_ != TT_OK) return st_;                                                                                  \
    } while (0)

#endif
