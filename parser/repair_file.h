/* parser/repair_file.h - writes a damaged JSON trace again as valid JSON.
 *
 * The output is what the reader understands, whatever the shape of the input: { members, "traceEvents": [ ... ],
 * members }. Values keep their spelling unless they had to be mended: names keep their text, bytes that are not UTF-8
 * become U+FFFD, nan and the like become null. Values that stricter readers refuse are mended, too: times given as
 * texts, slices without a usable dur, repeated keys (strict.h). Memory grows with the members before the events, not
 * with the events. */
#ifndef TT_PARSER_REPAIR_FILE_H
#define TT_PARSER_REPAIR_FILE_H

#include <stdio.h>

#include "model/base/err.h"
#include "model/base/problems.h"
#include "parser/chrome/strict.h"

typedef struct tt_repaired {
    uint64_t events; /* events written */
    tt_problems problems;
    tt_strict strict; /* changes made for stricter readers to valid JSON */
} tt_repaired;

/* Takes text as fwrite() does; false ends the repair with TT_ERR_INPUT (errno says why). */
typedef bool tt_repair_write(void *arg, const char *p, size_t n);

/* Repair the trace at path. TT_ERR_INPUT = the file is no JSON trace or cannot be read, or the output cannot be
 * written (err says which). */
tt_status tt_repair(const char *path, tt_repair_write *write, void *arg, tt_repaired *out, tt_err *err);

#endif
