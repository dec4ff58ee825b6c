/* parser/mindinsight/reader.h - folders of MindInsight's profiler, as MindSpore 1.x to 2.3 writes them: csv, json and
 * txt files for each rank, on Ascend, GPU or CPU, with a timeline or without.
 *
 * A number in the files' names is a rank (or, on a single host, the device): each is a worker. */
#ifndef TT_PARSER_MINDINSIGHT_READER_H
#define TT_PARSER_MINDINSIGHT_READER_H

#include "parser/input/format.h"

extern const tt_folder_part tt_mindinsight_parts[];
tt_read_fn tt_read_mindinsight;
/* Parts for the input pipeline's files, which later versions put beside the files of another format, in the folder
 * `below`; their roles stay the same. */
#define TT_MINDINSIGHT_DATA_PARTS(below)                                                                               \
    {"pipeline", below "minddata_pipeline_raw_*.csv", true},                                                           \
        {"pipeline_json", below "pipeline_profiling_*.json", true},                                                    \
        {"device_queue", below "device_queue_profiling_*.txt", true},                                                  \
        {"dataset_iterator", below "dataset_iterator_profiling_*.txt", true},                                          \
        {"get_next_us", below "minddata_aicpu_*.txt", true},                                                           \
        {"get_next_ns", below "minddata_getnext_profiling_*.txt", true},                                               \
    {                                                                                                                  \
        "cpu_use", below "minddata_cpu_utilization_*.json", true                                                       \
    }
/* Read the input pipeline's files into tables of a new trace. */
void tt_mindinsight_data(tt_input *in, tt_reader_progress *progress, tt_trace *s);

#endif
