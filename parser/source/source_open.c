/* parser/source/source_open.c - opening a source, reading it from front to back, marks.
 *
 * The first 4 KiB tell the kind of the bytes, through one level of compression (source_sniff.c). tt_source_ops drives
 * the kinds; no code here knows a format. */
#include "parser/source/archive_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/bisect.h"

#define HEAD_BYTES 4096

static tt_status fail_read(const tt_source *s, int why, tt_err *err)
{
    if (why == ECANCELED) return tt_fail(err, TT_ERR_CANCELLED, -1, "%s: cancelled", s->path);
    return tt_fail(err, TT_ERR_INPUT, (int64_t)s->at, "%s: cannot be read: %s", s->path, strerror(why));
}

void tt_source_note(tt_source *s, uint64_t at, bool lost, const char *fmt, ...)
{
    va_list ap;

    if (s->damage.text[0]) return;
    va_start(ap, fmt);
    vsnprintf(s->damage.text, sizeof s->damage.text, fmt, ap);
    va_end(ap);
    s->damage.at = (int64_t)at;
    s->damage.lost = lost;
}

static void set_mark(tt_source *s)
{
    uint64_t last = s->marks.n ? s->marks.at[s->marks.n - 1].at : 0;
    tt_source_mark *m;
    void *state;

    if (s->ops->direct || s->at < last + TT_MARK_EVERY) return;
    state = s->ops->mark(s->decoder);
    if (!state) return;
    m = tt_vec_push(&s->marks);
    m->at = s->at;
    m->state = state;
}

int tt_source_decode(tt_source *s, char *out, size_t cap, size_t *got)
{
    size_t step;

    if (!s->decoder) s->decoder = s->ops->create(&s->raw);
    for (*got = 0; *got < cap; *got += step) {
        size_t room = cap - *got;

        if (!s->ops->direct && room > TT_MARK_EVERY) room = TT_MARK_EVERY;
        step = 0;
        if (s->ops->read(s, s->decoder, out + *got, room, &step) < 0) {
            s->failed = errno;
            return -1;
        }
        if (!step) break;
        s->at += step;
        set_mark(s);
    }
    return 0;
}

void tt_source_seek(tt_source *s, uint64_t at)
{
    size_t lo = 0, hi = s->marks.n;
    uint64_t from;

    if (s->ops->direct) {
        s->at = at;
        return;
    }
    TT_BISECT(lo, hi, i, s->marks.at[i].at <= at); /* the first mark after `at` */
    from = lo ? s->marks.at[lo - 1].at : 0;
    if (s->decoder && s->at >= from && s->at <= at) return;
    if (!s->decoder) s->decoder = s->ops->create(&s->raw);
    s->ops->restore(s->decoder, lo ? s->marks.at[lo - 1].state : NULL);
    s->at = from;
}

/* Tell what the descriptor refers to: a regular file, a stream that can be read once, or an object that cannot hold a
 * trace. */
static tt_status classify(tt_source *s, tt_err *err)
{
    struct stat st;

    if (fstat(s->raw.fd, &st) != 0) return fail_read(s, errno, err);
    if (S_ISDIR(st.st_mode)) {
        return tt_fail(err, TT_ERR_INPUT, -1, "%s: is a directory; name the trace file in it", s->path);
    }
    if (S_ISREG(st.st_mode)) {
        off_t here = s->raw.owns_fd ? 0 : lseek(s->raw.fd, 0, SEEK_CUR);

        s->raw.base = here > 0 ? (uint64_t)here : 0;
        s->raw.dev = (uint64_t)st.st_dev;
        s->raw.ino = (uint64_t)st.st_ino;
        s->raw.size = (uint64_t)st.st_size;
        s->raw.mtime = st.st_mtim;
        (void)posix_fadvise(s->raw.fd, 0, 0, POSIX_FADV_SEQUENTIAL);
        return TT_OK;
    }
    if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) {
        s->raw.pipe = tt_pipe_new();
        return TT_OK;
    }
    if (isatty(s->raw.fd)) {
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: is a terminal; give a file, or send a trace into the program: "
                       "zcat trace.json.gz | tracetty -",
                       s->path);
    }
    return tt_fail(err, TT_ERR_INPUT, -1, "%s: is a device, no file with a trace", s->path);
}

/* Whether the path looks like "s3://...". */
static bool is_url(const char *path)
{
    size_t n = strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");

    return n > 1 && strncmp(path + n, "://", 3) == 0;
}

tt_status tt_source_absent(const char *path, int why, tt_err *err)
{
    static const struct {
        const char *scheme, *before, *behind;
    } ways[] = {{"http://", "curl -sL", ""},  {"https://", "curl -sL", ""},        {"ftp://", "curl -s", ""},
                {"s3://", "aws s3 cp", " -"}, {"gs://", "gcloud storage cat", ""}, {"hdfs://", "hdfs dfs -cat", ""}};

    if (why != ENOENT || !is_url(path)) return tt_fail(err, TT_ERR_INPUT, -1, "%s: %s", path, strerror(why));
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !strchr(path, '\''); i++) {
        if (strncmp(path, ways[i].scheme, strlen(ways[i].scheme)) != 0) continue;
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: is a URL, and only files are read; download it first, or send it into the program: "
                       "%s '%s'%s | tracetty -",
                       path, ways[i].before, path, ways[i].behind);
    }
    bool here = strncmp(path, "file:///", 8) == 0;
    return tt_fail(err, TT_ERR_INPUT, -1, "%s: is a URL, and only files are read; %s%s", path,
                   here ? "give the path: " : "download it first", here ? path + 7 : "");
}

static tt_status open_raw(tt_source *s, tt_err *err)
{
    s->raw.fd = -1;
    if (strcmp(s->path, "-") == 0) {
        s->raw.fd = STDIN_FILENO;
        return classify(s, err);
    }
    /* O_NONBLOCK: opening a FIFO without a writer must not block a thread that cannot be cancelled (source_pipe.c
     * waits instead) */
    s->raw.fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (s->raw.fd < 0 && errno == ENOENT && is_url(s->path)) return tt_source_absent(s->path, errno, err);
    if (s->raw.fd < 0) {
        const char *hint = errno == EACCES ? "; you need the right to read it" : "";

        return tt_fail(err, TT_ERR_INPUT, -1, "%s: cannot be opened: %s%s", s->path, strerror(errno), hint);
    }
    s->raw.owns_fd = true;
    return classify(s, err);
}

static tt_status read_head(tt_source *s, char *head, size_t *n, tt_err *err)
{
    for (*n = 0; *n < HEAD_BYTES;) {
        int64_t got = tt_raw_read(&s->raw, *n, head + *n, HEAD_BYTES - *n);

        if (got < 0 && errno == ECANCELED && *n) break; /* keep the bytes read */
        if (got < 0) return fail_read(s, errno, err);
        if (got == 0) break;
        *n += (size_t)got;
    }
    return TT_OK;
}

/* Find the kind by content, and refuse files that are not traces, also inside the compression. */
static tt_status recognise(tt_source *s, tt_err *err)
{
    char head[HEAD_BYTES], where[32];
    size_t n = 0;

    TT_TRY(read_head(s, head, &n, err));
    TT_TRY(
        tt_sniff_refuse(s->path, s->raw.inner || s->raw.archive ? " (inside the archive)" : "", false, head, n, err));
    s->ops = tt_sniff_kind(head, n);
    if (s->ops->direct) {
        if (s->raw.pipe) tt_pipe_pack(s->raw.pipe);
        return TT_OK;
    }
    if (tt_source_decode(s, head, sizeof head, &n) < 0 && !(s->failed == ECANCELED && n))
        return fail_read(s, s->failed, err);
    if (n == 0 && s->damage.text[0]) {
        return tt_fail(err, TT_ERR_INPUT, -1, "%s: %s; nothing could be read, copy or record it again", s->path,
                       s->damage.text);
    }
    snprintf(where, sizeof where, " (inside the %s data)", s->ops->name);
    TT_TRY(tt_sniff_refuse(s->path, where, true, head, n, err));
    return TT_OK;
}

/* Length of the part of the path that names an archive, if the rest names a member; else 0. The member's name may be
 * longer than the system allows for a path. */
static size_t archive_part(const char *path)
{
    struct stat st;
    size_t n = strlen(path);
    char *part = NULL;

    if (strcmp(path, "-") == 0 || stat(path, &st) == 0 || (errno != ENOTDIR && errno != ENAMETOOLONG)) return 0;
    part = tt_strdup(path);
    while (n > 0 && !(path[n] == '/' && (part[n] = '\0', stat(part, &st) == 0))) n--;
    free(part);
    return n && S_ISREG(st.st_mode) ? n : 0;
}

tt_status tt_source_open_raw(const char *path, tt_source **out, tt_err *err)
{
    tt_source *s = tt_calloc(1, sizeof *s);
    char head[HEAD_BYTES];
    size_t n;
    tt_status st;

    s->path = tt_strdup(path);
    s->ops = &tt_source_plain;
    st = open_raw(s, err);
    if (st == TT_OK) st = read_head(s, head, &n, err);
    if (st == TT_OK) {
        s->ops = tt_sniff_kind(head, n);
        *out = s;
    } else {
        tt_source_close(s);
    }
    return st;
}

static tt_status open_member(const char *path, size_t archive_len, tt_source **out, tt_err *err)
{
    char *name = tt_strndup(path, archive_len);
    tt_archive *archive = tt_archive_open(name);
    tt_status st;

    if (archive) {
        st = tt_archive_source(archive, path + archive_len + 1, out, err);
        if (st == TT_OK) tt_archive_tell(archive, *out);
        tt_archive_free(archive);
    } else {
        st = tt_fail(err, TT_ERR_INPUT, -1, "%s: Not a directory, and no archive either", path);
    }
    free(name);
    return st;
}

/* Make an opened source ready to be read; if that fails close it. */
static tt_status begin(tt_source *s, tt_source **out, tt_err *err)
{
    tt_status st = recognise(s, err);

    if (st == TT_OK) st = tt_source_rewind(s, err);
    *out = st == TT_OK ? s : NULL;
    if (st != TT_OK) tt_source_close(s);
    return st;
}

tt_status tt_source_open_member(struct tt_archive *a, const char *name, tt_source **out, tt_err *err)
{
    TT_TRY(tt_archive_source(a, name, out, err));
    return begin(*out, out, err);
}

tt_status tt_source_open_stop(const char *path, const _Atomic bool *stop, tt_source **out, tt_err *err)
{
    size_t archive = archive_part(path);
    tt_source *s = NULL;
    tt_status st = TT_OK;

    *out = NULL;
    if (archive) {
        st = open_member(path, archive, &s, err);
    } else {
        s = tt_calloc(1, sizeof *s);
        s->path = tt_strdup(path);
        s->ops = &tt_source_plain;
        s->raw.stop = stop;
        st = open_raw(s, err);
    }
    if (st == TT_OK) return begin(s, out, err);
    tt_source_close(s);
    return st;
}

tt_status tt_source_open(const char *path, tt_source **out, tt_err *err)
{
    return tt_source_open_stop(path, NULL, out, err);
}

tt_status tt_source_read(tt_source *s, char *out, size_t cap, size_t *got, tt_err *err)
{
    if (tt_source_decode(s, out, cap, got) == 0) return TT_OK;
    return fail_read(s, s->failed, err);
}

static void source_forget_damage(tt_source *s)
{
    for (; s; s = s->raw.inner) s->damage.text[0] = '\0';
}

tt_status tt_source_rewind(tt_source *s, tt_err *err)
{
    (void)err; /* a rewind reads nothing, so it cannot fail */
    if (s->decoder) s->ops->restore(s->decoder, NULL);
    s->at = 0;
    atomic_store(&s->raw.done, 0);
    source_forget_damage(s);
    return TT_OK;
}

void tt_source_drop_decoder(tt_source *s)
{
    if (!s->decoder) return;
    s->ops->destroy(s->decoder);
    s->decoder = NULL;
    s->at = 0;
}

tt_source *tt_source_bottom(tt_source *s)
{
    while (s->raw.inner) s = s->raw.inner;
    return s;
}

int64_t tt_source_read_at(tt_source *s, uint64_t at, char *out, size_t cap)
{
    char passed[16384];
    size_t got = 1;

    tt_source_seek(s, at);
    while (s->at < at && got) {
        size_t n = at - s->at < sizeof passed ? (size_t)(at - s->at) : sizeof passed;

        if (tt_source_decode(s, passed, n, &got) < 0) return -1;
    }
    if (s->at < at) return 0;
    return tt_source_decode(s, out, cap, &got) < 0 ? -1 : (int64_t)got;
}

bool tt_source_random(const tt_source *s, uint64_t *size)
{
    const tt_raw *r = &s->raw;

    *size = r->size > r->base ? r->size - r->base : 0;
    if (!s->ops->direct || r->pipe || r->inner) return false;
    return !r->archive || (r->limit != UINT64_MAX && tt_archive_direct(r->archive));
}

bool tt_source_shared(const tt_source *s, uint64_t *size) { return tt_source_random(s, size) && !s->raw.archive; }

tt_status tt_source_read_shared(tt_source *s, uint64_t at, char *out, size_t cap, size_t *got, tt_err *err)
{
    tt_raw *r = &s->raw;
    ssize_t n;

    *got = 0;
    do {
        n = pread(r->fd, out, cap, (off_t)(r->base + at));
    } while (n < 0 && errno == EINTR);
    if (n < 0) return fail_read(s, errno, err);
    *got = (size_t)n;
    atomic_fetch_add_explicit(&r->done, (uint64_t)n, memory_order_relaxed);
    return TT_OK;
}

void tt_source_position(const tt_source *s, uint64_t *done, uint64_t *total)
{
    *done = atomic_load_explicit(&s->raw.done, memory_order_relaxed);
    *total = s->raw.size > s->raw.base ? s->raw.size - s->raw.base : 0;
    if (*total && *done > *total) *done = *total; /* reads by threads overlap a little, and a file may grow */
}

static const tt_damage *damage_of(const tt_source *s)
{
    for (; s; s = s->raw.inner) {
        if (s->damage.text[0]) return &s->damage;
        if (s->raw.damage.text[0]) return &s->raw.damage;
    }
    return NULL;
}

/* The damage of this source, or of the source below it; the damage below begins near the current offset. */
const char *tt_source_damage(const tt_source *s, int64_t *offset)
{
    const tt_damage *d = damage_of(s);

    if (!d) return NULL;
    if (offset) *offset = d == &s->damage ? d->at : (int64_t)s->at;
    return d->text;
}

bool tt_source_damage_lost(const tt_source *s)
{
    const tt_damage *d = damage_of(s);

    return d && d->lost;
}

bool tt_source_changed(const tt_source *s)
{
    struct stat st;

    while (s->raw.inner) s = s->raw.inner;
    if (s->raw.archive) return !s->raw.entered || tt_archive_changed(s->raw.archive);
    if (s->raw.pipe || s->raw.fd < 0) return false;
    if (fstat(s->raw.fd, &st) != 0) return true;
    return (uint64_t)st.st_size != s->raw.size || st.st_mtim.tv_sec != s->raw.mtime.tv_sec ||
           st.st_mtim.tv_nsec != s->raw.mtime.tv_nsec;
}

void tt_source_close(tt_source *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->marks.n; i++) s->ops->mark_free(s->marks.at[i].state);
    tt_vec_free(&s->marks);
    if (s->decoder) s->ops->destroy(s->decoder);
    if (s->raw.pipe) tt_pipe_free(s->raw.pipe);
    tt_source_close(s->raw.inner);
    if (s->raw.entered) tt_archive_leave(s->raw.archive);
    tt_archive_free(s->raw.archive);
    if (s->raw.owns_fd && s->raw.fd >= 0) close(s->raw.fd);
    free(s->path);
    free(s);
}
