/* model/text/call_name.h - what the names of runtime and driver calls say, alike for CUDA, its driver and HIP. */
#ifndef TT_MODEL_TEXT_CALL_NAME_H
#define TT_MODEL_TEXT_CALL_NAME_H

#include <stdbool.h>
#include <string.h>

static inline bool tt_call_launches_graph(const char *name) { return strstr(name, "GraphLaunch") != NULL; }
static inline bool tt_call_launches_kernel(const char *name)
{
    return strstr(name, "Launch") && !tt_call_launches_graph(name) && !strstr(name, "LaunchHostFunc");
}
static inline bool tt_call_begins_capture(const char *name) { return strstr(name, "StreamBeginCapture") != NULL; }
static inline bool tt_call_ends_capture(const char *name) { return strstr(name, "StreamEndCapture") != NULL; }

#endif
