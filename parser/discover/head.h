/* parser/discover/head.h - facts from the first bytes of a file: whether it is a trace, its framework, rank and time,
 * and whether tracetty made it from traces. */
#ifndef TT_PARSER_DISCOVER_HEAD_H
#define TT_PARSER_DISCOVER_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/err.h"

/* The first bytes of the JSON that `export` writes: white space that no other program writes, which adds no member. */
#define TT_EXPORT_MARK "{ \n  \n"
/* The application id of the databases that `export` writes, at byte 68 of the file. */
#define TT_EXPORT_DATABASE "TTty"

typedef struct tt_head {
    bool trace;            /* a reader accepts the file */
    bool own;              /* tracetty made it from traces: an export, a summary, or tables as JSON */
    const char *framework; /* id of a format, or "chrome"; NULL = the first bytes do not tell */
    int64_t rank;          /* -1 = unknown */
    int64_t at_ns;         /* latest time of its events, ns since 1970; 0 = unknown */
} tt_head;

/* Whether the regular file is a dump of a flight recorder, which may have any name; true also if reading it fails, so
 * that the loader says why. */
bool tt_head_is_dump(const char *path);
/* Read the head of a regular file. If the file cannot be read the result is no trace and err->code is not TT_OK. */
tt_head tt_head_read(const char *path, tt_err *err);

#endif
