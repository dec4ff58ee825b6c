/* parser/recording/reader.c - loads spool files block by block (blocks.c), each record directly into the builder. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/build/finish/finish.h"
#include "model/text/demangle.h"
#include "model/text/text_safety.h"
#include "parser/chrome/document.h"
#include "parser/chrome/losses.h"
#include "parser/json/string.h"
#include "parser/recording/calls.h"
#include "parser/recording/past.h"
#include "parser/recording/reader.h"
#include "parser/recording/reader_internal.h"

/* ---- facts ---- */

/* In a ring an id gets another name when no segment has the old one. */
static void forget_name(spool *s, uint32_t id)
{
    if (id < s->names.n) s->names.at[id] = 0;
    if (id < s->kernels.n) s->kernels.at[id] = 0;
    if (id < s->f.demangled.n) s->f.demangled.at[id] = 0;
}

static void on_string(spool *s, const tt_spool_text *t)
{
    /* ids are dense, and in a ring few: a far larger one is damage */
    if (t->h.a >= (s->ring.any ? TT_SPOOL_ID_MOST : s->f.by_id.n + ((uint32_t)1 << 16))) return;
    while (s->f.by_id.n <= t->h.a) *tt_vec_push(&s->f.by_id) = 0;
    char *text = tt_malloc(3 * (size_t)t->len + 1);
    size_t n = 0;
    for (uint32_t i = 0, k; i < t->len; i += k) {
        const unsigned char *p = (const unsigned char *)t->text + i;
        k = (uint32_t)tt_utf8_length((const char *)p, t->len - i);
        /* strings hold no NUL (parser/json/string.h); U+FFFD replaces invalid text */
        const char *put = !*p ? "\xC0\x80" : k ? t->text + i : "\xEF\xBF\xBD";
        size_t bytes = !*p ? 2 : k ? k : 3;
        memcpy(text + n, put, bytes);
        n += bytes;
        if (!k) k = 1;
    }
    text[n] = 0;
    uint32_t had = s->f.by_id.at[t->h.a];
    bool again = had && !strcmp(tt_str(&s->f.text, had), text);
    if (!again) s->f.by_id.at[t->h.a] = tt_strings_put(&s->f.text, text, n);
    if (had && !again) forget_name(s, t->h.a);
    free(text);
}

/* Read the version in "tracetty 1.0.0". */
static void recorder_version(spool *s, const char *text)
{
    size_t n = 0;
    if (!strncmp(text, "tracetty ", 9)) text += 9;
    for (; *text && n + 1 < sizeof s->version; text++) {
        if (*text != '"' && *text != '\\' && *text >= ' ') s->version[n++] = *text;
    }
    s->version[n] = 0;
}

/* Whether the fact was read before: the head of a segment behind a gap repeats those from before it. */
static bool has_meta(const spool *s, const char *key, const char *value, size_t len)
{
    bool quoted = len >= 2 && value[0] == '"' && value[len - 1] == '"';
    for (size_t i = 0; i < s->h.meta.n; i++) {
        const tt_meta *m = &s->h.meta.at[i];
        const char *had = tt_str(&s->h.strings, m->value);
        if (strcmp(tt_str(&s->h.strings, m->key), key) != 0) continue;
        if (quoted || (strlen(had) == len && !memcmp(had, value, len))) return true;
    }
    return false;
}

static void meta(spool *s, const char *key, const char *value, size_t len)
{
    bool trigger = !strcmp(key, TT_SPOOL_TRIGGER) || !strcmp(key, TT_SPOOL_TRIGGER_TIME);
    if (trigger && s->ring.head != NO_HEAD) return; /* it came before this part of the ring */
    char *text = tt_malloc(len + 1);
    if (s->ring.head == HEAD_AFTER_GAP && has_meta(s, key, value, len)) {
        free(text);
        return;
    }
    bool quoted = len >= 2 && value[0] == '"' && value[len - 1] == '"';
    size_t n = len;
    if (quoted) {
        n = tt_json_unescape(value + 1, len - 2, text, NULL);
    } else {
        memcpy(text, value, len);
    }
    text[n] = 0;
    tt_build_meta(&s->h, key, text, n);
    /* the recorder's own facts come first: later ones of equal name are the program's */
    bool digits = n && n < sizeof s->f.pid && strspn(text, "0123456789") == n;
    if (!strcmp(key, "pid") && digits && !strcmp(s->f.pid, TT_SPOOL_NO_PID)) memcpy(s->f.pid, text, n + 1);
    if (!strcmp(key, "baseTimeNanoseconds") && !s->f.base) s->f.base = strtoll(text, NULL, 10);
    if (!strcmp(key, "process")) snprintf(s->process, sizeof s->process, "%s", text);
    if (!strcmp(key, "recorder")) recorder_version(s, text);
    if (!strcmp(key, TT_SPOOL_TAKEN)) snprintf(s->cupti_taken, sizeof s->cupti_taken, "%s", text);
    if (!strcmp(key, TT_SPOOL_TRIGGER)) s->last.frozen = true;
    if (!strcmp(key, "windowed")) s->windowed = !strcmp(text, "true");
    if (!strcmp(key, "rank")) s->h.rank = strtoll(text, NULL, 10);
    if (!strcmp(key, "world_size")) s->h.world_size = strtoll(text, NULL, 10);
    free(text);
}

static void on_meta(spool *s, const tt_spool_text *t)
{
    size_t key = strnlen(t->text, t->len);
    if (key < t->len) meta(s, t->text, t->text + key + 1, t->len - key - 1);
}

/* ---- the file ---- */

/* A segment begins. The first one tells what is known; one behind its predecessor tells nothing new. */
static void on_segment(spool *s, const tt_spool_segment *r, uint64_t offset)
{
    s->ring.ended = r->h.a == TT_SPOOL_SEGMENT_END;
    if (r->h.a == TT_SPOOL_SEGMENT_HEAD) s->ring.head = NO_HEAD;
    if (r->h.a != TT_SPOOL_SEGMENT_BEGIN) return;
    uint64_t missing = s->ring.any && r->number > s->ring.number ? r->number - s->ring.number - 1 : 0;
    s->ring.head = !s->ring.any ? HEAD_FIRST : missing || s->lost ? HEAD_AFTER_GAP : HEAD_REPEATED;
    if (!s->ring.any) {
        s->ring.any = true;
        s->ring.trimmed = r->number > 0;
        if (s->ring.trimmed) s->f.from = r->ts;
    }
    if (missing) {
        char text[80];
        snprintf(text, sizeof text, "%llu of the ring's segments, from number %06llu on", (unsigned long long)missing,
                 (unsigned long long)s->ring.number + 1);
        tt_problem_add_n(&s->h.problems, TT_PROBLEM_MISSING_FILE, missing, (int64_t)offset, text);
    }
    s->ring.number = r->number;
}

/* A head that follows its segment repeats what was read; names, which may be new, and ranges are judged later. */
static bool is_repeated(const spool *s, unsigned type)
{
    return s->ring.head == HEAD_REPEATED && type != TT_SPOOL_SEGMENT && type != TT_SPOOL_STRING &&
           type != TT_SPOOL_OPEN;
}

static void written_at(spool *s, int64_t t)
{
    if (t > s->last.until && t < TT_TIME_MAX) s->last.until = t;
}

static void on_record(spool *s, const tt_spool_rec *r, uint64_t offset)
{
    const void *p = r;
    if (is_repeated(s, r->type)) return;
    if (r->type == TT_SPOOL_META || r->type == TT_SPOOL_STRING) {
        if (((const tt_spool_text *)p)->len > r->size - sizeof(tt_spool_text)) return;
    }
    switch (r->type) {
    case TT_SPOOL_META: on_meta(s, p); break;
    case TT_SPOOL_STRING: on_string(s, p); break;
    case TT_SPOOL_OPEN: {
        const tt_spool_range *o = p;
        *tt_vec_push(&s->opens) = (open_range){{o->start, o->tid}, *o, offset};
        break;
    }
    case TT_SPOOL_DROPS:
        if (r->a >= TT_SPOOL_DROP_COUNT_) break;
        s->drops[r->a] = ((const tt_spool_drops *)p)->count;
        if (s->ring.head == HEAD_FIRST) s->ring.drops_before[r->a] = s->drops[r->a];
        break;
    case TT_SPOOL_SEGMENT: on_segment(s, p, offset); break;
    case TT_SPOOL_END:
        s->ended = true;
        written_at(s, ((const tt_spool_end *)p)->ts);
        break;
    case TT_SPOOL_CLOCK: written_at(s, ((const tt_spool_clock *)p)->spool); break;
    case TT_SPOOL_COMM: tt_spool_on_comm(s, p); break;
    case TT_SPOOL_COLL: tt_spool_on_call(s, p); break;
    case TT_SPOOL_STACK:
        tt_spool_on_stack(s, p);
        (void)tt_spool_on_event(s, r, offset);
        break;
    case TT_SPOOL_STEP:
    case TT_SPOOL_CONTEXT: break; /* used by other tools only */
    default: s->unknown += !tt_spool_on_event(s, r, offset);
    }
}

/* Read the records of the next block; false at the end. */
static bool next_block(spool *s)
{
    uint32_t len;
    if (!tt_spool_next_block(s, &len)) return false;
    uint64_t offset = s->offset + sizeof(tt_spool_block);
    const unsigned char *records = s->in + sizeof(tt_spool_block);
    for (size_t at = 0; at + sizeof(tt_spool_rec) <= len;) {
        const tt_spool_rec *r = (const void *)(records + at);
        if (!tt_spool_record_fits(r, len - at)) {
            tt_problem_add(&s->h.problems, TT_PROBLEM_MALFORMED_EVENT, (int64_t)(offset + at), "record", 6);
            s->f.lost = true;
            break;
        }
        on_record(s, r, offset + at);
        at += r->size;
    }
    return !atomic_load(&s->progress->cancel);
}

static int key_order(const void *a, const void *b)
{
    const range_key *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* End open ranges at the end of the recording. */
static void close_ranges(spool *s)
{
    s->f.end = s->b.max_ts > s->b.min_ts ? s->b.max_ts : s->b.min_ts;
    for (size_t i = 0; i < s->opens.n; i++) {
        if (s->opens.at[i].key.start > s->f.end || s->f.end == INT64_MAX) s->f.end = s->opens.at[i].key.start;
    }
    if (s->f.end < s->f.from) s->f.end = s->f.from;
    if (s->closed.n) qsort(s->closed.at, s->closed.n, sizeof *s->closed.at, key_order);
    if (s->opens.n) qsort(s->opens.at, s->opens.n, sizeof *s->opens.at, key_order); /* key first */
    for (size_t i = 0; i < s->opens.n; i++) {
        open_range *o = &s->opens.at[i];
        if (i && !key_order(&o->key, &s->opens.at[i - 1].key)) continue;
        if (s->closed.n && bsearch(&o->key, s->closed.at, s->closed.n, sizeof *s->closed.at, key_order)) continue;
        o->r.end = s->f.end;
        tt_spool_on_range(s, &o->r, o->offset);
        if (s->ring.ended) continue; /* it goes on in a segment that is not here */
        const char *name = tt_spool_string(&s->f, o->r.h.a);
        tt_problem_add(&s->b.problems, TT_PROBLEM_UNMATCHED_BEGIN, (int64_t)o->offset, name, strlen(name));
    }
}

static void count_losses(spool *s)
{
    for (unsigned i = 0; i < TT_SPOOL_DROP_COUNT_; i++)
        tt_spool_lost(&s->h.problems, i, s->drops[i] - s->ring.drops_before[i]);
    tt_spool_taken(&s->h.problems, s->cupti_taken);
    if (s->unknown)
        tt_problem_add_n(&s->h.problems, TT_PROBLEM_UNKNOWN_PHASE, s->unknown, -1, "record of an unknown type");
    if (!s->ended && !s->ring.ended) tt_problem_add(&s->h.problems, TT_PROBLEM_UNCLEAN_END, (int64_t)s->offset, "", 0);
}

/* Add facts derived from records: the list of devices, the recording, its name. */
static void made_meta(spool *s)
{
    if (!s->f.base && s->b.n_events) { /* the block with the start was lost */
        char text[24];
        int n = snprintf(text, sizeof text, "%lld", (long long)s->b.min_ts);
        meta(s, "baseTimeNanoseconds", text, (size_t)n);
    }
    const char *slash = strrchr(s->h.path, '/'), *name = slash ? slash + 1 : s->h.path;
    char *devices = tt_spool_devices_json(&s->f), *recording = tt_spool_recording_json(s);
    if (devices) meta(s, "deviceProperties", devices, strlen(devices));
    meta(s, TT_SPOOL_OWN, recording, strlen(recording));
    meta(s, "traceName", name, strlen(name));
    free(devices);
    free(recording);
}

/* ---- entry points ---- */

static void start(spool *s, const tt_reader_names *names)
{
    tt_builder_init(&s->b);
    tt_strings_init(&s->f.text);
    tt_build_header_init(&s->h, &tt_rules_recording, names->path, names->worker, names->span, names->rank);
    *tt_vec_push(&s->f.by_id) = 0;
    s->f.demangle_tries = TT_DEMANGLE_TRIES;
    s->f.from = INT64_MIN;
    s->least_correlation = UINT32_MAX;
    snprintf(s->f.pid, sizeof s->f.pid, TT_SPOOL_NO_PID);
    s->h.format = names->format;
}

static void spool_free(spool *s, bool whole)
{
    if (whole) { /* otherwise the trace owns it */
        tt_build_header_free(&s->h);
        tt_spool_facts_free(&s->f);
    }
    tt_builder_free(&s->b);
    tt_vec_free(&s->names);
    tt_vec_free(&s->opens);
    tt_vec_free(&s->closed);
    tt_vec_free(&s->windows);
    tt_vec_free(&s->correlations);
    tt_vec_free(&s->late);
    tt_vec_free(&s->waits);
    tt_vec_free(&s->kernels);
    tt_vec_free(&s->pairs);
    tt_vec_free(&s->work.open);
    tt_vec_free(&s->work.ended);
    tt_vec_free(&s->work.streams);
    tt_vec_free(&s->last.stacks);
    free(s->in);
    tt_segments_free(&s->files);
}

/* The recording begins where its older blocks end, not with the segment that they belong to. */
static void on_kept(void *arg, const tt_spool_rec *r, uint64_t offset)
{
    spool *s = arg;
    int64_t from = s->f.from;
    on_record(s, r, offset);
    if (r->type == TT_SPOOL_SEGMENT) s->f.from = from;
}

/* Begin with what is kept of the blocks before the newest part of the recording. */
static void take_past(spool *s, tt_past *all)
{
    uint64_t size, behind;
    const char *path = tt_segments_first(&s->files, &size, &behind);
    const tt_past_file *past = path ? tt_past_look(all, path, size, behind) : NULL;
    if (!past) return;
    tt_segments_skip(&s->files, past->offset);
    s->offset = past->offset;
    s->seq = past->seq;
    s->ring.trimmed = true;
    s->f.from = past->until;
    tt_past_each(past, on_kept, s);
}

static void read_blocks(spool *s)
{
    while (next_block(s)) {
        atomic_fetch_add_explicit(&s->progress->events, s->b.n_events - s->told, memory_order_relaxed);
        s->told = s->b.n_events;
        if (s->hooks->notify) s->hooks->notify(s->hooks->arg);
    }
}

tt_status tt_read_spool(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                        const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    *out = NULL;
    spool s = {.progress = progress, .hooks = hooks};
    tt_builder *builder = &s.b;
    start(&s, names);
    atomic_store(&progress->phase, "reading");
    tt_past *past = hooks->past;
    s.status = tt_segments_open(&s.files, in, names->path, past ? tt_past_newest(past) : UINT64_MAX, &s.err);
    if (s.status == TT_OK && past) take_past(&s, past);
    if (s.status == TT_OK) read_blocks(&s);
    s.ring.ended &= !s.files.begun;
    if (s.status == TT_OK && !s.seq && !atomic_load(&progress->cancel)) {
        s.status = tt_fail(&s.err, TT_ERR_INPUT, 0,
                           "%s: a recording without a block that is whole; nothing can be read", names->path);
    }
    tt_status status = s.status;
    if (status != TT_OK) {
        if (err) *err = s.err;
    } else {
        close_ranges(&s);
        tt_spool_add_unfinished(&s);
        tt_spool_resolve_device_work(&s);
        tt_spool_gpu_ranges(&s);
        tt_spool_call_slices(&s);
        count_losses(&s);
        tt_spool_label_tracks(&s);
        made_meta(&s);
        s.b.sub_us = true;
        s.h.text_bytes = s.offset;
        tt_segments_note(&s.files, &s.h.problems);
        tt_read_note_cancelled(progress, s.offset, &s.h.problems);
        struct tt_flight *flight = tt_spool_flight(&s);
        atomic_store(&progress->phase, "sorting and linking");
        *out = tt_build_finish(&builder, 1, &s.h, &tt_build_plain, true, threads);
        (*out)->calls = flight;
        (*out)->text = tt_spool_text_new(tt_segments_text(&s.files), &s.f);
    }
    spool_free(&s, status != TT_OK);
    return status;
}

bool tt_spool_sniff(const char *head, size_t len) { return len >= 4 && !memcmp(head, TT_SPOOL_MAGIC, 4); }
