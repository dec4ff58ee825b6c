/* tui/record/record.h - the parts of `tracetty record`: options, the progress line, recording through Kineto, export
 * at the end. Private to cmd_record.c and record_*.c; one thread. */
#ifndef TT_TUI_RECORD_RECORD_H
#define TT_TUI_RECORD_RECORD_H

#include "capture/launcher/launch.h"
#include "model/base/mem.h"
#include "parser/input/walk.h"
#include "tui/args/cli.h"

enum { TT_RECORD_CANNOT = 125, TT_RECORD_POLL_MS = 50 };

/* ---- record_settings.c ---- */
tt_status tt_record_settings(const tt_cli *cli, tt_capture_settings *s, tt_err *err);
/* Read a time from an option; *out stays as it was if the option is not given. */
tt_status tt_record_time(const tt_cli *cli, tt_option k, int64_t *out, tt_err *err);
/* Formats of --format. */
typedef struct tt_record_formats {
    bool spool, json, gz;
    bool summary; /* --summarize */
} tt_record_formats;
tt_status tt_record_formats_of(const tt_cli *cli, tt_record_formats *out, tt_err *err);

/* ---- record_watch.c ---- */
/* Commands that show a recording, for the end of `record`. */
typedef struct tt_record_views {
    int (*explore)(const tt_cli *cli);
    int (*summary)(const tt_cli *cli);
} tt_record_views;
/* Print the progress line; a terminal overwrites it. last: it stays. line NULL: clear it. */
void tt_record_progress(const tt_cli *cli, const char *line, bool last);
/* Open or summarise the recording in dir, according to --at-end. */
void tt_record_show(const tt_cli *cli, const tt_record_views *views, const char *dir);
int tt_record_refuse(const char *why); /* print the reason; returns TT_RECORD_CANNOT */

typedef struct tt_stops { /* number and time of Ctrl-C so far */
    unsigned seen;
    int64_t at_ms;
} tt_stops;
typedef enum tt_stop { TT_STOP_NONE, TT_STOP_FIRST, TT_STOP_NOW } tt_stop;
/* Ctrl-C since the last call. Twice within two seconds: TT_STOP_NOW. */
tt_stop tt_record_stop(tt_stops *s);

/* ---- record_dumps.c ---- */
/* Say the dumps that were written since the last call; look at l->totals first. */
void tt_record_say_dumps(const tt_cli *cli, const tt_launch *l, uint32_t *said);
/* At the end: list those of the whole recording, and remove what is left of dumps that were not completed. */
void tt_record_list_dumps(const tt_cli *cli, const tt_launch *l);

/* ---- record_convert.c ---- */
/* Export the spools of this recording to the formats of --format, and write index.json. Ctrl-C stops it. */
void tt_record_convert(const tt_cli *cli, const tt_launch *l, const tt_record_formats *f, tt_stops *stops);

/* List the spools in dir; rank >= 0: only those of this rank. The segments of a ring are listed once, by the name of
 * the whole. A FIFO of such a name is skipped: opening it would wait. */
void tt_record_spools(const char *dir, long rank, tt_walk_names *out);

/* ---- record_facts.c ---- */
void tt_record_facts(const tt_cli *cli, const tt_launch *l); /* write record.json */
/* Read the name or number of a signal: "TERM", "SIGTERM", "15"; 0 = no signal. */
int tt_record_signal(const char *text);

/* ---- record_replace.c ---- */
typedef TT_VEC(char *) tt_record_old; /* names of files in a folder; owned */
/* List the files of an old recording in the folder of l, which --force replaces. If ranks share the folder: only the
 * files of this rank. */
tt_record_old tt_record_find_old(const tt_launch *l);
/* Free the list; remove: delete the files first. */
void tt_record_end_old(const tt_launch *l, tt_record_old *old, bool remove);

/* ---- record_ops.c ---- */
/* Write sitecustomize.py into a folder below dir; *folder: its name. */
bool tt_record_write_shim(const char *dir, bool shapes, char *folder, size_t folder_cap, char *why, size_t cap);

/* ---- record_pytorch.c ---- */
typedef enum tt_pytorch {
    TT_PYTORCH_NOT_SEEN, /* none is loaded, or it cannot be looked at */
    TT_PYTORCH_KINETO,
    TT_PYTORCH_BARE, /* built without Kineto, as Debian's */
} tt_pytorch;
/* Look which PyTorch the process has loaded; reads its library, half a second for a large one. */
tt_pytorch tt_record_pytorch(pid_t pid);

/* ---- record_kineto.c: PyTorch's own profiler writes the trace ---- */
int tt_record_attach(const tt_cli *cli, const tt_capture_settings *set, const tt_record_views *views);
/* Start and watch the command like `record`, but without the recorder in it. */
int tt_record_via_kineto(const tt_cli *cli, const tt_capture_settings *set, const tt_record_views *views);

#endif
