/* parser/mindinsight/made_text.c - see made_text.h. The text of an event is made from the trace's facts about its
 * slice. */
#include "parser/mindinsight/made_text.h"

#include <stdlib.h>
#include <string.h>

#include "parser/json/write.h"

typedef struct made_text {
    tt_text_source source; /* the first member, so that it leads back to this object */
    tt_text_source *timeline;
    const tt_trace *trace; /* the trace that owns the text */
    uint64_t at, n;
    tt_row *row; /* row of slice k, TT_NONE = none */
} made_text;

static void put_id(tt_json *j, const char *key, const char *id)
{
    tt_json_key(j, key);
    if (*id && strlen(id) < 16 && strspn(id, "0123456789") == strlen(id))
        tt_json_raw(j, id, strlen(id));
    else
        tt_json_text(j, id);
}

static void put_device(tt_json *j, const tt_trace *s, const tt_activity *d)
{
    const tt_launch_shape *k = &s->shapes[d->shape];
    tt_json_key(j, "args");
    tt_json_open(j, '{', true);
    if (d->device >= 0) tt_json_key_int(j, "device", d->device);
    tt_json_key_known(j, "stream", d->stream);
    if (k->block) tt_json_key_text(j, "block_dim", tt_str(&s->strings, k->block));
    tt_json_close(j, '}');
}

static void put_event(const tt_trace *s, tt_row r, tt_text *out)
{
    const tt_track *t = &s->tracks[tt_row_track(s, r)];
    tt_json j;
    tt_json_init_text(&j, out);
    tt_json_open(&j, '{', true);
    tt_json_key_text(&j, "ph", "X");
    tt_json_key_text(&j, "cat", tt_str(&s->strings, s->cats[s->cat[r]].name));
    tt_json_key_text(&j, "name", tt_row_name(s, r));
    put_id(&j, "pid", tt_str(&s->strings, t->pid));
    put_id(&j, "tid", tt_str(&s->strings, t->tid));
    tt_json_key_us(&j, "ts", s->start[r] + s->origin_ns);
    tt_json_key_us(&j, "dur", s->dur[r]);
    if (tt_kind_is_device(tt_row_kind(s, r))) put_device(&j, s, &s->dev[s->detail[r]]);
    tt_json_close(&j, '}');
}

/* After a timeline all events have the same length; names of steps are short. */
static size_t put_events(const made_text *x, uint64_t at, char *out, size_t cap)
{
    size_t n = 0;
    for (uint64_t k = at / TT_MI_STEP_TEXT; k < x->n && n < cap; k++) {
        tt_text text = {0};
        size_t from = n ? 0 : (size_t)(at % TT_MI_STEP_TEXT);
        if (x->row[k] != TT_NONE) put_event(x->trace, x->row[k], &text);
        size_t whole = x->source.single ? text.n : TT_MI_STEP_TEXT;
        for (size_t i = from; i < whole && n < cap; i++) out[n++] = i < text.n ? text.at[i] : ' ';
        tt_vec_free(&text);
        if (x->source.single) break;
    }
    return n;
}

static int64_t read_text(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    const made_text *x = (const made_text *)(const void *)self;
    if (offset >= x->at) return (int64_t)put_events(x, offset - x->at, out, cap);
    return x->timeline ? x->timeline->read(x->timeline, offset, out, cap) : 0;
}

static void close_text(tt_text_source *self)
{
    made_text *x = (made_text *)(void *)self;
    if (x->timeline) x->timeline->close(x->timeline);
    free(x->row);
    free(x);
}

void tt_mi_add_text(tt_trace *s, uint64_t at, uint64_t n)
{
    if (!n) return;
    made_text *x = tt_calloc(1, sizeof *x);
    *x = (made_text){.source = {.read = read_text, .close = close_text, .single = !s->text},
                     .timeline = s->text,
                     .trace = s,
                     .at = at,
                     .n = n,
                     .row = tt_malloc(n * sizeof *x->row)};
    for (uint64_t k = 0; k < n; k++) x->row[k] = TT_NONE;
    for (tt_row r = 0; r < s->n; r++) {
        uint64_t k = tt_row_text(s, r);
        if (k >= at && (k - at) / TT_MI_STEP_TEXT < n) x->row[(k - at) / TT_MI_STEP_TEXT] = r;
    }
    s->text = &x->source;
}
