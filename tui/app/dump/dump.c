/* tui/app/dump/dump.c - a canvas as lines of text, with or without colours. */
#include "tui/app/dump/dump.h"

static void put_colour(FILE *f, int32_t c, tt_level level, int base)
{
    if (c < 0) return;
    if (level == TT_LEVEL_TRUE) {
        fprintf(f, ";%d;2;%d;%d;%d", base + 8, c >> 16 & 255, c >> 8 & 255, c & 255);
    } else if (level == TT_LEVEL_256) {
        fprintf(f, ";%d;5;%d", base + 8, c);
    } else {
        fprintf(f, ";%d", base + c);
    }
}

static void put_ink(FILE *f, const tt_ink *ink, tt_level level)
{
    fputs("\033[0", f);
    if (ink->bold) fputs(";1", f);
    if (ink->dim) fputs(";2", f);
    if (ink->underline) fputs(";4", f);
    if (ink->reverse) fputs(";7", f);
    put_colour(f, ink->fg, level, 30);
    put_colour(f, ink->bg, level, 40);
    fputc('m', f);
}

static void put_utf8(FILE *f, uint32_t cp)
{
    char out[4];
    fwrite(out, 1, tt_utf8_put(out, cp), f);
}

void tt_dump(FILE *f, const tt_canvas *c, const tt_theme *theme, tt_level level, bool plain)
{
    for (int y = 0; y < c->h; y++) {
        const tt_cellc *row = c->cells + (size_t)y * (size_t)c->stride;
        int end = c->w, style = -1;
        while (end > 0 && row[end - 1].ch == ' ' && (plain || row[end - 1].style == TT_ROLE_TEXT)) end--;
        for (int x = 0; x < end; x++) {
            if (!plain && row[x].style != style) {
                tt_ink ink = tt_theme_ink(theme, level, row[x].style);
                put_ink(f, &ink, level);
                style = row[x].style;
            }
            if (row[x].ch) put_utf8(f, row[x].ch);
            if (row[x].mark) put_utf8(f, row[x].mark);
        }
        fputs(plain || style < 0 ? "\n" : "\033[0m\n", f);
    }
}
