/* tui/output/picture/picture_png.h - writes a picture with cairo. Private to tui/output/picture*.c. */
#ifndef TT_TUI_OUTPUT_PICTURE_PICTURE_PNG_H
#define TT_TUI_OUTPUT_PICTURE_PICTURE_PNG_H

#include <stdio.h>

#include "model/base/err.h"
#include "tui/output/picture/picture_parts.h"

/* Write a PNG at twice the size, for dense screens. TT_ERR_USAGE without cairo. */
tt_status tt_picture_png(FILE *f, const tt_picture *p, tt_err *err);

#endif
