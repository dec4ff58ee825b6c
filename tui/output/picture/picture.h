/* tui/output/picture/picture.h - a canvas as a picture: SVG, and PNG where cairo was there when the program was built.
 *
 * Every cell is 8 by 16 units. Blocks, shades, braille and lines are drawn as rectangles with edges on whole units, so
 * that there are no seams between them whatever the font; the rest is text in a monospace font, stretched to its cells.
 * The same canvas gives the same bytes. */
#ifndef TT_TUI_OUTPUT_PICTURE_PICTURE_H
#define TT_TUI_OUTPUT_PICTURE_PICTURE_H

#include <stdio.h>

#include "model/base/err.h"
#include "tui/widgets/canvas.h"

typedef enum tt_picture_format { TT_PICTURE_TEXT, TT_PICTURE_SVG, TT_PICTURE_PNG, TT_PICTURE_COUNT_ } tt_picture_format;
extern const char *const tt_picture_names[];   /* "text", "svg", "png"; ends with NULL */
extern const char *const tt_picture_endings[]; /* ".txt", ".svg", ".png"; ends with NULL */

/* Whether this program can write PNG; remedy: what to do when it cannot. */
bool tt_picture_has_png(const char **remedy);
/* Write the picture, SVG or PNG. level: how many colours, at least 8 of them or none. Errors of writing stay in f. */
tt_status tt_picture_write(FILE *f, tt_picture_format format, const tt_canvas *c, const tt_theme *theme, tt_level level,
                           tt_err *err);

#endif
