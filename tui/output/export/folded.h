/* tui/output/export/folded.h - merged calls as folded stacks for flame graph tools; a line for each path:
 * "name;name;name nanoseconds". */
#ifndef TT_TUI_OUTPUT_EXPORT_FOLDED_H
#define TT_TUI_OUTPUT_EXPORT_FOLDED_H

#include "model/index/flame.h"

/* Write the paths that have self time, in the order of the flame; the root only if it is a slice. Names are
 * sanitised; ';' in a name becomes ','. False: write() returned false. O(nodes * depth) characters. */
bool tt_folded_write(const tt_flame *f, tt_flame_weight w, bool (*write)(void *arg, const char *p, size_t n),
                     void *arg);
/* The name ends in .folded or .folded.gz. */
bool tt_folded_name(const char *path);
/* Write the stacks of all host threads of the only worker in scope to a file. */
tt_status tt_folded_export(const tt_session *s, const tt_scope *scope, tt_flame_weight w, const char *path,
                           uint64_t *lines, tt_err *err);
/* Write a file, complete or not at all, that is none of the inputs. how: see tui/files/outfile.h. *lines: number of
 * lines. */
tt_status tt_folded_file(const tt_flame *f, tt_flame_weight w, const char *path, unsigned how,
                         const tt_file_ids *inputs, uint64_t *lines, tt_err *err);

#endif
