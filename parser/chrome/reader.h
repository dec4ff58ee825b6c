/* parser/chrome/reader.h - JSON trace events of any writer, read by several threads.
 *
 * The text is cut into windows between elements of the event list (cutter.h), which threads read on their own: of a
 * file as it is without a lock, else in turns under one, where decompression happens.
 * The cuts are found by looking at raw text (parser/json/split.h). Should a cut turn out wrong, the source is read
 * again from the start by one thread, which carries incomplete elements over and needs no cuts. */
#ifndef TT_PARSER_CHROME_READER_H
#define TT_PARSER_CHROME_READER_H

#include "parser/input/reader.h"

/* What another file of a folder knows of a device task. Texts that are empty are not known; the others stay until all
 * events have been read. */
typedef struct tt_task_text {
    const char *at;
    uint32_t len;
} tt_task_text;
typedef struct tt_chrome_task {
    tt_task_text core, type, block_dim;
} tt_chrome_task;

/* A folder whose timeline is JSON trace events and whose other files know more. All members but role may be NULL. */
typedef struct tt_chrome_folder {
    const char *role;             /* of the parts with events, read one after the other into one trace; there may be
                                     none */
    const tt_format_info *format; /* of the trace; NULL = as the text tells */
    const tt_rules *rules;        /* of the trace; NULL = as the text tells */
    /* What another file knows of the device task that starts at ts (absolute ns) with this name. False = nothing.
     * Called from any thread, from several at once. */
    bool (*task)(void *arg, int64_t ts, const char *name, size_t len, tt_chrome_task *out);
    /* Once, when all text has been read: more records (memory, steps, labels) and facts. Offsets from h->text_bytes on
     * are free, and nothing is found there when their text is asked for. With it a part that is no trace, or no part
     * at all, is no error: the first is reported as a problem, and the trace is made of what there is. */
    void (*fill)(void *arg, tt_builder *b, tt_build_header *h);
    void *arg;
} tt_chrome_folder;

/* Read all parts with the role into one trace, whose text they are: the offset of a part is the sum of the texts
 * before it and one for each. */
tt_status tt_read_chrome_folder(tt_input *in, const tt_chrome_folder *folder, const tt_reader_names *names,
                                unsigned threads, tt_reader_progress *progress, const tt_reader_hooks *hooks,
                                tt_trace **out, tt_err *err);

/* A name as a file other than JSON spells it, for the builder of fill(): the trace takes its names for the insides of
 * JSON strings. */
uint32_t tt_chrome_plain_name(tt_builder *b, const char *text, size_t n);

/* The id of the framework that wrote the text, by its first bytes: of a format, "chrome" for a writer that is not
 * known. NULL: too few events to tell. */
const char *tt_chrome_framework(const char *head, size_t len);

tt_read_fn tt_read_chrome; /* whatever the beginning is: says best what is wrong with a text that is no trace */
bool tt_chrome_recognise(const char *head, size_t len); /* always */
/* The number that Paddle gives to the span of a file, from its beginning. False when it is not there. */
bool tt_paddle_json_span(const char *head, size_t len, char *out, size_t cap);

#endif
