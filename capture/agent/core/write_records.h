/* capture/agent/core/write_records.h - writes names, META facts and counters to the spool. Private to the library. */
#ifndef TT_CAPTURE_AGENT_CORE_WRITE_RECORDS_H
#define TT_CAPTURE_AGENT_CORE_WRITE_RECORDS_H

#include "capture/agent/core/recorder.h"

/* Called by the writer thread, or the thread that attaches. */
/* Write the name unless the file has it: before a record that holds its id. tt_spool_add() does so for `a`
 * (tt_spool_is_named()); callers do it for other members. recorder: tt_recorder. */
void tt_write_name(void *recorder, uint32_t id);
void tt_write_meta(tt_recorder *r, const char *key, const char *json);
void tt_write_queued_meta(tt_recorder *r);
/* A value of a counter; device -1: a counter of the process. */
void tt_write_counter(tt_recorder *r, int64_t ts, uint32_t name, uint32_t key, int device, double value);
/* A value of a counter whose name and series are given as text. */
void tt_write_sample(tt_recorder *r, int64_t ts, const char *name, const char *key, int device, double value);
/* Queue a META record for the next pass. Any thread. False when there is no room. */
bool tt_queue_meta(tt_recorder *r, const char *key, const char *json);

#endif
