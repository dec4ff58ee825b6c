/* tui/record/record_convert.c - exports the spools for other tools when the command has ended, and writes
 * dir/index.json, the list of files. See record.h.
 *
 * The events of a spool are loaded, the text is streamed. Several processes each write one spool at a time, as many
 * as processors and memory allow. The spools stay: an export that is interrupted or meets a full disk loses nothing. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/format/spool_name.h"
#include "model/base/clock.h"
#include "model/base/mem.h"
#include "model/base/run/parallel.h"
#include "model/text/text_order.h"
#include "parser/input/ring_paths.h"
#include "parser/input/walk.h"
#include "parser/json/write.h"
#include "parser/limits.h"
#include "parser/load.h"
#include "parser/recording/cycles.h"
#include "tui/files/outfile.h"
#include "tui/output/export/export_trace.h"
#include "tui/ranks/summarize.h"
#include "tui/record/record.h"

typedef struct converter {
    const tt_cli *cli;
    const char *dir;
    tt_stops *stops;
    bool stopped;
    tt_outfile *out; /* file being written */
    size_t n;        /* number of spools */
    int64_t shown;
    struct shared {
        _Atomic uint64_t bytes, done; /* bytes of text written; spools finished */
    } * shared;                       /* shared with the writing processes */
    bool silent;                      /* a process other than the first, which shows the progress line */
} converter;

void tt_record_spools(const char *dir, long rank, tt_walk_names *out)
{
    char mine[40];
    tt_walk_entries l = {0};
    snprintf(mine, sizeof mine, "_rank%ld.", rank);
    tt_walk_list(NULL, dir, &l);
    for (size_t i = 0; i < l.n; i++) {
        const tt_walk_entry *e = &l.at[i];
        if (e->folder || !tt_ends_with(e->name, TT_SPOOL_ENDING) || (rank >= 0 && !strstr(e->name, mine))) continue;
        char *whole = tt_strdup(e->name);
        size_t stem;
        uint64_t number;
        if (tt_spool_is_segment(whole, strlen(whole), &stem, &number))
            memcpy(whole + stem, TT_SPOOL_ENDING, sizeof TT_SPOOL_ENDING);
        if (out->n && !strcmp(out->at[out->n - 1], whole)) { /* names are sorted: the segments lie together */
            free(whole);
        } else {
            *tt_vec_push(out) = whole;
        }
    }
    tt_walk_entries_free(&l);
}

/* The files of a spool: itself, or the segments of a ring. */
static tt_walk_names files_of(const char *path)
{
    tt_walk_names out = {0};
    if (access(path, F_OK)) tt_ring_paths(path, &out);
    if (!out.n) *tt_vec_push(&out) = tt_strdup(path);
    return out;
}

static void remove_spool(const char *path)
{
    tt_walk_names files = files_of(path);
    for (size_t i = 0; i < files.n; i++) unlink(files.at[i]);
    tt_walk_names_free(&files);
}

static bool stopped(converter *c)
{
    if (!c->stopped) c->stopped = tt_record_stop(c->stops) != TT_STOP_NONE || tt_launch_terminated();
    return c->stopped;
}

static void show_progress(converter *c, const char *what)
{
    char line[200];
    int64_t now = tt_clock_ms();
    if (c->silent || now - c->shown < 250) return;
    c->shown = now;
    uint64_t done = atomic_load(&c->shared->done);
    snprintf(line, sizeof line, "%s  file %" PRIu64 " of %zu  %.1f MB  Ctrl-C leaves it to 'tracetty export'", what,
             done < c->n ? done + 1 : done, c->n, (double)atomic_load(&c->shared->bytes) / 1e6);
    tt_record_progress(c->cli, line, false);
}

static bool write_some(void *arg, const char *p, size_t n)
{
    converter *c = arg;
    atomic_fetch_add(&c->shared->bytes, n);
    show_progress(c, "writing JSON");
    if (stopped(c)) {
        errno = EINTR;
        return false;
    }
    return tt_outfile_write(c->out, p, n);
}

static tt_session *load(converter *c, const char *path, tt_err *err)
{
    const tt_load_options o = {0};
    const struct timespec nap = {0, 5000000};
    char *warnings = NULL;
    tt_progress p = {0};
    tt_load *l = tt_load_start(&path, 1, &o);
    for (tt_load_progress(l, &p); !p.done; tt_load_progress(l, &p)) {
        if (stopped(c)) tt_load_cancel(l);
        show_progress(c, "reading");
        nanosleep(&nap, NULL);
    }
    tt_session *s = tt_load_finish(l, &warnings, err);
    free(warnings); /* problems of a recording are reported when it is opened */
    return s;
}

/* False when the file was not written. */
static bool convert_one(converter *c, const tt_session *s, const char *to)
{
    tt_err err, end;
    tt_exported done;
    uint32_t trace = tt_export_only_trace(s, &tt_scope_all);
    if (trace == TT_NONE || !(c->out = tt_outfile_open(to, TT_OUTFILE_JSON, NULL, &err))) {
        if (trace != TT_NONE) tt_report(&err);
        return false;
    }
    tt_status st = tt_export_trace(s, &tt_scope_all, trace, NULL, write_some, c, &done, &err);
    tt_status closed = tt_outfile_close(c->out, st == TT_OK, &end);
    if (st == TT_OK && closed == TT_OK) return true;
    if (!c->stopped) tt_report(closed != TT_OK ? &end : &err);
    return false;
}

/* Name of an export in dir: NAME.ttspool -> NAME + ending. */
static void name_of(const converter *c, const char *spool, const char *ending, char *out, size_t cap)
{
    snprintf(out, cap, "%s/%.*s%s", c->dir, (int)(strlen(spool) - strlen(TT_SPOOL_ENDING)), spool, ending);
}

static void convert(converter *c, const char *spool, const tt_record_formats *f)
{
    char path[1024], to[1024];
    tt_err err;
    snprintf(path, sizeof path, "%s/%s", c->dir, spool);
    tt_session *s = load(c, path, &err);
    if (!s || c->stopped) {
        if (!c->stopped) tt_report(&err);
        tt_session_free(s);
        return;
    }
    bool good = true;
    static const char *const endings[] = {".pt.trace.json", ".pt.trace.json.gz"};
    const bool want[] = {f->json, f->gz};
    if (f->summary) {
        name_of(c, spool, ".tts", to, sizeof to);
        tt_tts_union u = {0};
        tt_summarize_session(s, &u);
        if (tt_summarize_write(&u, to, NULL, &err) != TT_OK) tt_report(&err);
        tt_tts_union_free(&u);
    }
    for (int i = 0; i < 2; i++) {
        if (!want[i]) continue;
        name_of(c, spool, endings[i], to, sizeof to);
        good &= convert_one(c, s, to);
    }
    tt_session_free(s);
    if (good && !f->spool) remove_spool(path);
}

/* ---- a recording for each cycle of the schedule ---- */

typedef struct cutter {
    converter *c;
    const char *spool;
    tt_walk_names made; /* paths of the spools made */
} cutter;

typedef struct piece {
    const cutter *of;
    tt_outfile *out;
} piece;

/* Create the spool of a cycle. The name of a spool ends in its begin time, so the spools of the cycles sort by time. */
static void *begin_piece(void *arg, int64_t start)
{
    cutter *k = arg;
    char path[1024];
    const char *end = strrchr(k->spool, '.'), *stamp = end;
    while (stamp > k->spool && stamp[-1] != '.') stamp--;
    snprintf(path, sizeof path, "%s/%.*s%" PRId64 "%s", k->c->dir, (int)(stamp - k->spool), k->spool, start, end);
    tt_err err;
    tt_outfile *out = tt_outfile_open(path, TT_OUTFILE_FRESH, NULL, &err);
    if (!out) {
        tt_report(&err);
        return NULL;
    }
    *tt_vec_push(&k->made) = tt_strdup(path);
    piece *p = tt_malloc(sizeof *p);
    *p = (piece){k, out};
    return p;
}

static bool write_piece(void *file, const char *p, size_t n)
{
    const piece *to = file;
    show_progress(to->of->c, "dividing");
    return !stopped(to->of->c) && tt_outfile_write(to->out, p, n);
}

static bool end_piece(void *arg, void *file, bool good)
{
    piece *p = file;
    tt_err err;
    (void)arg;
    bool done = tt_outfile_close(p->out, good, &err) == TT_OK;
    if (!done) tt_report(&err);
    free(p);
    return done;
}

static void divide(converter *c, const char *spool)
{
    char path[1024];
    tt_err err;
    uint32_t n;
    cutter k = {.c = c, .spool = spool};
    const tt_cycles_out out = {begin_piece, write_piece, end_piece, &k};
    snprintf(path, sizeof path, "%s/%s", c->dir, spool);
    tt_walk_names files = files_of(path);
    bool good = tt_spool_divide((const char *const *)files.at, (uint32_t)files.n, &out, &n, &err) == TT_OK;
    tt_walk_names_free(&files);
    if (!good && !c->stopped) tt_warn("%s; its cycles stay in one recording", err.message);
    if (good && n) remove_spool(path);
    for (size_t i = 0; !good && i < k.made.n; i++) unlink(k.made.at[i]);
    tt_walk_names_free(&k.made);
}

/* Divide each recording into its cycles, like the profilers of PyTorch and Paddle: each cycle is a span of its
 * worker. */
static void divide_all(converter *c, const tt_launch *l, tt_walk_names *spools)
{
    if (!l->set.schedule.record || l->set.schedule.repeat == 1) return;
    for (size_t i = 0; i < spools->n && !stopped(c); i++) divide(c, spools->at[i]);
    tt_walk_names_free(spools);
    tt_record_spools(c->dir, l->rank, spools);
    c->n = spools->n;
}

/* ---- several at once ---- */

enum { WRITERS_MOST = 64, INDEX_TRIES = 1000 };

/* Number of writing processes that processors and memory allow. A loaded spool takes less memory than its file, and
 * half of the free memory stays free. */
static size_t writers(const converter *c, const tt_walk_names *spools)
{
    uint64_t largest = 1;
    tt_limits limits;
    char path[1024];
    struct stat st;
    for (size_t i = 0; i < spools->n; i++) {
        snprintf(path, sizeof path, "%s/%s", c->dir, spools->at[i]);
        tt_walk_names files = files_of(path);
        uint64_t bytes = 0;
        for (size_t k = 0; k < files.n; k++) bytes += stat(files.at[k], &st) ? 0 : (uint64_t)st.st_size;
        tt_walk_names_free(&files);
        if (bytes > largest) largest = bytes;
    }
    tt_limits_init(&limits, 0, 0);
    uint64_t fit = limits.memory / 2 / largest;
    size_t n = tt_processors();
    n = n < spools->n ? n : spools->n;
    n = n < WRITERS_MOST ? n : WRITERS_MOST;
    return fit < n ? (fit ? (size_t)fit : 1) : n;
}

/* Convert every step-th spool, beginning with `first`. */
static void convert_some(converter *c, const tt_walk_names *spools, const tt_record_formats *f, size_t first,
                         size_t step)
{
    for (size_t i = first; i < spools->n && !stopped(c); i += step) {
        convert(c, spools->at[i], f);
        atomic_fetch_add(&c->shared->done, 1);
    }
}

/* Wait for them; forward termination signals. */
static void wait_for_writers(converter *c, pid_t *writer, size_t n)
{
    const struct timespec nap = {0, 20000000};
    bool told = false;
    for (size_t left = n; left > 0;) {
        if (stopped(c) && !told) {
            for (size_t i = 0; i < n; i++) {
                if (writer[i] > 0) kill(writer[i], SIGTERM);
            }
            told = true;
        }
        left = 0;
        for (size_t i = 0; i < n; i++) {
            int status;
            if (writer[i] <= 0) continue;
            if (waitpid(writer[i], &status, WNOHANG) != writer[i]) {
                left++;
                continue;
            }
            writer[i] = 0;
            if (WIFSIGNALED(status))
                tt_warn("writing JSON ended by signal %d: 'tracetty export' does the rest later", WTERMSIG(status));
        }
        if (left) nanosleep(&nap, NULL);
        show_progress(c, "writing JSON");
    }
}

static void convert_all(converter *c, const tt_walk_names *spools, const tt_record_formats *f)
{
    pid_t writer[WRITERS_MOST];
    size_t n = writers(c, spools);
    if (n <= 1) {
        convert_some(c, spools, f, 0, 1);
        return;
    }
    fflush(NULL); /* else each child would write the buffered output again */
    for (size_t i = 0; i < n; i++) {
        writer[i] = fork();
        if (writer[i] == 0) {
            c->silent = true;
            convert_some(c, spools, f, i, n);
            _exit(0);
        }
        if (writer[i] < 0) convert_some(c, spools, f, i, n); /* fork failed: export its share here */
    }
    wait_for_writers(c, writer, n);
}

/* ---- index.json ---- */

static bool is_there(const converter *c, const char *spool, const char *ending, char *out, size_t cap)
{
    name_of(c, spool, ending, out, cap);
    return access(out, F_OK) == 0;
}

/* Of a ring: "segments": [...]. */
static void put_segments(tt_json *j, const converter *c, const char *spool)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", c->dir, spool);
    if (!access(path, F_OK)) return;
    tt_walk_names files = files_of(path);
    tt_json_key(j, "segments");
    tt_json_open(j, '[', true);
    for (size_t i = 0; i < files.n; i++) tt_json_text(j, strrchr(files.at[i], '/') + 1);
    tt_json_close(j, ']');
    tt_walk_names_free(&files);
}

/* The text of index.json: {"files": [{"rank": 0, "spool": ..., "json.gz": ...}]}, from the names in the folder now. */
static char *index_text(const converter *c, size_t *n)
{
    static const char *const members[][2] = {
        {"spool", TT_SPOOL_ENDING}, {"json", ".pt.trace.json"}, {"json.gz", ".pt.trace.json.gz"}};
    char file[1024], *text = NULL;
    tt_walk_names spools = {0};
    FILE *to = open_memstream(&text, n);
    if (!to) tt_mem_fail();
    tt_json j;
    tt_record_spools(c->dir, -1, &spools);
    tt_json_init(&j, to);
    tt_json_open(&j, '{', false);
    tt_json_key_text(&j, "recorder", "tracetty " TT_VERSION);
    tt_json_key(&j, "files");
    tt_json_open(&j, '[', false);
    for (size_t i = 0; i < spools.n; i++) {
        const char *name = spools.at[i], *rank = strstr(name, "_rank");
        tt_json_open(&j, '{', true);
        tt_json_key(&j, "rank");
        if (rank) tt_json_int(&j, strtoll(rank + 5, NULL, 10));
        if (!rank) tt_json_null(&j);
        for (size_t k = 0; k < 3; k++) {
            if (is_there(c, name, members[k][1], file, sizeof file))
                tt_json_key_text(&j, members[k][0], strrchr(file, '/') + 1);
        }
        put_segments(&j, c, name);
        tt_json_close(&j, '}');
    }
    tt_json_close(&j, ']');
    tt_json_close(&j, '}');
    fclose(to);
    tt_walk_names_free(&spools);
    return text;
}

/* Write index.json. Other ranks write it too, when their files are complete: if the folder has changed meanwhile,
 * write it again. */
static void write_index(const converter *c)
{
    char path[700];
    size_t n, now_n = 0;
    snprintf(path, sizeof path, "%s/index.json", c->dir);
    char *now = index_text(c, &now_n), *text = NULL;
    for (int tries = 0; tries < INDEX_TRIES && (!text || n != now_n || memcmp(text, now, n) != 0); tries++) {
        free(text);
        text = now;
        n = now_n;
        /* no message: index.json is a convenience, and a full disk was reported earlier */
        tt_outfile *o = tt_outfile_open(path, 0, NULL, NULL);
        now = NULL;
        if (!o) break;
        tt_outfile_write(o, text, n);
        tt_outfile_close(o, true, NULL);
        now = index_text(c, &now_n);
    }
    free(text);
    free(now);
}

void tt_record_convert(const tt_cli *cli, const tt_launch *l, const tt_record_formats *f, tt_stops *stops)
{
    converter c = {.cli = cli, .dir = l->dir, .stops = stops};
    tt_walk_names spools = {0};
    tt_record_spools(c.dir, l->rank, &spools);
    c.n = spools.n;
    void *shared = mmap(NULL, sizeof *c.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    c.shared = shared;
    if (shared != MAP_FAILED) divide_all(&c, l, &spools);
    if ((f->json || f->gz || f->summary) && shared != MAP_FAILED) convert_all(&c, &spools, f);
    if (shared != MAP_FAILED) munmap(shared, sizeof *c.shared);
    tt_record_progress(cli, NULL, false);
    if (c.stopped) tt_warn("the JSON is not written: 'tracetty export %s --output FILE' does it later", c.dir);
    write_index(&c);
    tt_walk_names_free(&spools);
}
