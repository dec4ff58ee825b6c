/* model/text/frame_name.h - what names of Python frames and modules say: "net.py(12): forward", "nn.Module: Linear_3".
 */
#ifndef TT_MODEL_TEXT_FRAME_NAME_H
#define TT_MODEL_TEXT_FRAME_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Where "file(12): function" is: the length of the file's name, and the line. False: it has no place. */
bool tt_frame_place(const char *frame, size_t *file_len, long *line);
/* A frame that only calls what it wraps: _call_impl of a module, a decorator, __call__ of a library, what begins a
 * thread or process. */
bool tt_frame_is_wrapper(const char *frame);
/* The class of a module: "nn.Module: Block_3" -> "Block": the numbers tell objects apart, not kinds. Returns the
 * length as snprintf() does. */
int tt_module_class(char *out, size_t cap, const char *name);
/* Bytes of its name before the number, with what is in front of the class: those of "nn.Module: Block". */
size_t tt_module_class_len(const char *name);

#endif
