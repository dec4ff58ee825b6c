/* capture/stacks/python_text.h - texts and lines from objects of CPython in the memory of a process. Private to the
 * folder. */
#ifndef TT_CAPTURE_STACKS_PYTHON_TEXT_H
#define TT_CAPTURE_STACKS_PYTHON_TEXT_H

#include "capture/stacks/python_layout.h"

typedef struct tt_python { /* the interpreter of a process */
    uint32_t pid;
    uint64_t runtime;                             /* address of _PyRuntime */
    uint64_t code_type, unicode_type, bytes_type; /* addresses of the types: objects are checked before use */
    tt_python_layout at;
} tt_python;

/* Append a str object as UTF-8, of a long one the end: U+FFFD instead of control characters, surrogates, and marks that
 * turn or break a line. False: it is none. */
bool tt_python_str(const tt_python *p, uint64_t object, char *out, size_t *n, size_t cap);

/* Line of the instruction at `offset` bytes in a code object, from its line table (a bytes object); the function's
 * first line when the table has none. */
int64_t tt_python_line(const tt_python *p, uint64_t table, int64_t first_line, int64_t offset);

#endif
