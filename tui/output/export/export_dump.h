/* tui/output/export/export_dump.h - dumps of flight recorders as JSON again, in the form of PyTorch: a file per rank,
 * with stacks, which PyTorch leaves out of JSON. Opened again they give the same tables of hangs. */
#ifndef TT_TUI_OUTPUT_EXPORT_EXPORT_DUMP_H
#define TT_TUI_OUTPUT_EXPORT_EXPORT_DUMP_H

#include "model/trace/session.h"

/* Write DIR/rank_N.json for each dump in scope; the folder is made if it is missing. hide: names that a person chose
 * are replaced (tui/anonymise). *n: files written. TT_ERR_USAGE: the session has no dumps, or only what a summary has
 * kept of them. */
tt_status tt_export_dumps(const tt_session *s, const tt_scope *scope, bool hide, const char *dir, uint32_t *n,
                          tt_err *err);

#endif
