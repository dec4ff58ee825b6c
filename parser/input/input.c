/* parser/input/input.c - the parts of an input, and the sources of its open parts. */
#include "parser/input/input.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "parser/source/archive.h"

typedef struct part {
    char *role, *path, *member;
    struct tt_archive *archive; /* the part holds a reference */
    tt_source *source;          /* open, or NULL */
    uint64_t done, total;       /* position of a source that was closed or handed over */
    char *text;                 /* the unpacked text, or NULL */
    uint64_t n_text;
} part;

struct tt_input {
    char *path;
    const _Atomic bool *stop;
    TT_VEC(part) parts;
    atomic_uint_fast64_t told; /* bytes read by other means than a source */
    pthread_mutex_t lock;      /* guards source, done and total of the parts against tt_input_position() */
};

tt_input *tt_input_new(const char *path, const _Atomic bool *stop)
{
    tt_input *in = tt_calloc(1, sizeof *in);
    in->path = tt_strdup(path);
    in->stop = stop;
    pthread_mutex_init(&in->lock, NULL);
    return in;
}

void tt_input_add(tt_input *in, const char *role, const char *path, struct tt_archive *archive, const char *member)
{
    *tt_vec_push(&in->parts) = (part){.role = tt_strdup(role),
                                      .path = tt_strdup(path),
                                      .member = archive ? tt_strdup(member) : NULL,
                                      .archive = archive ? tt_archive_ref(archive) : NULL};
}

void tt_input_free(tt_input *in)
{
    if (!in) return;
    for (size_t i = 0; i < in->parts.n; i++) {
        part *p = &in->parts.at[i];
        tt_source_close(p->source);
        tt_archive_free(p->archive);
        free(p->role);
        free(p->path);
        free(p->member);
        free(p->text);
    }
    tt_vec_free(&in->parts);
    pthread_mutex_destroy(&in->lock);
    free(in->path);
    free(in);
}

uint32_t tt_input_parts(const tt_input *in) { return (uint32_t)in->parts.n; }
const char *tt_input_part_role(const tt_input *in, uint32_t i) { return in->parts.at[i].role; }
const char *tt_input_part_path(const tt_input *in, uint32_t i) { return in->parts.at[i].path; }
const char *tt_input_part_name(const tt_input *in, uint32_t i)
{
    const char *path = in->parts.at[i].path, *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *tt_input_reason(const tt_input *in, uint32_t i, const tt_err *err)
{
    size_t n = strlen(in->parts.at[i].path);
    bool named = !strncmp(err->message, in->parts.at[i].path, n) && !strncmp(err->message + n, ": ", 2);
    return named ? err->message + n + 2 : err->message;
}

uint32_t tt_input_find(const tt_input *in, const char *role, uint32_t from)
{
    while (from < in->parts.n && strcmp(in->parts.at[from].role, role) != 0) from++;
    return from;
}

bool tt_input_has(const tt_input *in, const char *role) { return tt_input_find(in, role, 0) < in->parts.n; }

static void set_source(tt_input *in, part *p, tt_source *source)
{
    pthread_mutex_lock(&in->lock);
    if (p->source) tt_source_position(p->source, &p->done, &p->total);
    p->source = source;
    pthread_mutex_unlock(&in->lock);
}

tt_status tt_input_open_part(tt_input *in, uint32_t i, tt_source **out, tt_err *err)
{
    part *p = &in->parts.at[i];
    *out = p->source;
    if (p->source) return tt_source_rewind(p->source, err);
    if (p->archive) {
        TT_TRY(tt_source_open_member(p->archive, p->member, out, err));
    } else {
        TT_TRY(tt_source_open_stop(p->path, in->stop, out, err));
    }
    set_source(in, p, *out);
    return TT_OK;
}

tt_status tt_input_open(tt_input *in, const char *role, tt_source **out, tt_err *err)
{
    uint32_t i = tt_input_find(in, role, 0);
    *out = NULL;
    if (i < in->parts.n) return tt_input_open_part(in, i, out, err);
    return tt_fail(err, TT_ERR_INPUT, -1, "%s: has no file for '%s'", in->path, role);
}

tt_text_source *tt_input_text(tt_input *in, tt_source *source)
{
    for (size_t i = 0; i < in->parts.n; i++) {
        if (in->parts.at[i].source == source) set_source(in, &in->parts.at[i], NULL);
    }
    return tt_source_text(source);
}

/* ---- reading at any offset ---- */

static tt_status unpack(part *p, tt_source *source, tt_err *err)
{
    size_t cap = 1 << 16, got = 1;
    char *text = tt_malloc(cap);
    uint64_t n = 0;
    tt_status st = tt_source_rewind(source, err);
    while (st == TT_OK && got) {
        if (n == cap) text = tt_realloc(text, cap *= 2, 1);
        st = tt_source_read(source, text + n, cap - n, &got, err);
        if (st == TT_OK) n += got;
        if (n <= TT_INPUT_UNPACK_MOST) continue;
        st =
            tt_fail(err, TT_ERR_INPUT, -1,
                    "%s: is compressed, and has to be read at any place: unpack it first and open the result", p->path);
    }
    if (st != TT_OK) {
        free(text);
        return st;
    }
    p->text = text;
    p->n_text = n;
    return TT_OK;
}

/* Make the part readable at any offset: either it is in memory, or *source is set and stays open. */
static tt_status reach(tt_input *in, uint32_t i, tt_source **source, uint64_t *size, tt_err *err)
{
    part *p = &in->parts.at[i];
    *source = NULL;
    if (!p->text) {
        TT_TRY(p->source ? (*source = p->source, TT_OK) : tt_input_open_part(in, i, source, err));
        if (tt_source_random(*source, size)) return TT_OK;
        TT_TRY(unpack(p, *source, err));
        *source = NULL;
    }
    *size = p->n_text;
    return TT_OK;
}

tt_status tt_input_read_at(tt_input *in, uint32_t i, uint64_t at, void *out, size_t cap, size_t *got, tt_err *err)
{
    tt_source *source;
    uint64_t size;
    *got = 0;
    TT_TRY(reach(in, i, &source, &size, err));
    if (at >= size) return TT_OK;
    if (cap > size - at) cap = (size_t)(size - at);
    if (!source) {
        memcpy(out, in->parts.at[i].text + at, cap);
        *got = cap;
        return TT_OK;
    }
    int64_t n = tt_source_read_at(source, at, out, cap);
    if (n < 0)
        return tt_fail(err, TT_ERR_INPUT, (int64_t)at, "%s: cannot be read: %s", in->parts.at[i].path, strerror(errno));
    *got = (size_t)n;
    return TT_OK;
}

tt_status tt_input_size(tt_input *in, uint32_t i, uint64_t *size, tt_err *err)
{
    tt_source *source;
    return reach(in, i, &source, size, err);
}

void tt_input_told(tt_input *in, uint64_t bytes) { atomic_store_explicit(&in->told, bytes, memory_order_relaxed); }

void tt_input_position(tt_input *in, uint64_t *done, uint64_t *total)
{
    *done = *total = 0;
    pthread_mutex_lock(&in->lock);
    for (size_t i = 0; i < in->parts.n; i++) {
        const part *p = &in->parts.at[i];
        uint64_t d = p->done, t = p->total;
        if (p->source) tt_source_position(p->source, &d, &t);
        *done += d;
        *total += t;
    }
    uint64_t told = atomic_load_explicit(&in->told, memory_order_relaxed);
    if (told > *done) *done = *total && told > *total ? *total : told;
    pthread_mutex_unlock(&in->lock);
}
