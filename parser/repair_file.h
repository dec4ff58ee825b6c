/* parser/repair_file.h - a damaged JSON trace written again as valid JSON.
 *
 * Written is what the reader understands, whatever the input's shape: { members, "traceEvents": [ ... ], members }.
 * Values keep their spelling but for what had to be mended: names keep their text, bytes that are not UTF-8 become
 * U+FFFD, nan and the like become null; and for what stricter readers refuse: times that are texts, slices without a
 * usable dur, keys that come twice (strict.h). Memory grows with the members in front of the events, not with these. */
#ifndef TT_PARSER_REPAIR_FILE_H
#define TT_PARSER_REPAIR_FILE_H

#include <stdio.h>

#include "model/base/err.h"
#include "model/base/problems.h"
#include "parser/chrome/strict.h"

typedef struct tt_repaired {
    uint64_t events; /* written */
    tt_problems problems;
    tt_strict strict; /* what was changed although it was valid JSON */
} tt_repaired;

/* Takes text as fwrite() does; false ends the repair with TT_ERR_INPUT (errno tells). */
typedef bool tt_repair_write(void *arg, const char *p, size_t n);

/* TT_ERR_INPUT when path is no JSON trace, cannot be read, or the output cannot be written (err names which). */
tt_status tt_repair(const char *path, tt_repair_write *write, void *arg, tt_repaired *out, tt_err *err);

#endif
