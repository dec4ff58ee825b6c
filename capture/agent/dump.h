/* capture/agent/dump.h - a dump: what a ring keeps, in a folder of its own (capture/format/dump_name.h). Private to
 * the library; the writer thread.
 *
 * The folder has another name until it is complete, so that a folder with such a name always opens. */
#ifndef TT_CAPTURE_AGENT_DUMP_H
#define TT_CAPTURE_AGENT_DUMP_H

#include "capture/agent/core/recorder.h"

void tt_dump_begin(tt_recorder *r);
/* Write the reasons and when the first came, freeze the ring if there is one, and tell the launcher. spent: ns that the
 * trigger has taken of the writer so far. */
void tt_dump_make(tt_recorder *r, const char *why, int64_t since, int64_t spent);
/* Tell the launcher that no dump is made, as there are `most`. */
void tt_dump_refuse(tt_recorder *r, const char *why, uint32_t most);
/* Go on with dumps that the system could only copy; once more after tt_ring_finish(). */
void tt_dump_poll(tt_recorder *r);

#endif
