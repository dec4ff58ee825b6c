/* tui/app/session/follow.h - following a running recording: it is read again as it grows, and the screens keep their
 * place (tt_screen_ops.renew).
 *
 * A built trace cannot grow: its rows are sorted and linked across all of it. So the folder is checked four times a
 * second, which costs microseconds, and read again when it grew: its newest part (parser/recording/past.h), which is
 * all of it until a reading with its tables and frames costs more than COST_MS. So what is shown is at most a second
 * old, and costs 1.5 % of a core while a reading takes 10 ms, and an eighth of a core at most, whatever the length
 * of the recording. The header shows the age of the data, and how much is shown. When the recording ends, all of it
 * is read. Nothing is written into the folder and nothing is locked: the recorded program notices nothing. */
#ifndef TT_TUI_APP_SESSION_FOLLOW_H
#define TT_TUI_APP_SESSION_FOLLOW_H

#include "model/trace/session.h"

typedef struct tt_app tt_app;

/* What is open is another run: the paths as they were given. Follows it when it is the folder of a recording that
 * runs. asked (--follow): false when it cannot be followed, *err says why; one that has ended is opened. */
bool tt_follow_begin(tt_app *a, const char *const *paths, uint32_t n, bool asked, tt_err *err);
/* What a reading of the followed recording leaves out; NULL: nothing. */
struct tt_past *tt_follow_past(tt_app *a);
void tt_follow_end(tt_app *a); /* frees what following needs; no load is running */
/* Check the recording when it is time, and read it again if it grew; call it often. */
bool tt_follow_tick(tt_app *a);
/* When tt_follow_tick() has something to do next, ms; 0 = never. */
int64_t tt_follow_next(const tt_app *a);
/* Nothing could be read of it yet: it has only just begun. */
bool tt_follow_waits(const tt_app *a);
/* There is nothing to look at yet: the session is freed, and it is read again later. */
bool tt_follow_too_early(tt_app *a, tt_session **s);
/* After a reading: facts that are missing because the recording still runs are no damage. */
void tt_follow_was_read(tt_app *a, tt_session *s);
/* The session replaces `old`, whose times are `shift` later: if its newest step was in sight, show the newest step
 * of the new one. */
void tt_follow_move(tt_app *a, const tt_session *old, int64_t shift);
/* The key: on, back to the newest step when that is not in sight, off. */
void tt_follow_key(tt_app *a);
bool tt_follow_command(tt_app *a, const char *arg); /* `:follow` */
/* "LIVE 2 s, newest 30 s"; false: nothing is followed, and all of it is shown. *warn: the recorder or a process was
 * killed. */
bool tt_follow_chip(const tt_app *a, char *out, size_t cap, bool *warn);
/* Draw no frame now: the tables of the new data come in a moment, and the screen shows older data. */
bool tt_follow_holds(const tt_app *a);
/* The open run is followed, and is still being recorded. */
bool tt_app_follows(const tt_app *a);

#endif
