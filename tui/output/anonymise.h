/* tui/output/anonymise.h - events of a trace without what tells whose they are.
 *
 * Kept: numbers, kernels, calls of runtime and driver, operators and autograd functions of frameworks, ranges of
 * profilers (tui/output/anonymise.def says which), code of frameworks and of Python's own library without the folders
 * above it, types, shapes. Everything else that is text (names of user code, files, folders, processes, threads,
 * modules, operators of extensions, arguments that are not known) becomes a word with a hash, the same for the same
 * text in every file: tables stay the same but for names. A hash can be tried out by who can guess the text. */
#ifndef TT_TUI_OUTPUT_ANONYMISE_H
#define TT_TUI_OUTPUT_ANONYMISE_H

#include <stdbool.h>

#include "model/base/mem.h"

/* An event's JSON object, or a list of anything, appended to out. no_shapes: lists of dimensions, strides and values of
 * inputs are emptied. Any thread. O(length). */
void tt_anonymise_event(const char *p, size_t n, bool no_shapes, tt_text *out);
/* The value of a member of the file beside the events. */
void tt_anonymise_member(const char *key, const char *p, size_t n, tt_text *out);

#endif
