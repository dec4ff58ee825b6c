/* capture/stacks/python_layout.h - where CPython keeps threads, frames and code: offsets in its structures, in bytes.
 * 3.13 describes itself (_Py_DebugOffsets at the start of _PyRuntime); 3.11 and 3.12 are tables made from their headers
 * (internal/pycore_runtime.h, pycore_interp.h, pycore_frame.h, cpython/pystate.h, code.h, unicodeobject.h), which stay
 * equal within a minor version. Private to the folder. */
#ifndef TT_CAPTURE_STACKS_PYTHON_LAYOUT_H
#define TT_CAPTURE_STACKS_PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_PYTHON_FIELDS(X)                                                                                            \
    X(runtime_interpreters) /* first interpreter */                                                                    \
    X(interpreter_next)                                                                                                \
    X(interpreter_threads) /* first thread */                                                                          \
    X(thread_next)                                                                                                     \
    X(thread_interpreter)                                                                                              \
    X(thread_native_id)                                                                                                \
    X(thread_frame) /* innermost frame; before 3.13 a _PyCFrame, which has it */                                       \
    X(cframe_frame)                                                                                                    \
    X(frame_code)                                                                                                      \
    X(frame_previous)                                                                                                  \
    X(frame_instruction)                                                                                               \
    X(frame_owner)                                                                                                     \
    X(code_first_line)                                                                                                 \
    X(code_filename)                                                                                                   \
    X(code_qualname)                                                                                                   \
    X(code_linetable)                                                                                                  \
    X(code_instructions)                                                                                               \
    X(object_type)                                                                                                     \
    X(bytes_size)                                                                                                      \
    X(bytes_data)                                                                                                      \
    X(text_length)                                                                                                     \
    X(text_state)                                                                                                      \
    X(text_ascii) /* characters of an ASCII string */                                                                  \
    X(text_wide)  /* characters of any other */

typedef struct tt_python_layout {
#define X(field) uint32_t field;
    TT_PYTHON_FIELDS(X)
#undef X
    bool has_cframe;
} tt_python_layout;

/* Owner of a frame that the interpreter made for its own C code (3.12 and later). */
enum { TT_PYTHON_OWNER_C = 3 };
/* Bytes that hold every field of a frame and of a code object. */
enum { TT_PYTHON_FRAME_BYTES = 256, TT_PYTHON_CODE_BYTES = 512 };

/* The layout of a version (PY_VERSION_HEX), whose _PyRuntime is at an address. False: not known; why has the sentence's
 * end, such as "Python 3.14: stacks are not read". */
bool tt_python_layout_of(uint32_t pid, uint64_t runtime, uint32_t version, tt_python_layout *out, char *why,
                         size_t cap);

#endif
