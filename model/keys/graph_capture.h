/* model/keys/graph_capture.h - captures of CUDA or HIP graphs.
 *
 * Between a call whose name contains StreamBeginCapture and the next call on its thread whose name contains
 * StreamEndCapture nothing runs: launches become nodes of a graph. */
#ifndef TT_MODEL_KEYS_GRAPH_CAPTURE_H
#define TT_MODEL_KEYS_GRAPH_CAPTURE_H

#include "model/trace/trace.h"

/* Whether the trace records captures instead of a run: it has captures, and a range names a capture
 * ("capture_32_full", "capture_graph_bs_8"), the trace lies in a folder capture_traces, or at least half of its
 * kernel launches are captured. O(slices); O(strings) where no name is of a capture. */
bool tt_captures_all(const tt_trace *s);

/* Whether the path is that of a key (keys.h) whatever its content: in a folder capture_traces, or an eager companion,
 * in a folder no-cuda-graph or with NoGraph in its name. *home, if not NULL: the length of the path of the folder
 * beside or below which the run lies that the key belongs to. */
bool tt_key_path(const char *path, size_t *home);
/* Whether the trace is a key: its path says so, or it captures all (tt_captures_all()), and it has no step of an
 * engine. */
bool tt_trace_is_key(const tt_trace *s);

#endif
