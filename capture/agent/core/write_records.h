/* capture/agent/core/write_records.h - names, facts and counters as records of the spool. Private to the library. */
#ifndef TT_CAPTURE_AGENT_WRITE_RECORDS_H
#define TT_CAPTURE_AGENT_WRITE_RECORDS_H

#include "capture/agent/core/recorder.h"

/* The writer thread, or the one that attaches. */
void tt_write_names(tt_recorder *r); /* the names that are new: before any record that has their ids */
void tt_write_meta(tt_recorder *r, const char *key, const char *json);
void tt_write_queued_meta(tt_recorder *r);
/* A value of a counter; device -1: of the process. */
void tt_write_counter(tt_recorder *r, int64_t ts, uint32_t name, uint32_t key, int device, double value);
/* The same with texts. */
void tt_write_sample(tt_recorder *r, int64_t ts, const char *name, const char *key, int device, double value);
/* From any thread: a META record with the next pass. False when there is no room. */
bool tt_queue_meta(tt_recorder *r, const char *key, const char *json);

#endif
