/* model/build/processes.h - a process is a world: correlation ids, External ids, launches and steps live within it.
 *
 * Nearly every file has one process that launches work, and ids alone say what belongs together. In a file of
 * several (merged ranks) the same id may stand for something else in each. Private to model/. */
#ifndef TT_MODEL_BUILD_PROCESSES_H
#define TT_MODEL_BUILD_PROCESSES_H

#include "model/trace/trace.h"

/* Whether threads of several processes launch work. O(rows of launches' tracks) at most, O(tracks) as a rule. */
bool tt_processes_many(const tt_trace *s, const tt_row *launches, uint32_t n);

/* The launch of every device entry where several processes launch: of[i] is an index into the launches (ascending
 * rows), TT_NONE. Of the calls with the correlation id of the work: that of the process which is the only one to
 * have it; else of the one whose call also has the External id of the work; else of the process that the stream, or
 * failing that the device, works for as far as ids tell; else the latest begun one that did not start behind the
 * work. Within a process the outermost call. */
void tt_processes_link(const tt_trace *s, const tt_row *launches, uint32_t n, uint32_t *of);

/* The process that each device entry works for: that of its launch, else of the launches of most work of its stream,
 * of its device; else its own process when that has host threads, else the first that has. By entry; n_processes
 * where no process has any. Caller frees. */
uint32_t *tt_processes_of_devices(const tt_trace *s);

#endif
