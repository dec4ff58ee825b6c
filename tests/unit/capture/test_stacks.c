/* Stacks of C of threads of this process, against the return addresses that the threads note themselves; a process
 * whose memory cannot be read; the records of stacks. */
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/agent/record_stacks.h"
#include "capture/spool/spool_writer.h"
#include "capture/stacks/stacks.h"
#include "tests/unit/check.h"

static char folder[] = "/tmp/tt_stacks.XXXXXX";

/* ---- threads that wait, each in its own way, below functions of several kinds of frames ---- */

enum { DEEP = 5 };
typedef struct waiter {
    int way, ends[2];
    pthread_t thread;
    pthread_mutex_t closed;
    _Atomic uint32_t tid;
    _Atomic int over;
    void *_Atomic back[DEEP]; /* return addresses, the innermost first */
} waiter;

#define NOTE(w, n) atomic_store(&(w)->back[n], __builtin_return_address(0))
/* a call that is the last of a function would not return to it */
#define STAY __asm__ volatile("" ::: "memory")

__attribute__((noinline)) static void block(waiter *w)
{
    char c;
    NOTE(w, 0);
    atomic_store(&w->tid, (uint32_t)syscall(SYS_gettid));
    if (w->way == 0) pthread_mutex_lock(&w->closed);
    if (w->way == 1 && read(w->ends[0], &c, 1) < 0) abort();
    if (w->way == 2) poll(&(struct pollfd){.fd = w->ends[0], .events = POLLIN}, 1, -1);
    if (w->way == 0) pthread_mutex_unlock(&w->closed);
    while (w->way == 3 && !atomic_load(&w->over)) {}
    STAY;
}

__attribute__((noinline)) static void with_array(waiter *w, size_t n)
{
    volatile char *some = alloca(n);
    some[0] = some[n - 1] = 1;
    NOTE(w, 1);
    block(w);
    STAY;
}

__attribute__((noinline)) static int with_registers(waiter *w, int a, int b, int c, int d)
{
    NOTE(w, 2);
    with_array(w, 1000);
    STAY;
    return a * b + c * d;
}

__attribute__((noinline)) static void large(waiter *w)
{
    volatile char some[10000];
    some[0] = some[9999] = 1;
    NOTE(w, 3);
    some[1] = (char)with_registers(w, w->way, 2, 3, 4);
    STAY;
}

static void *begin(void *arg)
{
    NOTE((waiter *)arg, 4);
    large(arg);
    return NULL;
}

static void start(waiter *w, int way)
{
    *w = (waiter){.way = way};
    pthread_mutex_init(&w->closed, NULL);
    pthread_mutex_lock(&w->closed);
    CHECK(pipe(w->ends) == 0);
    CHECK(pthread_create(&w->thread, NULL, begin, w) == 0);
    while (!atomic_load(&w->tid)) sched_yield();
}

static void end(waiter *w)
{
    atomic_store(&w->over, 1);
    pthread_mutex_unlock(&w->closed);
    CHECK_INT(write(w->ends[1], "x", 1), 1);
    pthread_join(w->thread, NULL);
    pthread_mutex_destroy(&w->closed);
    close(w->ends[0]);
    close(w->ends[1]);
}

typedef struct got {
    uint32_t tid, kind, n;
    char text[TT_LIVE_TEXT + 1];
} got;

static void put(void *arg, const tt_live_stack *s)
{
    got *g = arg;
    g->tid = s->tid;
    g->kind = s->kind;
    g->n++;
    memcpy(g->text, s->text, s->len);
    g->text[s->len] = 0;
}

/* The number of noted addresses that the stack has, in their order. */
static int found(const waiter *w, const char *text)
{
    Dl_info self;
    int n = 0;
    CHECK(dladdr((void *)(uintptr_t)found, &self));
    for (const char *p = text, *next; *p && n < DEEP; p = next) {
        next = strchrnul(p, '\n');
        next += *next != 0;
        const char *offset = strstr(p, ": +0x");
        if (!offset || offset > next) continue;
        n += (char *)self.dli_fbase + strtoull(offset + 3, NULL, 16) == (char *)atomic_load(&w->back[n]);
    }
    return n;
}

static void test_waiting(void)
{
    static waiter w;
    tt_live_stacks *s = calloc(1, sizeof *s);
    got *g = calloc(1, sizeof *g);
    for (int way = 0; way < 3; way++) {
        start(&w, way);
        /* the thread may not have come to rest yet */
        for (int i = 0; i < 10000 && found(&w, g->text) < DEEP - 1; i++)
            tt_live_stacks_native(s, (uint32_t)getpid(), atomic_load(&w.tid), put, g);
        CHECK_INT(g->tid, atomic_load(&w.tid));
        CHECK_INT(g->kind, TT_SPOOL_STACK_NATIVE);
        CHECK_INT(found(&w, g->text), DEEP - 1); /* the last lies in the library that starts threads */
        if (found(&w, g->text) < DEEP - 1) fputs(g->text, stderr);
        end(&w);
        g->text[0] = 0;
    }
    start(&w, 3);
    bool runs = false;
    for (int i = 0; i < 10000 && !runs; i++) { /* it also waits for a processor */
        tt_live_stacks_native(s, (uint32_t)getpid(), atomic_load(&w.tid), put, g);
        runs = strstr(g->text, "it runs") != NULL;
    }
    CHECK(runs);
    end(&w);
    tt_live_stacks_native(s, (uint32_t)getpid(), atomic_load(&w.tid), put, g);
    CHECK(strstr(g->text, "has ended") != NULL);
    free(g);
    free(s);
}

/* ---- a filter of system calls ---- */

static void forbid(void)
{
    struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog all = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all)) _exit(77);
}

/* Map a file with a name of Python's. */
static void look_like_python(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s/libpython3.12.so.1.0", folder);
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || write(fd, "x", 1) != 1 || mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED) _exit(3);
}

static int status_of_child(bool python)
{
    int status = -1;
    pid_t child = fork();
    if (!child) {
        char why[300] = "", want[300];
        got *g = calloc(1, sizeof *g);
        tt_live_stacks *s = calloc(1, sizeof *s);
        if (python) look_like_python();
        forbid();
        snprintf(want, sizeof want,
                 "Python stacks of process %d: not read: Operation not permitted (process_vm_readv is forbidden here, "
                 "as by seccomp of a container)",
                 (int)getpid());
        tt_live_result r = tt_live_stacks_python(s, (uint32_t)getpid(), put, g, why, sizeof why);
        _exit(g->n || (python ? r != TT_LIVE_REFUSED || strcmp(why, want) != 0 : r != TT_LIVE_NONE || *why));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static void test_forbidden(void)
{
    int with = status_of_child(true), without = status_of_child(false);
    CHECK(with == 0 || with == 77); /* 77: no filters here */
    CHECK(without == 0 || without == 77);
}

/* ---- records ---- */

static void test_records(void)
{
    static waiter w;
    char path[300];
    tt_recorder *r = tt_recorder_get();
    snprintf(path, sizeof path, "%s/stacks.ttspool", folder);
    CHECK_INT(tt_spool_open(&r->spool, path, 0), 0);
    r->pid = (uint32_t)getpid();
    start(&w, 1);
    tt_stacks_record(r, atomic_load(&w.tid));
    tt_spool_close(&r->spool);
    end(&w);
    unsigned char file[70000];
    FILE *f = fopen(path, "rb");
    size_t n = fread(file, 1, sizeof file, f);
    fclose(f);
    /* no Python: nothing is said, and the C stack is the only record */
    const tt_spool_stack *k = (const void *)(file + sizeof(tt_spool_block));
    CHECK(n >= sizeof(tt_spool_block) + sizeof *k);
    CHECK_INT(k->h.type, TT_SPOOL_STACK);
    CHECK_INT(k->h.a, TT_SPOOL_STACK_NATIVE);
    CHECK_INT(k->tid, atomic_load(&w.tid));
    CHECK_INT(sizeof(tt_spool_block) + k->h.size, n);
    CHECK(k->len > 0 && k->text[k->len - 1] == '\n');
    CHECK_INT(r->tell.n_notes, 0);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
#ifdef __x86_64__
    test_waiting();
#endif
    test_forbidden();
    test_records();
    return check_done();
}
