/* model/trace/session.h - the traces that are loaded together, and the part of them that is in scope.
 *
 * A session is the traces of one run, one per (worker, span), ordered by (worker, span). A scope is the part that
 * tables and screens are about. Times of different traces meet on one axis: "at" = trace time + offset_ns[trace]. */
#ifndef TT_MODEL_TRACE_SESSION_H
#define TT_MODEL_TRACE_SESSION_H

#include "model/base/mem.h"
#include "model/trace/trace.h"

/* A file that was opened as part of the session: no output may overwrite it, by whatever name
 * (parser/discover/inputs.h). */
typedef struct tt_file_id {
    uint64_t dev, ino;
} tt_file_id;
typedef TT_VEC(tt_file_id) tt_file_ids;

/* What an upper layer attaches to a session: its first member says how to free it together with the session. */
typedef struct tt_attached {
    void (*free)(struct tt_attached *self);
} tt_attached;

typedef struct tt_session {
    tt_trace **traces; /* owned */
    uint32_t n_traces;
    int64_t *offset_ns; /* ns to add to a time of each trace to get the common axis, whose 0 is the earliest event of
                           all traces */
    int64_t end_ns;     /* end of the common axis, ns */
    char **workers, **spans; /* distinct names, in the order of the traces; owned */
    uint32_t n_workers, n_spans;
    char *run;                         /* name of the run, "" for files */
    char *path;                        /* folder or file of the run; "" = several paths; owned */
    tt_file_ids inputs;                /* set by the loader; owned */
    _Atomic(tt_attached *) tables;     /* computed tables: model/tables/table_get.c; NULL = none yet */
    _Atomic(tt_attached *) table_list; /* list of built-in and imported tables: model/tables/registry/imported_tables.c;
                                          NULL = not made yet */
    tt_attached *keys;                 /* traces that say what graph work is: model/keys/keys.h; owned; NULL = none */
    struct tt_analysis *derived;       /* values that several tables share (analysis_cache.h) */
} tt_session;

/* Take over the traces; the array is copied. */
tt_session *tt_session_new(tt_trace **traces, uint32_t n, const char *run);
void tt_session_free(tt_session *s);
void tt_session_set_path(tt_session *s, const char *path);       /* copied */
void tt_session_set_inputs(tt_session *s, const tt_file_ids *l); /* copied */
bool tt_file_ids_have(const tt_file_ids *l, uint64_t dev,
                      uint64_t ino);                /* Whether the list has this file; l NULL: no. */
const char *tt_session_format(const tt_session *s); /* format of its traces: "pytorch", ..., "mixed", "none" */
uint64_t tt_session_events(const tt_session *s);
uint64_t tt_session_slices(const tt_session *s);

/* "rank 7" where the worker's trace knows its rank and no other worker has that rank, else the worker's name. */
const char *tt_rank_name(const tt_session *s, const char *worker, char buf[32]);

#define TT_ALL (-1)
typedef struct tt_scope {
    int32_t worker, span; /* index into session->workers and spans; TT_ALL */
    bool has_steps;
    int64_t step_first, step_last; /* step numbers, inclusive */
    uint32_t phases;               /* phases of engine steps, bits 1u << tt_phase; 0 = all */
    bool no_steps;                 /* the account covers the recording, whatever steps there are */
    bool has_range;
    int64_t t0, t1; /* common axis, half-open */
    int64_t thread; /* index of a track, when a single trace is in scope; TT_ALL */
} tt_scope;
extern const tt_scope tt_scope_all;

bool tt_scope_equal(const tt_scope *a, const tt_scope *b);
bool tt_scope_has_trace(const tt_session *s, const tt_scope *scope, uint32_t trace);
/* Limit the scope to this trace: its worker and span. */
void tt_scope_to_trace(const tt_session *s, uint32_t trace, tt_scope *scope);
/* Whether any trace has a step that the scope asks for; true when it asks for no step. When false is returned, first
 * and last are the numbers that the traces have; first > last: there are none. */
bool tt_scope_has_steps(const tt_session *s, const tt_scope *scope, int64_t *first, int64_t *last);

/* Whether the scope's time window meets the time of any of its traces; true when it has no window. *t0, *t1: the
 * time of those traces on the common axis, set in either case. */
bool tt_scope_has_time(const tt_session *s, const tt_scope *scope, int64_t *t0, int64_t *t1);

/* Which events of one trace the scope takes. This is the one place that says what belongs to a step. A host event
 * belongs to the step whose host range holds its start (the latest begun step where ranges overlap). Device work
 * belongs to the step that holds the start of its launch; to the step of its own start only when the launch was not
 * recorded; and to no step when it was launched before the recording began. A time window takes what starts in it,
 * on the host and on devices. All ranges are half-open [t0, t1), in trace time. */
typedef struct tt_windows {
    struct tt_window {
        int64_t t0, t1;
    } * at; /* ranges where host events of the scope start: ascending, disjoint */
    uint32_t n;
    bool everything;               /* no restriction: `at` is the one window [INT64_MIN, INT64_MAX) */
    bool by_step;                  /* steps were asked for */
    int64_t step_first, step_last; /* numbers of those steps */
    /* by index of the trace's step: whether it is asked for; of the caller, NULL = those with the numbers */
    const bool *chosen;
    uint32_t phases;      /* phases of engine steps asked for, as in the scope */
    const tt_step *steps; /* steps of the trace, for `chosen` */
    int64_t t0, t1;       /* time window asked for; without one the whole axis */
} tt_windows;
/* The caller frees with tt_windows_free(). */
tt_windows tt_scope_windows(const tt_session *s, const tt_scope *scope, uint32_t trace);
/* Windows of the steps that the list chooses. The caller keeps the list as long as the windows. */
tt_windows tt_windows_of_steps(const tt_trace *s, const bool *chosen);
/* The time that the scope's steps take with their device work, cut to the time window: tt_step.start to end. For
 * tables of time rather than events (the breakdown, intervals). */
tt_windows tt_scope_time(const tt_session *s, const tt_scope *scope, uint32_t trace);
void tt_windows_free(tt_windows *w);
bool tt_windows_have(const tt_windows *w, int64_t t); /* Whether a host event that starts at t is taken. */
bool tt_windows_meet(const tt_windows *w, int64_t t0,
                     int64_t t1); /* Whether some of [t0, t1) lies in a window; t0 < t1. */
bool tt_windows_have_step(const tt_windows *w,
                          const tt_step *p); /* Whether the step was asked for and starts in the time window. */
bool tt_windows_have_dev(const tt_windows *w, const tt_trace *s, const tt_activity *d);
bool tt_windows_have_row(const tt_windows *w, const tt_trace *s,
                         tt_row r); /* Whether a row of any kind is taken, by the rule above. */

#endif
