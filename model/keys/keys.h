/* model/keys/keys.h - keys of a session: traces of graph captures, and eager companions of a run.
 *
 * A key says which operators launched the work of a graph. It is no part of the run: no table has rows of it, and its
 * events do not move the common axis. Keys are read when a table first asks for them. */
#ifndef TT_MODEL_KEYS_KEYS_H
#define TT_MODEL_KEYS_KEYS_H

#include "model/trace/session.h"

/* How the layer above reads a key. */
typedef struct tt_key_loader {
    /* The trace of this path, or NULL when it cannot be read. Called once for each path, by one thread at a time. */
    tt_trace *(*load)(struct tt_key_loader *self, const char *path);
    void (*free)(struct tt_key_loader *self);
} tt_key_loader;

typedef struct tt_keys tt_keys;

/* Keys of these paths, in this order; the paths are copied. loader: owned. */
tt_keys *tt_keys_new(const char *const *paths, uint32_t n, tt_key_loader *loader);
/* Give the keys to a session, which frees them. */
void tt_session_set_keys(tt_session *s, tt_keys *k);
tt_keys *tt_session_keys(const tt_session *s); /* NULL = none */
/* Add a trace that is loaded already; owned. */
void tt_keys_add(tt_keys *k, tt_trace *trace);

/* Say which batch execution_details.json beside key i names; -1 = none. */
void tt_keys_say(tt_keys *k, uint32_t i, int64_t batch);

uint32_t tt_keys_count(const tt_keys *k); /* 0 for NULL */
const char *tt_keys_path(const tt_keys *k, uint32_t i);
int64_t tt_keys_batch(const tt_keys *k, uint32_t i); /* batch that its graphs are made for; -1 = not said */
/* Trace i, read now unless an earlier call did; NULL: it cannot be read. Thread-safe. */
const tt_trace *tt_keys_trace(tt_keys *k, uint32_t i);

#endif
