/* tui/record/record.h - the parts of `tracetty record`: options, the progress line, Kineto instead of the recorder,
 * files for others at the end. Private to cmd_record.c and record_*.c; one thread. */
#ifndef TT_TUI_RECORD_RECORD_H
#define TT_TUI_RECORD_RECORD_H

#include "capture/launcher/launch.h"
#include "model/base/mem.h"
#include "tui/args/cli.h"

enum { TT_RECORD_CANNOT = 125, TT_RECORD_POLL_MS = 50 };

/* ---- record_settings.c ---- */
tt_status tt_record_settings(const tt_cli *cli, tt_capture_settings *s, tt_err *err);
/* A time of an option; *out stays when it is not given. */
tt_status tt_record_time(const tt_cli *cli, tt_option k, int64_t *out, tt_err *err);
/* What --format asks for. */
typedef struct tt_record_formats {
    bool spool, json, gz;
    bool summary; /* --summarize */
} tt_record_formats;
tt_status tt_record_formats_of(const tt_cli *cli, tt_record_formats *out, tt_err *err);

/* ---- record_watch.c ---- */
/* The commands that show a recording: what `record` ends with. */
typedef struct tt_record_views {
    int (*explore)(const tt_cli *cli);
    int (*summary)(const tt_cli *cli);
} tt_record_views;
/* The line that says how it goes: in place on a terminal; last: to stay. NULL: take it away. */
void tt_record_progress(const tt_cli *cli, const char *line, bool last);
/* Open or summarise the recording in dir, as --at-end says. */
void tt_record_show(const tt_cli *cli, const tt_record_views *views, const char *dir);
int tt_record_refuse(const char *why); /* says it; TT_RECORD_CANNOT */

typedef struct tt_stops { /* Ctrl-C so far */
    unsigned seen;
    int64_t at_ms;
} tt_stops;
typedef enum tt_stop { TT_STOP_NONE, TT_STOP_FIRST, TT_STOP_NOW } tt_stop;
/* Requests by Ctrl-C since the last call: twice within two seconds means end now. */
tt_stop tt_record_stop(tt_stops *s);

/* ---- record_convert.c ---- */
/* Export the spools of this recording to the formats of --format, and write index.json. Ctrl-C ends it. */
void tt_record_convert(const tt_cli *cli, const tt_launch *l, const tt_record_formats *f, tt_stops *stops);

/* ---- record_facts.c ---- */
void tt_record_facts(const tt_cli *cli, const tt_launch *l); /* write record.json */
/* "TERM", "SIGTERM", "15"; 0 = no signal. */
int tt_record_signal(const char *text);

/* ---- record_replace.c ---- */
typedef TT_VEC(char *) tt_record_old; /* names of files in a folder; owned */
/* The files of the recording that lies in the folder of l and that --force replaces: of its rank where it shares the
 * folder with others. */
tt_record_old tt_record_find_old(const tt_launch *l);
/* Remove them, or leave them, and free the list. */
void tt_record_end_old(const tt_launch *l, tt_record_old *old, bool remove);

/* ---- record_ops.c ---- */
/* Write sitecustomize.py into a folder below dir, whose name goes to *folder. */
bool tt_record_write_shim(const char *dir, bool shapes, char *folder, size_t folder_cap, char *why, size_t cap);

/* ---- record_kineto.c: PyTorch's own profiler writes the trace ---- */
int tt_record_attach(const tt_cli *cli, const tt_capture_settings *set, const tt_record_views *views);
/* The command is started and watched as by `record`, without the recorder in it. */
int tt_record_via_kineto(const tt_cli *cli, const tt_capture_settings *set, const tt_record_views *views);

#endif
