/* parser/input/reader.h - what every reader of a format is given, and how it says how far it is. Private to parser/. */
#ifndef TT_PARSER_INPUT_READER_H
#define TT_PARSER_INPUT_READER_H

#include <stdatomic.h>

#include "model/build/builder.h"
#include "parser/input/input.h"

typedef struct tt_reader_progress { /* shared with the thread that draws */
    atomic_uint_fast64_t text_bytes, events;
    atomic_bool cancel;
    _Atomic(const char *) phase;
} tt_reader_progress;

typedef struct tt_reader_names tt_reader_names;

typedef struct tt_reader_hooks {                 /* called from reading threads; all may be NULL */
    void (*notify)(void *arg);                   /* progress was made */
    void (*preview)(void *arg, tt_trace *trace); /* a trace of what has been read so far, handed over */
    double preview_after;                        /* seconds until the first one; the later ones are rarer */
    /* The element that begins at this offset, or the header up to there, is longer than element_most; the reading
     * ends. */
    void (*too_long)(void *arg, uint64_t offset, bool header);
    uint64_t element_most; /* bytes of text; 0 = 128 MiB */
    bool all_events;       /* also what a format leaves out unless it is asked for */
    void *arg;
} tt_reader_hooks;

/* Read the whole input into a new trace, as whose text a source of it may live on (tt_input_text()).
 * TT_ERR_INPUT when this is no trace; a cancelled reading gives the trace of what was read, and the problem
 * "cancelled". */
typedef tt_status tt_read_fn(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                             const tt_reader_hooks *hooks, tt_trace **out, tt_err *err);

struct tt_reader_names {
    const char *path, *worker, *span; /* copied */
    int64_t rank;                     /* from the name, -1 */
    const tt_format_info *format;     /* as it was recognised */
    /* The format with this reader and id, for a reader that several formats share; NULL: `format` is kept. */
    const tt_format_info *(*dialect)(tt_read_fn *read, const char *id);
};

/* The format with this reader and id, else the format that was recognised. */
static inline const tt_format_info *tt_reader_dialect(const tt_reader_names *names, tt_read_fn *read, const char *id)
{
    return names->dialect ? names->dialect(read, id) : names->format;
}

/* After reading a source whose offsets begin at base: damage of the compression, a file that changed. */
void tt_read_note_at(tt_source *source, uint64_t base, tt_problems *problems);
/* After reading up to `offset`: a cancelled load. */
void tt_read_note_cancelled(const tt_reader_progress *progress, uint64_t offset, tt_problems *problems);
/* After reading up to `offset`: damage of the compression, a file that changed, a cancelled load. */
void tt_read_note(tt_source *source, tt_reader_progress *progress, uint64_t offset, tt_problems *problems);

#endif
