/* parser/ascend/kernels.h - kernel_details.csv: facts about each kernel besides its times. Private to parser/ascend.
 * */
#ifndef TT_PARSER_ASCEND_KERNELS_H
#define TT_PARSER_ASCEND_KERNELS_H

#include "model/base/group_by.h"
#include "parser/ascend/folder.h"
#include "parser/chrome/reader.h"

typedef struct tt_ascend_kernels tt_ascend_kernels;

/* Read the rows into groups of operators, of which there are few. With `find` each row can be looked up, at 24 to 32
 * bytes a row. */
tt_ascend_kernels *tt_ascend_kernels_read(tt_ascend *a, bool find);
void tt_ascend_kernels_free(tt_ascend_kernels *k); /* NULL is allowed */
/* tt_chrome_folder.task: find the kernel that starts at ts with this name. Any number of threads; O(1). */
bool tt_ascend_kernels_find(tt_ascend_kernels *k, int64_t ts, const char *name, size_t len, tt_chrome_task *out);
/* Whether a task was looked up, so that the timeline has device work. */
bool tt_ascend_kernels_asked(const tt_ascend_kernels *k);
/* Tables op_types (from op_statistic.csv, if it exists) and op_details. */
void tt_ascend_operators(tt_ascend *a, const tt_ascend_kernels *k);
/* Make the rows slices on the device's streams, for a folder whose timeline has no device work. The offset of an event
 * is *offset plus the offset of its row in the csv text; *offset moves past that text. */
void tt_ascend_kernel_slices(tt_ascend *a, tt_builder *b, uint64_t *offset);

/* ---- what the tables are made from ---- */

typedef struct tt_ascend_group {                        /* kernels with the same core, type and name */
    tt_sid core, type, name, stream, block_dim, shapes; /* TT_ASCEND_SEVERAL = the last three differ */
    tt_stat ns;
} tt_ascend_group;
#define TT_ASCEND_SEVERAL UINT32_MAX
struct tt_ascend_groups {
    tt_strings text;
    TT_VEC(tt_ascend_group) list; /* all groups except collectives */
};
const struct tt_ascend_groups *tt_ascend_kernel_groups(const tt_ascend_kernels *k);

#endif
