/* A program to be recorded: it uses the real NVTX protocol, CUDA's way of loading a tool, and the C interface, with
 * modes for everything that can go wrong. It also plays libcuda: cuda modes call InitializeInjection(). Usage: target
 * MODE [N]; prints the events that the recording must hold. Environment: NVTX_FIRST = begin a range before cuInit();
 * DRIVER_EXIT_LATE = the driver registers its exit handler after loading the tool; OWN_DIR = the program records itself
 * into that directory; OWN_LATE = it loads this libcuda before it does so; TARGET_OWN_USR2 = it handles SIGUSR2. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "capture/tracetty.h"
#include "tests/doubles/nvtx.h"

/* ---- NVTX ---- */

static void push(const char *s)
{
    if (core[9]) ((int (*)(const char *))core[9])(s);
}
static int pop(void) { return core[11] ? ((int (*)(void))core[11])() : -2; }

/* The driver's exit handler. cuInit() registers it before it loads a tool. So an exit handler that the tool registers
 * while it is loaded runs before this one; a handler from before cuInit() runs after it, too late. */
static void driver_gone(void)
{
    const char *path = getenv("TRACETTY_CUPTI");
    void (*gone)(void) = NULL, *lib = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (lib) *(void **)&gone = dlsym(lib, "fake_cupti_gone");
    if (gone) gone();
}

static void cuda_init(void)
{
    static char libraries[2000]; /* paths of the libraries that a program with CUDA loads */
    char *rest;
    snprintf(libraries, sizeof libraries, "%s", getenv("FAKE_CUDA") ? getenv("FAKE_CUDA") : "");
    for (char *p = strtok_r(libraries, ":", &rest); p; p = strtok_r(NULL, ":", &rest)) {
        if (!dlopen(p, RTLD_NOW)) fprintf(stderr, "%s\n", dlerror());
    }
    bool late = getenv("DRIVER_EXIT_LATE") != NULL;
    if (!late) atexit(driver_gone);
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *lib = path ? dlopen(path, RTLD_NOW) : NULL;
    int (*start)(void) = NULL;
    if (lib) *(void **)&start = dlsym(lib, "InitializeInjection");
    if (start && !start()) fprintf(stderr, "InitializeInjection failed\n");
    if (late) atexit(driver_gone);
}

static void nap_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- a slow disk: the first writes of the recorder's threads take TARGET_STALL_MS each ---- */

static long stall_ms;

ssize_t write(int fd, const void *bytes, size_t n) /* replaces libc's write(), for the recorder's library too */
{
    static int stalled;
    char name[16] = "";
    if (stall_ms && stalled < 3 && prctl(PR_GET_NAME, name) == 0 && !strncmp(name, "tracetty", 8)) {
        stalled++; /* stall the recorder's threads only */
        nap_ms(stall_ms);
    }
    return syscall(SYS_write, fd, bytes, n);
}

/* ---- a file system without links, a full disk ---- */

static bool recorder_here(void)
{
    char name[16] = "";
    return prctl(PR_GET_NAME, name) == 0 && !strncmp(name, "tracetty", 8);
}

static bool is_there(const char *variable)
{
    const char *path = getenv(variable);
    return path && access(path, F_OK) == 0;
}

/* These two replace libc's, for the recorder's library too: without links where TARGET_NO_LINKS is a file, without room
 * for folders where TARGET_FULL is one. */
int link(const char *from, const char *to)
{
    if (is_there("TARGET_NO_LINKS") && recorder_here()) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int mkdir(const char *path, mode_t mode)
{
    if (is_there("TARGET_FULL") && recorder_here()) {
        errno = ENOSPC;
        return -1;
    }
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

/* ---- modes ---- */

static void basic(int n)
{
    (void)n;
    push("outer");
    for (int i = 0; i < 10; i++) {
        push("inner");
        pop();
    }
    pop();
    ((void (*)(const char *))core[2])("a mark");
}

static void steps(int n)
{
    char name[40];
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "ProfilerStep#%d", i);
        push(name);
        push("work");
        nap_ms(1);
        pop();
        pop();
    }
}

/* Whether the file TICKS_UNTIL exists, which ends the ticks. */
static bool told_to_end(void) { return is_there("TICKS_UNTIL"); }

/* Steps of 5 ms, the last but 10 of them takes 50 times as long, and more; then nothing until told to end. */
static void slow_steps(int n)
{
    char name[40];
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "ProfilerStep#%d", i);
        push(name);
        nap_ms(i == n - 10 ? 400 : 5);
        pop();
    }
    while (getenv("TICKS_UNTIL") && !told_to_end()) nap_ms(10);
}

static void api_steps(int n)
{
    for (int i = 0; i < n; i++) {
        tracetty_range_push_cat("work", "forward");
        nap_ms(1);
        tracetty_range_pop();
        tracetty_step(32);
    }
}

static void *thread_body(void *arg)
{
    for (long i = 0; i < (long)arg; i++) {
        push("pair");
        pop();
    }
    return NULL;
}

static void threads(int n)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, thread_body, (void *)(long)n);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
}

static long peak_kb(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}

/* Four threads record n pairs each; print the growth of memory. */
static void many(int n)
{
    threads(1);
    long before = peak_kb();
    threads(n);
    printf("pairs %ld grown %ld KiB\n", 4 * ((long)n + 1), peak_kb() - before);
    fflush(stdout);
}

/* Record n pairs, no faster than the recorder writes them. */
static void paced(int n)
{
    tracetty_status_t s = {0};
    long before = 0;
    for (int i = 0; i < n; i++) {
        push("pair");
        pop();
        if (i == 1000) before = peak_kb();
        while (i % 100000 == 99999 && !tracetty_status(&s, sizeof s) && s.events + s.drops + 200000 < (uint64_t)i)
            nap_ms(1);
    }
    printf("pairs %d grown %ld KiB\n", n, peak_kb() - before);
    fflush(stdout);
}

/* The recorder's writer thread in this process. */
static pid_t writer_thread(void)
{
    DIR *d = opendir("/proc/self/task");
    pid_t found = 0;
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        char path[300], name[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", e->d_name);
        FILE *f = fopen(path, "r");
        if (f && fgets(name, sizeof name, f) && !strcmp(name, "tracetty\n")) found = (pid_t)strtol(e->d_name, NULL, 10);
        if (f) fclose(f);
    }
    if (d) closedir(d);
    return found;
}

/* Record n pairs while another process holds the recorder's writer thread. */
static void stalled(int n)
{
    int go[2], done[2];
    char c = 0;
    push("first");
    pop();
    pid_t writer = 0;
    while (!(writer = writer_thread())) nap_ms(1);
    if (pipe(go) || pipe(done)) return;
    pid_t helper = fork();
    if (!helper) {
        bool held = read(go[0], &c, 1) == 1 && !ptrace(PTRACE_SEIZE, writer, NULL, NULL) &&
                    !ptrace(PTRACE_INTERRUPT, writer, NULL, NULL) && waitpid(writer, NULL, __WALL) == writer;
        c = held ? 'h' : 'n';
        if (write(done[1], &c, 1) == 1 && held && read(go[0], &c, 1) == 1) ptrace(PTRACE_DETACH, writer, NULL, NULL);
        _exit(0);
    }
    prctl(PR_SET_PTRACER, helper, 0, 0, 0);
    if (write(go[1], "g", 1) != 1 || read(done[0], &c, 1) != 1 || c != 'h') {
        printf("cannot hold the writer\n");
        return;
    }
    long before = peak_kb();
    for (int i = 0; i < n; i++) {
        push("outer");
        push("inner");
        pop();
        pop();
    }
    printf("pairs %ld grown %ld KiB\n", 2 * (long)n + 1, peak_kb() - before);
    fflush(stdout);
    if (write(go[1], "g", 1) != 1) return;
    waitpid(helper, NULL, 0);
}

/* Record pairs of one millisecond for n ms, then die by SIGKILL. */
static void cut_off(int n)
{
    int64_t end = now_ns() + (int64_t)n * 1000000;
    int i = 0;
    for (; now_ns() < end; i++) {
        push("tick");
        nap_ms(1);
        pop();
    }
    printf("pairs %d of %lld ns\n", i, (long long)n * 1000000);
    fflush(stdout);
    raise(SIGKILL);
}

static int order(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Print the median cost of a pair over blocks of 1000 with pauses between them, as in a program with steps. */
static void bench(int n)
{
    enum { BLOCKS = 2000 };
    static int64_t cost[BLOCKS];
    if (n > BLOCKS) n = BLOCKS;
    for (int k = 0; k < n; k++) {
        int64_t t = now_ns();
        for (int i = 0; i < 1000; i++) {
            push("aten::some_operator");
            pop();
        }
        cost[k] = (now_ns() - t) / 1000;
    }
    qsort(cost, (size_t)n, sizeof *cost, order);
    printf("median %ld ns\n", (long)cost[n / 2]);
}

static void forks(int n)
{
    push("parent");
    pid_t p = fork();
    if (!p) {
        push("child");
        pop();
        exit(n);
    }
    waitpid(p, NULL, 0);
    pop();
}

static void killed(int n)
{
    push("long range");
    push("whole");
    pop();
    nap_ms(1300); /* longer than the recorder waits before it announces an open range */
    raise(n);
    nap_ms(3000);
    pop();
}

static void *aborting(void *all)
{
    push("long range");
    push("whole");
    pop();
    pthread_barrier_wait(all);
    abort();
    return all;
}

/* n threads call abort() at once, while another thread goes on. */
static void aborts(int n)
{
    pthread_t t;
    pthread_barrier_t all;
    pthread_barrier_init(&all, NULL, (unsigned)n);
    for (int i = 0; i < n; i++) pthread_create(&t, NULL, aborting, &all);
    for (;;) {
        push("tick");
        nap_ms(1);
        pop();
    }
}

static void odd(int n)
{
    struct { /* nvtxEventAttributes_t */
        uint16_t version, size;
        uint32_t category;
        int32_t color_type;
        uint32_t color;
        int32_t payload_type, reserved;
        uint64_t payload;
        int32_t message_type;
        const void *message;
    } a = {.version = 3, .size = 48, .message_type = 2, .message = L"wide \u00e4"};
    (void)n;
    ((int (*)(const void *))core[8])(&a);
    pop();
    const void *domain = ((const void *(*)(const char *))core2[12])("domain");
    a.message_type = 3;
    a.message = ((const void *(*)(const void *, const char *))core2[10])(domain, "registered");
    ((int (*)(const void *, const void *))core2[4])(domain, &a);
    ((int (*)(const void *))core2[5])(domain);
    uint64_t id = ((uint64_t(*)(const char *))core[5])("start/end");
    ((void (*)(uint64_t))core[7])(id);
    for (int i = 0; i < 5; i++) pop(); /* more pops than pushes */
    for (int i = 0; i < 1100; i++) push("deep");
    for (int i = 0; i < 1100; i++) pop();
    push("aten::mm, seq = 12, op_id = 7, sizes = [[32, 64], [64, 8]], input_op_ids = [(1,0)]");
    pop();
    push("after");
    pop();
    push("a window");
    id = tracetty_range_start("outlasts its window");
    pop();
    nap_ms(5);
    tracetty_range_end(id);
    ((void (*)(uint32_t, const char *))core[14])((uint32_t)gettid(), "named thread");
    tracetty_counter("loss", 0.5);
    tracetty_meta("batch", "64");
}

static void names(int n)
{
    char name[64];
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "a name that comes once, number %d", i);
        push(name);
        pop();
    }
}

static void wait_ctl(int n)
{
    for (int i = 0; i < n; i++) {
        char name[24];
        if (told_to_end()) break;
        snprintf(name, sizeof name, "tick %d", i);
        push(name);
        nap_ms(10);
        pop();
    }
}

/* ---- modes that run the script of the tests' libcupti ---- */

static struct {
    void (*run)(void), (*report)(void), (*steal)(void), (*launch)(int);
} cupti;

static void find_script(void)
{
    const char *path = getenv("TRACETTY_CUPTI");
    void *lib = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (lib) *(void **)&cupti.run = dlsym(lib, "fake_cupti_run");
    if (lib) *(void **)&cupti.launch = dlsym(lib, "fake_cupti_launch");
    if (lib) *(void **)&cupti.steal = dlsym(lib, "fake_steal");
    if (lib) *(void **)&cupti.report = dlsym(lib, "fake_cupti_report");
}

static void run_script(void)
{
    if (cupti.run) cupti.run();
}

/* Run the script n times, each inside a range and a step. */
static void script(int n)
{
    char name[40];
    find_script();
    const char *steal = getenv("STEAL_AT"); /* step in which another profiler takes over CUPTI */
    for (int i = 0; i < (n ? n : 1) && !told_to_end(); i++) {
        if (n > 1) printf("step %d\n", i);
        if (steal && cupti.steal && i == (int)strtol(steal, NULL, 10)) cupti.steal();
        snprintf(name, sizeof name, "ProfilerStep#%d", i);
        push(name);
        push("aten::mm");
        run_script();
        pop();
        pop();
        if (n > 1) nap_ms(200); /* so that the writer follows the schedule between steps */
    }
    if (cupti.report) cupti.report();
}

/* ---- threads that launch kernels inside every step ---- */

enum { GANG = 8, GANG_LAUNCHES = 50 };
static struct {
    pthread_barrier_t begin, end;
    void (*launch)(int);
    int steps;
} gang_;

static void *gang_member(void *arg)
{
    for (int i = 0; i < gang_.steps; i++) {
        pthread_barrier_wait(&gang_.begin);
        gang_.launch(GANG_LAUNCHES);
        pthread_barrier_wait(&gang_.end);
    }
    return arg;
}

/* In each of n steps GANG threads launch GANG_LAUNCHES kernels each. */
static void gang(int n)
{
    char name[40];
    pthread_t id[GANG];
    find_script();
    if (!cupti.launch) return;
    gang_.launch = cupti.launch;
    gang_.steps = n;
    pthread_barrier_init(&gang_.begin, NULL, GANG + 1);
    pthread_barrier_init(&gang_.end, NULL, GANG + 1);
    run_script();
    for (int i = 0; i < GANG; i++) pthread_create(&id[i], NULL, gang_member, NULL);
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "ProfilerStep#%d", i);
        push(name);
        pthread_barrier_wait(&gang_.begin);
        pthread_barrier_wait(&gang_.end);
        pop();
    }
    for (int i = 0; i < GANG; i++) pthread_join(id[i], NULL);
}

static uint64_t across; /* a range that begins on one thread and ends on another one */

static void *backward(void *arg)
{
    push(arg);
    run_script();
    pop();
    tracetty_range_end(across);
    return NULL;
}

/* Steps as PyTorch records them with emit_nvtx(): stages, operators with shapes, and the backward pass on its own
 * thread. */
static void train(int n)
{
    char name[128];
    find_script();
    uint64_t whole = tracetty_range_start("whole run");
    for (int i = 0; i < n; i++) {
        pthread_t t;
        snprintf(name, sizeof name, "ProfilerStep#%d", i);
        push(name);
        tracetty_range_push_cat("next batch", "dataloader");
        nap_ms(2);
        tracetty_range_pop();
        tracetty_range_push_cat("model", "forward");
        snprintf(name, sizeof name, "aten::linear, seq = %d, op_id = 7, sizes = [[32, 64], [64, 8]]", 10 * i);
        push(name);
        snprintf(name, sizeof name, "aten::mm, seq = %d, op_id = 8, sizes = [[32, 64], [64, 8]]", 10 * i);
        push(name);
        run_script();
        pop();
        pop();
        tracetty_range_pop();
        tracetty_range_push_cat("loss", "backward");
        snprintf(name, sizeof name, "MmBackward0, seq = %d, op_id = 9, sizes = [[32, 8]]", 10 * i);
        across = tracetty_range_start("across threads");
        pthread_create(&t, NULL, backward, name);
        pthread_join(t, NULL);
        tracetty_range_pop();
        tracetty_range_push_cat("update", "optimization");
        run_script();
        tracetty_range_pop();
        tracetty_counter("loss", 1.0 / (i + 3));
        tracetty_mark("epoch");
        pop();
    }
    tracetty_range_end(whole);
    if (cupti.report) cupti.report();
}

/* Names that need escaping in JSON and text files. */
static void strings(int n)
{
    static const char *const names[] = {"quote \" backslash \\ slash /",
                                        "line\nfeed tab\t bell\a delete\x7f",
                                        "broken \xff\xc3( cut \xe2\x82",
                                        "overlong \xc0\xaf surrogate \xed\xa0\x80",
                                        "caf\u00e9 \u4e2d \U0001F600 \u2028 \u202e",
                                        "\"} , {\"ph\": \"X\""};
    (void)n;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        push(names[i]);
        pop();
        tracetty_mark(names[i]);
        tracetty_counter(names[i], 1);
    }
    tracetty_name_thread(names[2]);
    tracetty_meta("note", "\"quote \\\" and \\u00e9\"");
    tracetty_meta("broken \"key\"\xff", "no JSON \xff");
}

/* Run the script of the tests' libcupti, then wait for samples. */
static void sampled(int n)
{
    script(1);
    wait_ctl(n);
}

static void own_handler(int sig)
{
    static const char said[] = "handled\n";
    (void)sig;
    if (write(STDOUT_FILENO, said, sizeof said - 1) < 0) _exit(1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(int n);
        int n;
    } modes[] = {{"basic", basic, 0},           {"steps", steps, 40},       {"api", api_steps, 40},
                 {"threads", threads, 100000},  {"bench", bench, 500},      {"fork", forks, 0},
                 {"kill", killed, 9},           {"many", many, 100000},     {"paced", paced, 100000},
                 {"stalled", stalled, 1000000}, {"cut-off", cut_off, 1000}, {"odd", odd, 0},
                 {"names", names, 10000},       {"ticks", wait_ctl, 100},   {"script", script, 1},
                 {"train", train, 2},           {"strings", strings, 0},    {"sampled", sampled, 6000},
                 {"gang", gang, 34},            {"abort", aborts, 1},
                 {"slow", slow_steps, 60}};
    const char *mode = argc > 1 ? argv[1] : "basic";
    int cuda = !strncmp(mode, "cuda-", 5);
    if (getenv("TARGET_STALL_MS")) stall_ms = strtol(getenv("TARGET_STALL_MS"), NULL, 10);
    if (getenv("TARGET_OWN_USR2")) signal(SIGUSR2, own_handler);
    const char *own = getenv("OWN_DIR"), *late = getenv("OWN_LATE");
    if (late && !dlopen(late, RTLD_NOW)) fprintf(stderr, "%s\n", dlerror());
    if (own && tracetty_init(own)) fprintf(stderr, "tracetty_init failed\n");
    bool nvtx_first = getenv("NVTX_FIRST") != NULL;
    if (nvtx_first) {
        nvtx_load("InitializeInjectionNvtx2");
        push("before cuInit");
        pop();
    }
    if (cuda && !late) cuda_init();
    if (strncmp(mode, "api", 3) && !nvtx_first) nvtx_load("InitializeInjectionNvtx2");
    if (!strcmp(mode, "exit")) return (int)strtol(argv[2], NULL, 10);
    if (!strcmp(mode, "cuda-wait")) nap_ms(argc > 2 ? strtol(argv[2], NULL, 10) : 300);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (strcmp(modes[i].name, cuda ? mode + 5 : mode)) continue;
        modes[i].run(argc > 2 ? (int)strtol(argv[2], NULL, 10) : modes[i].n);
    }
    return argc > 3 ? (int)strtol(argv[3], NULL, 10) : 0;
}
