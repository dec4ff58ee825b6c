/* parser/input/reader.h - the arguments of every format's reader, and its reports of progress. Private to parser/. */
#ifndef TT_PARSER_INPUT_READER_H
#define TT_PARSER_INPUT_READER_H

#include <stdatomic.h>

#include "model/build/builder.h"
#include "parser/input/input.h"

typedef struct tt_reader_progress { /* shared with the drawing thread */
    atomic_uint_fast64_t text_bytes, events;
    atomic_bool cancel;
    _Atomic(const char *) phase;
} tt_reader_progress;

typedef struct tt_reader_names tt_reader_names;

typedef struct tt_reader_hooks {                 /* reading threads call these; any may be NULL */
    void (*notify)(void *arg);                   /* called after progress */
    void (*preview)(void *arg, tt_trace *trace); /* takes over a trace of the events read so far */
    double preview_after;                        /* seconds until the first preview; later ones come less often */
    /* The element at this offset, or the header up to there, is longer than element_most; reading ends. */
    void (*too_long)(void *arg, uint64_t offset, bool header);
    uint64_t element_most; /* in bytes of text; 0 = 128 MiB */
    bool all_events;       /* also read events that the format leaves out by default */
    struct tt_past *past;  /* read the newest part of recordings (parser/recording/past.h); NULL: all */
    void *arg;
} tt_reader_hooks;

/* Read the whole input into a new trace; a source of the input may become its text (tt_input_text()). TT_ERR_INPUT =
 * the input is no trace. A cancelled reading returns the trace read so far with the problem "cancelled". */
typedef tt_status tt_read_fn(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                             const tt_reader_hooks *hooks, tt_trace **out, tt_err *err);

struct tt_reader_names {
    const char *path, *worker, *span; /* the trace copies these */
    int64_t rank;                     /* from the name, -1 = unknown */
    const tt_format_info *format;     /* format as recognised */
    /* Find the format with this reader and id, for a reader that several formats share; NULL = `format` stays. */
    const tt_format_info *(*dialect)(tt_read_fn *read, const char *id);
};

/* The format with this reader and id; if there is none, the format as recognised. */
static inline const tt_format_info *tt_reader_dialect(const tt_reader_names *names, tt_read_fn *read, const char *id)
{
    return names->dialect ? names->dialect(read, id) : names->format;
}

/* Add problems of a source whose offsets begin at base, after reading it: damaged compression, a file that changed. */
void tt_read_note_at(tt_source *source, uint64_t base, tt_problems *problems);
/* Add the problem of a load that was cancelled after reading up to `offset`. */
void tt_read_note_cancelled(const tt_reader_progress *progress, uint64_t offset, tt_problems *problems);
/* Add problems after reading up to `offset`: damaged compression, a file that changed, a cancelled load. */
void tt_read_note(tt_source *source, tt_reader_progress *progress, uint64_t offset, tt_problems *problems);

#endif
