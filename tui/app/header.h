/* tui/app/header.h - the two lines above every screen. */
#ifndef TT_TUI_APP_HEADER_H
#define TT_TUI_APP_HEADER_H

#include "tui/app/state.h"

typedef struct tt_app tt_app;

/* Draw both lines at the top of c, and remember the columns of the tabs. scope: the scope in words, "" = everything. */
void tt_header_draw(tt_app *a, tt_canvas *c, const char *scope);

/* "loading 64%  1.8 GB/s  0.3 s left": the share of the trace that the preview on screen may miss; "finishing" when
 * all of it is read. The speed counts uncompressed text. */
void tt_loading_text(const tt_progress *p, char *out, size_t cap);

#endif
