/* capture/launcher/dynolog.c - receives requests of Kineto's clients and answers them. See dynolog.h.
 *
 * A datagram is {size_t size; char type[32];} and `size` bytes. "ctxt" {i32 gpu; i32 pid; i64 job} announces a process;
 * the answer is an i32, the number of processes. "req" {i32 what; i32 n; i64 job; i32 pids[n]} (pids: the process and
 * its ancestors) asks for work; the answer is the text of a configuration, empty for no work. The kernel says who the
 * sender is and which process it descends from: only processes of our own user (root: of everybody) get an answer, and
 * datagrams of other users cost little. */
#include "capture/launcher/dynolog.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "capture/launcher/launch.h"
#include "capture/shared/sysfile.h"

#define NAME "dynolog"
enum { WANTS_ACTIVITIES = 2, CLIENTS_MOST = 4096, PIDS_MOST = 256 };
/* AT_ONCE: datagrams answered in one call; OTHERS_AT_ONCE: of one other user; USERS_MOST: users that are counted */
enum { AT_ONCE = 1000, OTHERS_AT_ONCE = 32, USERS_MOST = 16 };

typedef struct head {
    uint64_t size;
    char type[32];
} head;
_Static_assert(sizeof(head) == 40 && sizeof(size_t) == 8, "the protocol has the sizes of 64-bit programs");

typedef struct context {
    int32_t gpu, pid;
    int64_t job;
} context;

typedef struct request {
    int32_t what, n;
    int64_t job;
    int32_t pids[PIDS_MOST];
} request;

typedef struct datagram {
    head h;
    union {
        context c;
        request r;
    } body;
} datagram;

/* ---- sockets ---- */

static bool refuse(char *why, size_t cap, const char *what, int error)
{
    if (error == EADDRINUSE) {
        snprintf(why, cap,
                 "%s is taken: a dynolog daemon or another recording answers Kineto here already; end it, or use "
                 "'dyno gputrace'",
                 what);
    } else {
        snprintf(why, cap, "%s: cannot listen: %s", what, strerror(error));
    }
    return false;
}

/* Open a socket with the sender's identity on every datagram; -1 with errno. */
static int listen_at(const struct sockaddr_un *a, socklen_t len)
{
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
    if (fd < 0) return -1;
    if (!setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) && !bind(fd, (const struct sockaddr *)a, len))
        return fd;
    int e = errno;
    close(fd);
    errno = e;
    return -1;
}

static bool open_abstract(tt_dynolog *d, char *why, size_t cap)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    memcpy(a.sun_path + 1, NAME, sizeof NAME); /* the leading NUL is part of an abstract name */
    d->fd[0] = listen_at(&a, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + sizeof NAME));
    return d->fd[0] >= 0 || refuse(why, cap, "the socket @" NAME, errno);
}

/* True when a process listens at the address: a socket file outlives its owner. */
static bool answers(const struct sockaddr_un *a)
{
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool good = fd >= 0 && connect(fd, (const struct sockaddr *)a, sizeof *a) == 0;
    if (fd >= 0) close(fd);
    return good;
}

static bool open_in(tt_dynolog *d, const char *folder, char *why, size_t cap)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    if (strlen(folder) > TT_DYNOLOG_FOLDER_MOST) {
        snprintf(why, cap, "%s: longer than the %d characters that Kineto's sockets leave for their folder", folder,
                 TT_DYNOLOG_FOLDER_MOST);
        return false;
    }
    snprintf(a.sun_path, sizeof a.sun_path, "%s/" NAME, folder);
    if (answers(&a)) return refuse(why, cap, a.sun_path, EADDRINUSE);
    unlink(a.sun_path);
    d->fd[1] = listen_at(&a, sizeof a);
    if (d->fd[1] < 0) return refuse(why, cap, a.sun_path, errno);
    chmod(a.sun_path, 0600);
    memcpy(d->path, a.sun_path, sizeof d->path);
    return true;
}

bool tt_dynolog_open(tt_dynolog *d, const char *folder, bool both, char *why, size_t cap)
{
    *d = (tt_dynolog){.fd = {-1, -1}};
    if (folder && !open_in(d, folder, why, cap)) return false;
    if (folder && !both) return true;
    return open_abstract(d, why, cap);
}

void tt_dynolog_close(tt_dynolog *d)
{
    for (int i = 0; i < 2; i++) {
        if (d->fd[i] >= 0) close(d->fd[i]);
    }
    if (*d->path) unlink(d->path);
    free(d->at);
    *d = (tt_dynolog){.fd = {-1, -1}};
}

/* ---- clients ---- */

/* The process's pid in its own namespace; the pid here when its own cannot be read. */
static int32_t own_number(pid_t pid)
{
    char path[40], text[4096];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    const char *line = tt_sysfile_read(path, text, sizeof text) ? strstr(text, "\nNSpid:") : NULL;
    if (!line) return pid;
    const char *end = strchr(line + 1, '\n'), *last = end ? end : line + strlen(line);
    while (last > line && last[-1] >= '0' && last[-1] <= '9') last--;
    return (int32_t)strtol(last, NULL, 10);
}

static tt_dynolog_client *client_of(tt_dynolog *d, const struct ucred *who)
{
    for (size_t i = 0; i < d->n; i++) {
        if (d->at[i].real == who->pid) return &d->at[i];
    }
    if (d->n == CLIENTS_MOST) return NULL;
    if (d->n == d->cap) {
        size_t cap = d->cap ? d->cap * 2 : 16;
        tt_dynolog_client *more = realloc(d->at, cap * sizeof *more);
        if (!more) return NULL;
        d->at = more;
        d->cap = cap;
    }
    bool foreign = geteuid() != 0 && who->uid != geteuid();
    d->at[d->n] =
        (tt_dynolog_client){.pid = own_number(who->pid), .real = who->pid, .uid = who->uid, .foreign = foreign};
    return &d->at[d->n++];
}

/* Count a configuration as delivered only when it was sent whole: a client with a full queue asks again. */
static bool reply(int fd, const struct sockaddr_un *to, socklen_t to_len, const char *type, const void *body, size_t n)
{
    head h = {.size = n};
    memcpy(h.type, type, strlen(type) + 1);
    struct iovec parts[] = {{&h, sizeof h}, {(void *)(uintptr_t)body, n}};
    struct msghdr m = {
        .msg_name = (void *)(uintptr_t)to, .msg_namelen = to_len, .msg_iov = parts, .msg_iovlen = n ? 2 : 1};
    ssize_t k;
    do {
        k = sendmsg(fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (k < 0 && errno == EINTR);
    return k == (ssize_t)(sizeof h + n);
}

typedef struct sender {
    int fd;
    struct sockaddr_un from;
    socklen_t from_len;
    struct ucred who;
} sender;

static void on_context(const tt_dynolog *d, const sender *s)
{
    int32_t n = d->n ? (int32_t)d->n : 1;
    reply(s->fd, &s->from, s->from_len, "ctxt", &n, sizeof n);
}

static void on_request(tt_dynolog *d, const sender *s, int32_t what, pid_t ancestor, const char *config)
{
    tt_dynolog_client *c = tt_launch_descends(s->who.pid, ancestor) ? client_of(d, &s->who) : NULL;
    const char *text = "";
    if (c) {
        c->busy = !(what & WANTS_ACTIVITIES);
        if (config && !c->foreign && !c->busy && !c->given) text = config;
    }
    bool sent = reply(s->fd, &s->from, s->from_len, "req", text, strlen(text));
    if (*text && sent) c->given = true;
}

/* ---- datagrams ---- */

static void take_in(tt_dynolog *d, const sender *s, const datagram *g, size_t n, pid_t ancestor, const char *config)
{
    size_t body = n - sizeof g->h;
    const request *r = &g->body.r;
    if (g->h.size <= body && !strncmp(g->h.type, "ctxt", sizeof g->h.type) && body >= sizeof(context)) {
        on_context(d, s);
        return;
    }
    size_t fixed = offsetof(request, pids);
    if (g->h.size <= body && !strncmp(g->h.type, "req", sizeof g->h.type) && body >= fixed && r->n > 0 &&
        (size_t)r->n <= (body - fixed) / sizeof r->pids[0]) {
        on_request(d, s, r->what, ancestor, config);
    }
}

/* Count of datagrams from each user in one call of serve. */
typedef struct users {
    uid_t own[2]; /* users whose requests are all answered: ours, and the ancestor's */
    uid_t uid[USERS_MOST];
    int sent[USERS_MOST], n;
} users;

static bool has_turn(users *u, uid_t uid)
{
    if (uid == u->own[0] || uid == u->own[1]) return true;
    int i = 0;
    while (i < u->n && u->uid[i] != uid) i++;
    if (i == USERS_MOST) return false;
    if (i == u->n) u->uid[u->n++] = uid;
    return u->sent[i]++ < OTHERS_AT_ONCE;
}

/* Receive and handle one datagram; false when none waits. */
static bool receive(tt_dynolog *d, int fd, users *u, pid_t ancestor, const char *config)
{
    datagram g;
    sender s = {.fd = fd};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct iovec part = {&g, sizeof g};
    struct msghdr m = {.msg_name = &s.from,
                       .msg_namelen = sizeof s.from,
                       .msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = control.bytes,
                       .msg_controllen = sizeof control.bytes};
    ssize_t n = recvmsg(fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n < 0) return errno == EINTR;
    s.from_len = m.msg_namelen;
    bool known = false;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_CREDENTIALS) continue;
        memcpy(&s.who, CMSG_DATA(c), sizeof s.who);
        known = true;
    }
    if (known && s.from_len > offsetof(struct sockaddr_un, sun_path) && n >= (ssize_t)sizeof g.h &&
        has_turn(u, s.who.uid)) {
        take_in(d, &s, &g, (size_t)n, ancestor, config);
    }
    return true;
}

void tt_dynolog_serve(tt_dynolog *d, pid_t ancestor, const char *config)
{
    char path[40];
    struct stat st;
    users u = {.own = {geteuid(), geteuid()}};
    snprintf(path, sizeof path, "/proc/%d", (int)ancestor);
    if (!stat(path, &st)) u.own[1] = st.st_uid;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < AT_ONCE && d->fd[i] >= 0 && receive(d, d->fd[i], &u, ancestor, config); k++) {}
    }
}

void tt_dynolog_wait(const tt_dynolog *d, int ms)
{
    struct pollfd at[2] = {{d->fd[0], POLLIN, 0},
                           {d->fd[1], POLLIN, 0}}; /* a socket that is not open is -1: poll() skips it */
    poll(at, 2, ms);
}

/* ---- the configuration ---- */

bool tt_kineto_config(const tt_kineto_wish *w, char *out, size_t cap)
{
    static const char *const is[] = {"false", "true"};
    size_t n = (size_t)snprintf(out, cap, "ACTIVITIES_LOG_FILE=%s\n", w->log_file);
    if (w->iterations > 0) {
        if (n < cap)
            n += (size_t)snprintf(out + n, cap - n,
                                  "PROFILE_START_ITERATION=%lld\nACTIVITIES_WARMUP_ITERATIONS=%lld\n"
                                  "ACTIVITIES_ITERATIONS=%lld\n",
                                  (long long)w->first, (long long)w->warmup, (long long)w->iterations);
    } else if (n < cap) {
        n += (size_t)snprintf(out + n, cap - n, "PROFILE_START_TIME=0\nACTIVITIES_DURATION_MSECS=%lld\n",
                              (long long)w->duration_ms);
    }
    if (w->types && n < cap) n += (size_t)snprintf(out + n, cap - n, "ACTIVITY_TYPES=%s\n", w->types);
    if (n < cap)
        n += (size_t)snprintf(out + n, cap - n,
                              "PROFILE_REPORT_INPUT_SHAPES=%s\nPROFILE_PROFILE_MEMORY=%s\nPROFILE_WITH_STACK=%s\n"
                              "PROFILE_WITH_FLOPS=%s\nPROFILE_WITH_MODULES=%s\n",
                              is[w->shapes], is[w->memory], is[w->stack], is[w->flops], is[w->modules]);
    return n < cap;
}
