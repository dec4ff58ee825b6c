/* tui/app/prompt/settings.c - settings by name, the settings file (read only), keyboard layouts. */
#include "tui/app/prompt/settings.h"
#include "model/base/buf.h"
#include "tui/files/state_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app_api.h"
#include "tui/app/prompt/editor.h"

static bool set_theme(tt_app *a, int value)
{
    a->display.theme = tt_themes[value];
    a->want.redraw = true;
    return true;
}

static bool set_layout(tt_app *a, int value)
{
    a->display.layout = value;
    return true;
}

static bool set_unit(tt_app *a, int value)
{
    a->host.unit = value ? value - 1 : TT_UNIT_S;
    tt_app_act(a, TT_ACT_UNIT);
    return true;
}

static bool set_color(tt_app *a, int value)
{
    static const tt_level levels[] = {TT_LEVEL_TRUE, TT_LEVEL_MONO, TT_LEVEL_8, TT_LEVEL_256, TT_LEVEL_TRUE};
    a->display.level = levels[value];
    a->want.terminal = a->want.redraw = true;
    return true;
}

static bool set_unicode(tt_app *a, int value)
{
    a->display.ascii = value == 1;
    a->display.braille = value == 2;
    a->want.redraw = true;
    return true;
}

static bool set_mouse(tt_app *a, int value)
{
    a->display.no_mouse = value == 1;
    a->want.terminal = true;
    return true;
}

static bool set_state(tt_app *a, int value)
{
    a->display.no_state = value == 1;
    return true;
}

/* Free text: tt_settings_set() does it. */
static bool set_source(tt_app *a, int value)
{
    (void)a, (void)value;
    return true;
}

static bool set_history(tt_app *a, int value)
{
    a->display.no_history = value == 1;
    return true;
}

const tt_setting tt_settings[] = {
#define X(name, values, function, help) {name, values, help, function},
#include "tui/app/prompt/settings.def"
#undef X
    {NULL, NULL, NULL, NULL},
};
enum { N_SETTINGS = sizeof tt_settings / sizeof *tt_settings - 1 };

/* Index of a word in "a|b|c", -1 = not one of them. */
static int value_index(const char *values, const char *word)
{
    size_t len = strlen(word);
    for (int i = 0;; i++) {
        size_t n = strcspn(values, "|");
        if (n == len && strncmp(values, word, n) == 0) return i;
        if (!values[n]) return -1;
        values += n + 1;
    }
}

bool tt_settings_set(tt_app *a, const char *name, const char *value)
{
    for (int i = 0; i < N_SETTINGS; i++) {
        if (strcmp(tt_settings[i].name, name) != 0) continue;
        bool free_text = tt_settings[i].set == set_source;
        if (free_text && tt_source_map(&a->sources, value)) return true;
        int v = free_text ? -1 : value_index(tt_settings[i].values, value);
        if (v < 0) {
            tt_app_set_status(a, free_text ? "%s is %s" : "%s is one of %s", name, tt_settings[i].values);
            return false;
        }
        a->display.setting[i] = (uint8_t)v;
        return tt_settings[i].set(a, v);
    }
    tt_app_set_status(a, "no setting '%.40s' (:set lists them)", name);
    return false;
}

void tt_settings_text(const tt_app *a, char *out, size_t cap)
{
    tt_buf line = tt_buf_on(out, cap);
    for (int i = 0; i < N_SETTINGS; i++) {
        if (tt_settings[i].set == set_source) continue;
        const char *v = tt_settings[i].values;
        for (int k = 0; k < a->display.setting[i]; k++) v += strcspn(v, "|") + 1;
        tt_buf_list(&line, "  ", "%s=%.*s", tt_settings[i].name, (int)strcspn(v, "|"), v);
    }
}

/* "name = value", "name value" or a comment; spaces anywhere. */
static bool apply_line(tt_app *a, char *line)
{
    line[strcspn(line, "#\r\n")] = 0;
    char *name = line + strspn(line, " \t"), *end = name + strcspn(name, " \t=");
    if (!*name) return true;
    char *value = end + strspn(end, " \t=");
    *end = 0;
    value[strcspn(value, " \t")] = 0;
    return tt_settings_set(a, name, value);
}

void tt_settings_load(tt_app *a)
{
    char path[1024], line[256], why[200];
    if (!tt_base_path(path, sizeof path, "XDG_CONFIG_HOME", "/.config", "config")) return;
    FILE *f = tt_small_open(path);
    if (!f) {
        if (errno == EINVAL) {
            tt_app_set_status(a, "cannot read %s: it is no regular file", path);
        } else if (errno != ENOENT && errno != ENOTDIR) {
            tt_app_set_status(a, "cannot read %s: %m", path);
        }
        return;
    }
    bool good = true;
    for (int n = 1; good && fgets(line, sizeof line, f); n++) {
        good = apply_line(a, line);
        snprintf(why, sizeof why, "%.150s", a->status);
        if (!good) tt_app_set_status(a, "%.200s, line %d: %s", path, n, why);
    }
    if (good) a->status[0] = 0; /* nothing that a person has asked for */
    fclose(f);
}

/* ---- keyboards ---- */

tt_key tt_layout_key(int layout, tt_context context, tt_key k)
{
    static const char *const pairs[] = {"", "wzaq", "w,soed"};
    if (context != TT_CTX_NAVIGATE && !tt_context_navigates(context)) return k;
    for (const char *p = pairs[layout]; *p; p += 2) {
        if (k == (tt_key)p[0]) return (tt_key)p[1];
        if (k == (tt_key)p[1]) return (tt_key)p[0];
    }
    return k;
}
