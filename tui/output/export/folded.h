/* tui/output/export/folded.h - merged calls as folded stacks, a line for each path: "name;name;name nanoseconds", which
 * flame graph tools read. */
#ifndef TT_TUI_OUTPUT_EXPORT_FOLDED_H
#define TT_TUI_OUTPUT_EXPORT_FOLDED_H

#include "model/index/flame.h"

/* Paths with time of their own, in the order of the flame; the root only when it is a slice. Names are sanitised, a
 * ; in them is written as a comma. False = write() said so. O(nodes * depth) characters. */
bool tt_folded_write(const tt_flame *f, tt_flame_weight w, bool (*write)(void *arg, const char *p, size_t n),
                     void *arg);
/* "x.folded" and "x.folded.gz" */
bool tt_folded_name(const char *path);
/* All host threads of the one worker in scope, to a file. */
tt_status tt_folded_export(const tt_session *s, const tt_scope *scope, tt_flame_weight w, const char *path,
                           uint64_t *lines, tt_err *err);
/* To a file, whole or not at all, which is none of the inputs; how: of tui/files/outfile.h. *lines: how many. */
tt_status tt_folded_file(const tt_flame *f, tt_flame_weight w, const char *path, unsigned how,
                         const tt_file_ids *inputs, uint64_t *lines, tt_err *err);

#endif
