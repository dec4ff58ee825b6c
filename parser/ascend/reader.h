/* parser/ascend/reader.h - folders of Ascend's profilers.
 *
 * torch_npu and MindSpore (2.4 and later) write X_ascend_pt and X_ascend_ms: a timeline of JSON trace events in
 * ASCEND_PROFILER_OUTPUT, and beside it csv and json files with more facts about its kernels, steps, memory and
 * communication. msprof writes PROF_*: the timeline of a device in parts, one for each iteration. Any file may be
 * missing: the existing files are read, and a problem with file and line reports each that cannot be read. */
#ifndef TT_PARSER_ASCEND_READER_H
#define TT_PARSER_ASCEND_READER_H

#include "parser/input/format.h"

extern const tt_folder_part tt_ascend_parts[], tt_msprof_parts[];
tt_read_fn tt_read_ascend, tt_read_msprof;

#endif
