// Drive the explorer by bytes and check every frame.
#ifndef TT_TESTS_FUZZ_SCREEN_H
#define TT_TESTS_FUZZ_SCREEN_H

#include "model/text/text_safety.h"
#include "tests/fuzz/common.h"
#include "tui/app/app_api.h"
#include "tui/app/dump/dump.h"

/* The canvas holds no control character, the cursor lies inside it, and its printed text has no control characters
 * except line ends. */
static inline void check_frame(const tt_app *a, const tt_canvas *c)
{
    for (int i = 0; i < c->h * c->w; i++) {
        uint32_t ch = c->cells[(i / c->w) * c->stride + i % c->w].ch;
        MUST(ch == 0 || (ch >= 0x20 && ch != 0x7F && !(ch >= 0x80 && ch < 0xA0) && ch < 0x110000));
    }
    MUST(c->cur_y < c->h && c->cur_x < c->w);
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    tt_dump(f, c, a->display.theme, TT_LEVEL_MONO, true);
    fclose(f);
    for (size_t i = 0; i < n; i++) MUST((unsigned char)text[i] >= 0x20 || text[i] == '\n');
    free(text);
}

static inline void one_key(tt_app *a, tt_canvas *c, uint8_t byte, uint8_t next)
{
    if (byte >= 0xF8) { /* change the size of the screen */
        tt_canvas_resize(c, 1 + next % 60, 1 + next * 3 % 200);
    } else if (byte >= 0xF0) {
        tt_mouse m = {.what = (tt_mouse_what)(byte % 5),
                      .y = next % (c->h + 2) - 1,
                      .x = next * 7 % (c->w + 2) - 1,
                      .wheel = next & 1 ? 1 : -1};
        tt_app_key(a, TT_KEY_MOUSE, &m);
    } else if (byte >= 0xC0) {
        tt_app_key(a, TT_KEY_UP + byte - 0xC0u, NULL);
    } else if (byte >= 0x80) {
        tt_app_key(a, byte - 0x80u, NULL); /* send a control character or a letter */
    } else {
        tt_app_key(a, byte, NULL);
    }
}

static inline void drive(tt_session *s, const uint8_t *keys, size_t n)
{
    tt_app *a = tt_app_new(false);
    const tt_explore_options o = {.unicode = "always"};
    tt_canvas c = {0};
    MUST(tt_app_begin(a, &o));
    tt_canvas_resize(&c, 24, 80);
    tt_app_set_session(a, s);
    tt_app_draw(a, &c);
    check_frame(a, &c);
    for (size_t i = 0; i < n && i < 200 && !a->want.quit; i++) {
        one_key(a, &c, keys[i], i + 1 < n ? keys[i + 1] : 0);
        tt_app_draw(a, &c);
        check_frame(a, &c);
    }
    tt_canvas_free(&c);
    tt_app_free(a);
}

#endif
