/* model/keys/keys.c - see keys.h. */
#include "model/keys/keys.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct key {
    char *path;
    int64_t batch;
    tt_trace *trace; /* owned; NULL: not read yet, or it cannot be read */
    bool read;
} key;

struct tt_keys {
    tt_attached as;
    TT_VEC(key) of;
    tt_key_loader *loader;
    pthread_mutex_t lock; /* held while a key is read */
};

static void free_keys(tt_attached *attached)
{
    tt_keys *k = (tt_keys *)attached;
    for (size_t i = 0; i < k->of.n; i++) {
        free(k->of.at[i].path);
        tt_trace_free(k->of.at[i].trace);
    }
    tt_vec_free(&k->of);
    if (k->loader) k->loader->free(k->loader);
    pthread_mutex_destroy(&k->lock);
    free(k);
}

tt_keys *tt_keys_new(const char *const *paths, uint32_t n, tt_key_loader *loader)
{
    tt_keys *k = tt_calloc(1, sizeof *k);
    for (uint32_t i = 0; i < n; i++) *tt_vec_push(&k->of) = (key){.path = tt_strdup(paths[i]), .batch = -1};
    k->as.free = free_keys;
    k->loader = loader;
    pthread_mutex_init(&k->lock, NULL);
    return k;
}

void tt_keys_add(tt_keys *k, tt_trace *trace)
{
    *tt_vec_push(&k->of) = (key){.path = tt_strdup(trace->path), .batch = -1, .trace = trace, .read = true};
}

uint32_t tt_keys_count(const tt_keys *k) { return k ? (uint32_t)k->of.n : 0; }

const char *tt_keys_path(const tt_keys *k, uint32_t i) { return k->of.at[i].path; }

void tt_keys_say(tt_keys *k, uint32_t i, int64_t batch) { k->of.at[i].batch = batch; }

int64_t tt_keys_batch(const tt_keys *k, uint32_t i) { return k->of.at[i].batch; }

const tt_trace *tt_keys_trace(tt_keys *k, uint32_t i)
{
    key *at = &k->of.at[i];
    pthread_mutex_lock(&k->lock);
    if (!at->read) at->trace = k->loader->load(k->loader, at->path);
    at->read = true;
    pthread_mutex_unlock(&k->lock);
    return at->trace;
}

void tt_session_set_keys(tt_session *s, tt_keys *k) { s->keys = (tt_attached *)k; }

tt_keys *tt_session_keys(const tt_session *s) { return (tt_keys *)s->keys; }
