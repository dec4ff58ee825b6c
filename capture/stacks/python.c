/* capture/stacks/python.c - Python stacks of a process: finds the interpreter, then reads its threads and their frames.
 * See stacks.h.
 *
 * The program runs while it is read. What was read twice with equal values in between is taken for true: the list of
 * threads, and the chain of a thread's frames, whose texts are read between the two. Anything else is read again,
 * TRIES times in all, and then marked. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/format/spool.h"
#include "capture/stacks/images.h"
#include "capture/stacks/peek.h"
#include "capture/stacks/python_text.h"
#include "capture/stacks/refused.h"
#include "capture/stacks/stacks.h"

enum { TRIES = 4, INTERPRETERS_MOST = 64, FILE_MOST = 1000 };

/* ---- the interpreter ---- */

typedef struct finding {
    tt_python *p;
    uint32_t version;  /* PY_VERSION_HEX, 0: not known */
    bool old;          /* an interpreter without the symbols of 3.11 */
    char named[8];     /* version as paths name it, such as "3.10" */
    uint64_t readable; /* a place that can be read */
} finding;

/* Note the version in "libpython3.10.so.1.0" or "/lib/python3.10/". */
static void learn_version(finding *f, const char *path)
{
    const char *at = f->named[0] ? NULL : strstr(path, "python");
    for (; at; at = strstr(at, "python")) {
        at += strlen("python");
        size_t major = strspn(at, "0123456789"), minor = at[major] == '.' ? strspn(at + major + 1, "0123456789") : 0;
        if (!major || !minor || major + 1 + minor >= sizeof f->named) continue;
        snprintf(f->named, sizeof f->named, "%.*s", (int)(major + 1 + minor), at);
        return;
    }
}

static bool look(void *arg, const tt_map *m)
{
    finding *f = arg;
    tt_image image;
    learn_version(f, m->path);
    if (m->readable && *m->path == '/') f->readable = m->start;
    if (m->offset || *m->path != '/' || !m->readable || !tt_image_open(&image, f->p->pid, m->start)) return true;
    uint64_t runtime = tt_image_symbol(&image, "_PyRuntime"), version = tt_image_symbol(&image, "Py_Version");
    f->old |= tt_image_symbol(&image, "Py_GetVersion") != 0;
    if (!runtime || !version || !tt_peek(f->p->pid, version, &f->version, sizeof f->version)) return true;
    f->p->runtime = runtime;
    f->p->code_type = tt_image_symbol(&image, "PyCode_Type");
    f->p->unicode_type = tt_image_symbol(&image, "PyUnicode_Type");
    f->p->bytes_type = tt_image_symbol(&image, "PyBytes_Type");
    return false;
}

/* ---- frames ---- */

static bool read_frame(const tt_python *p, uint64_t at, tt_live_frame *out)
{
    unsigned char b[TT_PYTHON_FRAME_BYTES];
    const tt_python_layout *l = &p->at;
    uint32_t last = l->frame_owner > l->frame_instruction + 7 ? l->frame_owner : l->frame_instruction + 7;
    if (at % 8 || last >= sizeof b || !tt_peek(p->pid, at, b, last + 1)) return false;
    out->at = at;
    memcpy(&out->code, b + l->frame_code, 8);
    memcpy(&out->instruction, b + l->frame_instruction, 8);
    memcpy(&out->previous, b + l->frame_previous, 8);
    out->owner = b[l->frame_owner];
    return true;
}

static bool innermost(const tt_python *p, uint64_t thread, uint64_t *frame)
{
    if (!tt_peek_u64(p->pid, thread + p->at.thread_frame, frame)) return false;
    return !p->at.has_cframe || tt_peek_u64(p->pid, *frame + p->at.cframe_frame, frame);
}

typedef struct chain {
    uint32_t n;
    bool more;   /* frames beyond the limit */
    bool broken; /* a pointer leads nowhere */
} chain;

/* Read a chain of frames, those of the interpreter's C code left out. */
static chain read_chain(const tt_python *p, uint64_t at, tt_live_frame out[TT_LIVE_FRAMES])
{
    chain c = {0};
    /* as many frames again may be left out; a loop ends there, too */
    for (uint32_t seen = 0; at && !c.broken; seen++) {
        c.more = c.n == TT_LIVE_FRAMES || seen == 2 * TT_LIVE_FRAMES;
        if (c.more) break;
        tt_live_frame f;
        c.broken = !read_frame(p, at, &f);
        if (c.broken) break;
        at = f.previous;
        if (f.owner < TT_PYTHON_OWNER_C) out[c.n++] = f;
        c.broken = f.owner > TT_PYTHON_OWNER_C || f.previous == f.at;
    }
    return c;
}

/* The same frames of the same functions: only their instructions may differ. */
static bool same_chain(const chain *a, const tt_live_frame *x, const chain *b, const tt_live_frame *y)
{
    if (a->n != b->n || a->more != b->more || a->broken != b->broken) return false;
    for (uint32_t i = 0; i < a->n; i++) {
        if (x[i].at != y[i].at || x[i].code != y[i].code || x[i].previous != y[i].previous) return false;
    }
    return true;
}

/* ---- text ---- */

static void put_bytes(tt_live_stacks *s, const char *text, size_t n)
{
    if (s->n + n > sizeof s->text) return;
    memcpy(s->text + s->n, text, n);
    s->n += n;
}

static void say(tt_live_stacks *s, const char *text) { put_bytes(s, text, strlen(text)); }

/* File and function of a code object; NULL: no strings. Many threads have the same functions: they are read once. */
static const tt_live_known *learn(const tt_python *p, tt_live_stacks *s, uint64_t code, uint64_t file, uint64_t name)
{
    enum { TEXT_MOST = 4000 }; /* more than two strings can need */
    tt_live_known *k = &s->known[code / 16 * UINT64_C(0x9E3779B97F4A7C15) >> 40 & (TT_LIVE_KNOWN - 1)];
    if (k->code == code && k->file == file && k->name == name) return k;
    if (s->known_n + TEXT_MOST > sizeof s->known_text) { /* full: begin again */
        memset(s->known, 0, sizeof s->known);
        s->known_n = 0;
    }
    size_t at = s->known_n, n = at;
    *k = (tt_live_known){.at = (uint32_t)at};
    if (!tt_python_str(p, file, s->known_text, &n, sizeof s->known_text)) return NULL;
    k->file_n = (uint32_t)(n - at);
    if (!tt_python_str(p, name, s->known_text, &n, sizeof s->known_text)) return NULL;
    *k = (tt_live_known){code, file, name, k->at, k->file_n, (uint32_t)(n - at) - k->file_n};
    s->known_n = n;
    return k;
}

/* Code of the interpreter's own: that of a frame which it is about to mark (TT_PYTHON_OWNER_C), and that which checks
 * the result of __init__(). Tracebacks leave it out, too. */
static bool is_shim(const tt_live_stacks *s, const tt_live_known *k)
{
    static const char shim[] = "<shim>", init[] = "__init__";
    const char *file = s->known_text + k->at, *name = file + k->file_n;
    if (k->file_n == sizeof shim - 1 && !memcmp(file, shim, sizeof shim - 1)) return true;
    return k->file_n == sizeof init - 1 && k->name_n == sizeof init - 1 && !memcmp(file, init, sizeof init - 1) &&
           !memcmp(name, init, sizeof init - 1);
}

/* "file(line): function". False: no code object. */
static bool put_frame(const tt_python *p, tt_live_stacks *s, const tt_live_frame *f)
{
    unsigned char b[TT_PYTHON_CODE_BYTES];
    const tt_python_layout *l = &p->at;
    uint64_t type, file, name, table;
    int32_t first;
    char line[32];
    if (f->code % 8 || l->code_instructions > sizeof b || !tt_peek(p->pid, f->code, b, l->code_instructions))
        return false;
    memcpy(&type, b + l->object_type, 8);
    memcpy(&file, b + l->code_filename, 8);
    memcpy(&name, b + l->code_qualname, 8);
    memcpy(&table, b + l->code_linetable, 8);
    memcpy(&first, b + l->code_first_line, 4);
    const tt_live_known *k = type == p->code_type ? learn(p, s, f->code, file, name) : NULL;
    if (!k) return false;
    if (is_shim(s, k)) return true;
    int64_t offset = (int64_t)(f->instruction - f->code - l->code_instructions);
    put_bytes(s, s->known_text + k->at, k->file_n);
    snprintf(line, sizeof line, "(%lld): ", (long long)tt_python_line(p, table, first, offset));
    say(s, line);
    put_bytes(s, s->known_text + k->at + k->file_n, k->name_n);
    say(s, "\n");
    return true;
}

static const char no_room[] = "(more frames)\n", unread[] = "(the rest could not be read)\n",
                  moving[] = "(changed while it was read)\n", late[] = "(not read: the time for stacks was over)\n";

/* Write the frames as text; false: one of them is not a frame of Python. */
static bool put_chain(const tt_python *p, tt_live_stacks *s, const chain *c)
{
    /* room for a frame of two long strings, and for the last line */
    enum { FRAME_MOST = 4000 };
    bool full = false, good = true;
    for (uint32_t i = 0; i < c->n && good && !full; i++) {
        full = sizeof s->text - s->n < FRAME_MOST;
        if (!full) good = put_frame(p, s, &s->frames[i]);
    }
    if (good && (full || c->more)) say(s, no_room);
    return good && !c->broken;
}

/* Write the stack of a thread. */
static void read_stack(const tt_python *p, tt_live_stacks *s, const tt_live_thread *t)
{
    bool good = false, same = false;
    for (int i = 0; i < TRIES && !(good && same); i++) {
        uint64_t top;
        s->n = 0;
        good = innermost(p, t->at, &top);
        if (!good) continue;
        chain c = read_chain(p, top, s->frames), d = {0};
        good = put_chain(p, s, &c);
        if (innermost(p, t->at, &top)) d = read_chain(p, top, s->again);
        same = same_chain(&c, s->frames, &d, s->again);
    }
    if (!good) say(s, unread);
    if (good && !same) say(s, moving);
}

/* ---- threads ---- */

typedef struct threads {
    uint32_t n;
    bool good;
} threads;

static bool read_thread(const tt_python *p, uint64_t at, uint64_t interpreter, tt_live_thread *out)
{
    uint64_t of;
    *out = (tt_live_thread){.at = at};
    return at % 8 == 0 && tt_peek_u64(p->pid, at + p->at.thread_interpreter, &of) && of == interpreter &&
           tt_peek_u64(p->pid, at + p->at.thread_next, &out->next) &&
           tt_peek_u64(p->pid, at + p->at.thread_native_id, &out->native_id);
}

/* Add the threads of an interpreter. */
static void add_threads(const tt_python *p, tt_live_stacks *s, threads *l, uint64_t interpreter)
{
    uint64_t at;
    l->good &= tt_peek_u64(p->pid, interpreter + p->at.interpreter_threads, &at);
    while (l->good && at && l->n < TT_LIVE_THREADS) {
        l->good = read_thread(p, at, interpreter, &s->threads[l->n]);
        at = s->threads[l->n].next;
        l->n += l->good;
    }
}

static threads list_threads(const tt_python *p, tt_live_stacks *s)
{
    threads l = {.good = true};
    uint64_t at;
    l.good = tt_peek_u64(p->pid, p->runtime + p->at.runtime_interpreters, &at);
    for (int i = 0; l.good && at && i < INTERPRETERS_MOST; i++) {
        add_threads(p, s, &l, at);
        l.good &= tt_peek_u64(p->pid, at + p->at.interpreter_next, &at);
    }
    return l;
}

/* A thread that ends while the list is read makes it lead astray: read it again. */
static threads read_threads(const tt_python *p, tt_live_stacks *s)
{
    threads l = {0};
    for (int i = 0; i < TRIES && !l.good; i++) l = list_threads(p, s);
    return l;
}

static bool exists(uint32_t pid, uint64_t tid)
{
    return tid && tid <= INT32_MAX && (!syscall(SYS_tgkill, pid, (int)tid, 0) || errno == EPERM);
}

/* Number of a thread, 0: it is gone. After a fork Python before 3.12 keeps the number that the thread had in the
 * parent: it is the main thread now. */
static uint32_t tid_of(const tt_live_stacks *s, const threads *l, uint32_t pid, const tt_live_thread *t)
{
    if (exists(pid, t->native_id)) return (uint32_t)t->native_id;
    for (uint32_t i = 0; i < l->n; i++) {
        if (s->threads[i].native_id == pid) return 0;
    }
    return l->n == 1 ? pid : 0;
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The threads are listed newest first; the main thread matters most. */
static void read_all(const tt_python *p, tt_live_stacks *s, tt_live_stack_put *put, void *arg)
{
    int64_t begin = now_ns();
    threads l = read_threads(p, s);
    memset(s->known, 0, sizeof s->known);
    s->known_n = 0;
    for (uint32_t i = l.n; i-- > 0;) {
        uint32_t tid = tid_of(s, &l, p->pid, &s->threads[i]);
        if (!tid) continue;
        s->n = 0;
        if (s->limit_ns && now_ns() - begin > s->limit_ns) {
            say(s, late);
        } else {
            read_stack(p, s, &s->threads[i]);
        }
        if (!s->n) continue; /* it runs no Python, such as a thread that only called into it */
        tt_live_stack out = {.tid = tid, .kind = TT_SPOOL_STACK_PYTHON, .text = s->text, .len = s->n};
        put(arg, &out);
    }
}

/* 0, or the errno for which memory that can be read is not. */
static int refusal(const finding *f)
{
    char byte;
    return f->readable && !tt_peek(f->p->pid, f->readable, &byte, 1) ? errno : 0;
}

tt_live_result tt_live_stacks_python(tt_live_stacks *s, uint32_t pid, tt_live_stack_put *put, void *arg, char *why,
                                     size_t cap)
{
    tt_python p = {.pid = pid};
    finding f = {.p = &p};
    *why = 0;
    int error = tt_maps_each(pid, look, &f), refused = error || p.runtime ? 0 : refusal(&f);
    /* when memory cannot be read, the names of the mapped files tell whether it is Python */
    if (error || (refused && f.named[0])) {
        tt_live_stacks_say_refused(pid, error ? error : refused, why, cap);
        return TT_LIVE_REFUSED;
    }
    if (p.runtime && tt_python_layout_of(pid, p.runtime, f.version, &p.at, why, cap)) {
        read_all(&p, s, put, arg);
        return TT_LIVE_READ;
    }
    if (!p.runtime && f.old) snprintf(why, cap, "Python %s: stacks are not read", f.named[0] ? f.named : "2 or 3");
    return *why ? TT_LIVE_UNKNOWN : TT_LIVE_NONE;
}
