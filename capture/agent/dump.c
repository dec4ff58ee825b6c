/* capture/agent/dump.c - makes the folder of a dump. See dump.h. */
#include "capture/agent/dump.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/agent/core/report_progress.h"
#include "capture/agent/core/write_records.h"
#include "capture/format/dump_name.h"

enum { NAMES = 100 }; /* a millisecond later for each name that is taken */

void tt_dump_begin(tt_recorder *r) { memset(r->triggers.dumps, 0, sizeof r->triggers.dumps); }

/* ---- names ---- */

typedef struct calendar {
    int year, month, day, hour, minute, second, ms;
} calendar;

/* UTC of a time in ns. gmtime_r() takes a lock, which a thread that aborts may hold. The day's date counts from a
 * year that begins in March, whose leap day is its last: years of 365 days and a leap day in 4, not in 100, in 400. */
static calendar utc(int64_t ns)
{
    int64_t s = ns / 1000000000, days = s / 86400 + 719468, era = days / 146097; /* from 0000-03-01 */
    int64_t day = days % 146097, year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    int64_t of_year = day - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    calendar c = {.day = (int)(of_year - (153 * month + 2) / 5 + 1),
                  .month = (int)(month < 10 ? month + 3 : month - 9),
                  .hour = (int)(s / 3600 % 24),
                  .minute = (int)(s / 60 % 60),
                  .second = (int)(s % 60),
                  .ms = (int)(ns / 1000000 % 1000)};
    c.year = (int)(era * 400 + year + (c.month <= 2));
    return c;
}

/* Name of the folder at a time; false: the path is too long. */
static bool name_it(const tt_recorder *r, int64_t at, tt_dump *d)
{
    calendar t = utc(at);
    long who = r->rank >= 0 ? r->rank : (long)r->pid;
    snprintf(d->told.folder, sizeof d->told.folder, TT_DUMP_FOLDER "%04d%02d%02dT%02d%02d%02d.%03dZ-%ld", t.year,
             t.month, t.day, t.hour, t.minute, t.second, t.ms, who);
    int n = snprintf(d->whole, sizeof d->whole, "%s/%s", r->dir, d->told.folder);
    int m = snprintf(d->part, sizeof d->part, "%s/.%s.%u", r->dir, d->told.folder, r->pid);
    return n > 0 && m > 0 && (size_t)n < sizeof d->whole && (size_t)m < sizeof d->part;
}

typedef struct naming {
    const tt_recorder *r;
    tt_dump *d;
    int error;
} naming;

/* Choose a name that is free. */
static void choose_name(void *arg)
{
    naming *n = arg;
    for (int i = 0; i < NAMES; i++) {
        n->error = name_it(n->r, n->d->told.at + i * INT64_C(1000000), n->d) ? 0 : ENAMETOOLONG;
        if (n->error || (access(n->d->whole, F_OK) && access(n->d->part, F_OK))) return;
    }
    n->error = EEXIST;
}

/* Give the complete folder its name. Another process may have taken it meanwhile. */
static void complete(void *arg)
{
    naming *n = arg;
    for (int i = 0; i < NAMES; i++) {
        n->error = rename(n->d->part, n->d->whole) ? errno : 0;
        if (n->error != EEXIST && n->error != ENOTEMPTY) return;
        tt_dump next = *n->d;
        if (!name_it(n->r, n->d->told.at + (i + 1) * INT64_C(1000000), &next)) return;
        memcpy(n->d->whole, next.whole, sizeof next.whole);
        memcpy(n->d->told.folder, next.told.folder, sizeof next.told.folder);
    }
}

/* ---- dumps ---- */

static void remove_empty(void *arg) { rmdir(((tt_dump *)arg)->part); }

static void tell(tt_recorder *r, tt_dump *d, int error)
{
    d->told.error = (uint32_t)error;
    if (error) d->told.folder[0] = 0;
    if (error && d->part[0]) tt_files_run(remove_empty, d);
    tt_agent_report_dump(r, &d->told);
    d->told.pid = 0;
}

/* A copy for this folder is not finished. */
static bool is_copied(const tt_ring *g, const char *folder)
{
    for (uint32_t i = 0; i < g->n_jobs; i++)
        if (!strcmp(g->jobs[i].dir, folder)) return true;
    return false;
}

void tt_dump_poll(tt_recorder *r)
{
    for (int i = 0; i < TT_RING_FREEZES; i++) {
        tt_dump *d = &r->triggers.dumps[i];
        if (!d->told.pid || is_copied(&r->ring, d->part)) continue;
        naming n = {r, d, 0};
        tt_files_run(complete, &n);
        if (!n.error && r->ring.freeze_error) {
            tt_recorder_note("process %u: %s is not whole: %s", r->pid, d->whole, strerror(r->ring.freeze_error));
            r->ring.freeze_error = 0;
        }
        tell(r, d, n.error);
    }
}

static void write_reason(tt_recorder *r, const char *why, int64_t at)
{
    char text[300], when[64];
    calendar t = utc(at);
    snprintf(when, sizeof when, "\"%04d-%02d-%02dT%02d:%02d:%02d.%03dZ\"", t.year, t.month, t.day, t.hour, t.minute,
             t.second, t.ms);
    snprintf(text, sizeof text, "\"%s\"", why);
    tt_write_meta(r, TT_SPOOL_TRIGGER_TIME, when);
    tt_write_meta(r, TT_SPOOL_TRIGGER, text);
    tt_spool_flush(&r->spool);
}

/* A place for a dump; NULL: all are being copied. */
static tt_dump *free_dump(tt_recorder *r)
{
    for (int i = 0; i < TT_RING_FREEZES; i++)
        if (!r->triggers.dumps[i].told.pid) return &r->triggers.dumps[i];
    return NULL;
}

static tt_control_dump told_of(const tt_recorder *r, const char *why, int64_t at)
{
    tt_control_dump d = {.pid = r->pid, .rank = (int32_t)r->rank, .order = r->tell.seen[TT_ORDER_DUMP], .at = at};
    snprintf(d.why, sizeof d.why, "%s", why);
    return d;
}

void tt_dump_refuse(tt_recorder *r, const char *why, uint32_t most)
{
    tt_control_dump d = told_of(r, why, tt_now(r));
    d.most = most;
    tt_agent_report_dump(r, &d);
}

void tt_dump_make(tt_recorder *r, const char *why, int64_t since, int64_t spent)
{
    int64_t begin = tt_now(r);
    tt_dump none = {0}, *d = free_dump(r);
    int error = d ? 0 : EBUSY;
    if (!d) d = &none;
    d->told = told_of(r, why, since);
    write_reason(r, why, since);
    if (r->ring.keep_ns && !error) {
        naming n = {r, d, 0};
        tt_files_run(choose_name, &n);
        error = n.error ? n.error : -tt_ring_freeze(&r->ring, d->part);
    }
    d->told.took_us = (uint32_t)((tt_now(r) - begin + spent) / 1000);
    if (error || !r->ring.keep_ns) {
        d->told.folder[0] = 0;
        tell(r, d, error);
    } else {
        tt_dump_poll(r);
    }
}
