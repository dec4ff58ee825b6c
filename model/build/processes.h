/* model/build/processes.h - scopes ids by process: correlation ids, External ids, launches and steps are only valid
 * within one process.
 *
 * In nearly every file one process launches work, and ids are unique. In a file of several (merged ranks) one id can
 * have a different meaning in each. Private to model/. */
#ifndef TT_MODEL_BUILD_PROCESSES_H
#define TT_MODEL_BUILD_PROCESSES_H

#include "model/trace/trace.h"

/* Whether threads of several processes launch work. O(rows of launches' tracks) at most, O(tracks) as a rule. */
bool tt_processes_many(const tt_trace *s, const tt_row *launches, uint32_t n);

/* Link every device entry to its launch where several processes launch: of[i] is an index into the launches
 * (ascending rows), TT_NONE. Candidates are the calls with the work's correlation id; the process is chosen as: the
 * only one with the id; else the process whose call also has the work's External id; else the process that the
 * stream, or the device, works for as far as ids tell; else, if as many devices as processes are left, the process in
 * the device's place; else the process with the latest call that did not start after the work. Within a process the
 * outermost call wins. */
void tt_processes_link(const tt_trace *s, const tt_row *launches, uint32_t n, uint32_t *of);

/* The process for which each device entry works: the process of its launch, else of most launches of its stream,
 * then of its device; else its own process if that has host threads, else the first process that has. By entry;
 * n_processes if no process has host threads. The caller frees. */
uint32_t *tt_processes_of_devices(const tt_trace *s);

#endif
