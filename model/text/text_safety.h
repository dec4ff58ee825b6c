/* model/text/text_safety.h - the only way for bytes of a trace to reach a terminal or a file.
 *
 * Input: strings of the trace: any bytes; C0 80 stands for NUL. All functions are pure and thread-safe, O(bytes). */
#ifndef TT_MODEL_TEXT_TEXT_SAFETY_H
#define TT_MODEL_TEXT_TEXT_SAFETY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_BAD_BYTE UINT32_MAX

/* The next code point of s (n > 0 bytes left); *used = bytes taken. C0 80 gives 0. Invalid UTF-8 (also overlong
 * forms, surrogates, values above 10FFFF) gives TT_BAD_BYTE for the longest broken part. */
uint32_t tt_utf8_next(const char *s, size_t n, size_t *used);
/* Length of the UTF-8 sequence at the beginning of s; 0: there is none. C0 80 counts as none. */
size_t tt_utf8_length(const char *s, size_t n);
/* Write cp as UTF-8; returns the number of bytes (1..4). */
size_t tt_utf8_put(char out[4], uint32_t cp);
/* The code point must never reach a terminal: C0, DEL, C1, bidirectional controls, line and paragraph separators. */
bool tt_is_control(uint32_t cp);
/* The one-cell replacement of a code point: control pictures for C0 and DEL, U+FFFD for other controls and
 * TT_BAD_BYTE, else cp itself. */
uint32_t tt_visible(uint32_t cp);
/* Cells the code point takes on a terminal: 0 (combining), 1 or 2. Controls, unassigned and TT_BAD_BYTE: 1. */
int tt_char_width(uint32_t cp);
/* Cells of n bytes of sanitised text. */
size_t tt_text_width(const char *s, size_t n);

/* Text for a terminal or a text file, always valid UTF-8 without any control: C0 and DEL become control pictures
 * (U+2400.., also a NUL and a newline), C1 and bidirectional controls <U+009B>, bytes that are not UTF-8 U+FFFD.
 * Like snprintf: writes at most cap bytes with the NUL, never part of a character, returns the bytes that the whole
 * text needs without the NUL. out may be NULL when cap is 0. */
size_t tt_sanitize_term(char *out, size_t cap, const char *s, size_t n);
char *tt_sanitize_term_new(const char *s); /* the whole text; caller frees */
/* The inside of a JSON string: valid UTF-8; quote, backslash, C0, DEL, C1 and bidirectional controls escaped, C0 80
 * as \u0000, bad bytes U+FFFD. */
size_t tt_sanitize_json(char *out, size_t cap, const char *s, size_t n);
/* One CSV cell, quoted if necessary. guard: a text that a spreadsheet would take for a formula gets a ' in front.
 * Controls and bad bytes as for the terminal, also CR, which would move the cursor; LF and tabs stay (quoted). */
size_t tt_sanitize_csv(char *out, size_t cap, const char *s, size_t n, bool guard);

#endif
