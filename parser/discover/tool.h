/* parser/discover/tool.h - runs another profiler's own program on files that only it can read.
 *
 * It runs only if the user asked for it (--nsys-export), without a shell, in a private folder that is removed
 * afterwards. */
#ifndef TT_PARSER_DISCOVER_TOOL_H
#define TT_PARSER_DISCOVER_TOOL_H

#include <stdbool.h>

#include "model/base/err.h"

typedef struct tt_exported { /* zeroed = nothing exported */
    char folder[256], path[300];
} tt_exported;

/* Whether the file begins like a report of Nsight Systems. */
bool tt_is_nsys_report(const char *path);
/* Run `nsys export` on the report; out->path is the database. stop: as for tt_source_open_stop(). The message says why
 * there is no database: nsys is not on the PATH, it failed (with its last words), or it hung. */
tt_status tt_nsys_export(const char *report, const _Atomic bool *stop, tt_exported *out, tt_err *err);
void tt_exported_remove(tt_exported *e); /* Remove the folder with its files. */

#endif
