/* parser/input/format.h - facts about a format of traces: a line of the table in parser/formats/formats.c, the only
 * list of formats.
 *
 * All code that finds files, reads them, shows an event's text or exports it asks this line. A line without
 * `recognise` is a dialect: the reader that it shares with another line chooses the dialect after it has seen the text
 * (tt_format_dialect()). */
#ifndef TT_PARSER_INPUT_FORMAT_H
#define TT_PARSER_INPUT_FORMAT_H

#include "parser/input/event_text.h"
#include "parser/input/reader.h"

typedef struct tt_folder_part { /* a file of a folder that is one input */
    const char *role;           /* name that the reader passes to tt_input_open() */
    /* Place of the file below the folder: '*' = any text within a name, '#' = the digits that number the worker. If
     * names have numbers each number is an input, and a part without '#' belongs to all of them. Compressed files
     * (.gz, .zst) match, too. If no other part of the folder has a number, this number is the rank. */
    const char *glob;
    /* Of a folder whose other parts have no numbers, the number is the rank. */
    bool beside; /* read if present, but alone it makes no folder an input, because other programs use its name */
} tt_folder_part;

typedef struct tt_format {
    tt_format_info info; /* id and title; the first member, so that a trace's format leads back to this line */
    /* Names that folders are searched for, without .gz or .zst, one text for each level: a file with a name of an
     * earlier level or of an earlier line hides the others in its folder. Names of one level are separated by "|":
     * "*.trace.json|rank*.json". NULL-terminated. */
    const char *const *names;
    /* The ending (in place of the first name's) of a reduced copy of the run that the profiler writes beside it, and
     * the parts that the copy lacks. The copy is opened only if the file itself is empty; a warning tells of either.
     * NULL = no copy. */
    const char *copied_as, *copy_lacks;
    const char *looked_for;      /* the names for people: "*.pt.trace.json[.gz]" */
    const tt_folder_part *parts; /* a folder that holds any of these, except those `beside`, is one input; ends with a
                                    NULL role; NULL = files only */
    bool (*recognise)(const char *head,
                      size_t len); /* whether the first bytes are of this format; otherwise later lines are asked */
    bool (*span)(const char *head, size_t len, char *out,
                 size_t cap); /* the span that the file names itself; NULL = no file of the format does */
    /* The id of the framework that wrote the text, by its first bytes; NULL = they do not tell. Without this function
     * the framework is info.id. */
    const char *(*framework)(const char *head, size_t len);
    tt_read_fn *read;
    /* For formats that are not JSON: list the members of the event whose bytes begin at its offset, and write it as
     * JSON. NULL = JSON text begins at the offset. A format without any text makes up the text of events: its
     * tt_text_source is `single` and returns JSON for an offset, which is the reader's own handle. */
    bool (*members)(const char *text, size_t len, tt_field_list *out, tt_arena *a);
    bool (*json)(const char *text, size_t len, tt_text *out);
    bool brings_tables; /* the reader may call tt_trace_import() */
    /* A run of the framework leaves raw and exported timelines side by side, under many names: one form is enough. */
    bool many_forms;
} tt_format;

/* The line of a trace's format; NULL = no reader made the trace. */
static inline const tt_format *tt_format_of(const tt_trace *s) { return (const tt_format *)(const void *)s->format; }
#endif
