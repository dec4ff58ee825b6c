/* parser/discover/names.c - see names.h. */
#include "parser/discover/names.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "capture/format/spool_name.h"
#include "model/text/process_name.h"
#include "parser/discover/file_name.h"
#include "parser/discover/folder.h"
#include "parser/formats/formats.h"

static const char archives[] = "*.zip|*.tar|*.tgz";

static size_t cut(const char *s, size_t n, const char *end)
{
    size_t m = strlen(end);

    return n >= m && memcmp(s + n - m, end, m) == 0 ? n - m : n;
}

/* Whether the name matches one of the globs, which are separated by "|". */
static bool is_named(const char *stem, const char *globs)
{
    for (const char *p = globs; *p; p += strspn(p, "|")) {
        char glob[128];
        size_t n = strcspn(p, "|");

        snprintf(glob, sizeof glob, "%.*s", (int)n, p);
        if (fnmatch(glob, stem, FNM_PERIOD) == 0) return true;
        p += n;
    }
    return false;
}

unsigned tt_names_kind(const char *file)
{
    char *stem = tt_strndup(file, tt_discover_uncompressed(file));
    unsigned kind = TT_NAMES_NONE, level = 0;

    for (unsigned i = 0; i < tt_n_formats && kind == TT_NAMES_NONE; i++) {
        for (const char *const *p = tt_formats[i].names; p && *p && kind == TT_NAMES_NONE; p++, level++) {
            if (is_named(stem, *p)) kind = level;
        }
    }
    if (kind == TT_NAMES_NONE && is_named(stem, archives)) kind = TT_NAMES_ARCHIVE;
    free(stem);
    return kind;
}

const tt_format *tt_names_format(const char *file)
{
    char *stem = tt_strndup(file, tt_discover_uncompressed(file));
    const tt_format *found = NULL;

    for (unsigned i = 0; i < tt_n_formats && !found; i++) {
        for (const char *const *p = tt_formats[i].names; p && *p && !found; p++)
            if (is_named(stem, *p)) found = &tt_formats[i];
    }
    free(stem);
    return found;
}

bool tt_names_of_profile(const char *file)
{
    const tt_format *f = tt_names_format(file);
    char *stem = tt_strndup(file, tt_discover_uncompressed(file));
    bool is = f && is_named(stem, f->names[0]);

    free(stem);
    return is;
}

const tt_format *tt_names_copied(const char *file, char **copy)
{
    size_t n = tt_discover_uncompressed(file);

    for (unsigned i = 0; i < tt_n_formats; i++) {
        const tt_format *f = &tt_formats[i];
        size_t stem = f->copied_as ? cut(file, n, f->names[0] + 1) : n;

        if (stem == n) continue;
        if (asprintf(copy, "%.*s%s", (int)stem, file, f->copied_as) < 0) tt_mem_fail();
        return f;
    }
    return NULL;
}

/* Length of the name without the ending of a trace's name: the longest text that a format's names have after their
 * last '*', or ".json", ".pb", ".db". */
static size_t without_ending(const char *s, size_t n)
{
    size_t shortest = cut(s, n, ".json");

    if (shortest == n) shortest = cut(s, n, ".pb");
    if (shortest == n) shortest = cut(s, n, ".db");
    for (unsigned i = 0; i < tt_n_formats; i++) {
        for (const char *const *p = tt_formats[i].names; p && *p; p++) {
            for (const char *end = strchr(*p, '*'); end; end = strchr(end + 1, '*')) {
                size_t m = strcspn(end, "|");

                if (end[1] != '.' || memchr(end + 1, '*', m - 1) || m > n) continue;
                if (memcmp(s + n - (m - 1), end + 1, m - 1) == 0 && n - (m - 1) < shortest) shortest = n - (m - 1);
            }
        }
    }
    return shortest;
}

size_t tt_names_stem(const char *file) { return without_ending(file, tt_discover_uncompressed(file)); }

const char *tt_names_looked_for(tt_arena *a)
{
    const char *text = "";

    for (unsigned i = 0; i < tt_n_formats; i++) {
        if (tt_formats[i].looked_for) text = tt_arena_printf(a, "%s%s, ", text, tt_formats[i].looked_for);
    }
    return tt_arena_printf(a, "%s*.zip, *.tar[.gz]", text);
}

/* Where ".DIGITS" or "_DIGITS" at the end of s[0..n) begins; n = there are fewer than `least` digits. */
static size_t digits_at_end(const char *s, size_t n, char before, size_t least)
{
    size_t i = n;

    while (i > 0 && s[i - 1] >= '0' && s[i - 1] <= '9') i--;
    return n - i >= least && i > 0 && s[i - 1] == before ? i - 1 : n;
}

/* Set worker, stamp and rank from the file name: the worker lies at from..worker, the stamp at stamp..stamp_end. */
static void parse_name(tt_found *f, const char *base)
{
    size_t n = tt_discover_uncompressed(base), end = cut(base, n, ".pt.trace.json"), stem;
    uint64_t number;
    size_t from = 0, worker, stamp, stamp_end, lead = strspn(base, "0123456789.");
    const char *time = NULL;
    tt_process_name said;

    if (end != n) {
        worker = digits_at_end(base, end, '.', 1);
    } else {
        end = tt_spool_is_segment(base, n, &stem, &number) ? stem : without_ending(base, n);
        worker = digits_at_end(base, end, '.', 10); /* shorter numbers are no stamps: rank.0.json */
    }
    stamp = worker < end ? worker + 1 : end;
    stamp_end = end;
    if (strncmp(base + end, ".paddle_trace", 13) == 0) { /* WORKER_time_STAMP, split at the last _time_ */
        for (const char *p = base; (p = memmem(p, (size_t)(base + end - p), "_time_", 6)) != NULL; p++) time = p;
        if (time && time > base) {
            worker = (size_t)(time - base);
            stamp = worker + 6;
        }
    } else if (tt_process_name_read(base, &said) && said.stage_n) { /* SGLang: STAMP-TP-0-DP-0-DECODE */
        from = said.worker;
        worker = from + said.worker_n;
        stamp = 0;
        stamp_end = said.profile_n;
        f->span = tt_strndup(base + said.stage, said.stage_n);
    } else if (lead && stamp == end && strncmp(base + lead, "-TP-", 4) == 0) { /* SGLang: STAMP-TP-0-DP-0 */
        from = lead + 1;
        stamp = 0;
        stamp_end = lead;
    }
    f->stamp = tt_strndup(base + stamp, stamp_end - stamp);
    f->worker = worker > from ? tt_strndup(base + from, worker - from) : tt_strdup(base);
    f->rank = tt_discover_rank(f->worker);
}

/* The rank that the file profiler_info_N.json in a folder of Ascend's profiler names; -1 = none. */
static int64_t ascend_rank(const char *dir)
{
    static const char head[] = "profiler_info_";
    tt_walk_names l = {0};
    int64_t rank = -1;

    tt_walk_read(dir, &l);
    for (size_t i = 0; i < l.n; i++) {
        const char *number = l.at[i] + sizeof head - 1;
        char *end;
        unsigned long v;

        if (strncmp(l.at[i], head, sizeof head - 1) != 0) continue;
        v = strtoul(number, &end, 10);
        if (end > number && strcmp(end, ".json") == 0 && v < 1000000000) rank = (int64_t)v;
    }
    tt_walk_names_free(&l);
    return rank;
}

bool tt_names_owner(tt_found *f, const char *owner)
{
    size_t n = strlen(owner), end = cut(owner, n, "_ascend_pt"), stamp;

    if (end == n) end = cut(owner, n, "_ascend_ms");
    if (end == n || end == 0) return false;
    stamp = digits_at_end(owner, end, '_', 14);
    free(f->worker);
    free(f->stamp);
    f->worker = tt_strndup(owner, stamp);
    f->stamp = stamp < end ? tt_strndup(owner + stamp + 1, end - stamp - 1) : tt_strdup("");
    return true;
}

/* NAME_STAMP_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json: each worker has a folder, and the file names tell
 * nothing. */
static void parse_ascend(tt_found *f, const char *base)
{
    char *dir, *slash, *owner;

    if (strncmp(base, "trace_view.json", 15) != 0) return;
    dir = realpath(f->path, NULL);
    if (!dir) return;
    slash = strrchr(dir, '/');
    *slash = '\0'; /* folder of the file */
    slash = strrchr(dir, '/');
    if (slash && strcmp(slash + 1, TT_NAMES_ASCEND) == 0) {
        *slash = '\0';
        slash = strrchr(dir, '/');
    }
    owner = slash ? slash + 1 : dir;
    if (tt_names_owner(f, owner)) {
        f->rank = ascend_rank(dir);
        if (f->rank < 0) f->rank = tt_discover_rank(f->worker);
    }
    free(dir);
}

/* ---- times */

enum { FIRST_YEAR = 2010, LAST_YEAR = 2100 };

/* n digits at s as a number of seconds, ms, us or ns, with the digits after a dot as its fraction; 0 = no time of
 * these years. */
static int64_t clock_time(const char *s, size_t n)
{
    static const struct {
        size_t digits;
        int64_t unit;
    } clocks[] = {{10, 1000000000}, {13, 1000000}, {16, 1000}, {19, 1}};
    const int64_t second = 1000000000, year = 31556952; /* both in seconds and ns */

    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        int64_t v = 0, unit = clocks[i].unit, t;

        if (clocks[i].digits != n) continue;
        for (size_t k = 0; k < n; k++) {
            if (v > (INT64_MAX - 9) / 10) return 0;
            v = v * 10 + (s[k] - '0');
        }
        if (v > INT64_MAX / unit) return 0;
        t = v * unit;
        for (const char *p = s + n + 1; s[n] == '.' && *p >= '0' && *p <= '9' && unit >= 10; p++)
            t += (unit /= 10) * (*p - '0');
        return t / second / year >= FIRST_YEAR - 1970 && t / second / year < LAST_YEAR - 1970 ? t : 0;
    }
    return 0;
}

/* The next `digits` digits after at most one separator, if their value lies in least..most; else -1. */
static int calendar_part(const char **s, int digits, int least, int most)
{
    const char *p = *s + (**s && strchr("_-T:. ", **s) ? 1 : 0);
    int v = 0;

    for (int i = 0; i < digits; i++, p++) {
        if (*p < '0' || *p > '9') return -1;
        v = v * 10 + (*p - '0');
    }
    if (v < least || v > most) return -1;
    *s = p;
    return v;
}

/* The time that begins at s: year, month, day, hour, minute, second, and a fraction if more digits follow. */
static int64_t calendar_time(const char *s)
{
    int year = calendar_part(&s, 4, FIRST_YEAR, LAST_YEAR - 1);
    int month = year < 0 ? -1 : calendar_part(&s, 2, 1, 12), day = month < 0 ? -1 : calendar_part(&s, 2, 1, 31);
    int hour = day < 0 ? -1 : calendar_part(&s, 2, 0, 23), minute = hour < 0 ? -1 : calendar_part(&s, 2, 0, 59);
    int second = minute < 0 ? -1 : calendar_part(&s, 2, 0, 60);
    struct tm tm = {
        .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day, .tm_hour = hour, .tm_min = minute, .tm_isdst = -1};
    int64_t t, unit = 1000000000;

    if (minute < 0) return 0;
    if (second >= 0) tm.tm_sec = second;
    t = (int64_t)mktime(&tm) * unit;
    if (second >= 0 && *s && strchr("_.", *s)) s++;
    for (; second >= 0 && *s >= '0' && *s <= '9' && unit >= 10; s++) t += (unit /= 10) * (*s - '0');
    return t;
}

int64_t tt_names_time(const char *name)
{
    int64_t last = 0;

    for (const char *p = name; *p; p++) {
        size_t n = strspn(p, "0123456789");
        int64_t t = n ? calendar_time(p) : 0;

        if (!n) continue;
        if (!t) t = clock_time(p, n);
        if (t) last = t;
        p += n - 1;
    }
    return last;
}

bool tt_names_may_be_trace(const char *file)
{
    size_t n = tt_discover_uncompressed(file);

    return cut(file, n, ".json") != n || cut(file, n, ".pb") != n;
}

bool tt_names_wanted(const char *file)
{
    return tt_names_kind(file) != TT_NAMES_NONE || tt_names_may_be_trace(file) ||
           tt_folder_is_part(tt_formats, tt_n_formats, file);
}

bool tt_names_again(const tt_walk_entry *e)
{
    unsigned own, other;

    if (!e->alias || e->folder) return e->alias != NULL;
    own = tt_names_kind(e->name);
    other = tt_names_kind(e->alias);
    if (other == TT_NAMES_NONE && own == TT_NAMES_NONE) return tt_names_may_be_trace(e->alias);
    return other <= own;
}

void tt_names_parse(tt_found *f, const char *base)
{
    parse_name(f, base);
    parse_ascend(f, base);
}

const char *tt_names_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

char *tt_names_join(const char *dir, const char *base)
{
    size_t n = strlen(dir), m = strlen(base);
    bool slash = n > 0 && m > 0 && dir[n - 1] != '/';
    char *s = tt_malloc(n + m + 2);

    memcpy(s, dir, n);
    if (slash) s[n] = '/';
    memcpy(s + n + slash, base, m + 1);
    return s;
}
