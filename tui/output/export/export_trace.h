/* tui/output/export/export_trace.h - a part of a loaded trace as a trace file of its own, which Perfetto and tracetty
 * open.
 *
 * Events keep their text of the input, mended where it is not valid JSON. This includes entries that no table shows:
 * metadata, counters, unknown phases, array elements that are not events. export_pick.h chooses the events. Events of
 * Paddle's dumps are written as in Paddle's own JSON. The other members of the file are copied. Each worker and span
 * makes one file. */
#ifndef TT_TUI_OUTPUT_EXPORT_EXPORT_TRACE_H
#define TT_TUI_OUTPUT_EXPORT_EXPORT_TRACE_H

#include "model/trace/session.h"
#include "tui/anonymise/anonymise.h"

typedef bool tt_export_write(void *arg, const char *p, size_t n); /* takes text as fwrite() does; false = stop */

typedef struct tt_exported {
    uint64_t events;  /* written: those that the file has, with the names of processes and threads */
    uint64_t poor;    /* slices whose text could not be read again: written without arguments */
    uint64_t lost;    /* other events whose text could not be read again */
    uint64_t alien;   /* elements of the list that are no objects: left out */
    uint64_t broken;  /* events that no mending made JSON: left out */
    uint64_t members; /* members of the file beside the events that could not be read again: left out */
} tt_exported;

/* The only trace in scope; TT_NONE = there are several, or none. */
uint32_t tt_export_only_trace(const tt_session *s, const tt_scope *scope);
/* hide: names are replaced (anonymise.h), NULL: they stay. Any thread. O(slices) to choose, then the text of what is
 * chosen is read in order. TT_ERR_INPUT when write() failed. */
tt_status tt_export_trace(const tt_session *s, const tt_scope *scope, uint32_t trace, const tt_anonymiser *hide,
                          tt_export_write *write, void *arg, tt_exported *out, tt_err *err);
enum {                            /* what the file holds, combined */
       TT_EXPORT_MERGE = 1,       /* all workers that are in scope */
       TT_EXPORT_ANONYMISE = 2,   /* names of a person's own replaced (anonymise.h) */
       TT_EXPORT_HIDE_SHAPES = 4, /* with that: shapes of inputs, too */
       TT_EXPORT_RECORDING =
           8, /* the recording in another form, as `record` writes it: without the mark of an export */
};
/* To a file, complete or not at all; a name in .gz is compressed; how: of tui/files/outfile.h. */
tt_status tt_export_file(const tt_session *s, const tt_scope *scope, unsigned what, const char *path, unsigned how,
                         tt_exported *out, tt_err *err);

#endif
