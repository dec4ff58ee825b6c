/* A ring of segments: what is kept, that each suffix of segments opens, names whose ids are used again, freezing. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "capture/spool/intern.h"
#include "capture/spool/ring.h"
#include "parser/load.h"
#include "parser/recording/past.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

static const int64_t t0 = 1700000000000000000;
enum { SECOND = 1000000000, OUTER = 1, PERIOD = 37 }; /* PERIOD: ranges with the same name */

typedef struct recorder {
    tt_ring ring;
    tt_spool_writer w;
    tt_intern names;
    int64_t now;
    unsigned n; /* ranges written */
} recorder;

static int64_t now_of(void *arg) { return ((recorder *)arg)->now; }

static void write_name(void *arg, uint32_t id)
{
    recorder *r = arg;
    const tt_name *n = tt_intern_use(&r->names, id, r->ring.serial);
    if (n) tt_spool_add_text(&r->w, TT_SPOOL_STRING, n->id, NULL, n->text, n->len);
}

static void put_range(recorder *r, unsigned type, const char *name, int64_t start, int64_t end, unsigned flags)
{
    tt_spool_range *s = tt_spool_add(&r->w, type, sizeof *s, tt_intern_put(&r->names, NULL, name, strlen(name)));
    if (!s) return;
    s->start = start;
    s->end = end;
    s->tid = 7;
    s->flags = (uint16_t)flags;
}

static void tail(void *arg) { (void)arg; }

static void head(void *arg) { put_range(arg, TT_SPOOL_OPEN, "outer", t0 + OUTER, 0, TT_SPOOL_WAS_OPEN); }

static bool begin(recorder *r, const char *folder, int64_t keep, uint64_t most)
{
    char base[600];
    const tt_ring_hooks user = {now_of, tail, head, r};
    snprintf(base, sizeof base, "%s/host_rank3.1700000000000000000", folder);
    *r = (recorder){.now = t0};
    if (!CHECK(!tt_intern_init(&r->names, 1 << 20))) return false;
    if (!CHECK(!tt_ring_open(&r->ring, &r->w, base, keep, most, &user))) return false;
    r->w.named = write_name;
    r->w.named_arg = r;
    tt_spool_add_text(&r->w, TT_SPOOL_META, 0, "pid", "42", 2);
    tt_spool_add_text(&r->w, TT_SPOOL_META, 0, "rank", "3", 1);
    tt_spool_add_text(&r->w, TT_SPOOL_META, 0, "baseTimeNanoseconds", "1700000000000000000", 19);
    tt_ring_begun(&r->ring);
    tt_spool_thread *t = tt_spool_add(&r->w, TT_SPOOL_THREAD, sizeof *t, tt_intern_put(&r->names, NULL, "trainer", 7));
    if (t) t->tid = 7;
    head(r);
    return true;
}

/* n ranges of 100 us, one each ms; their number is in the name. */
static void run(recorder *r, unsigned n)
{
    char name[40];
    for (unsigned i = 0; i < n; i++, r->n++) {
        snprintf(name, sizeof name, "range %u", r->n / PERIOD);
        put_range(r, TT_SPOOL_RANGE, name, t0 + (int64_t)r->n * 1000000 + 1000, t0 + (int64_t)r->n * 1000000 + 101000,
                  0);
        r->now = t0 + (int64_t)r->n * 1000000 + 200000;
        if (i % 10 == 9) tt_spool_flush(&r->w);
        if (tt_ring_poll(&r->ring)) tt_intern_evict(&r->names, tt_ring_oldest(&r->ring), r->ring.serial, 2);
    }
}

static void end(recorder *r, bool in_order)
{
    if (in_order) {
        put_range(r, TT_SPOOL_RANGE, "outer", t0 + OUTER, r->now, TT_SPOOL_WAS_OPEN);
        tt_spool_end *e = tt_spool_add(&r->w, TT_SPOOL_END, sizeof *e, 0);
        if (e) e->ts = r->now;
    }
    tt_spool_close(&r->w);
    tt_ring_finish(&r->ring);
    tt_ring_free(&r->ring);
}

typedef struct list {
    char name[300][64];
    int n;
    uint64_t bytes;
} list;

static int in_order(const void *a, const void *b) { return strcmp(a, b); }

static list list_of(const char *folder)
{
    list l = {.n = 0};
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        char path[700];
        struct stat st;
        if (*e->d_name == '.' || l.n == 300) continue;
        snprintf(l.name[l.n++], sizeof l.name[0], "%.63s", e->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (!stat(path, &st)) l.bytes += (uint64_t)st.st_size;
    }
    if (d) closedir(d);
    qsort(l.name, (size_t)l.n, sizeof l.name[0], in_order);
    return l;
}

typedef struct seen {
    unsigned first, last, n, outer;
    int64_t outer_from;
    bool good;
    uint64_t problems[TT_PROBLEM_COUNT_], all;
} seen;

/* Read what the folder, or file, has: the ranges are those of consecutive numbers, each with its name. */
static seen look(const char *path)
{
    seen s = {.first = UINT32_MAX, .good = true};
    tt_err err = {0};
    tt_session *all = tt_load_finish(tt_load_start(&path, 1, NULL), NULL, &err);
    if (!all) {
        printf("%s: %s\n", path, err.message);
        s.good = false;
        return s;
    }
    s.good = all->n_traces == 1 && all->n_workers == 1;
    const tt_trace *t = all->traces[0];
    for (uint32_t i = 0; i < t->n; i++) {
        char want[40];
        int64_t ts = t->origin_ns + t->start[i] - t0;
        unsigned k = (unsigned)(ts / 1000000);
        if (!strcmp(tt_row_name(t, i), "outer")) {
            s.outer++;
            s.outer_from = ts;
            continue;
        }
        snprintf(want, sizeof want, "range %u", k / PERIOD);
        s.good &= !strcmp(want, tt_row_name(t, i));
        if (k < s.first) s.first = k;
        if (k > s.last) s.last = k;
        s.n++;
    }
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) s.all += s.problems[k] = t->problems.of[k].count;
    s.good &= t->rank == 3;
    tt_session_free(all);
    return s;
}

static const char *folder(const char *name)
{
    const char *path = temp_path(name);
    CHECK_INT(mkdir(path, 0777), 0);
    return path;
}

/* A ring limited by time keeps at least that time, and not much more. */
static void test_time(void)
{
    static recorder r;
    const char *dir = folder("time");
    if (!begin(&r, dir, 8 * (int64_t)SECOND, 0)) return;
    run(&r, 60000);
    CHECK(tt_ring_since(&r.ring) <= r.now - 8 * (int64_t)SECOND);
    CHECK(tt_ring_since(&r.ring) >= r.now - 10 * (int64_t)SECOND);
    end(&r, true);
    seen s = look(dir);
    CHECK(s.good);
    CHECK_INT(s.last, 59999);
    CHECK_INT(s.n, s.last - s.first + 1);
    CHECK(s.n >= 8000 && s.n <= 10000);
    CHECK_INT(s.all, 0);
    CHECK_INT(s.outer, 1);
    CHECK(s.outer_from / 1000000 + 1 >= s.first && s.outer_from / 1000000 <= s.first); /* it begins with the ring */
}

/* A ring limited by bytes: after many rotations each suffix of its segments opens, with the right names. */
static void test_suffixes(void)
{
    static recorder r;
    const char *dir = folder("bytes");
    if (!begin(&r, dir, 3600 * (int64_t)SECOND, 1 << 18)) return;
    run(&r, 400000);
    uint64_t turns = r.ring.now.number;
    CHECK(turns > 1000);
    CHECK(r.names.n < 4000); /* there are 10,811 names */
    CHECK_INT(r.names.refused, 0);
    end(&r, true);
    list l = list_of(dir);
    CHECK(l.n >= 8 && l.n <= 20);
    CHECK(l.bytes <= 1 << 18);
    unsigned before = UINT32_MAX;
    for (int i = 0; i < l.n; i++) {
        char path[700], one[700];
        seen s = look(dir);
        CHECK(s.good);
        CHECK_INT(s.last, 399999);
        CHECK_INT(s.n, s.last - s.first + 1);
        CHECK_INT(s.all, 0);
        CHECK(s.outer == 1 && (i == 0 || s.first > before));
        before = s.first;
        snprintf(path, sizeof path, "%s/%s", dir, l.name[i]);
        s = look(path); /* alone */
        CHECK(s.good && s.n == s.last - s.first + 1 && s.first == before && !s.all);
        snprintf(one, sizeof one, "%s/%s", dir, "host_rank3.1700000000000000000.ttspool");
        if (i + 1 < l.n) CHECK(look(one).n > s.n); /* by the name of the whole */
        unlink(path);
    }
}

/* ---- a ring and a plain recording of the same work ---- */

static void put_work(recorder *r, unsigned i)
{
    static const char *const kernels[] = {"gemm", "_Z6vecaddPfS_i", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(args)"};
    char text[40];
    int64_t at = t0 + (int64_t)i * 1000000;
    tt_spool_range *g = NULL;
    snprintf(text, sizeof text, "op %u", i / PERIOD);
    uint32_t name = tt_intern_put(&r->names, NULL, text, strlen(text));
    snprintf(text, sizeof text, "[[%u, 3], []]", i % 500);
    uint32_t shapes = tt_intern_put(&r->names, NULL, text, strlen(text));
    write_name(r, shapes);
    if ((g = tt_spool_add(&r->w, TT_SPOOL_RANGE, sizeof *g, name)) != NULL) {
        *g = (tt_spool_range){.h = g->h, .start = at, .end = at + 90000, .tid = 7, .cat = TT_SPOOL_CAT_OP};
        g->shapes = shapes;
        g->external = i + 1;
        g->seq = i % 1000 + 1;
    }
    tt_spool_api *a =
        tt_spool_add(&r->w, TT_SPOOL_API, sizeof *a, tt_intern_put(&r->names, NULL, "cudaLaunchKernel", 16));
    if (a) {
        *a = (tt_spool_api){
            .h = a->h, .start = at + 1000, .end = at + 5000, .tid = 7, .correlation = i + 1, .cbid = 211};
        a->external = i + 1;
    }
    const char *kernel = kernels[i % 3];
    tt_spool_kernel *k =
        tt_spool_add(&r->w, TT_SPOOL_KERNEL, sizeof *k, tt_intern_put(&r->names, NULL, kernel, strlen(kernel)));
    if (k) {
        *k = (tt_spool_kernel){.h = k->h, .start = at + 20000, .end = at + 60000 + i % 7, .stream = 7, .context = 1};
        k->correlation = i + 1;
        k->grid[0] = k->grid[1] = k->grid[2] = k->block[1] = k->block[2] = 1;
        k->block[0] = (int32_t)(32 * (i % 8 + 1));
    }
    tt_spool_mark *m = tt_spool_add(&r->w, TT_SPOOL_MARK, sizeof *m, tt_intern_put(&r->names, NULL, "epoch", 5));
    if (m) *m = (tt_spool_mark){.h = m->h, .ts = at + 70000, .tid = 7};
    r->now = at + 200000;
    if (i % 4 == 3) tt_spool_flush(&r->w);
    if (tt_ring_poll(&r->ring)) tt_intern_evict(&r->names, tt_ring_oldest(&r->ring), r->ring.serial, 2);
}

/* The JSON of a row, without the number that is its place in the file. */
static const char *json_of(const tt_trace *t, uint32_t row, char out[2048])
{
    int64_t n = t->text->read(t->text, tt_row_text(t, row), out, 2047);
    out[n > 0 ? n : 0] = 0;
    char *place = strstr(out, "\"Ev Idx\":"), *end = place ? strchr(place, ',') : NULL;
    if (end) memmove(place, end, strlen(end) + 1);
    return out;
}

static tt_session *open_newest(const char *path, tt_past *past)
{
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &(tt_load_options){.past = past}), NULL, &err);
    if (!CHECK(s != NULL)) printf("%s\n", err.message);
    return s;
}

static tt_session *open_session(const char *path) { return open_newest(path, NULL); }

/* Rows of the ring that a plain recording of the same work has, too, with the same text. */
static uint32_t common_rows(const tt_trace *ring, const tt_trace *plain, int64_t from)
{
    char one[2048], other[2048];
    uint32_t same = 0, at = 0;
    for (uint32_t i = 0; i < ring->n; i++) {
        if (ring->origin_ns + ring->start[i] < from) continue;
        const char *text = json_of(ring, i, one);
        for (; at < plain->n; at++) {
            if (plain->origin_ns + plain->start[at] == ring->origin_ns + ring->start[i] &&
                !strcmp(text, json_of(plain, at, other)))
                break;
        }
        if (at == plain->n) {
            printf("not in the plain recording: %s\n", text);
            break;
        }
        same++;
    }
    return same;
}

static uint32_t rows_from(const tt_trace *t, int64_t from)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n; i++) n += t->origin_ns + t->start[i] >= from;
    return n;
}

/* After ten thousand rotations a ring has what a plain recording has of the same time, row by row. */
static void test_twin(void)
{
    static recorder r[2];
    enum { WORK = 160000, TURNS = 10000 };
    const char *dir[] = {folder("twin ring"), folder("twin plain")};
    if (!begin(&r[0], dir[0], 3600 * (int64_t)SECOND, 1 << 16)) return;
    if (!begin(&r[1], dir[1], INT64_MAX / 2, 0)) return;
    for (unsigned i = 0; i < WORK; i++) {
        put_work(&r[0], i);
        put_work(&r[1], i);
    }
    CHECK(r[0].ring.now.number >= TURNS);
    CHECK_INT(r[1].ring.now.number, 0);
    end(&r[0], true);
    end(&r[1], true);
    tt_session *ring = open_session(dir[0]), *plain = open_session(dir[1]);
    if (ring && plain) {
        int64_t from = t0 + (WORK - 100) * (int64_t)1000000;
        const tt_trace *a = ring->traces[0], *b = plain->traces[0];
        CHECK(a->origin_ns < from && a->n >= 3 * 100 && b->n >= 3 * WORK);
        CHECK_INT(rows_from(a, from), rows_from(b, from));
        CHECK_INT(common_rows(a, b, from), rows_from(b, from));
        CHECK_INT(a->problems.of[TT_PROBLEM_UNLINKED_DEVICE_WORK].count, 0);
    }
    tt_session_free(ring);
    tt_session_free(plain);
}

static void put_kernel(recorder *r, uint32_t correlation, uint32_t flags)
{
    tt_spool_kernel *k = tt_spool_add(&r->w, TT_SPOOL_KERNEL, sizeof *k, tt_intern_put(&r->names, NULL, "late", 4));
    if (!k) return;
    *k =
        (tt_spool_kernel){.h = k->h, .start = r->now - 5000, .end = r->now - 1000, .stream = correlation, .context = 1};
    k->correlation = correlation;
    k->flags = flags;
}

static unsigned rows_named(const tt_trace *t, const char *name)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < t->n; i++) n += !strcmp(tt_row_name(t, i), name);
    return n;
}

static unsigned late_kernels(const char *dir)
{
    tt_session *s = open_session(dir);
    unsigned n = s ? rows_named(s->traces[0], "late") : 0;
    tt_session_free(s);
    return n;
}

/* GPU work that was launched before the ring begins is left out, unless it is still to end: it may be what hangs. */
static void test_front(void)
{
    static recorder r;
    const char *dir = folder("front");
    if (!begin(&r, dir, 3600 * (int64_t)SECOND, 1 << 16)) return;
    for (unsigned i = 0; i < 3000; i++) put_work(&r, i);
    put_kernel(&r, 3, 0);
    end(&r, true);
    CHECK_INT(late_kernels(dir), 0);
    dir = folder("front, open");
    if (!begin(&r, dir, 3600 * (int64_t)SECOND, 1 << 16)) return;
    for (unsigned i = 0; i < 3000; i++) put_work(&r, i);
    put_kernel(&r, 3, TT_SPOOL_WORK_OPEN);
    put_kernel(&r, 3000, 0);
    end(&r, true);
    CHECK_INT(late_kernels(dir), 2);
}

/* A recording that grows, read from its newest part on, has what the whole has of the same time, row by row, and what
 * is open since long ago. */
static void newest_part(const char *name, uint64_t most)
{
    static recorder r;
    enum { STAGES = 8, WORK = 4000, OPENED = 1, CLOSED = 4, INNER = 2 };
    const char *dir = folder(name);
    tt_past *past = tt_past_new();
    if (!begin(&r, dir, INT64_MAX / 2, most)) return;
    for (unsigned stage = 0; stage < STAGES; stage++) {
        if (stage == OPENED && !most) { /* a ring tells what is open at the begin of each segment: see head() */
            put_range(&r, TT_SPOOL_OPEN, "inner", t0 + INNER, 0, 0);
            put_kernel(&r, 3, TT_SPOOL_WORK_OPEN);
            put_kernel(&r, 4, TT_SPOOL_WORK_OPEN);
        }
        if (stage == CLOSED && !most) {
            put_range(&r, TT_SPOOL_RANGE, "inner", t0 + INNER, r.now, TT_SPOOL_WAS_OPEN);
            put_kernel(&r, 4, TT_SPOOL_WORK_WAS_OPEN);
        }
        for (unsigned i = 0; i < WORK; i++) put_work(&r, stage * WORK + i);
        tt_spool_flush(&r.w);
        tt_past_set_newest(past, 1 << 17);
        tt_session *part = open_newest(dir, past), *whole = open_session(dir);
        if (!part || !whole) break;
        const tt_trace *a = part->traces[0], *b = whole->traces[0];
        int64_t from = r.now - 100 * (int64_t)1000000;
        CHECK(a->origin_ns < from && a->n < 3 * 1000 && a->rank == 3);
        /* no time is shown of which nothing was read but a call whose work is open */
        CHECK(!stage || rows_named(a, "late") || a->start[2] - a->start[0] < 2000000);
        CHECK_INT(rows_from(a, from), rows_from(b, from));
        CHECK_INT(common_rows(a, b, from), rows_from(b, from));
        CHECK(rows_named(a, "outer") > 0);
        CHECK_INT(a->problems.of[TT_PROBLEM_MALFORMED_EVENT].count + a->problems.of[TT_PROBLEM_MISSING_FILE].count, 0);
        CHECK_INT(rows_named(a, "inner") > 0, !most && stage >= OPENED && stage < CLOSED);
        CHECK_INT(rows_named(a, "late"), most || stage < OPENED ? 0 : stage < CLOSED ? 2 : 1);
        tt_session_free(part);
        tt_session_free(whole);
    }
    end(&r, true);
    tt_past_set_newest(past, UINT64_MAX); /* what was left goes on to be left */
    tt_session *part = open_newest(dir, past);
    CHECK(part && part->traces[0]->n < 2 * 3 * WORK);
    tt_session_free(part);
    tt_past_free(past);
}

static void test_newest(void)
{
    newest_part("grows", 0);
    newest_part("turns", 1 << 20);
}

/* A segment that is missing in the middle is said; the others are read. */
static void test_gap(void)
{
    static recorder r;
    char path[700];
    const char *dir = folder("gap");
    if (!begin(&r, dir, 3600 * (int64_t)SECOND, 1 << 18)) return;
    run(&r, 20000);
    end(&r, true);
    list l = list_of(dir);
    unsigned n = look(dir).n;
    snprintf(path, sizeof path, "%s/%s", dir, l.name[l.n / 2]);
    unsigned gone = look(path).n;
    unlink(path);
    seen s = look(dir);
    CHECK(s.good && s.n == n - gone);
    CHECK_INT(s.problems[TT_PROBLEM_MISSING_FILE], 1);
    CHECK_INT(s.all, 1);
    /* a torn end of the last one, as SIGKILL leaves it, and an empty one */
    snprintf(path, sizeof path, "%s/%s", dir, l.name[l.n - 1]);
    CHECK_INT(truncate(path, 3000), 0);
    s = look(dir);
    CHECK(s.good && s.n > 0);
    CHECK_INT(s.problems[TT_PROBLEM_TRUNCATED], 1);
    CHECK_INT(truncate(path, 0), 0);
    s = look(dir);
    CHECK(s.good && s.last < 19999 && s.n == s.last - s.first + 1 - gone);
    CHECK_INT(s.problems[TT_PROBLEM_TRUNCATED], 0);
    CHECK_INT(s.problems[TT_PROBLEM_UNCLEAN_END], 1);
}

static void wait_for_copies(recorder *r)
{
    int64_t now = r->now;
    for (int i = 0; i < 1000 && r->ring.n_jobs; i++) {
        r->now += 50000000;
        tt_ring_poll(&r->ring);
    }
    CHECK_INT(r->ring.n_jobs, 0);
    r->now = now;
}

/* A frozen ring has all that was written; it goes on afterwards, and deletes no file of the copy. */
static void freeze_into(const char *name, const char *to, bool twice)
{
    static recorder r;
    char second[600];
    const char *dir = folder(name);
    snprintf(second, sizeof second, "%s-2", to);
    if (!begin(&r, dir, 3600 * (int64_t)SECOND, 1 << 18)) return;
    CHECK_INT(tt_ring_freeze(&r.ring, to), 0);
    wait_for_copies(&r);
    CHECK_INT(list_of(to).n, 1);
    run(&r, 30000);
    char one[700];
    snprintf(one, sizeof one, "%s/%s", to, list_of(to).name[0]);
    unlink(one);
    CHECK_INT(tt_ring_freeze(&r.ring, to), 0);
    if (twice) CHECK_INT(tt_ring_freeze(&r.ring, second), 0);
    run(&r, 1000);
    wait_for_copies(&r);
    CHECK_INT(r.ring.freeze_error, 0);
    end(&r, true);
    for (int i = 0; i < 1 + twice; i++) {
        seen s = look(i ? second : to);
        CHECK(s.good);
        CHECK_INT(s.last, 29999);
        CHECK_INT(s.n, s.last - s.first + 1);
        CHECK_INT(s.all, 0); /* no unclean end, no range that has no end */
        CHECK_INT(s.outer, 1);
    }
    CHECK_INT(look(dir).last, 30999);
}

static void test_freeze(void)
{
    char to[300];
    freeze_into("linked", temp_path("frozen"), true);
    snprintf(to, sizeof to, "/dev/shm/tracetty-test-%ld", (long)getpid()); /* another file system: copied */
    struct stat here, there;
    if (stat("/dev/shm", &there) || stat(temp_path(""), &here) || here.st_dev == there.st_dev) return;
    freeze_into("copied", to, true);
    for (int i = 0; i < 2; i++) {
        if (i) snprintf(to, sizeof to, "/dev/shm/tracetty-test-%ld-2", (long)getpid());
        list l = list_of(to);
        for (int k = 0; k < l.n; k++) {
            char path[700];
            snprintf(path, sizeof path, "%s/%s", to, l.name[k]);
            unlink(path);
        }
        rmdir(to);
    }
}

/* What cannot be frozen says why, and recording goes on. */
static void test_freeze_fails(void)
{
    static recorder r;
    char path[700];
    CHECK_INT(tt_ring_freeze(&(tt_ring){.serial = 1}, "/tmp"), -ENOSYS);
    const char *dir = folder("fails"), *file = temp_file("a file", "x", 1), *to = temp_path("partly");
    if (!begin(&r, dir, 3600 * (int64_t)SECOND, 1 << 18)) return;
    run(&r, 5000);
    CHECK_INT(tt_ring_freeze(&r.ring, file), -ENOTDIR);
    CHECK_INT(tt_ring_freeze(&r.ring, temp_path("no/such/folder")), -ENOENT);
    run(&r, 5000);
    /* a segment that somebody removed is left out */
    list l = list_of(dir);
    snprintf(path, sizeof path, "%s/%s", dir, l.name[l.n / 2]);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(tt_ring_freeze(&r.ring, to), 0);
    CHECK_INT(list_of(to).n, l.n - 1);
    run(&r, 5000);
    end(&r, true);
    seen s = look(dir);
    CHECK(s.good && s.last == 14999);
}

/* The folder is taken away while the ring is written: writing stops, with the reason. */
static void test_folder_gone(void)
{
    static recorder r;
    const char *dir = folder("gone"), *away = temp_path("away");
    if (!begin(&r, dir, 3600 * (int64_t)SECOND, 1 << 18)) return;
    run(&r, 5000);
    list l = list_of(dir);
    for (int i = 0; i < l.n; i++) {
        char path[700];
        snprintf(path, sizeof path, "%s/%s", dir, l.name[i]);
        unlink(path);
    }
    CHECK_INT(rename(dir, away), 0);
    run(&r, 5000);
    CHECK_INT(r.w.stopped, TT_STOPPED_REMOVED);
    CHECK(r.w.lost > 4000);
    CHECK(tt_ring_freeze(&r.ring, temp_path("frozen of none")) < 0);
    end(&r, true);
}

/* No room: the oldest segments make room for the newest. */
static void test_no_room(void)
{
    static recorder r;
    struct rlimit before;
    const char *dir = folder("room");
    if (!begin(&r, dir, 3600 * (int64_t)SECOND, 1 << 20)) return; /* a segment would have 64 KiB */
    run(&r, 8000);
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && !getrlimit(RLIMIT_FSIZE, &before));
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &(struct rlimit){40000, before.rlim_max}), 0);
    run(&r, 20000);
    CHECK_INT(r.w.stopped, TT_STOPPED_NOT);
    CHECK(r.w.lost > 0 && r.w.lost < 20000);
    end(&r, true);
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &before), 0);
    seen s = look(dir);
    CHECK(s.good && s.last == 27999);
    CHECK_INT(s.problems[TT_PROBLEM_UNCLEAN_END], 0);
}

int main(void)
{
    temp_begin();
    test_time();
    test_suffixes();
    test_twin();
    test_front();
    test_newest();
    test_gap();
    test_freeze();
    test_freeze_fails();
    test_folder_gone();
    test_no_room();
    temp_end();
    return check_done();
}
