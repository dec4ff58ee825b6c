/* tui/output/markdown_text.h - texts of a trace in GitHub-flavoured Markdown: their pipes, markup, HTML, and names of
 * people and issues stay text. */
#ifndef TT_TUI_OUTPUT_MARKDOWN_TEXT_H
#define TT_TUI_OUTPUT_MARKDOWN_TEXT_H

#include <stdio.h>

/* Sanitise any text, then write it with tt_markdown_plain(). */
void tt_markdown_text(FILE *f, const char *s);
/* Write a text that is sanitised already. */
void tt_markdown_plain(FILE *f, const char *s);
/* A copy of the text; a long one loses its middle, since both ends of a kernel's name tell it from others. Caller
 * frees. */
char *tt_markdown_short(const char *s);

#endif
