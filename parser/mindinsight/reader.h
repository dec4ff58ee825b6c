/* parser/mindinsight/reader.h - folders of MindInsight's profiler, as MindSpore 1.x to 2.3 writes them: csv, json and
 * txt files of one rank each, on Ascend, GPU or CPU, with a timeline or without one.
 *
 * A number in the files' names is a rank (the device of its host, where there is only one): a worker of its own. */
#ifndef TT_PARSER_MINDINSIGHT_READER_H
#define TT_PARSER_MINDINSIGHT_READER_H

#include "parser/input/format.h"

extern const tt_folder_part tt_mindinsight_parts[];
tt_read_fn tt_read_mindinsight;

#endif
