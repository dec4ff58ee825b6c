/* tui/output/picture/picture_parts.h - the parts of a picture: rectangles with text above them. Private to
 * tui/output/picture*.c. */
#ifndef TT_TUI_OUTPUT_PICTURE_PICTURE_PARTS_H
#define TT_TUI_OUTPUT_PICTURE_PICTURE_PARTS_H

#include "model/base/mem.h"
#include "tui/widgets/canvas.h"

enum { TT_CELL_W = 8, TT_CELL_H = 16, TT_PICTURE_PAD = 8, TT_PICTURE_FONT = 13, TT_PICTURE_BASE = 12 };
#define TT_PICTURE_FONTS "DejaVu Sans Mono,Menlo,Consolas,monospace"

typedef struct tt_shape {
    uint32_t rgb;
    uint8_t layer;   /* 0 = background of a cell, 1 = drawn character */
    uint8_t opacity; /* percent */
    int16_t x, y, w, h;
} tt_shape;

typedef struct tt_glyphs { /* text in neighbouring cells with one look */
    int16_t x, y, cells;
    uint32_t rgb;
    bool bold, dim, underline;
    size_t from, n; /* bytes of the text */
} tt_glyphs;

typedef struct tt_picture {
    int w, h;
    uint32_t back;
    TT_VEC(tt_shape) shapes; /* by layer, colour, opacity */
    TT_VEC(tt_glyphs) glyphs;
    TT_VEC(char) text;
} tt_picture;

#endif
