/* tests/unit/fixture.h - stores made by hand, for tests that must not depend on a reader. A store of one track per
 * fixture_track() call; slices are given in order of their start. Never freed by the model: take the stores out of
 * the session first with fixture_session_free(). */
#ifndef TT_TESTS_FIXTURE_H
#define TT_TESTS_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "model/session.h"

enum { FIXTURE_ROWS = 64, FIXTURE_TRACKS = 8, FIXTURE_STEPS = 8 };

static inline tt_sid fixture_text(tt_store *s, const char *text)
{
    return tt_strings_put(&s->strings, text, strlen(text));
}

static inline tt_store *fixture_store(const char *worker, const char *span, int64_t origin_ns, bool absolute)
{
    tt_store *s = tt_calloc(1, sizeof *s);
    s->path = tt_strdup("fixture.json");
    s->worker = tt_strdup(worker);
    s->span = tt_strdup(span);
    s->origin_ns = origin_ns;
    s->absolute = absolute;
    s->start = tt_calloc(FIXTURE_ROWS, sizeof *s->start);
    s->dur = tt_calloc(FIXTURE_ROWS, sizeof *s->dur);
    s->name = tt_calloc(FIXTURE_ROWS, sizeof *s->name);
    s->cat = tt_calloc(FIXTURE_ROWS, sizeof *s->cat);
    s->side = tt_calloc(FIXTURE_ROWS, sizeof *s->side);
    s->tracks = tt_calloc(FIXTURE_TRACKS, sizeof *s->tracks);
    s->op_args = tt_calloc(FIXTURE_ROWS, sizeof *s->op_args);
    s->n_op_args = 1;
    s->steps = tt_calloc(FIXTURE_STEPS, sizeof *s->steps);
    tt_strings_init(&s->strings);
    for (int k = 0; k < TT_KIND_COUNT_; k++) s->kind_of[k] = (uint8_t)k; /* category = kind */
    return s;
}

static inline void fixture_track(tt_store *s, tt_track_kind kind, const char *name)
{
    s->tracks[s->n_tracks++] =
        (tt_track){.kind = kind, .name = fixture_text(s, name), .first = s->n, .device = -1, .stream = -1, .lanes = 1};
}

static inline tt_row fixture_slice(tt_store *s, tt_kind kind, const char *name, int64_t start, int64_t dur,
                                   const char *shapes)
{
    tt_row r = s->n++;
    s->tracks[s->n_tracks - 1].n++;
    s->start[r] = start;
    s->dur[r] = dur;
    s->cat[r] = (uint8_t)kind;
    s->name[r] = fixture_text(s, name);
    s->side[r] = kind >= TT_KIND_KERNEL && kind <= TT_KIND_GPU_ANNOTATION ? TT_NONE : 0;
    if (shapes) {
        s->op_args[s->n_op_args].shapes = fixture_text(s, shapes);
        s->side[r] = s->n_op_args++;
    }
    if (start + dur > s->end) s->end = start + dur;
    s->n_events++;
    return r;
}

static inline void fixture_step(tt_store *s, int64_t number, int64_t start, int64_t end, tt_row row)
{
    s->steps[s->n_steps++] = (tt_step){.number = number, .row = row, .start = start, .end = end, .kept = true};
}

static inline void fixture_session_free(tt_session *ses)
{
    for (uint32_t i = 0; i < ses->n_stores; i++) {
        tt_store *s = ses->stores[i];
        free(s->path), free(s->worker), free(s->span), free(s->start), free(s->dur), free(s->name), free(s->cat);
        free(s->side), free(s->tracks), free(s->op_args), free(s->steps);
        tt_strings_free(&s->strings);
        free(s);
    }
    ses->n_stores = 0;
    tt_session_free(ses);
}

#endif
