/* tui/app/follow.h - following a recording that still runs: it is read again as it grows, and what is shown keeps its
 * place (tt_screen_ops.renew).
 *
 * A trace cannot grow once it is built: its rows are sorted and linked across the whole of it. So the folder is looked
 * at twice a second, which costs microseconds, and read again as a whole when it grew - not sooner than FOLLOW_REST
 * times the processor time that the last reading took, with the tables and the frames that came of it. That bounds the
 * cost at about 1.5 % of a core, whatever the length of the recording; the age of what is shown stands in the header.
 * Nothing is written in the folder and nothing locked: the recorded program notices nothing. */
#ifndef TT_TUI_APP_FOLLOW_H
#define TT_TUI_APP_FOLLOW_H

#include "model/trace/session.h"

typedef struct tt_app tt_app;

/* What is open is another run: the paths as they were given. Follows it when it is the folder of a recording that
 * runs. asked (--follow): false when it cannot be followed, *err says why; one that has ended is opened. */
bool tt_follow_begin(tt_app *a, const char *const *paths, uint32_t n, bool asked, tt_err *err);
/* Look at the recording when it is time; call often. True = it grew or ended: read it again (tt_app_read_again()). */
bool tt_follow_tick(tt_app *a);
/* When tt_follow_tick() has something to do next, ms; 0 = never. */
int64_t tt_follow_next(const tt_app *a);
/* Nothing could be read of it yet: it has only just begun. */
bool tt_follow_waits(const tt_app *a);
/* There is nothing to look at yet: the session is freed, and it is read again later. */
bool tt_follow_too_early(tt_app *a, tt_session **s);
/* It was read: what it could not say yet, because it still runs, is no damage. */
void tt_follow_was_read(tt_app *a, tt_session *s);
/* The session takes the place of `old`, whose times are `shift` later: where its newest step was in
 * sight, that of the new one is. */
void tt_follow_move(tt_app *a, const tt_session *old, int64_t shift);
/* The key: on, back to the newest step when that is not in sight, off. */
void tt_follow_key(tt_app *a);
bool tt_follow_command(tt_app *a, const char *arg); /* `:follow` */
/* "LIVE 2 s"; false: nothing is followed. *warn: the recorder or a process was killed. */
bool tt_follow_chip(const tt_app *a, char *out, size_t cap, bool *warn);
/* No frame now: the tables of what was read come in a moment, and what is on the screen is of a moment ago. */
bool tt_follow_holds(const tt_app *a);
/* The open run is followed, and is still being recorded. */
bool tt_app_follows(const tt_app *a);

#endif
