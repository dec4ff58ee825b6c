/* capture/agent/attach.c - attaching to a process, forking, leaving. See attach.h.
 *
 * The library attaches at the first of four calls: CUDA loads the library (InitializeInjection), an NVTX instance or
 * NCCL loads it, or the program calls the C API. A process that cannot be recorded stays silent; the control file
 * has the reason. */
#include "capture/agent/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/agent/core/recording_state.h"
#include "capture/agent/core/report_progress.h"
#include "capture/agent/core/threads.h"
#include "capture/agent/core/write_records.h"
#include "capture/agent/cupti/cupti.h"
#include "capture/agent/cupti/nvml.h"
#include "capture/agent/enter.h"
#include "capture/agent/nccl/calls.h"
#include "capture/agent/triggers.h"
#include "capture/agent/writer.h"
#include "capture/shared/ranks.h"
#include "capture/shared/sysfile.h"

static pthread_mutex_t attach_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool fork_locked __attribute__((tls_model("initial-exec"))); /* held by this thread around a fork */
enum { END_MOST_MS = 5000 }; /* the program's end is delayed by this much at most; writer.c needs less */
static enum { FRESH, ATTACHED, REFUSED, FORKED, LEFT } phase;

/* ---- the settings ---- */

static int64_t clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Find the control file: env names it, or the directory that holds it; the directory goes to tt_recorder.dir. */
static bool find_control(const char *env)
{
    tt_recorder *r = tt_recorder_get();
    struct stat st;
    bool file = tt_sysfile_stat(env, &st) == 0 && S_ISREG(st.st_mode);
    const char *slash = strrchr(env, '/');
    snprintf(r->tell.path, sizeof r->tell.path, file ? "%s" : "%s/" TT_CONTROL_FILE, env);
    snprintf(r->dir, sizeof r->dir, "%.*s", file && slash ? (int)(slash - env) : (int)strlen(env), env);
    return !tt_control_open(&r->tell.control, r->tell.path, &r->set);
}

/* Settings of a program that records itself: defaults, without a control file. A forked child, which gives no dir,
 * keeps its parent's. */
static bool own_settings(const char *dir)
{
    tt_recorder *r = tt_recorder_get();
    if (!dir) return r->dir[0];
    if (mkdir(dir, 0777) && errno != EEXIST) {
        r->error = errno;
        return false;
    }
    snprintf(r->dir, sizeof r->dir, "%s", dir);
    r->set = tt_capture_settings_default();
    r->set.clock_offset = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
    return true;
}

/* ---- ranks ---- */

/* The list, such as "0,3-5", has v. */
static bool in_list(const char *list, long v)
{
    for (const char *p = list; *p;) {
        char *end;
        long a = strtol(p, &end, 10), b = a;
        if (end == p) return false;
        if (*end == '-') b = strtol(end + 1, &end, 10);
        if (v >= a && v <= b) return true;
        p = end + (*end == ',');
        if (*end && *end != ',') return false;
    }
    return false;
}

/* ---- attaching ---- */

static void json_text(const char *in, char *out, size_t cap)
{
    size_t n = 0;
    out[n++] = '"';
    for (; *in && n + 8 < cap; in++) {
        unsigned char c = (unsigned char)*in;
        if (c == '"' || c == '\\') out[n++] = '\\';
        if (c >= 0x20) {
            out[n++] = *in;
        } else {
            n += (size_t)snprintf(out + n, 7, "\\u%04x", c);
        }
    }
    out[n++] = '"';
    out[n] = 0;
}

enum { COMMAND_LINE = 256 };

/* The first bytes of a command line in /proc, each argument terminated; returns the number of bytes. */
static size_t command_line(const char *path, char out[COMMAND_LINE])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, out, COMMAND_LINE - 1) : 0;
    if (fd >= 0) close(fd);
    n = n > 0 ? n : 0;
    out[n] = 0;
    return (size_t)n;
}

static void process_name(char *out, size_t cap)
{
    char raw[COMMAND_LINE];
    size_t n = command_line("/proc/self/cmdline", raw);
    const char *base = strrchr(raw, '/');
    const char *script = raw + strlen(raw) + 1; /* script of an interpreter */
    char text[300];
    base = base ? base + 1 : raw;
    bool python = !strncmp(base, "python", 6) && script < raw + n && *script && *script != '-';
    const char *slash = python ? strrchr(script, '/') : NULL;
    snprintf(text, sizeof text, "%s%s%s", base, python ? " " : "", python ? (slash ? slash + 1 : script) : "");
    json_text(text, out, cap);
}

static void first_records(long rank, long size, const char *host)
{
    tt_recorder *r = tt_recorder_get();
    char text[700];
    const tt_capture_settings *s = &r->set;
    snprintf(text, sizeof text, "%u", r->pid);
    tt_write_meta(r, "pid", text);
    process_name(text, sizeof text);
    tt_write_meta(r, "process", text);
    json_text(host, text, sizeof text);
    tt_write_meta(r, "host", text);
    snprintf(text, sizeof text, "%lld", (long long)r->started);
    tt_write_meta(r, "baseTimeNanoseconds", text);
    tt_write_meta(r, "schemaVersion", "1");
    tt_write_meta(r, "displayTimeUnit", "\"ms\"");
    tt_write_meta(r, "recorder", "\"tracetty " TT_VERSION "\"");
    if (s->command[0]) tt_write_meta(r, "command", s->command);
    tt_write_meta(r, "windowed", tt_capture_windowed(s) ? "true" : "false");
    if (rank >= 0) {
        snprintf(text, sizeof text, "%ld", rank);
        tt_write_meta(r, "rank", text);
        if (size > 0) {
            snprintf(text, sizeof text, "%ld", size);
            tt_write_meta(r, "world_size", text);
        }
        snprintf(text, sizeof text, "{\"backend\": \"nccl\", \"rank\": %ld, \"world_size\": %ld}", rank,
                 size > 0 ? size : 1);
        tt_write_meta(r, "distributedInfo", text);
    }
}

static int open_spool(long rank, const char *host)
{
    tt_recorder *r = tt_recorder_get();
    char who[32];
    int e = -EEXIST;
    snprintf(who, sizeof who, rank >= 0 ? "rank%ld" : "%ld", rank >= 0 ? rank : (long)r->pid);
    const tt_ring_hooks hooks = tt_writer_ring_hooks(r);
    for (int i = 0; i < 100 && e == -EEXIST; i++) {
        bool ring = r->set.keep_ns > 0;
        snprintf(r->path, sizeof r->path, "%s/%s_%s.%lld%s", r->dir, host, who, (long long)r->started + i,
                 ring ? "" : ".ttspool");
        e = ring ? tt_ring_open(&r->ring, &r->spool, r->path, r->set.keep_ns, r->set.max_spool, &hooks)
                 : tt_spool_open(&r->spool, r->path, r->set.max_spool);
    }
    if (!r->set.keep_ns) r->ring.serial++;
    r->spool.sync = r->set.fsync;
    r->spool.named = tt_write_name;
    r->spool.named_arg = r;
    return e;
}

/* Create the spool file and write its first records; on failure no file is left. */
static int begin_spool(long rank)
{
    tt_recorder *r = tt_recorder_get();
    char host[64] = "host";
    gethostname(host, sizeof host - 1);
    int e = open_spool(rank, host);
    if (e) return e;
    first_records(rank, tt_world_size(), host);
    if (r->ring.keep_ns) tt_ring_begun(&r->ring);
    tt_spool_flush(&r->spool);
    if (r->spool.stopped == TT_STOPPED_NOT) return 0;
    e = -r->spool.error;
    tt_spool_close(&r->spool);
    unlink(r->ring.keep_ns ? r->ring.path[0] : r->path);
    tt_ring_free(&r->ring);
    return e;
}

/* A worker process of a data loader inherits the rank variables of its parent, but is not that rank. Two signs: the
 * process was forked and has its parent's number (parent -1 = not forked), or Python's multiprocessing started it.
 * Ranks started by multiprocessing have no rank variables when they begin. */
static bool helps_rank(long rank, long parent)
{
    char line[COMMAND_LINE];
    static const char starts[] = "from multiprocess"; /* goes on with "ing.spawn", "ing.forkserver" */
    if (rank < 0 || parent >= 0) return rank >= 0 && rank == parent;
    size_t n = command_line("/proc/self/cmdline", line);
    return memmem(line, n, starts, sizeof starts - 1) != NULL;
}

/* The process was forked and has not executed a program since: bit 0x40 of the kernel's flags, PF_FORKNOEXEC. */
static bool forked_only(pid_t *parent)
{
    char text[512];
    int up = 0;
    unsigned flags = 0;
    if (!tt_sysfile_read("/proc/self/stat", text, sizeof text)) return false;
    const char *behind = strrchr(text, ')'); /* the name before it may hold anything */
    bool read = behind && sscanf(behind + 1, " %*c %d %*d %*d %*d %*d %u", &up, &flags) == 2;
    *parent = up;
    return read && (flags & 0x40);
}

/* A worker that was forked before its parent attached, as those of data loaders: the parent still runs the same
 * program. The child of a parent that has ended, as a daemon, goes on in its place. */
static bool works_for_parent(void)
{
    char own[COMMAND_LINE], path[64], theirs[COMMAND_LINE];
    pid_t parent;
    if (!forked_only(&parent)) return false;
    size_t n = command_line("/proc/self/cmdline", own);
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)parent);
    return n && command_line(path, theirs) == n && !memcmp(own, theirs, n);
}

/* A forked child is recorded: always with --children all, when CUDA begins in it unless --children none, which makes it
 * a process of the GPU of its own. */
static bool counts(const tt_recorder *r, bool cuda)
{
    return r->set.children == TT_CHILDREN_ALL || (cuda && r->set.children != TT_CHILDREN_NONE);
}

typedef struct beginning {
    const char *env, *dir;
    bool again; /* this is a forked child of an attached process */
    bool cuda;  /* CUDA begins */
    bool good;
    bool silent; /* this is a forked child that is not recorded until CUDA begins */
} beginning;

/* The part of attaching that opens files; runs on the files thread. */
static void begin_files(void *arg)
{
    beginning *b = arg;
    tt_recorder *r = tt_recorder_get();
    b->good = b->env ? find_control(b->env) : own_settings(b->dir);
    b->silent = b->good && b->env && !b->again && !counts(r, b->cuda) && works_for_parent();
    if (b->silent) {
        r->rank = -1;
        b->good = false;
    }
    if (!b->good) return;
    r->pid = (uint32_t)getpid();
    r->clock_offset = r->set.clock_offset;
    r->started = tt_now(r);
    tt_agent_report_new(r);
    long before = b->again ? r->rank : -1, rank = tt_rank();
    b->good = !r->set.only_rank[0] || rank < 0 || in_list(r->set.only_rank, rank);
    if (!b->good) return;
    r->spool.stopped = TT_STOPPED_NOT;
    /* a forked child keeps the parent's names: NVTX handles given there carry their ids */
    int e = r->names.n ? 0 : tt_intern_init(&r->names, r->set.string_bytes);
    r->rank = helps_rank(rank, before) ? -1 : rank;
    if (!e) e = begin_spool(r->rank);
    b->good = !e;
    r->error = -e;
    if (!e) return;
    tt_recorder_note("process %u is not recorded: its file in %s cannot be written: %s", r->pid, r->dir, strerror(-e));
    r->spool = (tt_spool_writer){.file = {.fd = -1}};
    tt_agent_report(r);
}

static void end_files(void *arg)
{
    tt_recorder *r = tt_recorder_get();
    (void)arg;
    tt_control_close(&r->tell.control);
}

/* False: not attached; *silent: a forked child that does not count so far. */
static bool begin(const char *dir, bool again, bool cuda, bool *silent)
{
    tt_recorder *r = tt_recorder_get();
    beginning b = {.env = getenv(TT_CONTROL_ENV), .dir = dir, .again = again, .cuda = cuda};
    r->error = tt_files_start();
    if (r->error) return false;
    tt_files_run(begin_files, &b);
    *silent = b.silent;
    if (b.good) {
        r->most_chunks = (size_t)(r->set.range_bytes / sizeof(tt_chunk)) + 2;
        r->samples_at = 0;
        tt_recording_state_init(r);
        r->tell.attached = true;
        tt_agent_report(r);
        int e = tt_writer_start(r);
        b.good = !e;
        if (e) {
            tt_recorder_note("process %u is not recorded: no thread for the writer: %s", r->pid, strerror(e));
            r->tell.attached = false;
            tt_agent_report(r);
            tt_spool_close(&r->spool);
        }
    }
    if (!b.good) {
        tt_files_run(end_files, NULL);
        tt_files_stop();
        return false;
    }
    atomic_store(&r->gate, TT_GATE_ATTACHED);
    if (r->set.clock == TT_CLOCK_PROCESS) tt_recording_state_begin(r, r->started);
    tt_recording_state_block(r, 0, false, r->started); /* open the gate if nothing blocks recording */
    return true;
}

/* Take the locks before a fork. A signal handler that runs until the child continues finds them held by its own
 * thread and is turned away. A handler that interrupted the recorder and forks must not wait for the locks: its
 * child is not recorded. */
static void before_fork(void)
{
    tt_recorder *r = tt_recorder_get();
    fork_locked = !tt_inside && tt_enter();
    if (!fork_locked) return;
    pthread_mutex_lock(&attach_lock);
    pthread_mutex_lock(&r->names.lock);
}

static void after_fork_parent(void)
{
    tt_recorder *r = tt_recorder_get();
    if (!fork_locked) return;
    pthread_mutex_unlock(&r->names.lock);
    pthread_mutex_unlock(&attach_lock);
    tt_exit();
}

/* After a fork without exec the spool belongs to the parent, the writer thread is gone, and CUDA is unusable where the
 * parent had begun it. */
static void after_fork_child(void)
{
    tt_recorder *r = tt_recorder_get();
    pthread_mutex_init(&attach_lock, NULL);
    pthread_mutex_init(&r->names.lock, NULL);
    pthread_mutex_init(&r->chunks_lock, NULL);
    pthread_mutex_init(&r->threads_lock, NULL);
    pthread_mutex_init(&r->gate_lock, NULL);
    pthread_mutex_init(&r->meta_lock, NULL);
    pthread_mutex_init(&r->tell.lock, NULL);
    if (phase != ATTACHED) {
        atomic_store(&r->gate, TT_GATE_OFF);
        if (fork_locked) tt_exit();
        return;
    }
    atomic_fetch_add(&r->generation, 1);
    tt_threads_forget(r);
    tt_cupti_forget();
    tt_nvml_forget();
    tt_nccl_forget();
    tt_files_forget();
    tt_ring_free(&r->ring);
    tt_own_close(&r->spool.file); /* needed when the files thread shared the program's descriptor table */
    tt_own_close(&r->tell.control.file);
    r->has_writer = false;
    r->n_pairs = r->n_ends = 0;
    r->names.refused = 0;
    memset(r->drops_written, 0, sizeof r->drops_written);
    for (int i = 0; i < TT_SPOOL_DROP_COUNT_; i++) atomic_store(&r->drops[i], 0);
    atomic_store(&r->steps, 0);
    atomic_store(&r->all_gpus, false);
    r->metas = NULL; /* another thread of the parent may have been adding to it */
    r->metas_n = r->metas_cap = 0;
    phase = fork_locked ? FORKED : REFUSED;
    bool again = phase == FORKED && r->set.children == TT_CHILDREN_ALL;
    atomic_store(&r->gate, again ? TT_GATE_FORKED : TT_GATE_OFF);
    if (fork_locked) tt_exit();
}

static void thread_gone(void *t) { atomic_store_explicit(&((tt_thread *)t)->gone, true, memory_order_release); }

/* Wait for the writer's last records. A GPU that hangs must not keep the program from ending. */
static void await_writer(const tt_recorder *r)
{
    const struct timespec ms = {0, 1000000};
    for (int i = 0; i < END_MOST_MS && !atomic_load(&r->finished); i++) nanosleep(&ms, NULL);
}

/* End in order on a deadly signal: its default action would lose the records that CUPTI still holds. Installed only
 * if the program has no handler of its own. The signal is raised again while it is blocked here: it ends the process
 * when the handler returns, so that a core shows the place where abort() was called or where the signal came. The
 * writer may itself meet a broken heap and abort, and a child of vfork runs in its parent's memory: neither waits. */
static void on_deadly_signal(int sig)
{
    tt_recorder *r = tt_recorder_get();
    int program_errno = errno;
    if (r->has_writer && r->pid == (uint32_t)getpid() && !pthread_equal(pthread_self(), r->writer)) {
        tt_triggers_deadly(r, sig);
        atomic_store(&r->quit, 1);
        await_writer(r);
    }
    signal(sig, SIG_DFL);
    raise(sig);
    errno = program_errno;
}

static void on_dump_signal(int sig)
{
    (void)sig;
    tt_triggers_ask(tt_recorder_get());
}

/* Install a handler if the program has none of its own. */
static void catch_signal(int sig, void (*handler)(int sig), int flags)
{
    struct sigaction old, own = {.sa_handler = handler, .sa_flags = flags};
    if (!sigaction(sig, NULL, &old) && old.sa_handler == SIG_DFL && !(old.sa_flags & SA_SIGINFO))
        sigaction(sig, &own, NULL);
}

static void catch_signals(void)
{
    static const int deadly[] = {SIGTERM, SIGINT, SIGHUP, SIGABRT};
    int dump = (int)tt_recorder_get()->set.dump_signal;
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) catch_signal(deadly[i], on_deadly_signal, 0);
    if (dump) catch_signal(dump, on_dump_signal, SA_RESTART);
}

static void once_a_process(void)
{
    tt_recorder *r = tt_recorder_get();
    r->leave = tt_recorder_leave;
    pthread_mutex_init(&r->chunks_lock, NULL);
    pthread_mutex_init(&r->threads_lock, NULL);
    pthread_mutex_init(&r->gate_lock, NULL);
    pthread_mutex_init(&r->meta_lock, NULL);
    pthread_key_create(&r->key, thread_gone);
}

static bool attach(const char *dir, bool cuda)
{
    tt_recorder *r = tt_recorder_get();
    int program_errno = errno;
    pthread_mutex_lock(&attach_lock);
    bool again = phase == FORKED && counts(r, cuda);
    if (phase == FRESH || again) {
        static bool prepared, registered;
        bool silent = false;
        if (!prepared) once_a_process();
        prepared = true;
        bool have = again || dir || getenv(TT_CONTROL_ENV);
        bool good = have && begin(dir, again, cuda, &silent);
        if (good && !registered) {
            registered = true; /* also in the children, which inherit these */
            pthread_atfork(before_fork, after_fork_parent, after_fork_child);
            atexit(tt_recorder_leave);
            catch_signals();
        }
        phase = good ? ATTACHED : silent ? FORKED : have ? REFUSED : FRESH;
        if (again && !good) atomic_store(&r->gate, TT_GATE_OFF);
    }
    bool attached = phase == ATTACHED;
    pthread_mutex_unlock(&attach_lock);
    errno = program_errno;
    return attached;
}

bool tt_recorder_attach(const char *dir) { return attach(dir, false); }

bool tt_recorder_attach_cuda(void) { return attach(NULL, true); }

void tt_recorder_leave_early(void) { atexit(tt_recorder_leave); }

bool tt_recorder_ready(tt_recorder *r)
{
    /* acquire: see everything that attaching has set up */
    uint32_t gate = atomic_load_explicit(&r->gate, memory_order_acquire);
    if (gate & TT_GATE_FORKED) return tt_recorder_attach(NULL);
    return gate & TT_GATE_ATTACHED;
}

void tt_recorder_leave(void)
{
    tt_recorder *r = tt_recorder_get();
    pthread_mutex_lock(&attach_lock);
    bool mine = phase == ATTACHED && r->pid == (uint32_t)getpid();
    if (mine) phase = LEFT;
    pthread_mutex_unlock(&attach_lock);
    if (!mine) return;
    atomic_store(&r->quit, 1);
    tt_recorder_wake(r);
    await_writer(r);
    if (atomic_load(&r->finished)) {
        pthread_join(r->writer, NULL);
        tt_files_stop();
    }
    atomic_store(&r->gate, TT_GATE_OFF);
}
