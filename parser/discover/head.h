/* parser/discover/head.h - what the first bytes of a file say of it: whether it is a trace, whose, of which rank and
 * time, and whether tracetty made it of traces. */
#ifndef TT_PARSER_INPUT_HEAD_H
#define TT_PARSER_INPUT_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/err.h"

/* The first bytes of the JSON that `export` writes: blanks that no other program writes, and no member that the trace
 * did not have. */
#define TT_EXPORT_MARK "{ \n  \n"
/* The application id of the databases that `export` writes, at byte 68 of the file. */
#define TT_EXPORT_DATABASE "TTty"

typedef struct tt_head {
    bool trace;            /* a reader takes it */
    bool own;              /* tracetty made it of traces: an export, a summary, tables as JSON */
    const char *framework; /* id of a format, or "chrome"; NULL = the first bytes do not tell */
    int64_t rank;          /* -1 = not said */
    int64_t at_ns;         /* of its events, ns since 1970; 0 = not said */
} tt_head;

/* Of a regular file; where it cannot be read, of no trace, and err->code is not TT_OK. */
tt_head tt_head_read(const char *path, tt_err *err);

#endif
