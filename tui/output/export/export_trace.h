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

/* takes text like fwrite(); returns false to stop */
typedef bool tt_export_write(void *arg, const char *p, size_t n);

typedef struct tt_exported {
    uint64_t events;  /* events written, with the names of processes and threads */
    uint64_t poor;    /* slices without readable text: written without arguments */
    uint64_t lost;    /* other events without readable text: left out */
    uint64_t alien;   /* elements of the list that are no objects: left out */
    uint64_t broken;  /* events that could not be repaired to valid JSON: left out */
    uint64_t members; /* members beside the list of events that could not be read: left out */
} tt_exported;

/* The only trace in scope; TT_NONE = there are several traces or none. */
uint32_t tt_export_only_trace(const tt_session *s, const tt_scope *scope);
/* Export one trace. hide: replaces names (anonymise.h); NULL: names stay. Any thread. O(slices) to choose events,
 * then their texts are read in order. TT_ERR_INPUT: write() failed. */
tt_status tt_export_trace(const tt_session *s, const tt_scope *scope, uint32_t trace, const tt_anonymiser *hide,
                          tt_export_write *write, void *arg, tt_exported *out, tt_err *err);
enum {                            /* content of the file, combined */
       TT_EXPORT_MERGE = 1,       /* all workers in scope */
       TT_EXPORT_ANONYMISE = 2,   /* names chosen by a person are replaced (anonymise.h) */
       TT_EXPORT_HIDE_SHAPES = 4, /* with TT_EXPORT_ANONYMISE: shapes of inputs are hidden, too */
       TT_EXPORT_RECORDING =
           8, /* no mark of an export: the file is the recording in another form, as `record` writes it */
};
/* Export to a file, complete or not at all; compressed if its name ends in .gz. how: see tui/files/outfile.h. */
tt_status tt_export_file(const tt_session *s, const tt_scope *scope, unsigned what, const char *path, unsigned how,
                         tt_exported *out, tt_err *err);

#endif
