/* tui/widgets/theme.c - themes as tables from roles to looks, and the colours of slices.
 *
 * The screen's background is never painted (-1 = the terminal's own), so a theme has to fit either dark or light
 * backgrounds. Names and numbers use the terminal's own colour, like blanks: each change of colour and back costs 25
 * bytes for each column. Red and green never carry a meaning alone: a sign, mark or word goes with them. */
#include "tui/widgets/theme.h"

#include <stdint.h>
#include <string.h>

#include "model/tables/analysis/names/comm_names.h"
#include "model/tables/analysis/names/kernel_class.h"
#include "model/text/frame_name.h"

enum { B = 1, D = 2, U = 4, R = 8 }; /* bold, dim, underline, reverse */

typedef struct look {
    int8_t fg8, bg8;
    int16_t fg256, bg256;
    uint8_t attr, mono; /* attr: attributes with colours; mono: attributes without colours */
} look;

struct tt_theme {
    const char *name;
    tt_level limit; /* the theme uses no more colours than this level has */
    look roles[TT_ROLE_COUNT_];
};

#define ROLE(id, ...) [TT_ROLE_##id] = {__VA_ARGS__}

static const tt_theme dark = {
    "dark",
    TT_LEVEL_TRUE,
    {
        ROLE(TEXT, -1, -1, -1, -1, 0, 0),
        ROLE(DIM, -1, -1, 245, -1, 0, 0),
        ROLE(TITLE, 6, -1, 117, -1, B, B),
        ROLE(FRAME, -1, -1, 240, -1, 0, 0),
        ROLE(TAB, -1, -1, 250, -1, 0, 0),
        ROLE(TAB_EMPTY, -1, -1, 241, -1, 0, D),
        ROLE(TAB_ON, 7, 4, 231, 25, B, B | R),
        ROLE(BRAND, 3, -1, 215, -1, B, B),
        ROLE(FILE, -1, -1, 250, -1, 0, 0),
        ROLE(HEAD, 6, -1, 110, -1, 0, U),
        ROLE(HEAD_SORT, 3, -1, 222, -1, B, B | U),
        ROLE(CURSOR, 7, 4, 231, 238, B, R),
        ROLE(NAME, -1, -1, -1, -1, 0, 0),
        ROLE(NUMBER, -1, -1, -1, -1, 0, 0),
        ROLE(STRONG, 3, -1, 222, -1, B, B),
        ROLE(BAR, 6, -1, 67, -1, 0, 0),
        ROLE(BAR_REST, -1, -1, 238, -1, 0, 0),
        ROLE(MATCH, 0, 3, 16, 220, 0, B | U),
        ROLE(KEY, 3, -1, 215, -1, B, B),
        ROLE(KEY_TEXT, -1, -1, 248, -1, 0, 0),
        ROLE(STATUS, -1, -1, 250, -1, 0, 0),
        ROLE(PROMPT, -1, -1, 231, -1, B, B),
        ROLE(WARN, 3, -1, 214, -1, 0, B),
        ROLE(ERROR, 1, -1, 209, -1, B, B),
        ROLE(WORSE, 1, -1, 209, -1, 0, B),
        ROLE(BETTER, 2, -1, 114, -1, 0, 0),
        ROLE(SCOPE, 0, 3, 16, 179, 0, R),
        ROLE(POPUP, -1, -1, 252, -1, 0, 0),
        ROLE(RULER, -1, -1, 246, -1, 0, 0),
        ROLE(LABEL, -1, -1, 250, -1, 0, 0),
        ROLE(LABEL_ON, 3, -1, 222, -1, B, B),
        ROLE(GRID, -1, -1, 239, -1, 0, 0),
        ROLE(PLOT, 6, -1, 73, -1, 0, 0),
        ROLE(MARKED, 0, 6, -1, 236, 0, U),
        ROLE(LINK, 5, -1, 213, -1, B, B | U),
        ROLE(CAUSE_INPUT, 1, -1, 160, -1, 0, 0),
        ROLE(CAUSE_SYNC, 5, -1, 171, -1, 0, 0),
        ROLE(CAUSE_RUNTIME, 3, -1, 228, -1, 0, 0),
        ROLE(CAUSE_OPERATOR, 7, -1, 252, -1, 0, 0),
        ROLE(CAUSE_BETWEEN, 5, -1, 97, -1, 0, 0),
        ROLE(CAUSE_LAUNCH, 2, -1, 112, -1, 0, 0),
        ROLE(CAUSE_QUEUE, 6, -1, 81, -1, 0, 0),
        ROLE(CAUSE_UNKNOWN, -1, -1, 241, -1, 0, 0),
        ROLE(CLASS_COMPUTATION, 4, -1, 26, -1, 0, 0),
        ROLE(CLASS_COMMUNICATION, 3, -1, 208, -1, 0, 0),
        ROLE(CLASS_COPY, 6, -1, 37, -1, 0, 0),
    },
};

static const tt_theme light = {
    "light",
    TT_LEVEL_TRUE,
    {
        ROLE(TEXT, -1, -1, -1, -1, 0, 0),
        ROLE(DIM, -1, -1, 242, -1, 0, 0),
        ROLE(TITLE, 4, -1, 25, -1, B, B),
        ROLE(FRAME, -1, -1, 248, -1, 0, 0),
        ROLE(TAB, -1, -1, 239, -1, 0, 0),
        ROLE(TAB_EMPTY, -1, -1, 248, -1, 0, D),
        ROLE(TAB_ON, 7, 4, 231, 25, B, B | R),
        ROLE(BRAND, 1, -1, 130, -1, B, B),
        ROLE(FILE, -1, -1, 239, -1, 0, 0),
        ROLE(HEAD, 4, -1, 24, -1, 0, U),
        ROLE(HEAD_SORT, 5, -1, 94, -1, B, B | U),
        ROLE(CURSOR, 7, 4, 16, 252, B, R),
        ROLE(NAME, -1, -1, -1, -1, 0, 0),
        ROLE(NUMBER, -1, -1, -1, -1, 0, 0),
        ROLE(STRONG, 5, -1, 94, -1, B, B),
        ROLE(BAR, 4, -1, 67, -1, 0, 0),
        ROLE(BAR_REST, -1, -1, 252, -1, 0, 0),
        ROLE(MATCH, 0, 3, 16, 220, 0, B | U),
        ROLE(KEY, 1, -1, 130, -1, B, B),
        ROLE(KEY_TEXT, -1, -1, 240, -1, 0, 0),
        ROLE(STATUS, -1, -1, 239, -1, 0, 0),
        ROLE(PROMPT, -1, -1, 16, -1, B, B),
        ROLE(WARN, 1, -1, 130, -1, 0, B),
        ROLE(ERROR, 1, -1, 124, -1, B, B),
        ROLE(WORSE, 1, -1, 124, -1, 0, B),
        ROLE(BETTER, 2, -1, 28, -1, 0, 0),
        ROLE(SCOPE, 0, 3, 16, 222, 0, R),
        ROLE(POPUP, -1, -1, 235, -1, 0, 0),
        ROLE(RULER, -1, -1, 241, -1, 0, 0),
        ROLE(LABEL, -1, -1, 239, -1, 0, 0),
        ROLE(LABEL_ON, 5, -1, 94, -1, B, B),
        ROLE(GRID, -1, -1, 251, -1, 0, 0),
        ROLE(PLOT, 4, -1, 30, -1, 0, 0),
        ROLE(MARKED, 0, 6, -1, 254, 0, U),
        ROLE(LINK, 5, -1, 127, -1, B, B | U),
        ROLE(CAUSE_INPUT, 1, -1, 124, -1, 0, 0),
        ROLE(CAUSE_SYNC, 5, -1, 133, -1, 0, 0),
        ROLE(CAUSE_RUNTIME, 3, -1, 178, -1, 0, 0),
        ROLE(CAUSE_OPERATOR, 7, -1, 244, -1, 0, 0),
        ROLE(CAUSE_BETWEEN, 5, -1, 99, -1, 0, 0),
        ROLE(CAUSE_LAUNCH, 2, -1, 64, -1, 0, 0),
        ROLE(CAUSE_QUEUE, 6, -1, 38, -1, 0, 0),
        ROLE(CAUSE_UNKNOWN, -1, -1, 249, -1, 0, 0),
        ROLE(CLASS_COMPUTATION, 4, -1, 25, -1, 0, 0),
        ROLE(CLASS_COMMUNICATION, 3, -1, 166, -1, 0, 0),
        ROLE(CLASS_COPY, 6, -1, 23, -1, 0, 0),
    },
};

/* Like dark, but warnings are orange and yellow, and good values blue. */
static const tt_theme colour_blind = {
    "colour-blind",
    TT_LEVEL_TRUE,
    {
        ROLE(TEXT, -1, -1, -1, -1, 0, 0),
        ROLE(DIM, -1, -1, 246, -1, 0, 0),
        ROLE(TITLE, 6, -1, 117, -1, B, B),
        ROLE(FRAME, -1, -1, 241, -1, 0, 0),
        ROLE(TAB, -1, -1, 250, -1, 0, 0),
        ROLE(TAB_EMPTY, -1, -1, 241, -1, 0, D),
        ROLE(TAB_ON, 7, 4, 231, 25, B | U, B | R),
        ROLE(BRAND, 3, -1, 220, -1, B, B),
        ROLE(FILE, -1, -1, 250, -1, 0, 0),
        ROLE(HEAD, 6, -1, 117, -1, 0, U),
        ROLE(HEAD_SORT, 3, -1, 220, -1, B | U, B | U),
        ROLE(CURSOR, 7, 4, 231, 238, B, R),
        ROLE(NAME, -1, -1, -1, -1, 0, 0),
        ROLE(NUMBER, -1, -1, -1, -1, 0, 0),
        ROLE(STRONG, 3, -1, 220, -1, B, B),
        ROLE(BAR, 6, -1, 74, -1, 0, 0),
        ROLE(BAR_REST, -1, -1, 238, -1, 0, 0),
        ROLE(MATCH, 0, 3, 16, 220, U, B | U),
        ROLE(KEY, 3, -1, 220, -1, B, B),
        ROLE(KEY_TEXT, -1, -1, 250, -1, 0, 0),
        ROLE(STATUS, -1, -1, 252, -1, 0, 0),
        ROLE(PROMPT, -1, -1, 231, -1, B, B),
        ROLE(WARN, 3, -1, 220, -1, B, B),
        ROLE(ERROR, 3, -1, 208, -1, B | U, B),
        ROLE(WORSE, 3, -1, 208, -1, 0, B),
        ROLE(BETTER, 4, -1, 75, -1, 0, 0),
        ROLE(SCOPE, 0, 3, 16, 220, 0, R),
        ROLE(POPUP, -1, -1, 253, -1, 0, 0),
        ROLE(RULER, -1, -1, 248, -1, 0, 0),
        ROLE(LABEL, -1, -1, 252, -1, 0, 0),
        ROLE(LABEL_ON, 3, -1, 220, -1, B, B),
        ROLE(GRID, -1, -1, 240, -1, 0, 0),
        ROLE(PLOT, 6, -1, 74, -1, 0, 0),
        ROLE(MARKED, 0, 6, -1, 237, U, U),
        ROLE(LINK, 5, -1, 219, -1, B | U, B | U),
        ROLE(CAUSE_INPUT, 1, -1, 160, -1, 0, 0),
        ROLE(CAUSE_SYNC, 5, -1, 171, -1, 0, 0),
        ROLE(CAUSE_RUNTIME, 3, -1, 228, -1, 0, 0),
        ROLE(CAUSE_OPERATOR, 7, -1, 252, -1, 0, 0),
        ROLE(CAUSE_BETWEEN, 5, -1, 97, -1, 0, 0),
        ROLE(CAUSE_LAUNCH, 2, -1, 112, -1, 0, 0),
        ROLE(CAUSE_QUEUE, 6, -1, 81, -1, 0, 0),
        ROLE(CAUSE_UNKNOWN, -1, -1, 241, -1, 0, 0),
        ROLE(CLASS_COMPUTATION, 4, -1, 26, -1, 0, 0),
        ROLE(CLASS_COMMUNICATION, 3, -1, 208, -1, 0, 0),
        ROLE(CLASS_COPY, 6, -1, 37, -1, 0, 0),
    },
};

static const tt_theme mono = {
    "mono",
    TT_LEVEL_MONO,
    {
        ROLE(TITLE, -1, -1, -1, -1, B, B),
        ROLE(TAB_EMPTY, -1, -1, -1, -1, D, D),
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
        ROLE(WORSE, -1, -1, -1, -1, B, B),
        ROLE(BETTER, -1, -1, -1, -1, 0, 0),
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
    uint32_t rgb[TT_TONES];
    uint8_t c256[TT_TONES];
    int8_t c8;
    char fill;
} hues[TT_HUE_COUNT_] = {
#define X(id, name, rgb1, rgb2, a, b, c8, fill) {name, {rgb1, rgb2}, {a, b}, c8, fill},
#include "tui/widgets/paints.def"
#undef X
};

static const tt_hue hue_of_kind[TT_KIND_COUNT_] = {
    [TT_KIND_OTHER] = TT_HUE_OTHER,
    [TT_KIND_CPU_OP] = TT_HUE_CPU_OP,
    [TT_KIND_ANNOTATION] = TT_HUE_USER,
    [TT_KIND_ENGINE_STEP] = TT_HUE_USER,
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
    [TT_KIND_DERIVED] = TT_HUE_OTHER,
    [TT_KIND_UNFINISHED] = TT_HUE_DATALOADER, /* as a culprit's call */
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

/* FNV-1a over the start of a text: the same in every run. */
static uint32_t hash_of(const char *text, size_t n)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < n && text[i] && i < 96; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

/* The class of a module, without its number: "nn.Module: BertLayer_11" and "nn.Module: BertLayer_0" are alike. */
static uint32_t module_hash(const char *name) { return hash_of(name, tt_module_class_len(name)); }

tt_hue tt_hue_class(tt_kind kind, const char *name)
{
    static const tt_hue operators[] = {TT_HUE_CPU_OP, TT_HUE_OP_BLUE, TT_HUE_OP_GREEN, TT_HUE_OP_ROSE};
    static const tt_hue modules[] = {TT_HUE_MODULE_BLUE, TT_HUE_MODULE_TEAL, TT_HUE_MODULE_GREEN};
    static const tt_hue kernels[TT_KERNEL_CLASS_COUNT_] = {
        [TT_KERNEL_GEMM] = TT_HUE_KERNEL,        [TT_KERNEL_ATTENTION] = TT_HUE_ATTENTION,
        [TT_KERNEL_NORM] = TT_HUE_NORM,          [TT_KERNEL_ELEMENTWISE] = TT_HUE_ELEMENTWISE,
        [TT_KERNEL_COPY] = TT_HUE_MEMCPY,        [TT_KERNEL_COMMUNICATION] = TT_HUE_COMMUNICATION,
        [TT_KERNEL_OTHER] = TT_HUE_KERNEL_OTHER,
    };
    if (name && kind == TT_KIND_KERNEL) return kernels[tt_kernel_class_of(name)];
    if (name && kind == TT_KIND_MODULE) return modules[(module_hash(name) >> 8) % 3];
    tt_hue hue = tt_hue_slice(kind, name);
    bool spread = (hue == TT_HUE_CPU_OP || hue == TT_HUE_OTHER) && name && (1u << kind & TT_HUE_BY_NAME);
    return spread ? operators[(hash_of(name, SIZE_MAX) >> 8) % 4] : hue;
}

tt_paint tt_paint_slice(tt_kind kind, const char *name)
{
    uint32_t hash = !name ? 0 : kind == TT_KIND_MODULE ? module_hash(name) : hash_of(name, SIZE_MAX);
    return tt_paint_hue(tt_hue_class(kind, name), hash ^ hash >> 16);
}

const char *tt_hue_device_name(tt_hue h)
{
    switch (h) {
    case TT_HUE_KERNEL: return tt_kernel_class_name(TT_KERNEL_GEMM);
    case TT_HUE_ATTENTION: return tt_kernel_class_name(TT_KERNEL_ATTENTION);
    case TT_HUE_NORM: return tt_kernel_class_name(TT_KERNEL_NORM);
    case TT_HUE_ELEMENTWISE: return tt_kernel_class_name(TT_KERNEL_ELEMENTWISE);
    case TT_HUE_MEMCPY: return tt_kernel_class_name(TT_KERNEL_COPY);
    case TT_HUE_COMMUNICATION: return tt_kernel_class_name(TT_KERNEL_COMMUNICATION);
    case TT_HUE_KERNEL_OTHER: return tt_kernel_class_name(TT_KERNEL_OTHER);
    case TT_HUE_MEMSET: return "memset";
    case TT_HUE_SYNC: return "sync";
    default: return NULL;
    }
}

char tt_paint_pattern(tt_paint p)
{
    if (tt_paint_is_hue(p)) return hues[tt_paint_hue_of(p)].fill;
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

/* The nearest of the 256 colours. */
static int nearest(int32_t rgb)
{
    int r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;
    if (r == g && g == b) return 232 + (r < 8 ? 0 : r > 238 ? 23 : (r - 3) / 10);
    int part[3] = {r, g, b}, at = 16;
    for (int i = 0, of = 36; i < 3; i++, of /= 6)
        at += of * (part[i] < 48 ? 0 : part[i] < 115 ? 1 : (part[i] - 35) / 40);
    return at;
}

/* A colour for a light terminal: light colours become darker. */
static int32_t on_light(int32_t rgb)
{
    enum { PALE = 160, PARTS = 74 };
    int r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;
    if ((r * 299 + g * 587 + b * 114) / 1000 <= PALE) return rgb;
    return (r * PARTS / 100) << 16 | (g * PARTS / 100) << 8 | b * PARTS / 100;
}

static int32_t paint_colour(const tt_theme *t, tt_level level, tt_paint p)
{
    bool pale = t == &light;
    if (tt_paint_is_hue(p)) {
        int h = (int)tt_paint_hue_of(p), tone = (p - 1) % TT_TONES;
        int32_t c256 = hues[h].c256[tone], rgb = (int32_t)hues[h].rgb[tone];
        if (pale && on_light(rgb_of(c256)) != rgb_of(c256)) c256 = nearest(on_light(rgb_of(c256)));
        return colour(level, hues[h].c8, c256, pale ? on_light(rgb) : rgb);
    }
    switch (p) {
    case TT_PAINT_MARK: return pale ? colour(level, -1, 252, 0xd0d0d0) : colour(level, -1, 237, 0x3a3a3a);
    case TT_PAINT_ACCENT: return colour(level, 7, 226, 0xffff00);
    case TT_PAINT_DIM: return pale ? colour(level, -1, 250, 0xbcbcbc) : colour(level, -1, 240, 0x585858);
    default: return -1;
    }
}

/* Black or white, whichever reads better on a background. */
static int32_t contrast(const tt_theme *t, tt_level level, tt_paint bg)
{
    int32_t own = paint_colour(t, level, bg);
    int32_t c = level == TT_LEVEL_256 ? rgb_of(own) : paint_colour(t, TT_LEVEL_TRUE, bg);
    if (c < 0 || own < 0) return -1;
    bool black = (c >> 16) * 299 + (c >> 8 & 255) * 587 + (c & 255) * 114 > 128 * 1000;
    if (level == TT_LEVEL_8) black = own != 4 && own != 1 && own != 5;
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
        return with_attr(fg == TT_PAINT_CONTRAST ? contrast(t, level, bg) : paint_colour(t, level, fg),
                         paint_colour(t, level, bg), 0, st);
    }
    unsigned role = st & 0xff;
    const look *l = &t->roles[role < TT_ROLE_COUNT_ ? role : TT_ROLE_TEXT];
    if (level == TT_LEVEL_MONO) return with_attr(-1, -1, l->mono, st);
    return with_attr(colour(level, l->fg8, l->fg256, rgb_of(l->fg256)),
                     colour(level, l->bg8, l->bg256, rgb_of(l->bg256)), l->attr, st);
}
