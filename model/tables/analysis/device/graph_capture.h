/* model/tables/analysis/device/graph_capture.h - recordings of the making of CUDA or HIP graphs.
 *
 * Between a call whose name contains StreamBeginCapture and the next one on its thread whose name contains
 * StreamEndCapture nothing runs: launches become nodes of a graph. */
#ifndef TT_MODEL_TABLES_ANALYSIS_GRAPH_CAPTURE_H
#define TT_MODEL_TABLES_ANALYSIS_GRAPH_CAPTURE_H

#include "model/trace/trace.h"

/* The trace is a recording of captures and not of a run: it has captures, and a range that names one
 * ("capture_32_full", "capture_graph_bs_8"), or lies in a folder capture_traces, or at least half of its kernel
 * launches are captured. O(slices); O(strings) where no name captures. */
bool tt_captures_all(const tt_trace *s);

#endif
