/* Colours of device work differ enough for people who cannot see red or green, too. The matrices are from Machado,
 * Oliveira and Fernandes 2009, "A physiologically-based model for simulation of color vision deficiency", severity 1.
 * */
#include <math.h>
#include <string.h>

#include "tests/unit/check.h"
#include "tui/widgets/theme.h"

static const double sight[3][9] = {
    {1, 0, 0, 0, 1, 0, 0, 0, 1},
    {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
    {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
};

static double linear(int v)
{
    double c = v / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double shown(double v)
{
    v = v < 0 ? 0 : v > 1 ? 1 : v;
    return 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055);
}

static void see(const double *m, int rgb, double out[3])
{
    double c[3] = {linear(rgb >> 16 & 255), linear(rgb >> 8 & 255), linear(rgb & 255)};
    for (int i = 0; i < 3; i++) out[i] = shown(m[3 * i] * c[0] + m[3 * i + 1] * c[1] + m[3 * i + 2] * c[2]);
}

/* The smallest of the three distances between two colours. */
static double apart(int a, int b)
{
    double least = 1000;
    for (int k = 0; k < 3; k++) {
        double x[3], y[3];
        see(sight[k], a, x);
        see(sight[k], b, y);
        least = fmin(least, sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2)));
    }
    return least;
}

static int cube(int c)
{
    static const int level[6] = {0, 95, 135, 175, 215, 255};
    if (c >= 232) return (8 + 10 * (c - 232)) * 0x010101;
    return level[(c - 16) / 36] << 16 | level[(c - 16) / 6 % 6] << 8 | level[(c - 16) % 6];
}

static const tt_hue classes[] = {TT_HUE_KERNEL, TT_HUE_ATTENTION,     TT_HUE_NORM,        TT_HUE_ELEMENTWISE,
                                 TT_HUE_MEMCPY, TT_HUE_COMMUNICATION, TT_HUE_KERNEL_OTHER};
enum { N = sizeof classes / sizeof *classes };

static int background_in(const tt_theme *t, tt_level level, tt_hue h, unsigned tone)
{
    tt_ink ink = tt_theme_ink(t, level, tt_style_fill(TT_PAINT_CONTRAST, tt_paint_hue(h, tone)));
    return level == TT_LEVEL_256 ? cube(ink.bg) : ink.bg;
}

static int background(tt_level level, tt_hue h, unsigned tone) { return background_in(tt_themes[0], level, h, tone); }

/* On a light terminal no colour is as pale as the background, and the classes stay apart. */
static void light_is_seen(void)
{
    CHECK(!strcmp(tt_theme_name(tt_themes[1]), "light"));
    for (int l = 0; l < 2; l++) {
        tt_level level = l ? TT_LEVEL_TRUE : TT_LEVEL_256;
        for (tt_paint p = 1; tt_paint_is_hue(p); p++) {
            double d = apart(background_in(tt_themes[1], level, tt_paint_hue_of(p), (p - 1u) % TT_TONES), 0xffffff);
            if (d < 100) fprintf(stderr, "    %s on white: %.0f\n", tt_hue_name(tt_paint_hue_of(p)), d);
            CHECK(d >= 100);
        }
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < i; k++) {
                double d = apart(background_in(tt_themes[1], level, classes[i], 0),
                                 background_in(tt_themes[1], level, classes[k], 0));
                if (d < 35)
                    fprintf(stderr, "    %s and %s: %.0f\n", tt_hue_name(classes[i]), tt_hue_name(classes[k]), d);
                CHECK(d >= 35);
            }
        }
    }
}

static void classes_are_apart(tt_level level, double least)
{
    for (int i = 0; i < N; i++) {
        CHECK(apart(background(level, classes[i], 0), 0x121212) > 60); /* on a dark terminal */
        for (int k = 0; k < i; k++) {
            for (unsigned tones = 0; tones < TT_TONES * TT_TONES; tones++) {
                double d = apart(background(level, classes[i], tones % 2), background(level, classes[k], tones / 2));
                if (d < least)
                    fprintf(stderr, "    %s and %s: %.0f\n", tt_hue_name(classes[i]), tt_hue_name(classes[k]), d);
                CHECK(d >= least);
            }
        }
    }
}

/* Input and communication differ, because they are neighbours on the bars of a step. */
static void input_is_not_communication(void)
{
    for (unsigned tones = 0; tones < TT_TONES * TT_TONES; tones++) {
        for (int level = 0; level < 2; level++) {
            tt_level l = level ? TT_LEVEL_TRUE : TT_LEVEL_256;
            CHECK(apart(background(l, TT_HUE_DATALOADER, tones % 2), background(l, TT_HUE_COMMUNICATION, tones / 2)) >
                  55);
        }
    }
}

static double luminance(int rgb)
{
    return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
}

/* Labels are readable on every colour: WCAG asks for a contrast of 4.5 for small text, 3 for large and bold text. */
static void labels_can_be_read(void)
{
    for (tt_paint p = 1; tt_paint_is_hue(p); p++) {
        tt_ink ink = tt_theme_ink(tt_themes[0], TT_LEVEL_256, tt_style_fill(TT_PAINT_CONTRAST, p));
        double a = luminance(cube(ink.fg)), b = luminance(cube(ink.bg)),
               ratio = (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
        if (ratio < 3.4) fprintf(stderr, "    %s: %.1f\n", tt_hue_name(tt_paint_hue_of(p)), ratio);
        CHECK(ratio >= 3.4);
    }
}

/* Without colours each class has its own pattern, which is no letter that could be part of a name. */
static void patterns_differ(void)
{
    for (int i = 0; i < N; i++) {
        char a = tt_paint_pattern(tt_paint_hue(classes[i], 0));
        CHECK(strchr("abcdefghijklmnopqrstuvwxyz", a) == NULL);
        for (int k = 0; k < i; k++) CHECK(a != tt_paint_pattern(tt_paint_hue(classes[k], 0)));
        CHECK(tt_hue_device_name(classes[i]) != NULL);
    }
}

static void modules_by_class(void)
{
    tt_paint a = tt_paint_slice(TT_KIND_MODULE, "nn.Module: BertLayer_0"),
             b = tt_paint_slice(TT_KIND_MODULE, "nn.Module: BertLayer_11");
    CHECK_INT(a, b);
    unsigned hues = 0;
    static const char *const names[] = {"nn.Module: Linear_0", "nn.Module: BertLayer_0", "nn.Module: Dropout_3",
                                        "nn.Module: Conv2d_1", "nn.Module: LayerNorm_2", "nn.Module: BertModel_0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) hues |= 1u << tt_hue_class(TT_KIND_MODULE, names[i]);
    CHECK(__builtin_popcount(hues) >= 2);
}

int main(void)
{
    classes_are_apart(TT_LEVEL_256, 75);
    classes_are_apart(TT_LEVEL_TRUE, 75);
    input_is_not_communication();
    light_is_seen();
    labels_can_be_read();
    patterns_differ();
    modules_by_class();
    return check_done();
}
