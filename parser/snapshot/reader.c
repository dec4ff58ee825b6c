/* parser/snapshot/reader.c - loads a memory snapshot: reads the pickle, finds its parts, builds the trace. See
 * reader.h. */
#include "parser/snapshot/reader.h"
#include "model/base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/build/finish/finish.h"
#include "parser/snapshot/internal.h"

#define HOW "write one with torch.cuda.memory._dump_snapshot(FILE)"

bool tt_snapshot_sniff(const char *head, size_t len)
{
    return len >= 2 && (unsigned char)head[0] == 0x80 && head[1] >= 2 && head[1] <= 5;
}

/* ---- begin and end ---- */

static void start(tt_sn *s, tt_source *source, const tt_reader_names *names)
{
    tt_builder_init(&s->b);
    tt_build_header_init(&s->h, &tt_rules_snapshot, names->path, names->worker, names->span, names->rank);
    s->h.format = names->format;
    s->out = tt_calloc(1, sizeof *s->out);
    tt_groups_init(&s->stream_ids);
    tt_groups_init(&s->lists);
    s->p = tt_pickle_new(source, s->progress, s->hooks, tt_sn_record, s);
    tt_sn_know(s->p);
    tt_pickle_frames_init(&s->frames, s->p, TT_SN_FRAME);
}

/* Free what is needed only while reading. */
static void free_lists(tt_sn *s)
{
    tt_pickle_free(s->p);
    s->p = NULL;
    tt_vec_free(&s->blocks);
    tt_vec_free(&s->segments);
    tt_vec_free(&s->marks);
    tt_vec_free(&s->makers);
    tt_pickle_frames_free(&s->frames);
    tt_groups_free(&s->stream_ids);
    tt_groups_free(&s->lists);
}

/* ---- parts of the file ---- */

/* Describe a value that is no snapshot for the message: the first keys of a dictionary, or its type. */
static void describe(const tt_sn *s, tt_pickle_node n, char *out, size_t cap)
{
    enum { SHOWN = 5 };
    const tt_pickle_node *at;
    uint32_t items = tt_pickle_items(s->p, n, &at);
    tt_buf line = tt_buf_on(out, cap);
    switch (tt_pickle_tag(n)) {
    case TT_PICKLE_DICT: break;
    case TT_PICKLE_LIST: snprintf(out, cap, "a list of %" PRIu32 " values", items); return;
    case TT_PICKLE_TUPLE: snprintf(out, cap, "a tuple of %" PRIu32 " values", items); return;
    case TT_PICKLE_TEXT: snprintf(out, cap, "a text"); return;
    case TT_PICKLE_NONE: snprintf(out, cap, "None, True or False"); return;
    case TT_PICKLE_INT:
    case TT_PICKLE_WIDE:
    case TT_PICKLE_REAL: snprintf(out, cap, "a number"); return;
    default: snprintf(out, cap, "a single event, frame or block of a snapshot"); return;
    }
    tt_buf_add(&line, "a dict of %" PRIu32 " members%s", items / 2, items ? ":" : "");
    for (uint32_t i = 0; i < items && i < 2 * SHOWN; i += 2) {
        const char *key = tt_pickle_text(s->p, at[i]);
        tt_buf_add(&line, "%s '%.40s'", i ? "," : "", key ? key : "(no text)");
    }
    if (items > 2 * SHOWN) tt_buf_add(&line, " ...");
}

static bool is_segments(tt_sn *s, tt_pickle_node list)
{
    const tt_pickle_node *at;
    uint32_t n = tt_pickle_tag(list) == TT_PICKLE_LIST ? tt_pickle_items(s->p, list, &at) : 0;
    return n && tt_pickle_is_record(tt_sn_record_of(s, at[0]), TT_SN_SEGMENT);
}

/* Find the parts of a snapshot; false: the value is no snapshot. */
static bool take_parts(tt_sn *s, tt_pickle_node root)
{
    tt_pickle_node part;
    bool dict = tt_pickle_member(s->p, root, "segments", &part) && tt_pickle_tag(part) == TT_PICKLE_LIST;
    if (!dict && !is_segments(s, root)) return false;
    tt_sn_take_segments(s, dict ? part : root);
    if (tt_pickle_member(s->p, root, "device_traces", &part)) {
        tt_sn_take_traces(s, part);
    } else if (s->events.n) {
        s->events.n = 0; /* drop events of another kind of file */
    }
    if (tt_pickle_member(s->p, root, "external_annotations", &part)) tt_sn_take_marks(s, part);
    return true;
}

/* Settings of the allocator become facts of the run. */
static void take_settings(tt_sn *s, tt_pickle_node root)
{
    enum { MOST = 64 };
    tt_pickle_node settings;
    const tt_pickle_node *at;
    uint32_t n =
        tt_pickle_member(s->p, root, "allocator_settings", &settings) ? tt_pickle_items(s->p, settings, &at) : 0;
    for (uint32_t i = 0; i + 1 < n && i < 2 * MOST; i += 2) {
        char text[32];
        const char *key = tt_pickle_text(s->p, at[i]), *value = tt_pickle_text(s->p, at[i + 1]);
        tt_pickle_cell c = tt_pickle_value(s->p, at[i + 1]);
        int64_t v;
        if (!key) continue;
        if (!value && tt_pickle_integer(&c, &v)) {
            bool truth = tt_pickle_tag(c.node) == TT_PICKLE_NONE;
            snprintf(text, sizeof text, "%" PRId64, v);
            value = truth ? (v ? "true" : "false") : text;
        }
        if (value) tt_build_meta(&s->h, key, value, strlen(value));
    }
}

/* ---- the snapshot of the trace ---- */

/* Convert frames, stacks and streams to the trace's form; strings go into the trace's own table. */
static void keep_stacks(tt_sn *s)
{
    tt_snapshot *o = s->out;
    uint32_t *texts = tt_calloc(tt_pickle_strings(s->p)->text.n, sizeof *texts);
    tt_pickle_frames_keep(&s->frames, &s->h.strings, texts, &o->stacks);
    o->n_streams = (uint32_t)s->stream_ids.key.n;
    o->streams = tt_calloc((size_t)o->n_streams + 1, sizeof *o->streams);
    for (uint32_t i = 0; i < o->n_streams; i++) o->streams[i] = (int64_t)s->stream_ids.key.at[i].a;
    for (uint32_t i = 0; i < o->n_ranges; i++)
        o->ranges[i].name = tt_pickle_moved(s->p, o->ranges[i].name, &s->h.strings, texts);
    free(texts);
}

/* Shift the events to the trace's time, whose zero the build has found. */
static void keep_events(tt_sn *s, const tt_trace *t)
{
    tt_snapshot *o = s->out;
    o->n_events = (uint32_t)s->events.n;
    o->events = s->events.n ? tt_realloc(s->events.at, s->events.n, sizeof *s->events.at) : s->events.at;
    memset(&s->events, 0, sizeof s->events);
    TT_VEC(uint32_t) ooms = {0};
    for (uint32_t i = 0; i < o->n_events; i++) {
        o->events[i].ts -= t->origin_ns;
        if (o->events[i].action == TT_SNAPSHOT_OOM) *tt_vec_push(&ooms) = i;
    }
    o->ooms = ooms.at;
    o->n_ooms = (uint32_t)ooms.n;
    for (uint32_t i = 0; i < o->n_ranges; i++) {
        o->ranges[i].start -= t->origin_ns;
        o->ranges[i].end -= t->origin_ns;
    }
}

static void note_end(tt_sn *s, tt_pickle_end end)
{
    int64_t at = (int64_t)tt_pickle_offset(s->p);
    s->cut = s->out->cut = end != TT_PICKLE_WHOLE;
    if (end == TT_PICKLE_CUT) tt_problem_add(&s->h.problems, TT_PROBLEM_TRUNCATED, at, "", 0);
    if (end == TT_PICKLE_DAMAGED) tt_problem_add(&s->h.problems, TT_PROBLEM_MALFORMED_EVENT, at, "pickle", 6);
}

static tt_status no_snapshot(const tt_sn *s, const char *path, tt_pickle_node root, tt_err *err)
{
    char what[400];
    describe(s, tt_pickle_resolve(s->p, root), what, sizeof what);
    return tt_fail(err, TT_ERR_INPUT, -1,
                   "%s: is a Python pickle, but no memory snapshot of PyTorch: it holds %s; a snapshot is a dict with "
                   "'segments': " HOW,
                   path, what);
}

static tt_trace *finish(tt_sn *s, tt_source *source, tt_pickle_node root, uint64_t bytes, unsigned threads)
{
    tt_builder *builder = &s->b;
    take_settings(s, root);
    tt_sn_build(s);
    keep_stacks(s);
    tt_read_note(source, s->progress, bytes, &s->h.problems);
    s->h.text_bytes = bytes;
    free_lists(s); /* free them before the trace is made: memory peaks here */
    atomic_store(&s->progress->phase, "sorting and linking");
    tt_trace *t = tt_build_finish(&builder, 1, &s->h, &tt_build_plain, true, threads);
    keep_events(s, t);
    t->snapshot = s->out;
    t->text = tt_sn_text(t);
    return t;
}

tt_status tt_read_snapshot(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                           const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    tt_source *source;
    tt_pickle_end end;
    tt_pickle_node root;
    *out = NULL;
    TT_TRY(tt_input_open(in, TT_INPUT_FILE, &source, err));
    tt_sn s = {.progress = progress, .hooks = hooks};
    start(&s, source, names);
    atomic_store(&progress->phase, "reading");
    tt_status status = tt_pickle_read(s.p, names->path, &end, &root, err);
    if (status == TT_OK) {
        note_end(&s, end);
        if (!take_parts(&s, root) && end != TT_PICKLE_CANCELLED) status = no_snapshot(&s, names->path, root, err);
    }
    if (status == TT_OK) {
        *out = finish(&s, source, root, tt_pickle_offset(s.p), threads);
    } else {
        tt_build_header_free(&s.h);
        tt_snapshot_free(s.out);
        tt_vec_free(&s.events);
        free_lists(&s);
    }
    tt_builder_free(&s.b);
    return status;
}
