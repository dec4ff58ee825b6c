/* tui/widgets/short_names.h - names fit to a number of columns, so that the telling part stays.
 *
 * A name alone is shortened by TT_CUT_KERNEL: template instances of one kernel then may look the same. In a list a
 * reader needs the part in which names differ, so that part gets the room of the part that they share. A slice has room
 * for a word or two: the function of its kernel, the number of its step. */
#ifndef TT_TUI_WIDGETS_SHORT_NAMES_H
#define TT_TUI_WIDGETS_SHORT_NAMES_H

#include "model/trace/trace.h"
#include "tui/widgets/canvas.h"

enum { TT_SHORT_CAP = 512 };

/* Shorten each of n names to w columns at most, into out[i]. A NULL name is "". Equal names stay equal; different names
 * differ if w has room for the difference. O(n^2) comparisons of short texts: for the lines in sight. */
void tt_short_names(const char *const *names, size_t n, int w, bool ascii, char (*out)[TT_SHORT_CAP]);

/* The name of a slice cut to w columns; out is terminated. Returns its width. */
int tt_slice_short_name(char *out, size_t cap, tt_kind kind, const char *name, int w, bool ascii);

/* The name of a kernel without parameters and namespaces, with its template arguments. */
void tt_kernel_plain(char *out, size_t cap, const char *name);

/* "H100 80GB" of "NVIDIA H100 80GB HBM3": without the maker and the kind of memory, at most 30 bytes. */
void tt_short_device(const char *name, char *out, size_t cap);

#endif
