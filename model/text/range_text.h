/* model/text/range_text.h - reads the text of a range that PyTorch marks for NVTX or roctx.
 *
 * torch.autograd.profiler.emit_nvtx writes the arguments of a call behind its name:
 * "aten::mm, seq = 12, op_id = 7, sizes = [[2, 3], [3, 4]], input_op_ids = [(6,0)]", each of them where it is known, in
 * this order, up to the end of the text. */
#ifndef TT_MODEL_TEXT_RANGE_TEXT_H
#define TT_MODEL_TEXT_RANGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tt_range_text {
    size_t name_len;    /* length of the name, which begins the text */
    const char *shapes; /* "[[2, 3], [3, 4]]", JSON, inside the text; NULL = not given */
    size_t shapes_len;
    bool is_operator; /* the text numbers the call, as it does for operators */
} tt_range_text;

/* Whether arguments follow the name; else *out says that all the text is the name. O(length). */
bool tt_range_text_read(const char *text, size_t len, tt_range_text *out);

#endif
