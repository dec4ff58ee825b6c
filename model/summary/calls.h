/* model/summary/calls.h - the block "calls" of a source: data for comparing ranks, which needs all of them: facts of
 * the trace, its steps, and each collective with its times.
 *
 * Nothing is reduced: equal calls of ranks, clock offsets and last workers are determined when the file is opened,
 * from all its sources (model/tables/communication/comm_pairs.h). */
#ifndef TT_MODEL_SUMMARY_CALLS_H
#define TT_MODEL_SUMMARY_CALLS_H

#include "model/summary/wire.h"
#include "model/trace/trace.h"

typedef struct tt_tts_range { /* range of a call: on the host, or a kernel */
    int64_t t0, t1;
    bool device;
} tt_tts_range;

typedef struct tt_tts_call { /* subset of the members of tt_collective (model/tables/communication/comm.h), with equal
                                meaning */
    const char *name, *group, *ranks;
    int64_t start, bytes, seq, ns, total, end, kernel;
    uint32_t coll; /* index into the trace's colls */
    uint32_t first, n;
    tt_row row; /* row in the trace that stands for the source; not stored */
} tt_tts_call;

typedef struct tt_tts_calls {
    TT_VEC(tt_tts_call) at; /* calls by start */
    TT_VEC(tt_tts_range) ranges;
} tt_tts_calls;

void tt_tts_calls_free(tt_tts_calls *c);

/* Write the block of a trace. */
void tt_tts_put_calls(const tt_trace *s, const tt_tts_calls *c, tt_text *out);
/* Read a block into an empty trace with initialised strings: facts, steps without rows, colls. Names of calls are
 * interned in the trace. False: the data is corrupt. */
bool tt_tts_get_calls(tt_wire *in, tt_trace *s, tt_tts_calls *c);

#endif
