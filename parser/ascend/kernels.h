/* parser/ascend/kernels.h - kernel_details.csv: what is known of each kernel beside its times. Private to
 * parser/ascend. */
#ifndef TT_PARSER_ASCEND_KERNELS_H
#define TT_PARSER_ASCEND_KERNELS_H

#include "model/base/group_by.h"
#include "parser/ascend/folder.h"
#include "parser/chrome/reader.h"

typedef struct tt_ascend_kernels tt_ascend_kernels;

/* Read the rows into groups of operators, which are few. With `find` each row can be looked up, which takes 24 to 32
 * bytes a row. */
tt_ascend_kernels *tt_ascend_kernels_read(tt_ascend *a, bool find);
void tt_ascend_kernels_free(tt_ascend_kernels *k); /* NULL is fine */
/* tt_chrome_folder.task: the kernel that starts at ts with this name. Any number of threads; O(1). */
bool tt_ascend_kernels_find(tt_ascend_kernels *k, int64_t ts, const char *name, size_t len, tt_chrome_task *out);
/* Whether a task was asked for: the timeline has device work. */
bool tt_ascend_kernels_asked(const tt_ascend_kernels *k);
/* Tables op_types (from op_statistic.csv where it is there) and op_details. */
void tt_ascend_operators(tt_ascend *a, const tt_ascend_kernels *k);
/* The rows as slices of the device's streams, for a folder whose timeline has none. The place of an event is *offset
 * and that of its row in the csv text; *offset is moved behind the text. */
void tt_ascend_kernel_slices(tt_ascend *a, tt_builder *b, uint64_t *offset);

/* ---- what the tables are made from ---- */

typedef struct tt_ascend_group {                        /* kernels of one core, type and name */
    tt_sid core, type, name, stream, block_dim, shapes; /* the last three: TT_ASCEND_SEVERAL when they differ */
    tt_stat ns;
} tt_ascend_group;
#define TT_ASCEND_SEVERAL UINT32_MAX
struct tt_ascend_groups {
    tt_strings text;
    TT_VEC(tt_ascend_group) list; /* without collectives */
};
const struct tt_ascend_groups *tt_ascend_kernel_groups(const tt_ascend_kernels *k);

#endif
