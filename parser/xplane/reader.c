/* parser/xplane/reader.c - loads XSpaces in two passes, as names may follow the events that use them.
 *
 * The first pass walks the whole file and keeps names, lines, and the places of their events (space.c). The second
 * reads the events batch by batch; threads decode the pieces of a batch (decode.c). Of a truncated file everything
 * before the cut is kept. */
#include "parser/xplane/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/run/parallel.h"
#include "model/build/finish/finish.h"
#include "parser/xplane/decode.h"
#include "parser/xplane/text.h"

#define BATCH ((size_t)8 << 20)
#define THREADS_MOST 8
#define EVENT_MOST ((uint64_t)128 << 20) /* default limit of an event's size, bytes */

typedef struct reader {
    tt_xp_space x;
    tt_pb_stream s;
    tt_reader_progress *progress;
    const tt_reader_hooks *hooks;
    tt_build_header h;
    tt_xp_decoder *threads;
    unsigned n_threads;
    uint64_t told;
    /* the current batch */
    char *bytes;
    size_t cap, n;
    TT_VEC(size_t) at; /* offset in bytes of each piece */
    size_t first;      /* number of the first piece among all pieces */
} reader;

static bool cancelled(const reader *r) { return atomic_load(&r->progress->cancel); }

/* ---- the events ---- */

/* Report half of bytes and events in each pass, to progress and to the watch over memory. */
static void report_progress(reader *r, uint64_t bytes, uint64_t decoded)
{
    uint64_t events = r->x.events / 2 + (decoded - decoded / 2);
    atomic_fetch_add_explicit(&r->progress->text_bytes, bytes / 2, memory_order_relaxed);
    if (events > r->told) atomic_fetch_add_explicit(&r->progress->events, events - r->told, memory_order_relaxed);
    if (events > r->told) r->told = events;
    if (r->hooks->notify) r->hooks->notify(r->hooks->arg);
}

static void on_bytes(void *arg, size_t n)
{
    reader *r = arg;
    if (!r->threads) report_progress(r, n, 0);
}

/* Decode pieces i, i + n_threads, ... of the batch: a fixed share, independent of the thread's speed. */
static void decode_pieces(void *arg, size_t i)
{
    reader *r = arg;
    for (size_t k = i; k < r->at.n; k += r->n_threads) {
        const tt_xp_piece *p = &r->x.pieces.at[r->first + k];
        tt_xp_decode(&r->threads[i], &r->x.lines.at[p->line], p->line, r->bytes + r->at.at[k],
                     (size_t)(p->to - p->from), p->from);
    }
}

static void decode_batch(reader *r, size_t next)
{
    uint64_t events = 0;
    tt_parallel(r->n_threads, r->n_threads, decode_pieces, r);
    for (unsigned i = 0; i < r->n_threads; i++) events += r->threads[i].b.n_events + r->threads[i].memory.n;
    report_progress(r, r->n, events);
    r->n = r->at.n = 0;
    r->first = next;
}

/* Read a piece into the batch. False: the file no longer has its bytes. */
static bool read_piece(reader *r, const tt_xp_piece *p)
{
    uint64_t left = TT_PB_WHOLE;
    tt_pb_field f = {.type = TT_PB_BYTES, .len = (size_t)(p->from - tt_pb_stream_at(&r->s))};
    if (!tt_pb_stream_skip(&r->s, &left, &f)) return false;
    f.len = (size_t)(p->to - p->from);
    if (!tt_pb_stream_take(&r->s, &left, &f)) return false;
    if (r->cap - r->n < f.len) {
        r->cap = 2 * r->cap > r->n + f.len ? 2 * r->cap : r->n + f.len;
        r->bytes = tt_realloc(r->bytes, r->cap, 1);
    }
    memcpy(r->bytes + r->n, f.bytes, f.len);
    *tt_vec_push(&r->at) = r->n;
    r->n += f.len;
    return true;
}

static void read_events(reader *r)
{
    size_t i = 0;
    for (; i < r->x.pieces.n && !cancelled(r) && read_piece(r, &r->x.pieces.at[i]); i++) {
        if (r->n >= BATCH) decode_batch(r, i + 1);
    }
    if (r->at.n) decode_batch(r, i);
    tt_xp_give_memory(r->threads, r->n_threads);
}

/* ---- facts of planes ---- */

static const tt_xp_stat *fact(const tt_xp_plane *p, tt_xp_role role)
{
    for (size_t i = 0; i < p->facts.n; i++) {
        if (tt_xp_role_of(p, p->facts.at[i].metadata) == role) return &p->facts.at[i];
    }
    return NULL;
}

static int64_t number(const tt_xp_plane *p, tt_xp_role role)
{
    const tt_xp_stat *f = fact(p, role);
    const tt_xp_value v = {.type = f ? f->type : 0, .value = f ? f->value : 0};
    return tt_xp_number(&v);
}

static const char *text_fact(const tt_xp_space *x, const tt_xp_plane *p, tt_xp_role role)
{
    const tt_xp_stat *f = fact(p, role);
    if (!f) return "";
    if (f->type == TT_XSTAT_STRING) return tt_str(&x->text, f->text);
    uint32_t i = f->type == TT_XSTAT_REF ? tt_xp_find(&p->stat_ids, (int64_t)f->value) : TT_XP_NONE;
    return i == TT_XP_NONE ? "" : tt_str(&x->text, p->stats.at[i].name);
}

static void put_devices(reader *r)
{
    for (size_t i = 0; i < r->x.planes.n; i++) {
        const tt_xp_plane *p = &r->x.planes.at[i];
        if (p->what == TT_XP_HOST || p->device < 0) continue;
        const char *name = text_fact(&r->x, p, TT_XP_DEVICE_TYPE);
        if (!*name) name = text_fact(&r->x, p, TT_XP_VENDOR);
        if (!*name && number(p, TT_XP_MEMORY_SIZE) == TT_UNKNOWN) continue; /* the plane tells nothing of its device */
        *tt_vec_push(&r->h.devices) = (tt_device_props){.id = p->device,
                                                        .name = tt_strings_put(&r->h.strings, name, strlen(name)),
                                                        .memory_bytes = number(p, TT_XP_MEMORY_SIZE),
                                                        .major = number(p, TT_XP_CAP_MAJOR),
                                                        .minor = number(p, TT_XP_CAP_MINOR),
                                                        .sms = number(p, TT_XP_CORE_COUNT),
                                                        .max_threads_per_block = TT_UNKNOWN,
                                                        .max_threads_per_sm = TT_UNKNOWN,
                                                        .regs_per_sm = TT_UNKNOWN,
                                                        .warp_size = TT_UNKNOWN,
                                                        .shared_per_sm = TT_UNKNOWN};
    }
}

/* Start and end of the recording, in epoch nanoseconds, as facts. */
static void put_times(reader *r)
{
    static const struct {
        tt_xp_role role;
        const char *key;
    } times[] = {{TT_XP_START_TIME, "profile_start_time"}, {TT_XP_STOP_TIME, "profile_stop_time"}};
    for (size_t i = 0; i < r->x.planes.n; i++) {
        for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
            int64_t v = number(&r->x.planes.at[i], times[k].role);
            char text[24];
            if (v == TT_UNKNOWN) continue;
            int n = snprintf(text, sizeof text, "%" PRId64, v);
            tt_build_meta(&r->h, times[k].key, text, (size_t)n);
        }
    }
}

/* ---- names of tracks ---- */

static void label(reader *r, uint32_t track, tt_label what, const char *text)
{
    tt_builder *b = &r->threads[0].b;
    tt_build_label_text(b, track, what, tt_build_name(b, text, strlen(text)), 0);
}

/* Order of a device's tracks: steps, programs, operators, then derived lines. */
static int64_t place_of(tt_xp_track t)
{
    static const int64_t places[] = {[TT_XP_THREAD] = 0, [TT_XP_STEPS] = 0, [TT_XP_MODULES] = 1, [TT_XP_OPS] = 2,
                                     [TT_XP_STREAM] = 2, [TT_XP_ASYNC] = 3, [TT_XP_DERIVED] = 4};
    return places[t];
}

#define SORT_DEVICE 5000000 /* order of devices as in PyTorch's traces */

static void label_tracks(reader *r)
{
    for (uint32_t i = 0; i < r->x.lines.n; i++) {
        const tt_xp_line *l = &r->x.lines.at[i];
        const tt_xp_plane *p = &r->x.planes.at[l->plane];
        const char *name = tt_str(&r->x.text, l->name);
        tt_arena a = {0};
        if (!l->events) continue;
        uint32_t track = tt_xp_decoder_track(&r->threads[0], i);
        label(r, track, TT_LABEL_PROCESS_NAME, tt_str(&r->x.text, p->name));
        if (*name) {
            bool derived = l->track == TT_XP_MODULES || l->track == TT_XP_DERIVED;
            label(r, track, TT_LABEL_THREAD_NAME, derived ? tt_arena_printf(&a, "derived %s", name) : name);
        }
        tt_build_label_number(&r->threads[0].b, track, TT_LABEL_THREAD_SORT, place_of(l->track), 0);
        if (p->what != TT_XP_HOST && p->device >= 0)
            tt_build_label_number(&r->threads[0].b, track, TT_LABEL_PROCESS_SORT, SORT_DEVICE + p->device, 0);
        tt_arena_free(&a);
    }
}

/* ---- entry points ---- */

static void reader_free(reader *r, bool whole)
{
    if (whole) tt_build_header_free(&r->h); /* otherwise the trace owns it */
    for (unsigned i = 0; r->threads && i < r->n_threads; i++) {
        tt_builder_free(&r->threads[i].b);
        tt_xp_decoder_free(&r->threads[i]);
    }
    free(r->threads);
    tt_xp_space_free(&r->x);
    tt_pb_stream_free(&r->s);
    tt_vec_free(&r->at);
    free(r->bytes);
}

static void start_stream(reader *r, tt_source *source, bool problems)
{
    tt_pb_stream_free(&r->s);
    tt_pb_stream_init(&r->s, source, r->progress);
    r->s.told = on_bytes, r->s.arg = r;
    if (problems) r->s.problems = &r->h.problems;
}

/* Whether one event needs more memory than the whole load may use. */
static bool too_long(reader *r)
{
    uint64_t most = r->hooks->element_most ? r->hooks->element_most : EVENT_MOST;
    if (r->x.longest <= most) return false;
    if (r->hooks->too_long) r->hooks->too_long(r->hooks->arg, r->x.longest_at, false);
    return true;
}

static tt_status read_space(reader *r, tt_source *source, tt_err *err)
{
    start_stream(r, source, true);
    tt_xp_space_read(&r->x, &r->s);
    r->h.text_bytes = tt_pb_stream_at(&r->s);
    tt_read_note(source, r->progress, r->h.text_bytes, &r->h.problems);
    if (r->s.status != TT_OK) *err = r->s.err;
    TT_TRY(r->s.status);
    tt_xp_space_classify(&r->x);
    return tt_source_rewind(source, err);
}

static tt_status read_all(reader *r, tt_source *source, const char *path, tt_err *err)
{
    atomic_store(&r->progress->phase, "looking for names");
    TT_TRY(read_space(r, source, err));
    r->threads = tt_calloc(r->n_threads, sizeof *r->threads);
    for (unsigned i = 0; i < r->n_threads; i++) tt_xp_decoder_init(&r->threads[i], &r->x);
    if (too_long(r) || cancelled(r)) return TT_OK;
    if (!r->x.lines.n && !r->s.damaged)
        return tt_fail(err, TT_ERR_INPUT, 0, "%s: an XLA profile without events; nothing was recorded", path);
    atomic_store(&r->progress->phase, "reading");
    start_stream(r, source, false);
    read_events(r);
    if (r->s.status != TT_OK) *err = r->s.err;
    return r->s.status;
}

static const tt_rules *rules_of(const tt_xp_space *x)
{
    return x->tpu ? &tt_rules_xla_tpu : x->steps ? &tt_rules_xla_gpu : &tt_rules_xla;
}

tt_status tt_read_xplane(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                         const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    tt_source *source;
    tt_err ignored;
    *out = NULL;
    TT_TRY(tt_input_open(in, TT_INPUT_FILE, &source, err));
    reader r = {.progress = progress, .hooks = hooks, .n_threads = threads < THREADS_MOST ? threads : THREADS_MOST};
    if (!r.n_threads) r.n_threads = 1;
    tt_xp_space_init(&r.x);
    tt_build_header_init(&r.h, &tt_rules_xla, names->path, names->worker, names->span, names->rank);
    r.h.format = names->format;
    tt_status status = read_all(&r, source, names->path, err ? err : &ignored);
    if (status == TT_OK) {
        r.h.rules = rules_of(&r.x);
        r.h.base_ns = r.x.base_ns;
        put_devices(&r);
        put_times(&r);
        label_tracks(&r);
        tt_builder *builders[THREADS_MOST];
        for (unsigned i = 0; i < r.n_threads; i++) builders[i] = &r.threads[i].b;
        atomic_store(&progress->phase, "sorting and linking");
        *out = tt_build_finish(builders, r.n_threads, &r.h, &tt_build_plain, true, threads);
        (*out)->text = tt_xp_text_new(tt_input_text(in, source), &r.x);
    }
    reader_free(&r, status != TT_OK);
    return status;
}

static bool plane_name(const char *at, size_t n)
{
    static const char *const names[] = {"/host:", "/device:", "Task Environment"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t len = strlen(names[i]);
        if (n >= len && !memcmp(at, names[i], len)) return true;
    }
    return false;
}

/* Walk the first plane's fields in the head of the file: whether it has a name that XLA gives. */
static bool names_plane(const char *p, const char *e)
{
    while (p < e) {
        uint64_t tag, v = 0;
        size_t n = tt_pb_varint(p, e, &tag), m = n ? tt_pb_varint(p + n, e, &v) : 0;
        unsigned type = tag & 7;
        if (!n || tag >> 3 == 0 || tag >> 3 > TT_XPLANE_STAT) return false;
        if (type != TT_PB_VARINT && type != TT_PB_BYTES) return false;
        p += n + m;
        if (!m) return false;
        if (type == TT_PB_VARINT) continue;
        size_t left = (size_t)(e - p);
        if (tag >> 3 == TT_XPLANE_NAME) return plane_name(p, v < left ? (size_t)v : left);
        if (v >= left) return false;
        p += v;
    }
    return false;
}

bool tt_xplane_sniff(const char *head, size_t len)
{
    const char *p = head, *e = head + len;
    for (int planes = 0; planes < 16 && p < e && *p == 0x0A; planes++) {
        uint64_t n;
        size_t m = tt_pb_varint(p + 1, e, &n);
        if (!m) return false;
        p += 1 + m;
        const char *end = n < (uint64_t)(e - p) ? p + n : e;
        if (names_plane(p, end)) return true;
        p = end;
    }
    return false;
}
