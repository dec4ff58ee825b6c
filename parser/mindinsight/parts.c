/* parser/mindinsight/parts.c - the files of a folder by name; files that make it a folder of MindInsight come first.
 * */
#include "parser/mindinsight/reader.h"

#define MAIN(role, glob)                                                                                               \
    {                                                                                                                  \
        role, glob, false                                                                                              \
    }
#define BESIDE(role, glob)                                                                                             \
    {                                                                                                                  \
        role, glob, true                                                                                               \
    }

const tt_folder_part tt_mindinsight_parts[] = {
    MAIN("timeline", "*timeline_display_#.json"),
    MAIN("step_trace", "step_trace_raw_#_detail_time.csv"),
    MAIN("aicore_types", "aicore_intermediate_#_type.csv"),
    MAIN("aicore_details", "aicore_intermediate_#_detail.csv"),
    MAIN("framework", "framework_raw_#.csv"),
    MAIN("gpu_types", "gpu_op_type_info_#.csv"),
    MAIN("gpu_details", "gpu_op_detail_info_#.csv"),
    MAIN("cpu_types", "cpu_op_type_info_#.csv"),
    MAIN("cpu_details", "cpu_op_detail_info_#.csv"),
    MAIN("pipeline", "minddata_pipeline_raw_#.csv"),
    MAIN("cluster", "*_cluster_analyse_*_#.csv"),
    MAIN("links", "hccl_raw_#.csv"),
    MAIN("profiler_info", "profiler_info_#.json"),
    BESIDE("points", "step_trace_point_info_#.json"),
    BESIDE("points_of_all", "step_trace_point_info.json"),
    BESIDE("aicpu", "aicpu_intermediate_#.csv"),
    BESIDE("pynative_types", "pynative_op_intermediate_#_type.csv"),
    BESIDE("pynative_details", "pynative_op_intermediate_#_detail.csv"),
    BESIDE("flops", "flops_#.txt"),
    BESIDE("flops_summary", "flops_summary_#.json"),
    BESIDE("gpu_activity", "gpu_activity_data_#.csv"),
    BESIDE("gpu_kernels", "activity_execute_timestamp_#.txt"),
    BESIDE("device_tasks", "output_timeline_data_#.txt"),
    BESIDE("first_cycle", "min_cycle_counter_#.txt"),
    BESIDE("device_queue", "device_queue_profiling_#.txt"),
    BESIDE("dataset_iterator", "dataset_iterator_profiling_#.txt"),
    BESIDE("get_next_us", "minddata_aicpu_#.txt"),
    BESIDE("get_next_ns", "minddata_getnext_profiling_#.txt"),
    BESIDE("pipeline_json", "pipeline_profiling_#.json"),
    BESIDE("cpu_use", "minddata_cpu_utilization_#.json"),
    MAIN(NULL, NULL),
};
