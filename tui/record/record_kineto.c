/* tui/record/record_kineto.c - records through PyTorch's own profiler: answers the processes that ask, waits for the
 * files that they write, moves them to the folder of the recording. See record.h and capture/launcher/dynolog.h.
 *
 * Kineto writes only below a folder that its process knows (KINETO_ONDEMAND_TRACE_DIR, else /tmp): traces are
 * written into a new folder there, then moved. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/launcher/dynolog.h"
#include "model/base/buf.h"
#include "model/base/clock.h"
#include "parser/input/walk.h"
#include "tui/files/outfile.h"
#include "tui/record/record.h"

#define FOLDER_ENV "KINETO_ONDEMAND_TRACE_DIR" /* variable with the folder for traces */
#define DAEMON_ENV "KINETO_USE_DAEMON"
/* Open a file that another process wrote. It may belong to another user when root records, so links and FIFOs are
 * refused. */
#define READ_IT (O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
enum { DURATION_MS = 500, WARMUP_MS = 8000, PATIENCE_MS = 30000, STEPS_MS = 600000 };
#define READ_MOST ((size_t)64 << 20) /* most bytes of a file of /proc that are read */

typedef struct kineto {
    const tt_cli *cli;
    const tt_record_views *views;
    tt_dynolog daemon;
    pid_t target;
    char dir[512], stage[560];
    char config[2048];
    int64_t start, asked_from;   /* asked_from: when the first request is answered, ms */
    int64_t patience, recording; /* patience: how long to wait for a request; recording: how long Kineto records */
    int64_t given_at;            /* when the first process got its request; 0 = none yet */
    uint64_t bytes;
    tt_pytorch pytorch; /* the target's, seen while it ran */
} kineto;

/* ---- what is known of a process ---- */

static bool proc_path(char *out, size_t cap, pid_t pid, const char *what)
{
    return (size_t)snprintf(out, cap, "/proc/%d/%s", (int)pid, what) < cap;
}

static char *read_all(const char *path, size_t *n)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text = NULL;
    size_t cap = 0;
    *n = 0;
    while (fd >= 0 && *n < READ_MOST) {
        if (cap - *n < 4096) text = tt_realloc(text, cap = cap * 2 + 65536, 1);
        ssize_t k = read(fd, text + *n, cap - *n - 1);
        if (k <= 0) break;
        *n += (size_t)k;
    }
    if (fd >= 0) close(fd);
    if (text) text[*n] = 0;
    return text;
}

/* The environment with which the process began, n bytes. During exec() it is empty for a moment: try again. */
static char *environment_of(pid_t pid, size_t *n)
{
    char path[64], *all = NULL;
    proc_path(path, sizeof path, pid, "environ");
    for (int tries = 0; tries < 20; tries++) {
        if (tries) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        free(all);
        all = read_all(path, n);
        if (!all || *n) break;
    }
    return all;
}

/* Value of a variable when the process began; false = not set, or not readable. */
static bool variable_of(pid_t pid, const char *name, char *out, size_t cap)
{
    size_t n, len = strlen(name);
    char *all = environment_of(pid, &n);
    bool found = false;
    if (!all) return false;
    for (size_t i = 0; i < n && !found; i += strlen(all + i) + 1) {
        if (strncmp(all + i, name, len) != 0 || all[i + len] != '=') continue;
        snprintf(out, cap, "%s", all + i + len + 1);
        found = true;
    }
    free(all);
    return found;
}

static bool has_pytorch(pid_t pid)
{
    char path[64];
    size_t n;
    proc_path(path, sizeof path, pid, "maps");
    char *maps = read_all(path, &n);
    bool found = !maps || !n || strstr(maps, "libtorch") || strstr(maps, "libkineto"); /* unreadable: assume PyTorch */
    free(maps);
    return found;
}

static bool is_gone(pid_t pid)
{
    char path[64];
    size_t n;
    if (kill(pid, 0) && errno == ESRCH) return true;
    proc_path(path, sizeof path, pid, "stat");
    char *stat = read_all(path, &n), *p = stat ? strrchr(stat, ')') : NULL;
    bool zombie = p && (p[2] == 'Z' || p[2] == 'X');
    free(stat);
    return zombie;
}

static bool same_namespace(pid_t pid, const char *what)
{
    char path[64], a[128], b[128];
    snprintf(path, sizeof path, "ns/%s", what);
    char whole[96];
    proc_path(whole, sizeof whole, pid, path);
    ssize_t n = readlink(whole, a, sizeof a - 1);
    proc_path(whole, sizeof whole, getpid(), path);
    ssize_t m = readlink(whole, b, sizeof b - 1);
    return n <= 0 || m <= 0 || (n == m && !memcmp(a, b, (size_t)n)); /* unreadable: assume the same namespace */
}

/* The process cannot be attached to; why: the reason. */
static bool cannot_attach(pid_t pid, char *why, size_t cap)
{
    char path[64];
    struct stat st;
    proc_path(path, sizeof path, pid, "");
    if (stat(path, &st)) {
        snprintf(why, cap, "there is no process %d; 'pgrep -a python' lists candidates", (int)pid);
        return true;
    }
    if (is_gone(pid)) {
        snprintf(why, cap, "process %d has ended already", (int)pid);
        return true;
    }
    if (geteuid() != 0 && st.st_uid != geteuid()) {
        const struct passwd *user = getpwuid(st.st_uid);
        snprintf(why, cap, "process %d belongs to user %s (%u), not to you: run tracetty as that user or as root",
                 (int)pid, user ? user->pw_name : "?", (unsigned)st.st_uid);
        return true;
    }
    static const char *const spaces[] = {"net", "mnt"};
    for (size_t i = 0; i < 2; i++) {
        if (same_namespace(pid, spaces[i])) continue;
        snprintf(why, cap,
                 "process %d runs in a container (another %s namespace), where it cannot be answered from here: run "
                 "tracetty inside, with the number that the process has there",
                 (int)pid, spaces[i]);
        return true;
    }
    return false;
}

/* ---- where traces go ---- */

/* Make a folder for Kineto's traces below a folder that Kineto may write to. */
static bool make_stage(kineto *k, const char *below, char *why, size_t cap)
{
    struct stat st;
    char path[64];
    snprintf(k->stage, sizeof k->stage, "%s%stracetty-kineto-XXXXXX", below,
             below[strlen(below) - 1] == '/' ? "" : "/");
    if (!mkdtemp(k->stage)) {
        snprintf(why, cap, "%s: no folder can be made there, where Kineto is allowed to write: %s", below,
                 strerror(errno));
        *k->stage = 0;
        return false;
    }
    proc_path(path, sizeof path, k->target, "");
    if (geteuid() == 0 && k->target && !stat(path, &st) && chown(k->stage, st.st_uid, st.st_gid)) {
        snprintf(why, cap, "%s: cannot be given to the user of process %d: %s", k->stage, (int)k->target,
                 strerror(errno));
        return false;
    }
    return true;
}

static void trace_of(const kineto *k, const tt_dynolog_client *c, char *out, size_t cap)
{
    snprintf(out, cap, "%s/trace_%" PRId32 ".json", k->stage, c->pid);
}

/* The file holds one complete object or array. Read in pieces: another process may cut the file at any moment. */
static bool is_closed(int fd)
{
    enum { PIECE = 1 << 18 };
    char *piece = tt_calloc(1, PIECE);
    size_t depth = 0;
    bool in_text = false, escaped = false, over = false, bad = false;
    off_t at = 0;
    for (ssize_t n; !over && !bad && (n = pread(fd, piece, PIECE, at)) > 0; at += n) {
        for (ssize_t i = 0; i < n && !over && !bad; i++) {
            char c = piece[i];
            if (in_text) {
                in_text = escaped || c != '"';
                escaped = !escaped && c == '\\';
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (!depth) {
                bad = c != ' ' && c != '\n';
            } else if (c == '"') {
                in_text = true;
            } else if (c == '}' || c == ']') {
                over = !--depth;
            }
        }
    }
    free(piece);
    return over;
}

/* The JSON file is complete. Older versions of Kineto write it in place, so only a file that has stopped growing is
 * read. */
static bool is_whole(const char *path, uint64_t *bytes)
{
    int fd = open(path, READ_IT);
    struct stat st = {0};
    if (fd < 0) return false;
    bool whole =
        !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 && (uint64_t)st.st_size == *bytes && is_closed(fd);
    *bytes = (uint64_t)st.st_size;
    close(fd);
    return whole;
}

static bool move_file(const char *from, const char *to, tt_err *err)
{
    if (!rename(from, to)) return true;
    if (errno != EXDEV) {
        tt_fail(err, TT_ERR_INPUT, -1, "%s", strerror(errno));
        return false;
    }
    int in = open(from, READ_IT);
    tt_outfile *out = in >= 0 ? tt_outfile_open(to, TT_OUTFILE_FRESH, NULL, err) : NULL;
    char piece[65536];
    ssize_t n = -1;
    while (out && (n = read(in, piece, sizeof piece)) > 0 && tt_outfile_write(out, piece, (size_t)n)) {}
    if (in < 0 || (out && n < 0)) tt_fail(err, TT_ERR_INPUT, -1, "%s: cannot be read: %s", from, strerror(errno));
    bool good = out && tt_outfile_close(out, n == 0, err) == TT_OK && n == 0;
    if (in >= 0) close(in);
    if (good) unlink(from);
    return good;
}

/* The trace is at Kineto's default path, which it uses when it refuses the given path. */
static bool is_at_default(const kineto *k, const tt_dynolog_client *c, char *out, size_t cap)
{
    struct stat st;
    struct timespec now;
    snprintf(out, cap, "/tmp/libkineto_activities_%" PRId32 ".json", c->pid);
    clock_gettime(CLOCK_REALTIME, &now);
    return !lstat(out, &st) && st.st_uid == c->uid &&
           st.st_mtim.tv_sec > now.tv_sec - (tt_clock_ms() - k->given_at) / 1000 - 1;
}

/* Move the trace of a process to the recording's folder when it is complete. */
static void collect(kineto *k, tt_dynolog_client *c)
{
    char from[700], to[1200], host[64] = "host";
    struct timespec now;
    trace_of(k, c, from, sizeof from);
    if (access(from, F_OK) != 0 && !is_at_default(k, c, from, sizeof from)) return;
    if (!is_whole(from, &c->bytes)) return;
    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(to, sizeof to, "%s/%s_%" PRId32 ".%" PRId64 ".pt.trace.json", k->dir, host, c->pid,
             (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    tt_err err;
    if (!move_file(from, to, &err)) {
        tt_warn("%s: cannot be moved to %s: %s; it stays where it is", from, k->dir, err.message);
        c->gone = c->told = true;
        return;
    }
    c->done = true;
    k->bytes += c->bytes;
}

/* ---- asking ---- */

static void types_of(const tt_capture_settings *set, char *out, size_t cap)
{
    static const struct {
        int trace;
        const char *types;
    } map[] = {{TT_TRACE_KERNEL, ",kernel"},        {TT_TRACE_MEMCPY, ",gpu_memcpy"},  {TT_TRACE_MEMSET, ",gpu_memset"},
               {TT_TRACE_RUNTIME, ",cuda_runtime"}, {TT_TRACE_DRIVER, ",cuda_driver"}, {TT_TRACE_SYNC, ",cuda_sync"},
               {TT_TRACE_OVERHEAD, ",overhead"}};
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "cpu_op,user_annotation,gpu_user_annotation");
    for (size_t i = 0; i < sizeof map / sizeof *map; i++) {
        if (set->traces >> map[i].trace & 1) tt_buf_add(&line, "%s", map[i].types);
    }
}

static bool make_config(kineto *k, const tt_capture_settings *set)
{
    char log[600], types[200];
    const tt_schedule *steps = &set->schedule;
    const uint32_t device = (1u << TT_TRACE_NVTX) - 1; /* first the kinds that Kineto has words for */
    snprintf(log, sizeof log, "%s/trace.json", k->stage);
    types_of(set, types, sizeof types);
    bool chosen = (set->traces ^ tt_capture_settings_default().traces) & device;
    tt_kineto_wish w = {.log_file = log,
                        .types = chosen ? types : NULL,
                        .duration_ms = set->duration_ns ? (set->duration_ns + 999999) / 1000000 : DURATION_MS,
                        .first = steps->skip_first + steps->closed + steps->ready,
                        .warmup = steps->ready,
                        .iterations = steps->record,
                        .shapes = set->traces >> TT_TRACE_SHAPES & 1,
                        .stack = set->traces >> TT_TRACE_STACK & 1,
                        .flops = set->traces >> TT_TRACE_FLOPS & 1,
                        .modules = set->traces >> TT_TRACE_MODULES & 1,
                        .memory = set->traces >> TT_TRACE_MEMORY & 1};
    int64_t linger = 0;
    tt_err err;
    if (tt_record_time(k->cli, TT_OPT_LINGER, &linger, &err) != TT_OK) linger = 0;
    k->patience = k->cli->value[TT_OPT_LINGER] ? linger / 1000000 : PATIENCE_MS;
    k->recording = w.iterations ? (k->cli->value[TT_OPT_LINGER] ? 0 : STEPS_MS)
                                : w.duration_ms + (k->cli->value[TT_OPT_LINGER] ? 0 : WARMUP_MS);
    k->start = tt_clock_ms();
    k->asked_from = k->start + set->delay_ns / 1000000;
    return tt_kineto_config(&w, k->config, sizeof k->config);
}

/* ---- how it goes ---- */

typedef struct counts {
    size_t asked, given, done, gone, busy;
} counts;

static counts count(const kineto *k)
{
    counts n = {0};
    for (size_t i = 0; i < k->daemon.n; i++) {
        const tt_dynolog_client *c = &k->daemon.at[i];
        n.asked++;
        n.busy += c->busy && !c->given;
        n.given += c->given;
        n.done += c->done;
        n.gone += c->gone;
    }
    return n;
}

static void serve(kineto *k)
{
    int64_t now = tt_clock_ms();
    tt_dynolog_serve(&k->daemon, k->target, now >= k->asked_from ? k->config : NULL);
    for (size_t i = 0; i < k->daemon.n; i++) {
        tt_dynolog_client *c = &k->daemon.at[i];
        if (c->foreign && !c->told) {
            c->told = true;
            tt_warn("process %d of user %u asked as well; it is not yours and was given nothing", (int)c->real,
                    (unsigned)c->uid);
        }
        if (!c->given || c->done || c->gone) continue;
        if (!k->given_at) k->given_at = now;
        bool ended = is_gone(c->real); /* checked before the file: a process may write its trace as its last act */
        collect(k, c);
        if (ended && !c->done) collect(k, c); /* a file of an ended process does not grow any more */
        c->gone |= ended && !c->done;
    }
}

/* Once, when the target has loaded one and nobody has asked: the answer is needed when the target may have ended. */
static void look_at_pytorch(kineto *k)
{
    if (k->pytorch == TT_PYTORCH_NOT_SEEN && !count(k).asked) k->pytorch = tt_record_pytorch(k->target);
}

static void show_progress(const kineto *k)
{
    char line[240];
    counts n = count(k);
    int64_t ms = tt_clock_ms() - k->start;
    int at = snprintf(line, sizeof line, "%" PRId64 ".%" PRId64 " s  ", ms / 1000, ms % 1000 / 100);
    char *to = line + at;
    size_t cap = sizeof line - (size_t)at;
    if (!n.asked) {
        snprintf(to, cap, "waiting for PyTorch to ask, which it does every 5 s");
    } else if (!n.given) {
        snprintf(to, cap, "%zu process%s asked  %s", n.asked, n.asked == 1 ? "" : "es",
                 n.busy ? "its profiler is at work already" : "not yet time (--delay)");
    } else {
        snprintf(to, cap, "%zu process%s recording  %zu trace%s written  %.1f MB", n.given - n.done - n.gone,
                 n.given - n.done - n.gone == 1 ? "" : "es", n.done, n.done == 1 ? "" : "s", (double)k->bytes / 1e6);
    }
    tt_record_progress(k->cli, line, false);
}

/* ---- the end ---- */

static void say_silent(const kineto *k, const char *what)
{
    char value[64];
    counts n = count(k);
    if (n.busy) {
        tt_warn(
            "%s: its profiler is at work already (torch.profiler in the program, or another request): try again when "
            "that has ended",
            what);
    } else if (n.asked) {
        tt_warn("%s: --delay was not over", what);
    } else if (!is_gone(k->target) && !has_pytorch(k->target) &&
               !variable_of(k->target, DAEMON_ENV, value, sizeof value)) {
        tt_warn("%s: it has loaded no PyTorch", what);
    } else if (!is_gone(k->target) && !variable_of(k->target, DAEMON_ENV, value, sizeof value)) {
        tt_warn("%s: it was started without " DAEMON_ENV
                "=1, without which PyTorch does not listen: start it with that, or "
                "by 'tracetty record --via kineto -- COMMAND'",
                what);
    } else {
        tt_warn("%s: PyTorch asks every 5 s once it is loaded; --linger waits longer; old versions also need "
                "KINETO_DAEMON_INIT_DELAY_S=3",
                what);
    }
}

/* Report the outcome. Returns the number of traces. */
static size_t report(kineto *k, bool stopped)
{
    char what[200];
    counts n = count(k);
    if (!n.given && !n.asked && k->pytorch == TT_PYTORCH_BARE) {
        tt_warn("the PyTorch of process %d was built without Kineto, its profiler for other programs, as Debian's is: "
                "use 'tracetty record -- COMMAND', with --ops where it has CUDA",
                (int)k->target);
    } else if (!n.given && is_gone(k->target)) {
        tt_warn("process %d ended before its PyTorch asked for work%s", (int)k->target,
                n.asked ? "" : ", which it does every 5 s: nothing was recorded");
    } else if (!n.given) {
        snprintf(what, sizeof what, "process %d did not take the request within %" PRId64 " s", (int)k->target,
                 (tt_clock_ms() - k->start) / 1000);
        say_silent(k, what);
    }
    for (size_t i = 0; i < k->daemon.n; i++) {
        const tt_dynolog_client *c = &k->daemon.at[i];
        char path[700];
        if (!c->given || c->done || (c->told && c->gone)) continue;
        trace_of(k, c, path, sizeof path);
        if (c->gone) {
            tt_warn(
                "process %d ended before its trace was written, which is lost: ask for less with --duration or --steps",
                (int)c->real);
        } else if (stopped) {
            tt_warn("process %d goes on recording; its trace will be %s", (int)c->real, path);
        } else {
            tt_warn("process %d took the request, but wrote no trace in time; if it still does: %s. With --steps the "
                    "program must step an optimizer or a profiler; --linger waits longer",
                    (int)c->real, path);
        }
    }
    return n.done;
}

static bool settled(const kineto *k)
{
    counts n = count(k);
    return n.given && n.given == n.done + n.gone;
}

static bool too_late(const kineto *k)
{
    int64_t now = tt_clock_ms();
    if (!k->given_at) return now > (k->asked_from > k->start ? k->asked_from : k->start) + k->patience;
    return now > k->given_at + k->recording + k->patience;
}

/* Remove empty folders. */
static void tidy(kineto *k)
{
    tt_dynolog_close(&k->daemon);
    if (*k->stage) rmdir(k->stage);
    if (*k->dir) rmdir(k->dir);
}

static bool prepare_dir(kineto *k, char *why, size_t cap)
{
    const char *pattern = k->cli->value[TT_OPT_OUTPUT];
    char name[512], path[600];
    tt_expand_output(pattern ? pattern : "tracetty-%h-%Y%m%d-%H%M%S", name, sizeof name);
    bool made;
    if (!tt_launch_make_folders(name, &made)) {
        snprintf(why, cap, "%s: the directory cannot be made: %s", name, strerror(errno));
        return false;
    }
    char *whole = realpath(name, NULL);
    bool fits = whole && (size_t)snprintf(k->dir, sizeof k->dir, "%s", whole) < sizeof k->dir;
    free(whole);
    snprintf(path, sizeof path, "%s/" TT_CONTROL_FILE, k->dir);
    if (!fits || (!k->cli->value[TT_OPT_FORCE] && access(path, F_OK) == 0)) {
        snprintf(why, cap,
                 fits ? "%s: holds a recording already; choose another --output, or add --force"
                      : "%s: the path is too long",
                 name);
        *k->dir = 0;
        return false;
    }
    return true;
}

/* ---- a process that runs ---- */

static void watch(kineto *k, bool *stopped)
{
    tt_stops stops = {0};
    int64_t shown = k->start;
    while (!settled(k) && !too_late(k)) {
        serve(k);
        if (!k->given_at && is_gone(k->target)) break;
        if (tt_record_stop(&stops) != TT_STOP_NONE || tt_launch_terminated()) {
            *stopped = true;
            break;
        }
        if (tt_clock_ms() - shown >= 250) {
            look_at_pytorch(k);
            show_progress(k);
            shown = tt_clock_ms();
        }
        tt_dynolog_wait(&k->daemon, TT_RECORD_POLL_MS);
    }
}

static int finish_attach(kineto *k, bool stopped)
{
    char line[200];
    tt_record_progress(k->cli, NULL, false);
    size_t traces = report(k, stopped);
    snprintf(line, sizeof line, "%zu trace%s, %.1f MB", traces, traces == 1 ? "" : "s", (double)k->bytes / 1e6);
    tt_record_progress(k->cli, line, true);
    if (traces) tt_record_show(k->cli, k->views, k->dir);
    return traces ? 0 : TT_RECORD_CANNOT;
}

int tt_record_attach(const tt_cli *cli, const tt_capture_settings *set, const tt_record_views *views)
{
    kineto k = {.cli = cli, .views = views, .daemon = {.fd = {-1, -1}}};
    char why[1000], folder[600], below[400];
    int64_t pid;
    tt_err err;
    if (!tt_parse_count(cli->value[TT_OPT_ATTACH], &pid) || pid < 1 || pid > INT32_MAX || cli->n_args) {
        tt_fail(&err, TT_ERR_USAGE, -1,
                "--attach takes the number of a process, and no COMMAND: 'pgrep -a python' lists candidates");
        return tt_report(&err);
    }
    k.target = (pid_t)pid;
    if (cannot_attach(k.target, why, sizeof why)) return tt_record_refuse(why);
    bool has_folder = variable_of(k.target, TT_DYNOLOG_FOLDER_ENV, folder, sizeof folder) && *folder;
    if (!variable_of(k.target, FOLDER_ENV, below, sizeof below) || !*below) snprintf(below, sizeof below, "/tmp");
    bool good = prepare_dir(&k, why, sizeof why) && make_stage(&k, below, why, sizeof why) &&
                tt_dynolog_open(&k.daemon, has_folder ? folder : NULL, false, why, sizeof why);
    if (good && !make_config(&k, set)) {
        snprintf(why, sizeof why, "the names of the folders are too long");
        good = false;
    }
    int status = TT_RECORD_CANNOT;
    if (good) {
        bool stopped = false;
        tt_launch_catch();
        watch(&k, &stopped);
        tt_launch_release();
        status = finish_attach(&k, stopped);
    } else {
        tt_record_refuse(why);
    }
    tidy(&k);
    return status;
}

/* ---- a command ---- */

/* Remove the sockets of clients, which outlive their processes. */
static void remove_sockets(const char *folder)
{
    tt_walk_names l = {0};
    int d = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    tt_walk_read(folder, &l);
    for (size_t i = 0; i < l.n && d >= 0; i++) unlinkat(d, l.at[i], 0);
    if (d >= 0) close(d);
    tt_walk_names_free(&l);
    rmdir(folder);
}

static bool environment(const kineto *k, const char *sockets)
{
    return !setenv(DAEMON_ENV, "1", 1) && !setenv(FOLDER_ENV, k->dir, 1) && !setenv(TT_DYNOLOG_FOLDER_ENV, sockets, 1);
}

static void stay(kineto *k, tt_launch *l)
{
    tt_stops stops = {0};
    int64_t shown = k->start;
    while (tt_launch_poll(l) && !l->ended) {
        serve(k);
        tt_launch_forward(l);
        tt_stop stop = tt_record_stop(&stops);
        if (stop == TT_STOP_NOW) tt_launch_kill();
        if (tt_clock_ms() - shown >= 250) {
            look_at_pytorch(k);
            show_progress(k);
            shown = tt_clock_ms();
        }
        tt_dynolog_wait(&k->daemon, TT_RECORD_POLL_MS);
    }
    serve(k); /* collect traces written at the very end */
}

int tt_record_via_kineto(const tt_cli *cli, const tt_capture_settings *set, const tt_record_views *views)
{
    kineto k = {.cli = cli, .views = views, .daemon = {.fd = {-1, -1}}};
    const char *temporary = getenv("TMPDIR");
    char why[1000] = "", sockets[TT_DYNOLOG_FOLDER_MOST + 64];
    tt_launch l = {.child = -1, .rank = -1};
    if (!temporary || !*temporary || strlen(temporary) + 17 > TT_DYNOLOG_FOLDER_MOST) temporary = "/tmp";
    snprintf(sockets, sizeof sockets, "%s/tracetty-XXXXXX", temporary);
    bool made = mkdtemp(sockets) != NULL;
    if (!made) snprintf(why, sizeof why, "no folder can be made in %s: %s", temporary, strerror(errno));
    bool good = made && prepare_dir(&k, why, sizeof why) && make_stage(&k, k.dir, why, sizeof why);
    /* an old PyTorch without FOLDER_ENV asks at the usual address; if that is taken, only such versions are missed */
    if (good && !tt_dynolog_open(&k.daemon, sockets, true, why, sizeof why)) {
        good = k.daemon.fd[1] >= 0;
        if (good) tt_warn("%s; a PyTorch too old for " TT_DYNOLOG_FOLDER_ENV " will not be reached", why);
    }
    if (good && !(make_config(&k, set) && environment(&k, sockets))) {
        snprintf(why, sizeof why, "the names of the folders are too long");
        good = false;
    }
    char **argv = tt_calloc(cli->n_args + 1, sizeof *argv);
    for (uint32_t i = 0; i < cli->n_args; i++) argv[i] = tt_strdup(cli->args[i]);
    if (good && cli->value[TT_OPT_DRY_RUN]) {
        printf(DAEMON_ENV "=1\n" FOLDER_ENV "=%s\n" TT_DYNOLOG_FOLDER_ENV "=%s\n", k.dir, sockets);
    } else if (good) {
        snprintf(l.dir, sizeof l.dir, "%s", k.dir);
        tt_record_old old = {0};
        if (cli->value[TT_OPT_FORCE]) old = tt_record_find_old(&l);
        good = tt_launch_start(&l, argv, why, sizeof why);
        tt_record_end_old(&l, &old, good);
    }
    for (uint32_t i = 0; i < cli->n_args; i++) free(argv[i]);
    free(argv);
    int status = good ? 0 : l.status ? l.status : TT_RECORD_CANNOT;
    if (!good) {
        tt_record_refuse(why);
    } else if (l.child > 0) {
        k.target = l.child;
        stay(&k, &l);
        tt_launch_release();
        finish_attach(&k, false);
        status = cli->value[TT_OPT_STATUS_OK] ? 0 : l.status;
    }
    tidy(&k);
    if (made) remove_sockets(sockets);
    return status;
}
