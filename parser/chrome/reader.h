/* parser/chrome/reader.h - reads JSON trace events of any writer with several threads.
 *
 * The text is cut into windows between elements of the event list (cutter.h), which threads read on their own: plain
 * files without a lock, compressed ones in turns under a lock, where decompression happens. Cuts are found by looking
 * at raw text (parser/json/split.h). If a cut turns out wrong, one thread reads the source again from the start; it
 * carries incomplete elements over and needs no cuts. */
#ifndef TT_PARSER_CHROME_READER_H
#define TT_PARSER_CHROME_READER_H

#include "parser/input/reader.h"

/* Facts of a device task from another file of a folder. An empty text is unknown; texts must live until all events have
 * been read. */
typedef struct tt_task_text {
    const char *at;
    uint32_t len;
} tt_task_text;
typedef struct tt_chrome_task {
    tt_task_text core, type, block_dim;
} tt_chrome_task;

/* A folder whose timeline is JSON trace events and whose other files add facts. All members but role may be NULL. */
typedef struct tt_chrome_folder {
    const char *role;             /* role of the parts with events; there may be none */
    const tt_format_info *format; /* format of the trace; NULL = told by the text */
    const tt_rules *rules;        /* rules of the trace; NULL = told by the text */
    /* Facts of the device task with this name that starts at ts (absolute ns). False = none. Called from several
     * threads at once. */
    bool (*task)(void *arg, int64_t ts, const char *name, size_t len, tt_chrome_task *out);
    /* Called once, when all text has been read, to add records (memory, steps, labels) and facts. Offsets from
     * h->text_bytes on are free; they lead to no text. With fill a part that is no trace is reported as a problem, a
     * missing part is none, and the trace is made of the rest. */
    void (*fill)(void *arg, tt_builder *b, tt_build_header *h);
    void *arg;
} tt_chrome_folder;

/* Read all parts with the role into one trace, whose text they become: the offset of a part is the sum of the sizes of
 * the texts before it, plus one for each. */
tt_status tt_read_chrome_folder(tt_input *in, const tt_chrome_folder *folder, const tt_reader_names *names,
                                unsigned threads, tt_reader_progress *progress, const tt_reader_hooks *hooks,
                                tt_trace **out, tt_err *err);

/* Intern a plain text as a name, for the builder of fill(): the trace takes its names for the insides of JSON
 * strings. */
uint32_t tt_chrome_plain_name(tt_builder *b, const char *text, size_t n);

/* Id of the framework that wrote the text, by its first bytes: a format's id, "chrome" for an unknown writer. NULL: too
 * few events to tell. */
const char *tt_chrome_framework(const char *head, size_t len);

tt_read_fn tt_read_chrome; /* reads any text: its messages about a text that is no trace are the best */
bool tt_chrome_recognise(const char *head, size_t len); /* always true */
/* Read Paddle's span number from the beginning of a file. False when it is absent. */
bool tt_paddle_json_span(const char *head, size_t len, char *out, size_t cap);

#endif
