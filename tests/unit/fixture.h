/* tests/unit/fixture.h - traces made by hand, for tests that must not depend on a reader. Each call of fixture_track()
 * adds a track; add slices in order of their start. The model must not free these traces: release the session with
 * fixture_session_free(). */
#ifndef TT_TESTS_UNIT_FIXTURE_H
#define TT_TESTS_UNIT_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "model/trace/analysis_cache.h"
#include "model/trace/session.h"

enum { FIXTURE_ROWS = 64, FIXTURE_FEW = 16, FIXTURE_LINKS = 64 };

/* X(array, number of entries) */
#define FIXTURE_ARRAYS(X)                                                                                              \
    X(start, rows)                                                                                                     \
    X(dur, rows)                                                                                                       \
    X(name, rows)                                                                                                      \
    X(cat, rows)                                                                                                       \
    X(parent, rows)                                                                                                    \
    X(correlation, rows)                                                                                               \
    X(detail, rows)                                                                                                    \
    X(depth, rows)                                                                                                     \
    X(text_lo, rows)                                                                                                   \
    X(text_hi, rows)                                                                                                   \
    X(op_args, rows)                                                                                                   \
    X(tracks, FIXTURE_FEW)                                                                                             \
    X(processes, FIXTURE_FEW)                                                                                          \
    X(steps, FIXTURE_FEW)                                                                                              \
    X(step_spans, FIXTURE_FEW)                                                                                         \
    X(shapes, FIXTURE_FEW)                                                                                             \
    X(colls, FIXTURE_FEW)                                                                                              \
    X(flows, FIXTURE_FEW)                                                                                              \
    X(samples, FIXTURE_FEW)                                                                                            \
    X(series, FIXTURE_FEW)                                                                                             \
    X(instants, FIXTURE_FEW)                                                                                           \
    X(dev, FIXTURE_LINKS)                                                                                              \
    X(launch_row, FIXTURE_LINKS)                                                                                       \
    X(launched_activity, FIXTURE_LINKS)

static inline tt_sid fixture_text(tt_trace *s, const char *text)
{
    return tt_strings_put(&s->strings, text, strlen(text));
}

/* Make an empty trace with room for `rows` rows. */
static inline tt_trace *fixture_rows(const char *worker, const char *span, size_t rows)
{
    tt_trace *s = tt_calloc(1, sizeof *s);
    s->path = tt_strdup("fixture.json");
    s->rules = &tt_rules_chrome;
    s->worker = tt_strdup(worker);
    s->span = tt_strdup(span);
#define X(member, n) s->member = tt_calloc(n, sizeof *s->member);
    FIXTURE_ARRAYS(X)
#undef X
    s->n_op_args = 1;
    s->shapes[0] = (tt_launch_shape){.registers = TT_UNKNOWN, .shared_bytes = TT_UNKNOWN};
    tt_strings_init(&s->strings);
    for (int k = 0; k < TT_KIND_COUNT_; k++) s->kind_of[k] = (uint8_t)k; /* categories are kinds */
    s->n_cats = TT_KIND_COUNT_;
    return s;
}

static inline tt_trace *fixture_trace(const char *worker, const char *span, int64_t origin_ns, bool absolute)
{
    tt_trace *s = fixture_rows(worker, span, FIXTURE_ROWS);
    s->origin_ns = origin_ns;
    s->absolute = absolute;
    return s;
}

static inline void fixture_track(tt_trace *s, tt_track_kind kind, const char *name)
{
    s->tracks[s->n_tracks++] =
        (tt_track){.kind = kind, .name = fixture_text(s, name), .first = s->n, .device = -1, .stream = -1, .lanes = 1};
}

static inline tt_row fixture_slice(tt_trace *s, tt_kind kind, const char *name, int64_t start, int64_t dur,
                                   const char *shapes)
{
    tt_row r = s->n++;
    s->tracks[s->n_tracks - 1].n++;
    s->start[r] = start;
    s->dur[r] = dur;
    s->cat[r] = (uint8_t)kind;
    s->parent[r] = TT_NONE;
    s->name[r] = fixture_text(s, name);
    s->detail[r] = kind >= TT_KIND_KERNEL && kind <= TT_KIND_GPU_ANNOTATION ? TT_NONE : 0;
    if (shapes) {
        s->op_args[s->n_op_args].shapes = fixture_text(s, shapes);
        s->detail[r] = s->n_op_args++;
    }
    if (start + dur > s->end) s->end = start + dur;
    s->n_events++;
    return r;
}

static inline void fixture_step(tt_trace *s, int64_t number, int64_t start, int64_t end, tt_row row)
{
    s->step_spans[s->n_step_spans++] = (tt_step_span){start, end, s->n_steps}; /* steps of fixtures do not overlap */
    s->steps[s->n_steps++] = (tt_step){.number = number, .row = row, .start = start, .end = end, .kept = true};
}

static inline void fixture_session_free(tt_session *ses)
{
    tt_analysis_free(ses->derived); /* free derived tables before the traces, as tt_session_free() does */
    ses->derived = tt_analysis_new();
    for (uint32_t i = 0; i < ses->n_traces; i++) {
        tt_trace *s = ses->traces[i];
        free(s->path), free(s->worker), free(s->span);
#define X(member, n) free(s->member);
        FIXTURE_ARRAYS(X)
#undef X
        tt_strings_free(&s->strings);
        free(s);
    }
    ses->n_traces = 0;
    tt_session_free(ses);
}

#endif
