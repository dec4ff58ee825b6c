/* tui/screens/empty.h - whether a screen has nothing to show for a session (tt_tab.empty). The functions look
 * at the traces without computing a table; a table that a trace brings counts as content. Thread-safe. */
#ifndef TT_TUI_SCREENS_EMPTY_H
#define TT_TUI_SCREENS_EMPTY_H

#include "model/trace/session.h"

bool tt_empty_kernels(const tt_session *s);     /* no kernels */
bool tt_empty_api(const tt_session *s);         /* neither calls of a runtime nor copies */
bool tt_empty_memory(const tt_session *s);      /* no allocations and no peaks */
bool tt_empty_modules(const tt_session *s);     /* no modules */
bool tt_empty_distributed(const tt_session *s); /* one trace, without collectives. O(slices) when first asked */

#endif
