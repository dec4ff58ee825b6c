/* parser/discover/tool.h - another profiler's own program, where only it can read what it wrote.
 *
 * Run only when the person asked for it (--nsys-export), without a shell, into a private folder that goes
 * afterwards. */
#ifndef TT_PARSER_INPUT_TOOL_H
#define TT_PARSER_INPUT_TOOL_H

#include <stdbool.h>

#include "model/base/err.h"

typedef struct tt_exported { /* zeroed: nothing */
    char folder[256], path[300];
} tt_exported;

/* Whether the file begins as a report of Nsight Systems. */
bool tt_is_nsys_report(const char *path);
/* Run `nsys export` on the report; out->path is the database. stop: as for tt_source_open_stop(). The message says why
 * there is none: nsys is not on the PATH, it failed (its last words), it did nothing for minutes. */
tt_status tt_nsys_export(const char *report, const _Atomic bool *stop, tt_exported *out, tt_err *err);
void tt_exported_remove(tt_exported *e); /* the folder and what is in it */

#endif
