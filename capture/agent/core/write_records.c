/* capture/agent/core/write_records.c - writes names, META facts and counters as records of the spool. See
 * write_records.h. */
#include "capture/agent/core/write_records.h"

#include <string.h>

#include "capture/spool/memory.h"

void tt_write_name(void *recorder, uint32_t id)
{
    tt_recorder *r = recorder;
    const tt_spool_writer *w = &r->spool;
    if (w->full || w->file.fd < 0) return; /* the record that has the name is not written either */
    const tt_name *n = tt_intern_use(&r->names, id, r->ring.serial);
    if (n) tt_spool_add_text(&r->spool, TT_SPOOL_STRING, n->id, NULL, n->text, n->len);
}

void tt_write_meta(tt_recorder *r, const char *key, const char *json)
{
    tt_spool_add_text(&r->spool, TT_SPOOL_META, 0, key, json, strlen(json));
}

bool tt_queue_meta(tt_recorder *r, const char *key, const char *json)
{
    size_t a = strlen(key) + 1, b = strlen(json) + 1;
    bool good = a + b < TT_SPOOL_STRING_MOST;
    pthread_mutex_lock(&r->meta_lock);
    if (good && r->metas_n + a + b > r->metas_cap) {
        size_t cap = r->metas_cap * 2 + a + b;
        char *more = r->metas_cap < ((size_t)1 << 20) ? tt_memory_grow(r->metas, r->metas_cap, cap) : NULL;
        if (more) r->metas_cap = cap;
        if (more) r->metas = more;
        good = more != NULL;
    }
    if (good) {
        memcpy(r->metas + r->metas_n, key, a);
        memcpy(r->metas + r->metas_n + a, json, b);
        r->metas_n += a + b;
    }
    pthread_mutex_unlock(&r->meta_lock);
    return good;
}

void tt_write_queued_meta(tt_recorder *r)
{
    pthread_mutex_lock(&r->meta_lock);
    for (size_t i = 0; i < r->metas_n;) {
        const char *key = r->metas + i, *json = key + strlen(key) + 1;
        tt_write_meta(r, key, json);
        i += strlen(key) + strlen(json) + 2;
    }
    r->metas_n = 0;
    pthread_mutex_unlock(&r->meta_lock);
}

void tt_write_counter(tt_recorder *r, int64_t ts, uint32_t name, uint32_t key, int device, double value)
{
    tt_write_name(r, key);
    tt_spool_counter *c = tt_spool_add(&r->spool, TT_SPOOL_COUNTER, sizeof *c, name);
    if (!c) return;
    c->ts = ts;
    c->value = value;
    c->key = key;
    c->device = device;
}

void tt_write_sample(tt_recorder *r, int64_t ts, const char *name, const char *key, int device, double value)
{
    uint32_t n = tt_intern_put(&r->names, NULL, name, strlen(name)),
             k = tt_intern_put(&r->names, NULL, key, strlen(key));
    tt_write_counter(r, ts, n, k, device, value);
}
