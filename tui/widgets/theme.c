/* tui/widgets/theme.c - themes as tables from role to looks, and the colours of slices.
 *
 * The background of the screen is never painted (-1 = the terminal's own), so a theme only has to fit a dark or a light
 * background. Names and numbers have the colour of blanks: going back and forth between two costs 25 bytes for each
 * column. Red and green never carry a meaning alone: signs, marks and words go with them. */
#include "tui/widgets/theme.h"

#include <string.h>

#include "model/tables/analysis/comm_names.h"

enum { B = 1, D = 2, U = 4, R = 8 }; /* bold, dim, underline, reverse */

typedef struct look {
    int8_t fg8, bg8;
    int16_t fg256, bg256;
    uint8_t attr, mono; /* attributes with colours and without */
} look;

struct tt_theme {
    const char *name;
    tt_level limit; /* no more colours than this */
    look roles[TT_ROLE_COUNT_];
};

#define ROLE(id, ...) [TT_ROLE_##id] = {__VA_ARGS__}

static const tt_theme dark = {
    "dark",
    TT_LEVEL_TRUE,
    {
        ROLE(TEXT, -1, -1, -1, -1, 0, 0),      ROLE(DIM, -1, -1, 245, -1, 0, 0),
        ROLE(TITLE, 6, -1, 117, -1, B, B),     ROLE(FRAME, -1, -1, 240, -1, 0, 0),
        ROLE(TAB, -1, -1, 250, -1, 0, 0),      ROLE(TAB_ON, 7, 4, 231, 25, B, B | R),
        ROLE(BRAND, 3, -1, 215, -1, B, B),     ROLE(FILE, -1, -1, 250, -1, 0, 0),
        ROLE(HEAD, 6, -1, 110, -1, 0, U),      ROLE(HEAD_SORT, 3, -1, 222, -1, B, B | U),
        ROLE(CURSOR, 7, 4, 231, 238, B, R),    ROLE(NAME, -1, -1, -1, -1, 0, 0),
        ROLE(NUMBER, -1, -1, -1, -1, 0, 0),    ROLE(STRONG, 3, -1, 222, -1, B, B),
        ROLE(BAR, 6, -1, 67, -1, 0, 0),        ROLE(BAR_REST, -1, -1, 238, -1, 0, 0),
        ROLE(MATCH, 0, 3, 16, 220, 0, B | U),  ROLE(KEY, 3, -1, 215, -1, B, B),
        ROLE(KEY_TEXT, -1, -1, 248, -1, 0, 0), ROLE(STATUS, -1, -1, 250, -1, 0, 0),
        ROLE(PROMPT, -1, -1, 231, -1, B, B),   ROLE(WARN, 3, -1, 214, -1, 0, B),
        ROLE(ERROR, 1, -1, 209, -1, B, B),     ROLE(SCOPE, 0, 3, 16, 179, 0, R),
        ROLE(POPUP, -1, -1, 252, -1, 0, 0),    ROLE(RULER, -1, -1, 246, -1, 0, 0),
        ROLE(LABEL, -1, -1, 250, -1, 0, 0),    ROLE(LABEL_ON, 3, -1, 222, -1, B, B),
        ROLE(GRID, -1, -1, 239, -1, 0, 0),     ROLE(PLOT, 6, -1, 73, -1, 0, 0),
        ROLE(MARKED, 0, 6, -1, 236, 0, U),     ROLE(LINK, 5, -1, 213, -1, B, B | U),
    },
};

static const tt_theme light = {
    "light",
    TT_LEVEL_TRUE,
    {
        ROLE(TEXT, -1, -1, -1, -1, 0, 0),      ROLE(DIM, -1, -1, 242, -1, 0, 0),
        ROLE(TITLE, 4, -1, 25, -1, B, B),      ROLE(FRAME, -1, -1, 248, -1, 0, 0),
        ROLE(TAB, -1, -1, 239, -1, 0, 0),      ROLE(TAB_ON, 7, 4, 231, 25, B, B | R),
        ROLE(BRAND, 1, -1, 130, -1, B, B),     ROLE(FILE, -1, -1, 239, -1, 0, 0),
        ROLE(HEAD, 4, -1, 24, -1, 0, U),       ROLE(HEAD_SORT, 5, -1, 94, -1, B, B | U),
        ROLE(CURSOR, 7, 4, 16, 252, B, R),     ROLE(NAME, -1, -1, -1, -1, 0, 0),
        ROLE(NUMBER, -1, -1, -1, -1, 0, 0),    ROLE(STRONG, 5, -1, 94, -1, B, B),
        ROLE(BAR, 4, -1, 67, -1, 0, 0),        ROLE(BAR_REST, -1, -1, 252, -1, 0, 0),
        ROLE(MATCH, 0, 3, 16, 220, 0, B | U),  ROLE(KEY, 1, -1, 130, -1, B, B),
        ROLE(KEY_TEXT, -1, -1, 240, -1, 0, 0), ROLE(STATUS, -1, -1, 239, -1, 0, 0),
        ROLE(PROMPT, -1, -1, 16, -1, B, B),    ROLE(WARN, 1, -1, 130, -1, 0, B),
        ROLE(ERROR, 1, -1, 124, -1, B, B),     ROLE(SCOPE, 0, 3, 16, 222, 0, R),
        ROLE(POPUP, -1, -1, 235, -1, 0, 0),    ROLE(RULER, -1, -1, 241, -1, 0, 0),
        ROLE(LABEL, -1, -1, 239, -1, 0, 0),    ROLE(LABEL_ON, 5, -1, 94, -1, B, B),
        ROLE(GRID, -1, -1, 251, -1, 0, 0),     ROLE(PLOT, 4, -1, 30, -1, 0, 0),
        ROLE(MARKED, 0, 6, -1, 254, 0, U),     ROLE(LINK, 5, -1, 127, -1, B, B | U),
    },
};

/* As dark, with what warns in orange and yellow and what is good in blue. */
static const tt_theme colour_blind = {
    "colour-blind",
    TT_LEVEL_TRUE,
    {
        ROLE(TEXT, -1, -1, -1, -1, 0, 0),      ROLE(DIM, -1, -1, 246, -1, 0, 0),
        ROLE(TITLE, 6, -1, 117, -1, B, B),     ROLE(FRAME, -1, -1, 241, -1, 0, 0),
        ROLE(TAB, -1, -1, 250, -1, 0, 0),      ROLE(TAB_ON, 7, 4, 231, 25, B | U, B | R),
        ROLE(BRAND, 3, -1, 220, -1, B, B),     ROLE(FILE, -1, -1, 250, -1, 0, 0),
        ROLE(HEAD, 6, -1, 117, -1, 0, U),      ROLE(HEAD_SORT, 3, -1, 220, -1, B | U, B | U),
        ROLE(CURSOR, 7, 4, 231, 238, B, R),    ROLE(NAME, -1, -1, -1, -1, 0, 0),
        ROLE(NUMBER, -1, -1, -1, -1, 0, 0),    ROLE(STRONG, 3, -1, 220, -1, B, B),
        ROLE(BAR, 6, -1, 74, -1, 0, 0),        ROLE(BAR_REST, -1, -1, 238, -1, 0, 0),
        ROLE(MATCH, 0, 3, 16, 220, U, B | U),  ROLE(KEY, 3, -1, 220, -1, B, B),
        ROLE(KEY_TEXT, -1, -1, 250, -1, 0, 0), ROLE(STATUS, -1, -1, 252, -1, 0, 0),
        ROLE(PROMPT, -1, -1, 231, -1, B, B),   ROLE(WARN, 3, -1, 220, -1, B, B),
        ROLE(ERROR, 3, -1, 208, -1, B | U, B), ROLE(SCOPE, 0, 3, 16, 220, 0, R),
        ROLE(POPUP, -1, -1, 253, -1, 0, 0),    ROLE(RULER, -1, -1, 248, -1, 0, 0),
        ROLE(LABEL, -1, -1, 252, -1, 0, 0),    ROLE(LABEL_ON, 3, -1, 220, -1, B, B),
        ROLE(GRID, -1, -1, 240, -1, 0, 0),     ROLE(PLOT, 6, -1, 74, -1, 0, 0),
        ROLE(MARKED, 0, 6, -1, 237, U, U),     ROLE(LINK, 5, -1, 219, -1, B | U, B | U),
    },
};

static const tt_theme mono = {
    "mono",
    TT_LEVEL_MONO,
    {
        ROLE(TITLE, -1, -1, -1, -1, B, B),
        ROLE(TAB_ON, -1, -1, -1, -1, B | R, B | R),
        ROLE(BRAND, -1, -1, -1, -1, B, B),
        ROLE(HEAD, -1, -1, -1, -1, U, U),
        ROLE(CURSOR, -1, -1, -1, -1, R, R),
        ROLE(HEAD_SORT, -1, -1, -1, -1, B | U, B | U),
        ROLE(STRONG, -1, -1, -1, -1, B, B),
        ROLE(MATCH, -1, -1, -1, -1, B | U, B | U),
        ROLE(KEY, -1, -1, -1, -1, B, B),
        ROLE(PROMPT, -1, -1, -1, -1, B, B),
        ROLE(WARN, -1, -1, -1, -1, B, B),
        ROLE(ERROR, -1, -1, -1, -1, B, B),
        ROLE(SCOPE, -1, -1, -1, -1, R, R),
        ROLE(LABEL_ON, -1, -1, -1, -1, B, B),
        ROLE(MARKED, -1, -1, -1, -1, U, U),
        ROLE(LINK, -1, -1, -1, -1, B | U, B | U),
    },
};

const tt_theme *const tt_themes[] = {&dark, &light, &colour_blind, &mono, NULL};

const char *tt_theme_name(const tt_theme *t) { return t->name; }

static const struct {
    const char *name;
    uint32_t rgb[3];
    uint8_t c256[3];
    int8_t c8;
    char fill;
} hues[TT_HUE_COUNT_] = {
#define X(id, name, rgb1, rgb2, rgb3, a, b, c, c8, fill) {name, {rgb1, rgb2, rgb3}, {a, b, c}, c8, fill},
#include "tui/widgets/paints.def"
#undef X
};

static const tt_hue hue_of_kind[TT_KIND_COUNT_] = {
    [TT_KIND_OTHER] = TT_HUE_OTHER,
    [TT_KIND_CPU_OP] = TT_HUE_CPU_OP,
    [TT_KIND_ANNOTATION] = TT_HUE_USER,
    [TT_KIND_STEP] = TT_HUE_USER,
    [TT_KIND_PYTHON] = TT_HUE_PYTHON,
    [TT_KIND_MODULE] = TT_HUE_PYTHON,
    [TT_KIND_RUNTIME] = TT_HUE_RUNTIME,
    [TT_KIND_DRIVER] = TT_HUE_RUNTIME,
    [TT_KIND_OVERHEAD] = TT_HUE_OVERHEAD,
    [TT_KIND_TRACE] = TT_HUE_OTHER,
    [TT_KIND_KERNEL] = TT_HUE_KERNEL,
    [TT_KIND_MEMCPY] = TT_HUE_MEMCPY,
    [TT_KIND_MEMSET] = TT_HUE_MEMSET,
    [TT_KIND_COLLECTIVE] = TT_HUE_COMMUNICATION,
    [TT_KIND_SYNC] = TT_HUE_SYNC,
    [TT_KIND_TASK] = TT_HUE_SYNC,
    [TT_KIND_GPU_ANNOTATION] = TT_HUE_USER,
    [TT_KIND_DATALOADER] = TT_HUE_DATALOADER,
    [TT_KIND_FORWARD] = TT_HUE_FORWARD,
    [TT_KIND_BACKWARD] = TT_HUE_BACKWARD,
    [TT_KIND_OPTIMIZATION] = TT_HUE_OPTIMIZATION,
    [TT_KIND_COMMUNICATION] = TT_HUE_COMMUNICATION,
    [TT_KIND_OP_INNER] = TT_HUE_CPU_OP,
    [TT_KIND_PYTHON_OP] = TT_HUE_PYTHON,
};

tt_hue tt_hue_slice(tt_kind kind, const char *name)
{
    if (name && kind == TT_KIND_KERNEL && tt_comm_kernel_library(name)) return TT_HUE_COMMUNICATION;
    if (name && (kind == TT_KIND_ANNOTATION || kind == TT_KIND_CPU_OP || kind == TT_KIND_GPU_ANNOTATION)) {
        if (tt_comm_op_library(name)) return TT_HUE_COMMUNICATION;
        if (strstr(name, "DataLoader")) return TT_HUE_DATALOADER;
        if (strncmp(name, "Optimizer.", 10) == 0) return TT_HUE_OPTIMIZATION;
    }
    return hue_of_kind[kind];
}

tt_paint tt_paint_slice(tt_kind kind, const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a over the start of the name: the tone is the same in every run */
    for (int i = 0; name && name[i] && i < 96; i++) hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    static const tt_hue operators[] = {TT_HUE_CPU_OP, TT_HUE_OP_BLUE, TT_HUE_OP_GREEN, TT_HUE_OP_ROSE};
    tt_hue hue = tt_hue_slice(kind, name);
    hue = (hue == TT_HUE_CPU_OP || hue == TT_HUE_OTHER) && name ? operators[(hash >> 8) % 4] : hue;
    return tt_paint_hue(hue, (hash ^ hash >> 16) % 3);
}

static bool is_hue(tt_paint p) { return p >= 1 && p <= TT_HUE_COUNT_ * 3; }

char tt_paint_pattern(tt_paint p)
{
    if (is_hue(p)) return hues[(p - 1) / 3].fill;
    return p == TT_PAINT_ACCENT ? '@' : ' ';
}

const char *tt_hue_name(tt_hue h) { return hues[h].name; }

/* The colour of one of the 256 as 0xrrggbb; 0..15 are approximate, terminals differ there. */
static int32_t rgb_of(int c)
{
    static const uint8_t cube[6] = {0, 95, 135, 175, 215, 255};
    if (c < 0) return -1;
    if (c >= 232) return (8 + 10 * (c - 232)) * 0x010101;
    if (c >= 16) return cube[(c - 16) / 36] << 16 | cube[(c - 16) / 6 % 6] << 8 | cube[(c - 16) % 6];
    return (c & 1 ? 0xcd0000 : 0) | (c & 2 ? 0xcd00 : 0) | (c & 4 ? 0xcd : 0);
}

static int32_t colour(tt_level level, int c8, int c256, int32_t rgb)
{
    return level == TT_LEVEL_8 ? c8 : level == TT_LEVEL_256 ? c256 : level == TT_LEVEL_TRUE ? rgb : -1;
}

static int32_t paint_colour(tt_level level, tt_paint p)
{
    if (is_hue(p)) {
        int h = (p - 1) / 3, tone = (p - 1) % 3;
        return colour(level, hues[h].c8, hues[h].c256[tone], (int32_t)hues[h].rgb[tone]);
    }
    switch (p) {
    case TT_PAINT_MARK: return colour(level, -1, 237, 0x3a3a3a);
    case TT_PAINT_ACCENT: return colour(level, 7, 226, 0xffff00);
    case TT_PAINT_DIM: return colour(level, -1, 240, 0x585858);
    default: return -1;
    }
}

/* Black or white, whichever reads better on a background. */
static int32_t contrast(tt_level level, tt_paint bg)
{
    int32_t c = paint_colour(TT_LEVEL_TRUE, bg);
    if (c < 0 || paint_colour(level, bg) < 0) return -1;
    bool black = (c >> 16) * 299 + (c >> 8 & 255) * 587 + (c & 255) * 114 > 128 * 1000;
    if (level == TT_LEVEL_8)
        black = paint_colour(level, bg) != 4 && paint_colour(level, bg) != 1 && paint_colour(level, bg) != 5;
    return black ? colour(level, 0, 16, 0) : colour(level, 7, 231, 0xffffff);
}

static tt_ink with_attr(int32_t fg, int32_t bg, unsigned attr, tt_style st)
{
    return (tt_ink){fg,
                    bg,
                    (attr & B) || (st & TT_BOLD),
                    (attr & D) != 0,
                    (attr & U) || (st & TT_UNDERLINE),
                    !!(attr & R) != !!(st & TT_REVERSE)};
}

tt_level tt_theme_level(const tt_theme *t, tt_level level) { return level > t->limit ? t->limit : level; }

tt_ink tt_theme_ink(const tt_theme *t, tt_level level, tt_style st)
{
    level = tt_theme_level(t, level);
    if (st & TT_STYLE_FILL) {
        tt_paint fg = tt_style_fg(st), bg = tt_style_bg(st);
        if (level == TT_LEVEL_MONO)
            return with_attr(-1, -1, bg == TT_PAINT_ACCENT || fg == TT_PAINT_ACCENT ? R : 0, st);
        return with_attr(fg == TT_PAINT_CONTRAST ? contrast(level, bg) : paint_colour(level, fg),
                         paint_colour(level, bg), 0, st);
    }
    unsigned role = st & 0xff;
    const look *l = &t->roles[role < TT_ROLE_COUNT_ ? role : TT_ROLE_TEXT];
    if (level == TT_LEVEL_MONO) return with_attr(-1, -1, l->mono, st);
    return with_attr(colour(level, l->fg8, l->fg256, rgb_of(l->fg256)),
                     colour(level, l->bg8, l->bg256, rgb_of(l->bg256)), l->attr, st);
}
