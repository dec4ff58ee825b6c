/* model/tables/analysis/device/graph_capture.h - captures of CUDA or HIP graphs.
 *
 * Between a call whose name contains StreamBeginCapture and the next call on its thread whose name contains
 * StreamEndCapture nothing runs: launches become nodes of a graph. */
#ifndef TT_MODEL_TABLES_ANALYSIS_DEVICE_GRAPH_CAPTURE_H
#define TT_MODEL_TABLES_ANALYSIS_DEVICE_GRAPH_CAPTURE_H

#include "model/trace/trace.h"

/* Whether the trace records captures instead of a run: it has captures, and a range names a capture
 * ("capture_32_full", "capture_graph_bs_8"), the trace lies in a folder capture_traces, or at least half of its
 * kernel launches are captured. O(slices); O(strings) where no name is of a capture. */
bool tt_captures_all(const tt_trace *s);

#endif
