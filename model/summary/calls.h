/* model/summary/calls.h - the block "calls" of a source: what is compared between ranks, and can only be compared when
 * all of them are there: facts of the trace, its steps, each collective with its times.
 *
 * Nothing is reduced: which collectives of two ranks are the same call, how far clocks are apart and who came last is
 * decided when the file is opened, from all of its sources (model/tables/communication/comm_pairs.h). */
#ifndef TT_MODEL_SUMMARY_CALLS_H
#define TT_MODEL_SUMMARY_CALLS_H

#include "model/summary/wire.h"
#include "model/trace/trace.h"

typedef struct tt_tts_range { /* of a call: on the host, or a kernel */
    int64_t t0, t1;
    bool device;
} tt_tts_range;

typedef struct tt_tts_call { /* the members of tt_collective (model/tables/communication/comm.h), where they mean the
                                same */
    const char *name, *group, *ranks;
    int64_t start, bytes, seq, ns, total, end, kernel;
    uint32_t coll; /* index into the trace's colls */
    uint32_t first, n;
    tt_row row; /* of the trace that stands for the source; not stored */
} tt_tts_call;

typedef struct tt_tts_calls {
    TT_VEC(tt_tts_call) at; /* by start */
    TT_VEC(tt_tts_range) ranges;
} tt_tts_calls;

void tt_tts_calls_free(tt_tts_calls *c);

/* The block of a trace. */
void tt_tts_put_calls(const tt_trace *s, const tt_tts_calls *c, tt_text *out);
/* Back into a trace that has nothing yet but strings (initialised): facts, steps without rows, colls. Names of calls
 * are the trace's strings. False: the bytes are none. */
bool tt_tts_get_calls(tt_wire *in, tt_trace *s, tt_tts_calls *c);

#endif
