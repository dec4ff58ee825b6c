/* model/tables/serving/request_waits.c - see request_waits.h. */
#include "model/tables/serving/request_waits.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "model/text/frame_name.h"

/* Functions that wait, as patterns of fnmatch(): of files ("*" alone: any), and their names. Python's own queues and
 * sockets, then vLLM, SGLang, ATOM; TensorRT-LLM marks ranges. */
static const struct {
    const char *file, *function;
} waits[] = {
    {"*queue.py", "get"},
    {"*threading.py", "wait"},
    {"*selectors.py", "select"},
    {"*asyncio/base_events.py", "_run_once"},
    {"*zmq/*", "poll"},
    {"*zmq/*", "recv*"},
    {"*v1/engine/core.py", "_process_input_queue"},
    {"*v1/engine/core.py", "run_busy_loop"},
    {"*managers/scheduler.py", "recv_requests"},
    {"*managers/scheduler.py", "self_check_during_idle"},
    {"*managers/scheduler.py", "on_idle"},
    {"*managers/scheduler.py", "event_loop_*"},
    {"*engine_core.py", "*busy_loop*"},
    {"*engine_core.py", "pull_and_process_input_queue"},
};
static const char *const ranges[] = {"_fetch_new_requests", "_fetch_and_activate_new_requests"};

bool tt_waits_for_requests(const char *name)
{
    char file[512];
    size_t len;
    long line;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (!strcmp(name, ranges[i])) return true;
    if (!tt_frame_place(name, &len, &line) || len >= sizeof file) return false;
    const char *function = strstr(name + len, "): ");
    snprintf(file, sizeof file, "%.*s", (int)len, name);
    for (size_t i = 0; function && i < sizeof waits / sizeof *waits; i++)
        if (!fnmatch(waits[i].file, file, 0) && !fnmatch(waits[i].function, function + 3, 0)) return true;
    return false;
}
