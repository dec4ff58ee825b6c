/* model/summary/flight_block.h - the block "flight" of a source: a dump of a flight recorder, as far as a verdict over
 * all ranks needs it.
 *
 * Groups, status and distinct calls are whole. Entries are whole where the verdict looks at them: open ones, the first
 * and the last, and in each group the newest and the newest that started. Of the others only the call, its numbers,
 * its time, state and stack stay (tt_flight_entry.brief). Texts and stacks are stored once, times as differences. */
#ifndef TT_MODEL_SUMMARY_FLIGHT_BLOCK_H
#define TT_MODEL_SUMMARY_FLIGHT_BLOCK_H

#include "model/summary/wire.h"
#include "model/trace/trace.h"

#define TT_TTS_FLIGHT "flight"

/* flight: the trace's, whose strings it uses. Of a recording of tracetty its members are left out: which ranks they
 * are the recordings of all ranks tell together (model/hang/recordings.c). */
void tt_tts_put_flight(const tt_trace *s, const struct tt_flight *flight, tt_text *out);
/* Read the dump; its texts go into the trace's strings. NULL: damaged. The caller frees it with tt_flight_free(). */
struct tt_flight *tt_tts_get_flight(tt_wire *in, tt_trace *s);

#endif
