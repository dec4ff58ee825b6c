/* model/trace/analysis_cache.h - what several tables compute from a trace and share: the host tree, role intervals,
 * name classes.
 *
 * A kind is a static descriptor; its value is built when first asked for, once per (session, trace), and lives as
 * long as the session. Values depend on the trace alone, never on a scope. Building may ask for values of other
 * kinds (no cycles). Thread-safe: the second of two threads that ask at once waits for the first. */
#ifndef TT_MODEL_TRACE_ANALYSIS_CACHE_H
#define TT_MODEL_TRACE_ANALYSIS_CACHE_H

#include "model/trace/session.h"

typedef struct tt_analysis_kind {
    const char *name;
    void *(*build)(const tt_session *s, uint32_t trace); /* never NULL */
    void (*free)(void *value);
} tt_analysis_kind;

/* Owned by the session: made by tt_session_new(), freed by tt_session_free() before the traces. */
struct tt_analysis *tt_analysis_new(void);
void tt_analysis_free(struct tt_analysis *d);

/* The value of this kind for a trace; the session owns it. The first call may take as long as a pass over the trace. */
const void *tt_analysis_get(const tt_session *s, uint32_t trace, const tt_analysis_kind *kind);

#endif
