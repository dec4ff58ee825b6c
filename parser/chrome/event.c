/* parser/chrome/event.c - reads one event: its members, then its record by phase. See document.h. */
#include <string.h>

#include "model/text/demangle.h"
#include "model/text/engine_step.h"
#include "parser/chrome/ascend_dialect.h"
#include "parser/chrome/document_inline.h"
#include "parser/chrome/paddle_dialect.h"
#include "parser/json/number.h"

#define DURATION_MOST ((uint64_t)1 << 58) /* ns, nine years */
#define SPAN(s) (s).p, (s).len

static bool int_of(tt_span s, int64_t *out) { return s.type && tt_parse_int(s.p, s.p + s.len, out); }

static bool same(tt_span a, tt_span b) { return a.len == b.len && tt_chrome_same(a.p, b.p, a.len); }

/* ---- identities ---- */

static uint32_t track_of(tt_chrome_parser *w, const tt_chrome_event *e)
{
    static const tt_span unknown = {"?\0\0\0\0\0\0\0", 1, '"'};
    tt_span pid = e->pid.type ? e->pid : unknown, tid = e->tid.type ? e->tid : unknown;
    if (w->dialect.paddle) tid.len = (uint32_t)tt_paddle_layer(tid.p, tid.len);
    uint32_t h = tid.len + pid.len;
    if (tid.len) h += (unsigned char)tid.p[tid.len - 1] * 5u + (unsigned char)tid.p[tid.len / 2] * 3u;
    if (pid.len) h += (unsigned char)pid.p[pid.len - 1];
    struct tt_chrome_track *m = &w->tracks[h % 16];
    if (m->pid_len == pid.len && m->tid_len == tid.len && tt_chrome_same(m->ids, pid.p, pid.len) &&
        tt_chrome_same(m->ids + pid.len, tid.p, tid.len))
        return m->track;
    uint32_t track = tt_build_track_of(w->b, SPAN(pid), SPAN(tid));
    if ((size_t)pid.len + tid.len + 8 <= sizeof m->ids) { /* copy it, as the window is reused */
        memcpy(m->ids, pid.p, pid.len);
        memcpy(m->ids + pid.len, tid.p, tid.len);
        m->pid_len = pid.len;
        m->tid_len = tid.len;
        m->track = track;
    }
    return track;
}

tt_kind tt_category_kind(const char *cat, size_t len, bool paddle)
{
    static const struct {
        const char *text;
        tt_kind kind;
        bool paddle;
    } table[] = {
#define X(text, kind) {text, TT_KIND_##kind, false},
#define PADDLE(text, kind) {text, TT_KIND_##kind, true},
#include "parser/chrome/categories.def"
#undef PADDLE
#undef X
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].paddle && !paddle) continue;
        if (strlen(table[i].text) == len && !strncasecmp(table[i].text, cat, len)) return table[i].kind;
    }
    /* each device that Paddle supports has its own: MluRuntime, NpuRuntime ... */
    bool runtime = paddle && len > 7 && !strncasecmp(cat + len - 7, "runtime", 7);
    return runtime ? TT_KIND_RUNTIME : TT_KIND_OTHER;
}

/* Kind by process name, for exports of the profiler before Kineto: they have two processes and no categories. */
static tt_kind kind_of_process(tt_span pid)
{
    static const tt_span host = {"CPU functions\0\0\0\0\0\0\0", 13, '"'},
                         device = {"CUDA functions\0\0\0\0\0\0\0", 14, '"'};
    if (!pid.type) return TT_KIND_OTHER;
    return same(pid, host) ? TT_KIND_CPU_OP : same(pid, device) ? TT_KIND_KERNEL : TT_KIND_OTHER;
}

enum { PLAIN, MODULE, COPY };

static bool is_launch_flow(tt_span cat)
{
    return (cat.len >= 4 && !memcmp(cat.p, "ac2g", 4)) || (cat.len >= 6 && !memcmp(cat.p, "async_", 6));
}

static bool is_mtia(tt_span cat) { return cat.len == 15 && !strncasecmp(cat.p, "mtia_ccp_events", 15); }

/* Memo of a category's spelling; a new spelling replaces another with its hash. */
static struct tt_chrome_cat *category_memo(tt_chrome_parser *w, tt_span cat)
{
    static const struct tt_chrome_cat none = {.len = UINT32_MAX};
    const char *p = cat.len ? cat.p : none.text;
    uint32_t h =
        cat.len * 7 +
        (cat.len ? (unsigned char)p[0] + 3u * (unsigned char)p[cat.len - 1] + 5u * (unsigned char)p[cat.len / 2] : 0);
    struct tt_chrome_cat *m = &w->cats[h % 32];
    if (m->len == cat.len && tt_chrome_same(m->text, p, cat.len)) return m;
    *m = none;
    uint32_t name = tt_build_name(w->b, p, cat.len);
    m->kind = tt_category_kind(cat.p, cat.len, w->dialect.paddle);
    m->of[PLAIN] = tt_build_category(w->b, name, m->kind);
    m->launch_flow = w->dialect.ascend ? tt_ascend_launch_flow(cat.p, cat.len) : is_launch_flow(cat);
    m->work_flow = w->dialect.ascend && tt_ascend_work_flow(cat.p, cat.len);
    if (m->kind == TT_KIND_PYTHON) m->of[MODULE] = tt_build_category(w->b, name, TT_KIND_MODULE);
    m->mtia = is_mtia(cat);
    if (m->mtia) m->of[COPY] = tt_build_category(w->b, name, TT_KIND_MEMCPY);
    if (cat.len <= sizeof m->text - 8) {
        memcpy(m->text, p, cat.len);
        m->len = cat.len;
    }
    return m;
}

/* Local category of the event, and its kind. */
static uint8_t category(tt_chrome_parser *w, const tt_chrome_event *e, tt_kind *kind)
{
    const struct tt_chrome_cat *m = category_memo(w, e->cat);
    *kind = m->kind;
    if (*kind == TT_KIND_OTHER) {
        uint8_t cat = m->of[PLAIN];
        if (e->cat.len) return cat;
        if (w->dialect.ascend) cat = tt_ascend_category(w, e, kind);
        if (*kind == TT_KIND_OTHER) *kind = kind_of_process(e->pid);
        if (*kind == TT_KIND_OTHER && tt_names_profiler_step(e->name.p, e->name.len)) *kind = TT_KIND_STEP;
        return w->dialect.ascend && *kind != TT_KIND_STEP ? cat : tt_build_category(w->b, 0, *kind);
    }
    w->kineto_like++;
    if (m->mtia && e->name.len >= 11 && memmem(e->name.p, e->name.len, "dma_request", 11)) {
        *kind = TT_KIND_MEMCPY;
        return m->of[COPY];
    }
    if (*kind == TT_KIND_PYTHON && (e->have >> TT_ARG_PYTHON_MODULE & 1)) {
        *kind = TT_KIND_MODULE;
        return m->of[MODULE];
    }
    return m->of[PLAIN];
}

static uint32_t name_of(tt_chrome_parser *w, const tt_chrome_event *e)
{
    return tt_build_name(w->b, e->name.p ? e->name.p : "", e->name.len);
}

static uint32_t kernel_name(tt_chrome_parser *w, const tt_chrome_event *e)
{
    return e->name.len ? tt_build_name(w->b, e->name.p, tt_kernel_name_length(e->name.p, e->name.len)) : 0;
}

static uint32_t id_arg(tt_chrome_parser *w, const tt_chrome_event *e, int arg)
{
    int64_t v;
    return tt_args_int(e, arg, &v) && v > 0 ? tt_build_id(w->b, (uint64_t)v) : 0;
}

/* Fill in a slice, or one end of one, without its duration; *device too for device kinds. */
static tt_kind slice_of(tt_chrome_parser *w, const tt_chrome_event *e, int64_t ts, tt_slice_in *s, tt_device_in *device)
{
    int64_t v;
    tt_kind kind;
    s->cat = category(w, e, &kind);
    s->track = track_of(w, e);
    s->ts = ts;
    s->offset = e->offset;
    s->correlation = s->external_id = s->args = s->kernel = 0;
    if (tt_kind_is_python(kind)) {
        s->correlation = id_arg(w, e, TT_ARG_PYTHON_ID);
        s->external_id = id_arg(w, e, TT_ARG_PYTHON_PARENT);
        if (kind == TT_KIND_MODULE) s->args = tt_args_int(e, TT_ARG_PYTHON_MODULE, &v) ? (uint32_t)v : TT_NONE;
    } else {
        int id = tt_kind_is_indexed(kind) ? TT_ARG_EV_IDX : TT_ARG_CORRELATION;
        if (e->have >> id & 1) s->correlation = id_arg(w, e, id);
        if (e->have >> TT_ARG_EXTERNAL_ID & 1) s->external_id = id_arg(w, e, TT_ARG_EXTERNAL_ID);
        if (tt_kind_is_device(kind)) {
            *device = tt_args_device(w, e);
        } else if (tt_kind_is_launch(kind)) {
            s->kernel = tt_args_kernel(w, e);
        } else {
            s->args = tt_args_op(w, e);
        }
    }
    s->name = kind == TT_KIND_KERNEL ? kernel_name(w, e) : name_of(w, e);
    if (w->dialect.ascend) tt_ascend_slice(w, e, kind, s, device);
    return kind;
}

/* ---- phases ---- */

static void problem(tt_chrome_parser *w, const tt_chrome_event *e, tt_problem_kind kind)
{
    tt_problem_add(&w->b->problems, kind, (int64_t)e->offset, SPAN(e->name));
}

static bool time_of(tt_chrome_parser *w, const tt_chrome_event *e, int64_t *ts)
{
    if (e->ts.type && tt_parse_us(e->ts.p, e->ts.p + e->ts.len, ts, &w->b->sub_us)) {
        if (-TT_TIME_MAX < *ts && *ts < TT_TIME_MAX) return true;
        tt_build_no_time(w->b, e->offset, SPAN(e->name));
        *ts = 0;
        return true;
    }
    if (w->mending) {
        problem(w, e, TT_PROBLEM_BAD_TIME);
    } else {
        w->doubt = true;
    }
    return false;
}

static bool on_slice(tt_chrome_parser *w, tt_chrome_event *e)
{
    int64_t ts, dur = 0;
    tt_slice_in s;
    tt_device_in device;
    if (!time_of(w, e, &ts)) return false;
    if (w->dialect.paddle) {
        e->name.len = (uint32_t)tt_paddle_name(e->name.p, e->name.len);
        ts = tt_paddle_start(w, e, ts);
    }
    if (!e->dur.type || !tt_parse_us(e->dur.p, e->dur.p + e->dur.len, &dur, &w->b->sub_us) ||
        (uint64_t)dur > DURATION_MOST) {
        problem(w, e, TT_PROBLEM_BAD_DURATION);
        dur = 0;
    }
    bool of_device = tt_kind_is_device(slice_of(w, e, ts, &s, &device));
    s.dur = dur;
    if (of_device) {
        tt_build_device(w->b, &s, &device);
    } else {
        tt_build_slice(w->b, &s);
    }
    return true;
}

static uint64_t flow_id(const tt_chrome_event *e)
{
    int64_t v;
    tt_span id = e->id.type ? e->id : e->id2;
    return int_of(id, &v) ? (uint64_t)v : tt_hash(id.p ? id.p : "", id.len);
}

static bool on_flow(tt_chrome_parser *w, tt_chrome_event *e)
{
    int64_t ts;
    tt_kind kind;
    if (!time_of(w, e, &ts)) return false;
    const struct tt_chrome_cat *memo = category_memo(w, e->cat);
    if (memo->launch_flow) {
        tt_build_launch_flow(w->b, ts, e->offset, track_of(w, e));
        return true;
    }
    bool of_work = memo->work_flow;
    uint8_t cat = category(w, e, &kind);
    uint32_t track = track_of(w, e);
    tt_build_flow(w->b, &(tt_flow){.ts = ts,
                                   .id = tt_build_id(w->b, flow_id(e)),
                                   .text = e->offset,
                                   .track = track,
                                   .cat = cat,
                                   .phase = (unsigned char)e->ph.p[0],
                                   .enclosing = e->bp.len == 1 && e->bp.p[0] == 'e',
                                   .of_work = of_work});
    return true;
}

static bool on_pair(tt_chrome_parser *w, tt_chrome_event *e)
{
    int64_t ts;
    tt_slice_in s;
    tt_device_in device = TT_NO_DEVICE;
    if (!time_of(w, e, &ts)) return false;
    (void)slice_of(w, e, ts, &s, &device);
    uint32_t scope = e->scope.type ? tt_build_name(w->b, SPAN(e->scope)) : 0;
    tt_build_end(w->b, &s, &device, e->ph.p[0], flow_id(e), scope);
    return true;
}

static int64_t int_or(const tt_chrome_event *e, int arg, int64_t otherwise)
{
    int64_t v;
    return tt_args_int(e, arg, &v) ? v : otherwise;
}

static void memory_record(tt_chrome_parser *w, tt_chrome_event *e, int64_t ts, uint32_t track)
{
    tt_memory_record m = {.ts = ts,
                          .addr = (uint64_t)int_or(e, TT_ARG_MEM_ADDR, 0),
                          .bytes = int_or(e, TT_ARG_MEM_BYTES, 0),
                          .allocated = int_or(e, TT_ARG_MEM_ALLOCATED, TT_UNKNOWN),
                          .reserved = int_or(e, TT_ARG_MEM_RESERVED, TT_UNKNOWN),
                          .text = e->offset,
                          .track = track,
                          .device_type = (int16_t)int_or(e, TT_ARG_MEM_TYPE, -1),
                          .device_id = (int16_t)int_or(e, TT_ARG_MEM_DEVICE, -1),
                          .pool = false};
    if (w->dialect.paddle) {
        tt_paddle_memory(e, &m);
        tt_build_peak(w->b, &m, int_or(e, TT_ARG_PEAK_ALLOCATED, TT_UNKNOWN),
                      int_or(e, TT_ARG_PEAK_RESERVED, TT_UNKNOWN));
    }
    tt_build_memory(w->b, &m);
}

static bool on_instant(tt_chrome_parser *w, tt_chrome_event *e)
{
    int64_t ts;
    tt_kind kind;
    if (!time_of(w, e, &ts)) return false;
    uint8_t cat = category(w, e, &kind);
    uint32_t track = track_of(w, e);
    if (e->name.len == 8 && !memcmp(e->name.p, "[memory]", 8) && (e->have >> TT_ARG_MEM_BYTES & 1)) {
        memory_record(w, e, ts, track);
    } else {
        tt_build_instant(w->b, &(tt_instant){.ts = ts,
                                             .text = e->offset,
                                             .track = track,
                                             .name = name_of(w, e),
                                             .cat = cat,
                                             .scope = e->scope.len ? e->scope.p[0] : 't'});
    }
    return true;
}

static bool on_counter(tt_chrome_parser *w, tt_chrome_event *e)
{
    int64_t ts;
    if (!time_of(w, e, &ts)) return false;
    uint32_t track = track_of(w, e), i = e->args_at;
    uint32_t name = name_of(w, e);
    tt_span id = e->id.type ? e->id : e->id2;
    tt_build_counter(w->b, ts);
    tt_build_other(w->b, ts, e->offset, track);
    if (!i) return true;
    for (i++; i + 2 < w->n && w->text[w->at[i]] == '"';) {
        uint32_t next;
        tt_span key = tt_chrome_scalar(w, i), v = tt_chrome_scalar(w, i + 2);
        if (!key.type || !tt_chrome_skip(w, i + 2, &next)) return true;
        double value = v.type ? tt_parse_double(v.p, v.p + v.len) : __builtin_nan("");
        if (value == value) {
            uint32_t series = tt_build_series(w->b, track, name, id.p ? id.p : "", id.len, SPAN(key), e->offset);
            tt_build_sample(w->b, series, ts, value, e->offset);
        } else {
            problem(w, e, TT_PROBLEM_BAD_NUMBER);
        }
        if (next >= w->n || w->text[w->at[next]] != ',') break;
        i = next + 1;
    }
    return true;
}

static void label(tt_chrome_parser *w, tt_chrome_event *e, tt_label what, int arg)
{
    if (!(e->have >> arg & 1)) return;
    uint32_t track = track_of(w, e);
    if (arg == TT_ARG_LABEL_SORT) {
        tt_build_label_number(w->b, track, what, int_or(e, arg, 0), e->offset);
    } else {
        tt_span text = e->arg[arg];
        if (w->dialect.paddle) text.len = (uint32_t)tt_paddle_layer(text.p, text.len);
        tt_build_label_text(w->b, track, what, tt_build_name(w->b, SPAN(text)), e->offset);
    }
}

static bool on_metadata(tt_chrome_parser *w, tt_chrome_event *e)
{
    static const struct {
        const char *name;
        tt_label what;
        int arg;
    } table[] = {{"process_name", TT_LABEL_PROCESS_NAME, TT_ARG_LABEL_NAME},
                 {"process_labels", TT_LABEL_PROCESS_LABELS, TT_ARG_LABEL_LABELS},
                 {"process_sort_index", TT_LABEL_PROCESS_SORT, TT_ARG_LABEL_SORT},
                 {"thread_name", TT_LABEL_THREAD_NAME, TT_ARG_LABEL_NAME},
                 {"thread_sort_index", TT_LABEL_THREAD_SORT, TT_ARG_LABEL_SORT}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strlen(table[i].name) == e->name.len && !memcmp(table[i].name, e->name.p, e->name.len)) {
            label(w, e, table[i].what, table[i].arg);
        }
    }
    tt_build_other(w->b, TT_ANY_TIME, e->offset, TT_NONE);
    tt_build_count(w->b);
    return true;
}

static bool on_unknown(tt_chrome_parser *w, tt_chrome_event *e)
{
    int64_t ts;
    bool fraction = false; /* ignored: times of unknown events do not refine the trace's precision */
    bool timed = e->ts.type && tt_parse_us(e->ts.p, e->ts.p + e->ts.len, &ts, &fraction) && ts < TT_TIME_MAX &&
                 ts > -TT_TIME_MAX;
    tt_build_other(w->b, timed ? ts : TT_NO_TIME, e->offset, TT_NONE);
    tt_build_count(w->b);
    tt_problem_add(&w->b->problems, TT_PROBLEM_UNKNOWN_PHASE, (int64_t)e->offset, SPAN(e->ph));
    return true;
}

static bool dispatch(tt_chrome_parser *w, tt_chrome_event *e)
{
    switch (e->ph.len == 1 ? e->ph.p[0] : 0) {
    case 'X': return on_slice(w, e);
    case 's':
    case 't':
    case 'f': return on_flow(w, e);
    case 'B':
    case 'E':
    case 'b':
    case 'e':
    case 'S':
    case 'F': return on_pair(w, e);
    case 'i':
    case 'I':
    case 'R':
    case 'n':
    case 'T':
    case 'p':
    case 'P': return on_instant(w, e);
    case 'C': return on_counter(w, e);
    case 'M': return on_metadata(w, e);
    default: return on_unknown(w, e);
    }
}

bool tt_chrome_read_event(tt_chrome_parser *w, uint32_t i, uint32_t *next)
{
    tt_chrome_event e;
    tt_chrome_clear(&e);
    e.offset = w->base + w->at[i];
    if (!tt_chrome_members(w, &e, i, next)) return false;
    if (e.ph.type != '"') {
        if (*next != i + 2 && !w->mending) return false; /* its quotes may be wrong: mend it first */
        tt_build_other(w->b, TT_NO_TIME, e.offset, TT_NONE);
        if (*next == i + 2) return true; /* {}: Paddle ends its list with one */
        size_t len = w->at[*next - 1] + 1 - w->at[i];
        tt_problem_add(&w->b->problems, TT_PROBLEM_NOT_AN_EVENT, (int64_t)e.offset, w->text + w->at[i], len);
        return true;
    }
    if (w->mending && e.ph.len != 1) return false; /* mending gave nonsense */
    bool read = dispatch(w, &e);
    if (!read && w->doubt) {
        w->doubt = false;
        return false;
    }
    if (!read) tt_build_other(w->b, TT_NO_TIME, e.offset, TT_NONE);
    if (e.twice) problem(w, &e, TT_PROBLEM_DUPLICATE_KEY);
    if (w->sink.call && read) w->sink.call(w->sink.arg, NULL, w->text + w->at[i], w->at[*next - 1] + 1 - w->at[i]);
    return true;
}
