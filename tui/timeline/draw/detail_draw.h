/* tui/timeline/draw/detail_draw.h - facts on the screen and as text. */
#ifndef TT_TUI_TIMELINE_DRAW_DETAIL_DRAW_H
#define TT_TUI_TIMELINE_DRAW_DETAIL_DRAW_H

#include "tui/timeline/rows/detail.h"

/* The pane: name and place, then as many facts as fit, short ones several on a line. */
void tt_detail_draw_pane(const tt_detail *d, tt_canvas *c);
int tt_detail_pane_lines(const tt_detail *d, int w); /* lines that the facts take at this width */
/* The page: one fact after the other from line `top`; returns how many lines there are at this width. */
int tt_detail_draw_page(const tt_detail *d, tt_canvas *c, int top);
char *tt_detail_text(const tt_detail *d); /* "key<tab>value" lines, caller frees */

#endif
