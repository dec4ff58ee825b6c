/* model/tables/analysis/device/unfinished_since.h - since when work that had not ended when the recording did kept its
 * device from other work. */
#ifndef TT_MODEL_TABLES_ANALYSIS_DEVICE_UNFINISHED_SINCE_H
#define TT_MODEL_TABLES_ANALYSIS_DEVICE_UNFINISHED_SINCE_H

#include "model/trace/trace.h"

/* The earliest start of unfinished work, of kind UNFINISHED: its launch, or the end of the last work on its stream that
 * has ended, if that is later. O(device work). */
int64_t tt_unfinished_since(const tt_trace *s, const tt_activity *d);

#endif
