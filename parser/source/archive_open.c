/* parser/source/archive_open.c - the index of an archive, and sources of single members; see archive.h.
 *
 * The raw bytes of a member's source are a part of the archive's text or, for zip's deflate, of a source that inflates
 * that part. So every feature of a source (marks, reading again, damage) works for members, too. The archive is one
 * source that all members share under a lock: its decoder stays where the last member ended, which is where the next
 * one begins. */
#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "parser/source/archive_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEMBERS_MOST 100000u
#define READ_MANY ((size_t)64 << 10)     /* a read this long is not worth keeping */
#define TRAILER_MOST ((uint64_t)1 << 20) /* after the last member of a compressed archive, to reach the checksum */

struct tt_archive {
    atomic_uint refs;
    tt_members members;
    tt_problems problems;
    tt_damage damage;          /* damage of the compression, found by the pass over the whole archive */
    const tt_member **by_name; /* sorted by name; of equal names the last one counts */
    pthread_mutex_t lock;      /* guards the members below */
    tt_source *text;
    tt_recent recent; /* keeps text of a compressed archive, because the beginning of a member is read several times */
    unsigned users;   /* number of users between enter and leave */
};

/* Whether the name would stay inside the folder that it were unpacked to: relative, without "..". */
static bool is_safe(const char *name)
{
    if (!*name || *name == '/' || *name == '\\' || name[1] == ':') return false;
    for (const char *p = name;;) {
        size_t n = strcspn(p, "/\\");

        if (n == 2 && memcmp(p, "..", 2) == 0) return false;
        if (!p[n]) return true;
        p += n + 1;
    }
}

bool tt_members_add(tt_members *l, const tt_member *m)
{
    tt_member *new;

    if (l->all.n >= MEMBERS_MOST) {
        tt_problem_add(l->problems, TT_PROBLEM_MEMBERS_MOST, (int64_t)m->offset, m->name, strlen(m->name));
        free(m->name);
        return false;
    }
    new = tt_vec_push(&l->all);
    *new = *m;
    if (m->left_out == TT_MEMBER_TAKEN && !is_safe(m->name)) new->left_out = TT_PROBLEM_MEMBER_UNSAFE;
    return true;
}

void tt_members_cut(tt_members *l, uint64_t offset, const char *fmt, ...)
{
    char text[120];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (l->text->failed) { /* a failed read looks like a cut archive */
        snprintf(text, sizeof text, "the archive cannot be read: %s", strerror(l->text->failed));
    }
    tt_problem_add(l->problems, TT_PROBLEM_ARCHIVE_CUT, (int64_t)offset, text, strlen(text));
}

static bool walk(tt_source *s, tt_members *out)
{
    char head[512];
    int64_t n = tt_source_read_at(s, 0, head, sizeof head);

    if (n <= 0) return false;
    if (tt_is_tar(head, (size_t)n)) {
        tt_tar_walk(s, out);
    } else if (s->ops->direct && tt_is_zip(s, head, (size_t)n)) {
        tt_zip_walk(s, out);
    } else {
        return false;
    }
    return true;
}

/* Decode the rest of a compressed archive and note damage of its compression. */
static void note_damage(tt_archive *a)
{
    tt_source *s = a->text;
    char rest[4096];
    size_t got = 1;

    for (uint64_t n = 0; !s->ops->direct && got && n < TRAILER_MOST; n += got) {
        if (tt_source_decode(s, rest, sizeof rest, &got) < 0) break;
    }
    if (!s->damage.text[0] || !s->damage.lost) return;
    a->damage = s->damage;
    tt_problem_add(&a->problems, TT_PROBLEM_BAD_COMPRESSION, a->damage.at, a->damage.text, strlen(a->damage.text));
}

static void close_file(tt_source *s)
{
    if (s->raw.fd >= 0) close(s->raw.fd);
    s->raw.fd = -1;
}

tt_archive *tt_archive_open(const char *path)
{
    tt_archive *a;
    tt_source *s;
    tt_err err;

    if (tt_source_open_raw(path, &s, &err) != TT_OK) return NULL;
    a = tt_calloc(1, sizeof *a);
    atomic_init(&a->refs, 1);
    pthread_mutex_init(&a->lock, NULL);
    a->members.problems = &a->problems;
    a->members.text = s;
    a->text = s;
    if (s->raw.pipe || !walk(s, &a->members)) {
        tt_archive_free(a);
        return NULL;
    }
    note_damage(a);
    if (s->failed && !a->problems.of[TT_PROBLEM_ARCHIVE_CUT].count)
        tt_members_cut(&a->members, s->at, "the archive cannot be read");
    s->failed = 0;
    close_file(s);
    a->by_name = tt_calloc(a->members.all.n, sizeof *a->by_name);
    for (size_t i = 0; i < a->members.all.n; i++) a->by_name[i] = &a->members.all.at[i];
    TT_SORT_POINTERS_BY(a->by_name, a->members.all.n, TT_ASC(tt_member, name));
    return a;
}

tt_archive *tt_archive_ref(tt_archive *a)
{
    atomic_fetch_add(&a->refs, 1);
    return a;
}

void tt_archive_free(tt_archive *a)
{
    if (!a || atomic_fetch_sub(&a->refs, 1) != 1) return;
    for (size_t i = 0; i < a->members.all.n; i++) free(a->members.all.at[i].name);
    tt_vec_free(&a->members.all);
    free(a->by_name);
    pthread_mutex_destroy(&a->lock);
    tt_recent_free(&a->recent);
    tt_source_close(a->text);
    free(a);
}

size_t tt_archive_count(const tt_archive *a) { return a->members.all.n; }
const tt_member *tt_archive_member(const tt_archive *a, size_t i) { return &a->members.all.at[i]; }
const tt_problems *tt_archive_problems(const tt_archive *a) { return &a->problems; }

void tt_archive_settle(tt_archive *a)
{
    pthread_mutex_lock(&a->lock);
    if (!a->users) {
        tt_source_drop_decoder(a->text);
        tt_recent_free(&a->recent);
    }
    pthread_mutex_unlock(&a->lock);
}

/* ---- the archive's text, for its members */

int64_t tt_archive_read(tt_archive *a, uint64_t at, void *out, size_t cap, tt_damage *damage)
{
    int64_t n;

    pthread_mutex_lock(&a->lock);
    if (a->text->ops->direct || (cap >= READ_MANY && at == a->text->at)) {
        n = tt_source_read_at(a->text, at, out, cap);
    } else {
        n = tt_recent_read(&a->recent, a->text, at, out, cap);
    }
    if (n == 0) *damage = a->damage;
    int why = errno;
    if (n < 0) tt_source_drop_decoder(a->text); /* a failed read may have left the decoder in the middle */
    pthread_mutex_unlock(&a->lock);
    errno = why;
    return n;
}

bool tt_archive_enter(tt_archive *a)
{
    tt_source *s = a->text;
    struct stat st;
    bool same = true;

    pthread_mutex_lock(&a->lock);
    if (!a->users) {
        s->raw.fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        same = s->raw.fd >= 0 && fstat(s->raw.fd, &st) == 0 && !tt_source_changed(s) &&
               (uint64_t)st.st_dev == s->raw.dev && (uint64_t)st.st_ino == s->raw.ino;
        if (!same) close_file(s);
    }
    a->users += same;
    pthread_mutex_unlock(&a->lock);
    return same;
}

void tt_archive_leave(tt_archive *a)
{
    pthread_mutex_lock(&a->lock);
    if (--a->users == 0) close_file(a->text);
    pthread_mutex_unlock(&a->lock);
}

bool tt_archive_direct(const tt_archive *a) { return a->text->ops->direct; }

bool tt_archive_changed(tt_archive *a)
{
    pthread_mutex_lock(&a->lock);
    bool changed = tt_source_changed(a->text);
    pthread_mutex_unlock(&a->lock);
    return changed;
}

/* ---- one member */

void tt_archive_tell(const tt_archive *a, tt_source *member)
{
    tt_raw *r = &tt_source_bottom(member)->raw;

    if (a->damage.text[0] && (r->limit == UINT64_MAX || (uint64_t)a->damage.at < r->base + r->limit))
        r->damage = a->damage;
}

static tt_source *new_source(const char *path, const tt_source_ops *ops, uint64_t at, uint64_t size)
{
    tt_source *s = tt_calloc(1, sizeof *s);

    s->path = tt_strdup(path);
    s->ops = ops;
    s->raw.fd = -1;
    s->raw.base = at;
    s->raw.limit = size;
    s->raw.size = size == UINT64_MAX ? 0 : at + size;
    return s;
}

/* The last member with this name, NULL = none. */
static const tt_member *find(const tt_archive *a, const char *name)
{
    size_t lo = 0, hi = a->members.all.n;

    TT_BISECT(lo, hi, i, strcmp(a->by_name[i]->name, name) <= 0); /* the first greater name */
    return lo && strcmp(a->by_name[lo - 1]->name, name) == 0 ? a->by_name[lo - 1] : NULL;
}

tt_status tt_archive_source(tt_archive *a, const char *name, tt_source **out, tt_err *err)
{
    const tt_member *m = find(a, name);
    const char *archive = a->text->path;
    tt_source *part, *whole;
    tt_arena paths = {0};
    tt_status st = TT_OK;

    *out = NULL;
    if (!m) return tt_fail(err, TT_ERR_INPUT, -1, "%s/%s: is not in the archive", archive, name);
    if (m->left_out == TT_PROBLEM_MEMBER_PACKED && m->method) {
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s/%s: is packed with method %u of zip, which is not read; unpack the archive", archive, name,
                       m->method);
    }
    if (m->left_out != TT_MEMBER_TAKEN) {
        return tt_fail(err, TT_ERR_INPUT, (int64_t)m->offset, "%s/%s: is not read: %s", archive, name,
                       tt_problem_meaning[m->left_out]);
    }
    const char *path = tt_arena_printf(&paths, "%s/%s", archive, name);
    if (!tt_archive_enter(a)) {
        st =
            tt_fail(err, TT_ERR_INPUT, -1, "%s: the archive is gone, or was changed after its files were listed", path);
    } else {
        part = new_source(path, m->method == 8 ? &tt_source_deflate : &tt_source_plain, m->at, m->size);
        part->raw.archive = tt_archive_ref(a);
        part->raw.entered = true;
        part->raw.has_crc = m->has_crc && m->method == 8;
        part->raw.crc = m->crc;
        whole = part;
        if (m->method == 8) {
            whole = new_source(path, &tt_source_plain, 0, UINT64_MAX);
            whole->raw.inner = part;
        }
        *out = whole;
    }
    tt_arena_free(&paths);
    return st;
}
