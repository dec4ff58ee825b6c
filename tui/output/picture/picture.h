/* tui/output/picture/picture.h - draws a canvas as a picture: SVG, or PNG if the program was built with cairo.
 *
 * Every cell is 8 by 16 units. Blocks, shades, braille and lines become rectangles whose edges lie on whole units,
 * so that no font causes seams. Other characters become text in a monospace font, stretched to its cells. The same
 * canvas gives the same bytes. */
#ifndef TT_TUI_OUTPUT_PICTURE_PICTURE_H
#define TT_TUI_OUTPUT_PICTURE_PICTURE_H

#include <stdio.h>

#include "model/base/err.h"
#include "tui/widgets/canvas.h"

typedef enum tt_picture_format { TT_PICTURE_TEXT, TT_PICTURE_SVG, TT_PICTURE_PNG, TT_PICTURE_COUNT_ } tt_picture_format;
extern const char *const tt_picture_names[];   /* "text", "svg", "png"; ends with NULL */
extern const char *const tt_picture_endings[]; /* ".txt", ".svg", ".png"; ends with NULL */

/* This build can write PNG; remedy: what to do if it cannot. */
bool tt_picture_has_png(const char **remedy);
/* Write the picture as SVG or PNG. level: at least 8 colours, or none. Write errors stay in f. */
tt_status tt_picture_write(FILE *f, tt_picture_format format, const tt_canvas *c, const tt_theme *theme, tt_level level,
                           tt_err *err);

#endif
