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

typedef enum tt_hue { /* categories of slice colours */
#define X(id, ...) TT_HUE_##id,
#include "tui/widgets/paints.def"
#undef X
                      TT_HUE_COUNT_
} tt_hue;

typedef uint8_t tt_paint; /* 0 = the terminal's own colour; 1 + hue * 2 + tone; or one of: */
#define TT_PAINT_NONE 0
#define TT_PAINT_MARK 60     /* background of the marked interval */
#define TT_PAINT_ACCENT 61   /* the selected slice */
#define TT_PAINT_DIM 62      /* grid, gaps */
#define TT_PAINT_CONTRAST 63 /* a foreground: black or white, whichever reads better on the background */

typedef uint16_t tt_style; /* a tt_role is a style as it is; OR attributes to it */
#define TT_REVERSE 0x1000
#define TT_BOLD 0x2000
#define TT_UNDERLINE 0x4000
#define TT_STYLE_FILL 0x8000
static inline tt_style tt_style_fill(tt_paint fg, tt_paint bg)
{
    return (tt_style)(TT_STYLE_FILL | (bg & 63) << 6 | (fg & 63));
}
static inline tt_paint tt_style_fg(tt_style s) { return s & 63; }        /* foreground of a fill style */
static inline tt_paint tt_style_bg(tt_style s) { return (s >> 6) & 63; } /* background of a fill style */

enum { TT_TONES = 2 };
static inline tt_paint tt_paint_hue(tt_hue h, unsigned tone) { return (tt_paint)(1 + h * TT_TONES + tone % TT_TONES); }
static inline bool tt_paint_is_hue(tt_paint p) { return p >= 1 && p <= TT_HUE_COUNT_ * TT_TONES; }
static inline tt_hue tt_paint_hue_of(tt_paint p) { return (tt_hue)((p - 1) / TT_TONES); } /* p is a colour of a hue */
/* Category of a slice: its kind, and communication by name (nccl and its siblings). name may be NULL. */
tt_hue tt_hue_slice(tt_kind kind, const char *name);
/* The hue of a slice within its category: a kernel's by what it does, a module's by its class, an operator's by a hash
 * of its name, which is the same in every run. name may be NULL for kinds outside TT_HUE_BY_NAME. */
tt_hue tt_hue_class(tt_kind kind, const char *name);
#define TT_HUE_BY_NAME                                                                                                 \
    (1u << TT_KIND_KERNEL | 1u << TT_KIND_CPU_OP | 1u << TT_KIND_OTHER | 1u << TT_KIND_ANNOTATION |                    \
     1u << TT_KIND_GPU_ANNOTATION | 1u << TT_KIND_MODULE | 1u << TT_KIND_OP_INNER)
/* The colour of a slice: tt_hue_class(), and a tone by a hash of the name. */
tt_paint tt_paint_slice(tt_kind kind, const char *name);
/* The fill pattern of a colour's category, for terminals without colours. */
char tt_paint_pattern(tt_paint p);
const char *tt_hue_name(tt_hue h);
/* The name of a hue in a legend of device work: "gemm", "copy"; NULL for hues of host work. */
const char *tt_hue_device_name(tt_hue h);

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
tt_level tt_theme_level(const tt_theme *t, tt_level level); /* the level at which a terminal shows the theme */
tt_ink tt_theme_ink(const tt_theme *t, tt_level level, tt_style style);

#endif
