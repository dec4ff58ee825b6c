/* tui/widgets/input.c - names of keys. */
#include "tui/widgets/input.h"

#include <stdio.h>
#include <string.h>

#include "model/text/text_safety.h"

static const struct {
    const char *name;
    tt_key key;
} key_names[] = {
    {"Up", TT_KEY_UP},       {"Down", TT_KEY_DOWN}, {"Left", TT_KEY_LEFT},   {"Right", TT_KEY_RIGHT},
    {"Home", TT_KEY_HOME},   {"End", TT_KEY_END},   {"PgUp", TT_KEY_PGUP},   {"PgDn", TT_KEY_PGDN},
    {"S-Tab", TT_KEY_BTAB},  {"Tab", TT_KEY_TAB},   {"Enter", TT_KEY_ENTER}, {"Space", ' '},
    {"Esc", TT_KEY_ESC},     {"Bksp", TT_KEY_BKSP}, {"Del", TT_KEY_DEL},     {"Ins", TT_KEY_INS},
    {"Mouse", TT_KEY_MOUSE},
};
enum { N_KEY_NAMES = sizeof key_names / sizeof *key_names };

/* One UTF-8 character that fills all of s, else TT_KEY_NONE. */
static tt_key one_character(const char *s, size_t len)
{
    unsigned char c = (unsigned char)s[0];
    if (len == 1) return c >= 0x20 && c < 0x7f ? c : TT_KEY_NONE;
    size_t want = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;
    if (want != len) return TT_KEY_NONE;
    tt_key k = c & (0x7fu >> want);
    for (size_t i = 1; i < len; i++) k = k << 6 | ((unsigned char)s[i] & 0x3f);
    return k;
}

tt_key tt_key_parse(const char *s, size_t len)
{
    tt_key mods = 0;
    for (int i = 0; i < N_KEY_NAMES; i++) {
        if (strlen(key_names[i].name) == len && memcmp(key_names[i].name, s, len) == 0) return key_names[i].key;
    }
    while (len > 2 && s[1] == '-') {
        tt_key m = s[0] == 'C' ? TT_MOD_CTRL : s[0] == 'S' ? TT_MOD_SHIFT : s[0] == 'M' ? TT_MOD_ALT : 0;
        if (!m) break;
        mods |= (tt_key)m;
        s += 2;
        len -= 2;
    }
    if (mods) {
        tt_key k = tt_key_parse(s, len);
        return k == TT_KEY_NONE ? TT_KEY_NONE : k | mods;
    }
    if (len == 0) return TT_KEY_NONE;
    if (len == 2 && s[0] == '^' && s[1] >= '@' && s[1] <= '_') return (tt_key)(s[1] - '@');
    if (len >= 2 && len <= 3 && s[0] == 'F' && s[1] >= '1' && s[1] <= '9') {
        int n = s[1] - '0';
        if (len == 3 && s[2] >= '0' && s[2] <= '9') n = n * 10 + (s[2] - '0');
        return n <= 12 ? (tt_key)(TT_KEY_F1 + n - 1) : TT_KEY_NONE;
    }
    return one_character(s, len);
}

tt_key tt_key_next(const char **s, bool *bad)
{
    const char *p = *s;
    while (*p == ' ') p++;
    size_t len = strcspn(p, " ");
    *s = p + len;
    if (!len) return TT_KEY_NONE;
    tt_key k = tt_key_parse(p, len);
    if (k == TT_KEY_NONE && bad) *bad = true;
    return k;
}

void tt_key_name(tt_key k, char *out, size_t cap)
{
    const char *mod = k & TT_MOD_CTRL ? "C-" : k & TT_MOD_SHIFT ? "S-" : k & TT_MOD_ALT ? "M-" : "";
    tt_key base = k & 0xffffff;
    for (int i = 0; i < N_KEY_NAMES; i++) {
        if (key_names[i].key == base) {
            snprintf(out, cap, "%s%s", mod, key_names[i].name);
            return;
        }
    }
    if (base >= TT_KEY_F1 && base <= TT_KEY_F12) {
        snprintf(out, cap, "%sF%d", mod, (int)(base - TT_KEY_F1 + 1));
    } else if (base < 0x20) {
        snprintf(out, cap, "%s^%c", mod, (char)(base + '@'));
    } else if (base < 0x7f) {
        snprintf(out, cap, "%s%c", mod, (char)base);
    } else {
        snprintf(out, cap, "%sU+%04X", mod, (unsigned)base);
    }
}
