/* tui/term/term.c - reads --color, --unicode and the environment; needs no terminal. */
#include "tui/term/term.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *s, const char *a, const char *b)
{
    return s && (strcmp(s, a) == 0 || strcmp(s, b) == 0);
}

tt_level tt_term_level(const char *color, bool is_tty, int colors)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (is_one_of(color, "never", "mono")) return TT_LEVEL_MONO;
    if (!color || strcmp(color, "auto") == 0) {
        if ((no_color && *no_color) || !is_tty || (term && strcmp(term, "dumb") == 0)) return TT_LEVEL_MONO;
        return colors >= 256 ? TT_LEVEL_256 : colors >= 8 ? TT_LEVEL_8 : TT_LEVEL_MONO;
    }
    if (strcmp(color, "8") == 0) return TT_LEVEL_8;
    if (strcmp(color, "256") == 0) return TT_LEVEL_256;
    if (strcmp(color, "truecolor") == 0) return TT_LEVEL_TRUE;
    return colors >= 256 || !is_tty ? TT_LEVEL_256 : TT_LEVEL_8; /* always */
}

/* The environment asks for a UTF-8 locale, by the precedence of POSIX, whether it is installed or not. */
static bool wants_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *v = getenv(names[i]);
        if (v && *v) return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
    }
    return false;
}

bool tt_term_set_locale(const char *unicode)
{
    setlocale(LC_CTYPE, "");
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (is_one_of(unicode, "never", "ascii")) return true;
    if (!utf8 && (wants_utf8() || is_one_of(unicode, "always", "block") || is_one_of(unicode, "braille", "braille"))) {
        utf8 = setlocale(LC_CTYPE, "C.UTF-8") || setlocale(LC_CTYPE, "en_US.UTF-8");
    }
    return !utf8;
}
