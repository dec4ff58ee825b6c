/* tui/output/markdown_text.h - texts of a trace as text of GitHub-flavoured Markdown: pipes, markup, HTML and names of
 * people and issues in them stay text. For writers of Markdown. */
#ifndef TT_TUI_OUTPUT_MARKDOWN_TEXT_H
#define TT_TUI_OUTPUT_MARKDOWN_TEXT_H

#include <stdio.h>

/* Any text: made safe to show, and then as below. */
void tt_markdown_text(FILE *f, const char *s);
/* The same of what is safe to show already. */
void tt_markdown_plain(FILE *f, const char *s);
/* Without its middle where it is long: both ends of a kernel's name tell it from others. Caller frees. */
char *tt_markdown_short(const char *s);

#endif
