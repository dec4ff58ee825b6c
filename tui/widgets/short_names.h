/* tui/widgets/short_names.h - names that are shown together, shortened so that different ones look different.
 *
 * A name alone is shortened by its own text (TT_CUT_KERNEL): template instances of one kernel then may look the same.
 * In a list the part in which they differ is what a reader needs, so it takes the room of what they share. */
#ifndef TT_TUI_WIDGETS_SHORT_NAMES_H
#define TT_TUI_WIDGETS_SHORT_NAMES_H

#include "tui/widgets/canvas.h"

enum { TT_SHORT_CAP = 512 };

/* Each of n names in w columns at most, into out[i]. NULL names are "". Equal names stay equal; different ones differ
 * where w leaves room for the difference. O(n^2) comparisons of short texts: for what is in sight. */
void tt_short_names(const char *const *names, size_t n, int w, bool ascii, char (*out)[TT_SHORT_CAP]);

/* The name of a kernel without the parameters that it takes and without namespaces (text_width.c). */
void tt_kernel_plain(char *out, size_t cap, const char *name);

/* "H100 80GB" of "NVIDIA H100 80GB HBM3": without the maker and the kind of memory, at most 30 bytes. */
void tt_short_device(const char *name, char *out, size_t cap);

#endif
