/* tui/app/dump/dump.h - a canvas as text: for reports, tests and bug reports. */
#ifndef TT_TUI_APP_DUMP_DUMP_H
#define TT_TUI_APP_DUMP_DUMP_H

#include <stdio.h>

#include "tui/widgets/canvas.h"

/* One line a row, blanks at its end left out; with SGR sequences unless level is mono and the theme paints nothing.
 * plain: never. */
void tt_dump(FILE *f, const tt_canvas *c, const tt_theme *theme, tt_level level, bool plain);

#endif
