// The explorer's screen as lines of text.
#ifndef TT_TESTS_UNIT_PICTURE_H
#define TT_TESTS_UNIT_PICTURE_H

#include <stdio.h>
#include <string.h>

#include "tui/app/app_api.h"
#include "tui/app/dump/dump.h"
#include "tui/widgets/theme.h"

// The text stays valid until the next call.
static inline const char *picture_of(tt_app *a, uint32_t rows, uint32_t columns)
{
    static char text[1 << 16];
    tt_canvas c = {.ascii = true};
    memset(text, 0, sizeof text);
    tt_canvas_resize(&c, rows, columns);
    tt_app_draw(a, &c);
    FILE *f = fmemopen(text, sizeof text, "w");
    tt_dump(f, &c, tt_themes[0], TT_LEVEL_MONO, true);
    fclose(f);
    tt_canvas_free(&c);
    return text;
}

#endif
