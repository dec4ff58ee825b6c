/* tui/commands/docs_layout.c - lines of help that fit a terminal. See docs.h. */
#include <string.h>

#include "tui/commands/docs.h"

/* Bytes of the text's first line, at most `room`: it ends at a blank, or behind a comma in a list that fits no line. */
static size_t line_of(const char *text, size_t room)
{
    size_t n = strlen(text), blank, comma;
    if (n <= room) return n;
    for (blank = room; blank && text[blank] != ' '; blank--) {}
    for (comma = room; comma && text[comma - 1] != ','; comma--) {}
    size_t word = strcspn(text + blank + (blank != 0), " ");
    if (word > room && comma > blank) return comma;
    return blank ? blank : comma ? comma : strcspn(text, " ");
}

void tt_docs_item(FILE *f, const char *head, int column, const char *text)
{
    int at = fprintf(f, "%s", head);
    if (at + (*head != '\0') > column) { /* the head needs a line of its own */
        fputc('\n', f);
        at = 0;
    }
    do {
        size_t n = line_of(text, (size_t)(TT_DOCS_WIDTH - column));
        fprintf(f, "%*s%.*s\n", column - at, "", (int)n, text);
        text += n;
        while (*text == ' ') text++;
        at = 0;
    } while (*text);
}

void tt_docs_pairs(FILE *f, const tt_docs_pair *p)
{
    char head[64];
    int widest = 0;
    for (const tt_docs_pair *e = p; e->key; e++)
        if ((int)strlen(e->key) > widest) widest = (int)strlen(e->key);
    for (; p->key; p++) {
        snprintf(head, sizeof head, "  %s", p->key);
        tt_docs_item(f, head, widest + 4, p->text);
    }
}
