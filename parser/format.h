/* parser/format.h - the formats of traces, recognised by their first bytes: one line of a table each. Private to parser/.
 *
 * A new format is a function that looks at the beginning of the text, one that reads the source into a store, and a line in format.c. */
#ifndef TT_PARSER_FORMAT_H
#define TT_PARSER_FORMAT_H

#include "parser/reader.h"

typedef tt_status tt_read_fn(tt_source *source, const tt_reader_names *names, unsigned threads,
                             tt_reader_progress *progress, const tt_reader_hooks *hooks, tt_store **out, tt_err *err);

tt_read_fn tt_read_chrome;    /* JSON trace events of any writer; reader.c */
tt_read_fn tt_read_paddle_pb; /* Paddle's protobuf dump; paddle_pb.c */
tt_read_fn tt_read_spool;     /* what the recorder writes; spool.c */

/* After reading up to `place`: damage of the compression, a file that changed, a cancelled load. */
void tt_read_note(tt_source *source, tt_reader_progress *progress, uint64_t place, tt_problems *problems);

bool tt_paddle_pb_sniff(const char *head, size_t len);
/* The number that Paddle gives to the span of a file, from its beginning. False when it is not there. */
bool tt_paddle_pb_span(const char *head, size_t len, char *out, size_t cap);
bool tt_spool_sniff(const char *head, size_t len);
bool tt_spool_span(const char *head, size_t len, char *out, size_t cap);
bool tt_paddle_json_span(const char *head, size_t len, char *out, size_t cap);

/* The span that the file at path names itself, in out; false when it names none or cannot be read. Opens the file. */
bool tt_format_span(const char *path, char *out, size_t cap);

#endif
