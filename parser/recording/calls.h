/* parser/recording/calls.h - communicators and collectives of NCCL in a recording (TT_SPOOL_COMM, TT_SPOOL_COLL): as
 * slices on rows of the process, and as what model/hang compares between ranks. Private to this folder.
 *
 * Nothing of this enters the tables of kernels, communication and steps: these have the kernels of NCCL. */
#ifndef TT_PARSER_RECORDING_CALLS_H
#define TT_PARSER_RECORDING_CALLS_H

#include "parser/recording/reader_internal.h"

struct tt_flight;

/* Take a record; a later one of the same communicator or call replaces it. */
void tt_spool_on_comm(spool *s, const tt_spool_comm *c);
void tt_spool_on_call(spool *s, const tt_spool_call *c);
void tt_spool_on_stack(spool *s, const tt_spool_stack *k);
/* Remember the kernel if it is the last one so far. */
void tt_spool_note_kernel(spool *s, const tt_spool_kernel *k);
/* After the last record, once f.end is known: add the slices to the builder. */
void tt_spool_call_slices(spool *s);
/* Name of a row of calls; false: tid is no such row. */
bool tt_spool_call_row_name(const spool *s, int64_t tid, char *out, size_t cap);
/* The calls as a dump of the rank; NULL: the recording has no communicators. Strings go into s->h. */
struct tt_flight *tt_spool_flight(spool *s);

#endif
