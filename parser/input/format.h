/* parser/input/format.h - what is known of a format of traces: a line of the table in parser/formats/formats.c, which
 * is the only list of them.
 *
 * Whoever finds files, reads them, shows an event's text or exports it asks this line. A line without `recognise` is
 * a dialect: the reader that it shares with another line decides for it when it has seen the text
 * (tt_format_dialect()). */
#ifndef TT_PARSER_INPUT_FORMAT_H
#define TT_PARSER_INPUT_FORMAT_H

#include "parser/input/event_text.h"
#include "parser/input/reader.h"

typedef struct tt_folder_part { /* a file of a folder that is one input */
    const char *role;           /* what the reader asks for: tt_input_open(in, role, ...) */
    /* Its place below the folder: '*' = anything within a name, '#' = the digits that number the worker. Where the
     * names have numbers, each number is an input of its own, and a part without '#' belongs to all of them.
     * Compressed ones (.gz, .zst) are found too. */
    const char *glob;
    /* Of a folder whose other parts have no numbers, the number is the rank. */
    bool beside; /* read where it is; alone it makes no folder an input: others use the name, too */
} tt_folder_part;

typedef struct tt_format {
    tt_format_info info; /* id, title; first, so that a trace's format leads back here */
    /* Names that folders are searched for, without .gz or .zst, a level each: what has a name of an earlier level,
     * or of an earlier line, hides the others in its folder. Names of the same level stand in one text:
     * "*.trace.json|rank*.json". NULL-terminated. */
    const char *const *names;
    /* The ending, instead of that of the first name, of a lesser copy of the same run that the profiler writes beside
     * it, and what it lacks; the copy is opened only where the file itself is empty, and either is said. NULL = none.
     */
    const char *copied_as, *copy_lacks;
    const char *looked_for;      /* the same for a person: "*.pt.trace.json[.gz]" */
    const tt_folder_part *parts; /* a folder that holds any of these, but those `beside`, is one input; ends with a NULL
                                    role; NULL = files only */
    bool (*recognise)(const char *head,
                      size_t len); /* by the first bytes of the text; a later line is asked when it is none */
    bool (*span)(const char *head, size_t len, char *out,
                 size_t cap); /* the span that the file names itself; NULL = none does */
    /* The id of the framework that wrote the text, by its first bytes; NULL = they do not tell. Without this function
     * it is info.id. */
    const char *(*framework)(const char *head, size_t len);
    tt_read_fn *read;
    /* How an event is shown whose text is no JSON, out of the bytes from its offset on: its members, and itself as
     * JSON. NULL: JSON text begins there. A format that has no text makes events up: a tt_text_source that is
     * `single`, and gives JSON for the offset, which then is a handle of the reader's own. */
    bool (*members)(const char *text, size_t len, tt_field_list *out, tt_arena *a);
    bool (*json)(const char *text, size_t len, tt_text *out);
    bool brings_tables; /* the reader may call tt_trace_import() */
} tt_format;

/* The line of a trace's format; NULL for a trace that no reader made. */
static inline const tt_format *tt_format_of(const tt_trace *s) { return (const tt_format *)(const void *)s->format; }
#endif
