/* tui/output/markdown_text.c - see markdown_text.h. */
#include "tui/output/markdown_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/text/text_safety.h"
#include "tui/widgets/canvas.h"

/* Longer names lose their middle, because a table in a browser is as wide as its names. */
enum { MOST_CELLS = 80, CUT_BYTES = 1024 };

/* The colon begins a link (://) or an emoji code (:+1:). */
static bool means_more(const char *colon)
{
    size_t n = strspn(colon + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-");
    return colon[1] == '/' || (n && colon[1 + n] == ':');
}

/* No character of the text means anything to Markdown or to GitHub. */
static bool is_plain(const char *s)
{
    if (strstr(s, "www.") || strstr(s, "GH-")) return false;
    for (const char *p = s; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c >= 0x80 || isalnum(c) || strchr(" ,.()%+-/=;>", c)) continue;
        if (c == ':' && !means_more(p)) continue;
        if (c != '_' || p == s || !isalnum((unsigned char)p[-1])) return false; /* '_' within a word is no emphasis */
        p += strspn(p, "_") - 1;
        if (!isalnum((unsigned char)p[1])) return false;
    }
    return true;
}

/* Write a text as code: GitHub reads no markup and no names of people or issues in code. A pipe is escaped, because it
 * ends the cell of a table even in code. */
static void put_code(FILE *f, const char *s)
{
    fputc('`', f);
    for (; *s; s++) fputs(*s == '|' ? "\\|" : (const char[]){*s, '\0'}, f);
    fputc('`', f);
}

/* Write a text that cannot be code: special characters as numbers, and a word joiner behind '@' and '#', which
 * call people and issues. */
static void put_numbered(FILE *f, const char *s)
{
    for (const char *p = s; *p; p++) {
        unsigned char c = (unsigned char)*p;
        bool link = (c == '.' && p - s >= 3 && !strncmp(p - 3, "www", 3)) || (c == '-' && p > s && p[-1] == 'H');
        if (!link && !strchr("\\`*_[]<>&|~$@#!", c) && (c != ':' || !means_more(p)))
            fputc(c, f);
        else
            fprintf(f, c == '@' || c == '#' ? "&#%d;&#8288;" : "&#%d;", c);
    }
}

/* The text can be code. A backquote in it or a backslash at its end would end the code elsewhere; with a pipe, a
 * backslash would change what the escape of the pipe means. */
static bool fits_code(const char *s)
{
    size_t n = strlen(s);
    return !strchr(s, '`') && (!strchr(s, '\\') || (!strchr(s, '|') && s[n - 1] != '\\'));
}

void tt_markdown_plain(FILE *f, const char *s)
{
    if (is_plain(s))
        fputs(s, f);
    else if (!fits_code(s))
        put_numbered(f, s);
    else
        put_code(f, s);
}

void tt_markdown_text(FILE *f, const char *s)
{
    char *clean = tt_sanitize_term_new(s);
    tt_markdown_plain(f, clean);
    free(clean);
}

/* A copy of the text; a long one loses its middle, since both ends of a kernel's name tell it from others. Caller
 * frees. */
char *tt_markdown_short(const char *s)
{
    char cut[CUT_BYTES];
    if (tt_text_width(s, strlen(s)) <= MOST_CELLS) return tt_strdup(s);
    tt_text_cut(cut, sizeof cut, s, MOST_CELLS, TT_CUT_MIDDLE, false);
    return tt_strdup(cut);
}
