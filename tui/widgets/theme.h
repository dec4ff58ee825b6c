/* tui/widgets/theme.h - from style ids to colours.
 *
 * A style is 16 bits. A role style says what a text is (roles.def) and a theme gives it its looks. A fill style
 * paints a cell with two colours of categories (paints.def): foreground and background, so that the glyphs of one
 * eighth blocks put a boundary inside a cell. Views name styles; only back ends ask for colours. */
#ifndef TT_TUI_WIDGETS_THEME_H
#define TT_TUI_WIDGETS_THEME_H

#include "model/trace/trace.h"

typedef enum tt_role {
#define X(id, name, meaning) TT_ROLE_##id,
#include "tui/widgets/roles.def"
#undef X
    TT_ROLE_COUNT_
} tt_role;

typedef enum tt_hue { /* category of colour */
#define X(id, ...) TT_HUE_##id,
#include "tui/widgets/paints.def"
#undef X
                      TT_HUE_COUNT_
} tt_hue;

typedef uint8_t tt_paint; /* 0 = the terminal's own colour; 1 + hue * 3 + tone; or one of: */
#define TT_PAINT_NONE 0
#define TT_PAINT_MARK 60     /* background of the marked interval */
#define TT_PAINT_ACCENT 61   /* the selected slice */
#define TT_PAINT_DIM 62      /* grid, gaps */
#define TT_PAINT_CONTRAST 63 /* foreground only: black or white, whatever reads better on the background */

typedef uint16_t tt_style; /* a tt_role is a style as it is; OR attributes to it */
#define TT_REVERSE 0x1000
#define TT_BOLD 0x2000
#define TT_UNDERLINE 0x4000
#define TT_STYLE_FILL 0x8000
static inline tt_style tt_style_fill(tt_paint fg, tt_paint bg)
{
    return (tt_style)(TT_STYLE_FILL | (bg & 63) << 6 | (fg & 63));
}
static inline tt_paint tt_style_fg(tt_style s) { return s & 63; }        /* of a fill style */
static inline tt_paint tt_style_bg(tt_style s) { return (s >> 6) & 63; } /* of a fill style */

static inline tt_paint tt_paint_hue(tt_hue h, unsigned tone) { return (tt_paint)(1 + h * 3 + tone % 3); }
/* Category of a slice: its kind, and communication by name (nccl and its siblings). name may be NULL. */
tt_hue tt_hue_slice(tt_kind kind, const char *name);
/* Colour of a slice: hue by category, tone by a hash of the name that is the same in every run. */
tt_paint tt_paint_slice(tt_kind kind, const char *name);
/* What stands for a colour where there is none: the fill pattern of the category. */
char tt_paint_pattern(tt_paint p);
const char *tt_hue_name(tt_hue h);

typedef enum tt_level { TT_LEVEL_MONO, TT_LEVEL_8, TT_LEVEL_256, TT_LEVEL_TRUE } tt_level;

/* How a style looks at a level: colours are -1 (the terminal's own), 0..7, 0..255 or 0xrrggbb. */
typedef struct tt_ink {
    int32_t fg, bg;
    bool bold, dim, underline, reverse;
} tt_ink;

typedef struct tt_theme tt_theme;
extern const tt_theme
    *const tt_themes[]; /* dark, light, colour-blind, mono; NULL-terminated; the first is the default */
const char *tt_theme_name(const tt_theme *t);
tt_level tt_theme_level(const tt_theme *t, tt_level level); /* what is left of the terminal's colours with the theme */
tt_ink tt_theme_ink(const tt_theme *t, tt_level level, tt_style style);

#endif
