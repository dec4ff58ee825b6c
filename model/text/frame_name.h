/* model/text/frame_name.h - reads names of Python frames and modules: "net.py(12): forward", "nn.Module: Linear_3". */
#ifndef TT_MODEL_TEXT_FRAME_NAME_H
#define TT_MODEL_TEXT_FRAME_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Find the place in "file(12): function": the length of the file's name, and the line. False: the frame has no
 * place. */
bool tt_frame_place(const char *frame, size_t *file_len, long *line);
/* The frame only calls the code that it wraps: _call_impl of a module, a decorator, __call__ of a library, the start
 * of a thread or process. */
bool tt_frame_is_wrapper(const char *frame);
/* Whether a folder of the frame's file is named torch; a file's path alone will do. */
bool tt_frame_in_torch(const char *frame);
/* The class of a module: "nn.Module: Block_3" -> "Block". The numbers tell objects of a class apart. Returns the
 * length like snprintf(). */
int tt_module_class(char *out, size_t cap, const char *name);
/* Bytes of a module's name up to its number: the length of "nn.Module: Block" in "nn.Module: Block_3". */
size_t tt_module_class_len(const char *name);

#endif
