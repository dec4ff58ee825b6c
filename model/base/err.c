/* Filling in a tt_err: see err.h. */
#include "model/base/err.h"

#include <stdarg.h>
#include <stdio.h>

tt_status tt_fail(tt_err *err, tt_status code, int64_t offset, const char *fmt, ...)
{
    if (err) {
        va_list ap;
        err->code = code;
        err->cause = 0;
        err->offset = offset;
        va_start(ap, fmt);
        vsnprintf(err->message, sizeof err->message, fmt, ap);
        va_end(ap);
    }
    return code;
}
