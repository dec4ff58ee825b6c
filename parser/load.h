/* parser/load.h - from paths to a session, on its own threads.
 *
 * tt_load_start() returns at once. The caller polls tt_load_progress() (cheap, any thread), may call tt_load_cancel(),
 * and gets the result from tt_load_finish(). A cancelled or failing load keeps the traces read so far. A cancelled
 * load reports neither errors nor problems about missing parts of the input; without a trace its error is
 * TT_ERR_CANCELLED. */
#ifndef TT_PARSER_LOAD_H
#define TT_PARSER_LOAD_H

#include "model/trace/session.h"

typedef struct tt_load_options {
    unsigned threads;   /* 0 = one for each processor, at most 16 */
    const char *worker; /* --worker: load this worker only; NULL = all */
    const char *span;   /* --span: load this span only; NULL = all */
    const char *run;    /* --run: load this run of a folder; NULL = the newest readable run, with a warning */
    /* Inputs found at the paths, whose chosen run is loaded; borrowed until the load is finished, by one load at a
     * time. NULL = the load searches the paths itself. */
    struct tt_found_list *found;
    size_t found_run;
    const char *const *graph_keys; /* --graph-key: files, or folders of them; borrowed until the load is finished */
    uint32_t n_graph_keys;
    void (*notify)(void *arg); /* loader threads call it after progress and at the end; may be NULL */
    void *notify_arg;
    uint64_t max_memory;   /* in bytes, 0 = the machine's limit (limits.h) */
    uint64_t max_events;   /* 0 = as many as there are row numbers */
    tt_steps_source steps; /* --step-source: make steps of this source alone; NONE = of the first that has any */
    bool all_events;       /* --all-events: also read events that a format leaves out by default */
    /* Read the newest part of recordings only, see parser/recording/past.h; borrowed until the load is finished, by one
     * load at a time. NULL = all of them. */
    struct tt_past *past;
    bool nsys_export; /* --nsys-export: let Nsight Systems export its reports first */
    /* If the files do not fit into memory: make a smaller trace of this one, which the function takes over. NULL = the
     * load is refused. */
    tt_trace *(*reduce)(tt_trace *s);
    bool background;      /* its threads yield on a busy machine, because other work has a user waiting */
    bool preview;         /* make previews of the traces read so far, see tt_load_preview() */
    double preview_after; /* seconds until the first preview of a file */
} tt_load_options;

#define TT_PHASE_EXPORT "nsys export" /* phase before any file is read */

typedef struct tt_progress {
    uint64_t bytes_done, bytes_total; /* stored bytes; bytes_total 0 = unknown (pipe) */
    uint64_t text_bytes;              /* decompressed bytes */
    uint64_t events;
    double seconds; /* since the start */
    uint32_t file, n_files;
    char path[256];    /* file being read; sanitise it before printing */
    const char *phase; /* TT_PHASE_EXPORT, "reading", "sorting", "linking", "done" */
    bool done;
} tt_progress;

typedef struct tt_load tt_load;

/* Start a load of files, directories or "-". Never NULL; tt_load_finish() reports problems with the paths. */
tt_load *tt_load_start(const char *const *paths, uint32_t n, const tt_load_options *o);
void tt_load_progress(const tt_load *l, tt_progress *out);
void tt_load_cancel(tt_load *l);
/* A session of the traces read so far: after one second, then whenever the time since the start has doubled. NULL = no
 * newer session than the last one taken. The caller owns it. Events of files still being read have no text. */
tt_session *tt_load_preview(tt_load *l);
/* Wait for the end, free l and hand over the session (NULL = error). Messages about skipped files go to *warnings, one
 * a line (the caller frees it; NULL = none; warnings may be NULL). */
tt_session *tt_load_finish(tt_load *l, char **warnings, tt_err *err);

#endif
