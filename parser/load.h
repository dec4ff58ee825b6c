/* parser/load.h - from paths to a session, on threads of its own.
 *
 * tt_load_start() returns at once. The caller polls tt_load_progress() (cheap, any thread), may call tt_load_cancel(),
 * and gets the result from tt_load_finish(). A cancelled or failing load keeps what was read. Of a cancelled one
 * neither an error nor a problem says what the input lacks: without a trace the error is TT_ERR_CANCELLED. */
#ifndef TT_PARSER_LOAD_H
#define TT_PARSER_LOAD_H

#include "model/trace/session.h"

typedef struct tt_load_options {
    unsigned threads;   /* 0 = one per processor, at most 16 */
    const char *worker; /* --worker: load only this one; NULL = all */
    const char *span;   /* --span: likewise */
    const char *run;    /* --run: of a folder that holds several; NULL = the newest that can be read, which is said */
    /* What was found at the paths, to be read as it is found there, and its run that is wanted; borrowed until the load
     * is finished, by one load at a time. NULL: the load looks for itself. */
    struct tt_found_list *found;
    size_t found_run;
    void (*notify)(
        void *arg); /* called from loader threads when progress worth drawing was made and at the end; may be NULL */
    void *notify_arg;
    uint64_t max_memory; /* bytes, 0 = by the machine (limits.h) */
    uint64_t max_events; /* 0 = as many as there are numbers for rows */
    bool all_events;     /* --all-events: also what a format leaves out unless it is asked for */
    bool nsys_export;    /* --nsys-export: reports of Nsight Systems are exported by its own tool first */
    /* With more files than fit into memory: what stands for a trace from then on, which is taken over. NULL: they are
     * refused. */
    tt_trace *(*reduce)(tt_trace *s);
    bool background;      /* its threads give way where processors are busy: somebody waits for others */
    bool preview;         /* make previews of what has been read, see tt_load_preview() */
    double preview_after; /* seconds until the first one of a file */
} tt_load_options;

#define TT_PHASE_EXPORT "nsys export" /* before anything is read */

typedef struct tt_progress {
    uint64_t bytes_done, bytes_total; /* of the input as stored; total 0 = not known (pipe) */
    uint64_t text_bytes;              /* decompressed */
    uint64_t events;
    double seconds; /* since the start */
    uint32_t file, n_files;
    char path[256];    /* file being read: sanitise before printing */
    const char *phase; /* TT_PHASE_EXPORT, "reading", "sorting", "linking", "done" */
    bool done;
} tt_progress;

typedef struct tt_load tt_load;

/* paths: files, directories, "-". Never NULL; problems with the paths are reported by tt_load_finish(). */
tt_load *tt_load_start(const char *const *paths, uint32_t n, const tt_load_options *o);
void tt_load_progress(const tt_load *l, tt_progress *out);
void tt_load_cancel(tt_load *l);
/* What has been read so far, as a session of its own: after one second, and then whenever the time since the start
 * has doubled. NULL when there is none newer than the last one taken. The caller owns it. The texts of events still
 * being read cannot be read again. */
tt_session *tt_load_preview(tt_load *l);
/* Wait for the end, free l, hand the session over (NULL on error). Messages about skipped files go to *warnings
 * (newline-separated, caller frees; NULL when there are none; may be NULL). */
tt_session *tt_load_finish(tt_load *l, char **warnings, tt_err *err);

#endif
