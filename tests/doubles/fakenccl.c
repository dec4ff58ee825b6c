/* A rank of a job whose NCCL loads a profiler plugin, by the documents of the plugin's interface: the library of
 * NCCL_PROFILER_PLUGIN, the newest structure ncclProfiler_vN up to the version that this NCCL knows, init for each
 * communicator, events of groups and calls on the program's thread, of their parts on a proxy thread, finalize.
 *
 * fakenccl VERSION WORD...; a word is run after the other:
 *   comm=NAME,HASH,SIZE,RANK   make a communicator; the next words are about it. NAME -: none
 *   coll=FUNC,COUNT[,TIMES]    collectives that finish
 *   open=FUNC,COUNT            a collective whose parts begin and never end
 *   launched=FUNC,COUNT        a collective whose parts never begin: its stream waits for something else
 *   blocked=FUNC,COUNT         a call that never returns: from version 5 on NCCL tells it before it has a task
 *   blind=FUNC,COUNT[,TIMES]   a collective without parts: kernels on symmetric memory, copies by copy engines
 *   graph=FUNC,COUNT,TIMES     a collective that is captured once and launched TIMES times, on another thread
 *   send=PEER,COUNT[,TIMES], recv=..., openrecv=PEER,COUNT
 *   fast=FUNC,COUNT,TIMES      like coll, as fast as it can: without waiting for the proxy thread
 *   destroy                    destroy the communicator
 *   freeze                     say to the recorder that a trigger came
 *   sleep=MS, hang (until killed), drain (wait for the proxy thread), say=TEXT */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- the interface; each version's descriptors as its header has them ---- */

enum { GROUP = 1, COLL = 2, P2P = 4, PROXY_OP = 8, KERNEL_CH = 64, GROUP_API = 256, COLL_API = 512 };

#define DESCRIPTOR(version, kind_type, ...)                                                                            \
    typedef struct descriptor##version {                                                                               \
        kind_type type;                                                                                                \
        void *parentObj;                                                                                               \
        int rank;                                                                                                      \
        union {                                                                                                        \
            __VA_ARGS__                                                                                                \
            struct {                                                                                                   \
                pid_t pid;                                                                                             \
                uint8_t channelId;                                                                                     \
                int peer, nSteps, chunkSize, isSend;                                                                   \
            } proxyOp;                                                                                                 \
            struct {                                                                                                   \
                uint8_t channelId;                                                                                     \
                uint64_t pTimer;                                                                                       \
            } kernelCh;                                                                                                \
        };                                                                                                             \
    } descriptor##version;

DESCRIPTOR(
    1, uint8_t,
    struct {
        const char *name;
        uint64_t commHash, seqNumber;
        uint8_t func;
        const void *sendBuff;
        void *recvBuff;
        size_t count;
        int root;
        uint8_t datatype;
        uint32_t op;
        size_t trafficBytes;
        uint8_t nMaxChannels, nWarps, algo, proto;
        int isCollnet, isNvls;
    } coll;
    struct {
        const char *name;
        uint64_t commHash;
        uint8_t func;
        void *buff;
        uint8_t datatype;
        size_t count;
        int peer;
    } p2p;)
DESCRIPTOR(
    2, uint8_t,
    struct {
        const char *name;
        uint64_t commHash, seqNumber;
        const char *func;
        const void *sendBuff;
        void *recvBuff;
        size_t count;
        int root;
        const char *datatype;
        size_t trafficBytes;
        uint8_t nMaxChannels, nWarps;
        const char *algo, *proto;
    } coll;
    struct {
        const char *name;
        uint64_t commHash;
        const char *func;
        void *buff;
        const char *datatype;
        size_t count;
        int peer;
    } p2p;)
DESCRIPTOR(
    3, uint8_t,
    struct {
        const char *name;
        uint64_t commHash, seqNumber;
        const char *func;
        const void *sendBuff;
        void *recvBuff;
        size_t count;
        int root;
        const char *datatype;
        uint8_t nMaxChannels, nWarps;
        const char *algo, *proto;
    } coll;
    struct {
        const char *name;
        uint64_t commHash;
        const char *func;
        void *buff;
        const char *datatype;
        size_t count;
        int peer;
    } p2p;)
#define COLL_4                                                                                                         \
    uint64_t seqNumber;                                                                                                \
    const char *func;                                                                                                  \
    const void *sendBuff;                                                                                              \
    void *recvBuff;                                                                                                    \
    size_t count;                                                                                                      \
    int root;                                                                                                          \
    const char *datatype;                                                                                              \
    uint8_t nChannels, nWarps;                                                                                         \
    const char *algo, *proto;
#define P2P_4                                                                                                          \
    const char *func;                                                                                                  \
    void *buff;                                                                                                        \
    const char *datatype;                                                                                              \
    size_t count;                                                                                                      \
    int peer;                                                                                                          \
    uint8_t nChannels;
DESCRIPTOR(4, uint8_t, struct {COLL_4} coll; struct {P2P_4} p2p;)
DESCRIPTOR(
    5, uint64_t,
    struct {
        bool graphCaptured;
        int groupDepth;
    } groupApi;
    struct {
        const char *func;
        size_t count;
        const char *datatype;
        int root;
        void *stream;
        bool graphCaptured;
    } collApi;
    struct {
        COLL_4
        void *parentGroup;
    } coll;
    struct {
        P2P_4
        void *parentGroup;
    } p2p;)

typedef struct profiler {
    const char *name;
    void (*init)(void);
    int (*start)(void *context, void **handle, void *descriptor);
    int (*stop)(void *handle);
    int (*state)(void *handle, int state, void *arguments);
    int (*finalize)(void *context);
} profiler;

static const profiler *plugin;
static int version;
static int mask; /* of the process, as NCCL has it: every init() writes it */

static void load(int newest)
{
    const char *path = getenv("NCCL_PROFILER_PLUGIN");
    void *lib = path && strcmp(path, "none") != 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (path && !lib) fprintf(stderr, "fakenccl: %s\n", dlerror());
    for (version = newest; lib && version; version--) {
        char name[32];
        snprintf(name, sizeof name, "ncclProfiler_v%d", version);
        plugin = dlsym(lib, name);
        if (plugin) return;
    }
}

/* ---- the proxy thread ---- */

typedef struct work { /* parts of a call */
    void *context, *task;
    int channels;
    bool ends;
} work;
enum { WORKS = 1 << 16 };
static work works[WORKS];
static unsigned works_put, works_done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;

static void *part(const work *w, int channel)
{
    void *handle = NULL;
    if (version >= 5) {
        descriptor5 d = {.type = KERNEL_CH, .parentObj = w->task, .kernelCh = {(uint8_t)channel, 1}};
        plugin->start(w->context, &handle, &d);
    } else if (version >= 3) {
        descriptor4 d = {.type = KERNEL_CH, .parentObj = w->task, .kernelCh = {(uint8_t)channel, 1}};
        plugin->start(w->context, &handle, &d);
    } else {
        descriptor1 d = {.type = PROXY_OP, .parentObj = w->task, .proxyOp = {.pid = getpid(), .peer = 1, .nSteps = 4}};
        plugin->start(w->context, &handle, &d);
        d.proxyOp.pid = getpid() + 1; /* an operation for another process: its handle is of no use here */
        void *other = NULL;
        plugin->start(w->context, &other, &d);
        if (other) fprintf(stderr, "fakenccl: took the handle of another process\n");
    }
    return handle;
}

static void run_work(const work *w)
{
    void *handles[64] = {0};
    if (!w->task) return;
    for (int i = 0; i < w->channels; i++) handles[i] = part(w, i);
    for (int i = 0; i < w->channels && w->ends; i++) {
        uint64_t stopped = 2;
        if (!handles[i]) continue;
        if (version >= 3) plugin->state(handles[i], 22, &stopped);
        plugin->stop(handles[i]);
    }
}

static void *proxy(void *arg)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (works_done == works_put) pthread_cond_wait(&news, &lock);
        work w = works[works_done % WORKS];
        pthread_mutex_unlock(&lock);
        run_work(&w);
        pthread_mutex_lock(&lock);
        works_done++;
        pthread_cond_broadcast(&news);
    }
    return arg;
}

static void drain(unsigned most)
{
    pthread_mutex_lock(&lock);
    while (works_put - works_done > most) pthread_cond_wait(&news, &lock);
    pthread_mutex_unlock(&lock);
}

static void give(work w)
{
    drain(WORKS - 1);
    pthread_mutex_lock(&lock);
    works[works_put++ % WORKS] = w;
    pthread_cond_broadcast(&news);
    pthread_mutex_unlock(&lock);
}

/* ---- communicators and calls ---- */

static void *context;
static char comm_name[64];
static uint64_t comm_hash, numbers[8];
static int comm_rank;

static void no_log(int level, unsigned long flags, const char *file, int line, const char *text, ...)
{
    (void)level, (void)flags, (void)file, (void)line, (void)text;
}

static void comm(const char *text)
{
    unsigned long long hash = 0;
    int size = 0;
    if (sscanf(text, "%63[^,],%llx,%d,%d", comm_name, &hash, &size, &comm_rank) != 4) abort();
    comm_hash = hash;
    const char *name = strcmp(comm_name, "-") != 0 ? comm_name : NULL;
    memset(numbers, 0, sizeof numbers);
    if (!plugin) return;
    context = (void *)(intptr_t)1;
    if (version >= 5) {
        int (*init)(void **, uint64_t, int *, const char *, int, int, int, void *);
        memcpy(&init, &plugin->init, sizeof init);
        init(&context, comm_hash, &mask, name, 1, size, comm_rank, (void *)(uintptr_t)no_log);
    } else if (version == 4) {
        int (*init)(void **, int *, const char *, uint64_t, int, int, int, void *);
        memcpy(&init, &plugin->init, sizeof init);
        init(&context, &mask, name, comm_hash, 1, size, comm_rank, (void *)(uintptr_t)no_log);
    } else {
        int (*init)(void **, int *);
        memcpy(&init, &plugin->init, sizeof init);
        init(&context, &mask);
    }
}

static const char *const functions[] = {"Broadcast", "Reduce",   "AllGather", "ReduceScatter",
                                        "AllReduce", "SendRecv", "Send",      "Recv"};
enum { SEND = 6, RECV = 7, CHANNELS = 2 };

static uint8_t number_of(const char *func)
{
    uint8_t i = 0;
    while (i < RECV && strcmp(functions[i], func) != 0) i++;
    return i;
}

#define NAME_OF(version) .name = strcmp(comm_name, "-") != 0 ? comm_name : NULL, .commHash = comm_hash
#define COLL_TEXTS                                                                                                     \
    .seqNumber = seq, .func = func, .count = count, .datatype = "ncclFloat32", .nWarps = 4, .algo = "RING",            \
    .proto = "SIMPLE"

/* The task of a collective is enqueued; returns its handle. */
static void *start_task(const char *func, size_t count, void *group, void *call)
{
    uint64_t seq = numbers[number_of(func)]++;
    void *handle = NULL;
    if (version >= 5) {
        descriptor5 d = {.type = COLL,
                         .parentObj = call,
                         .rank = comm_rank,
                         .coll = {COLL_TEXTS, .nChannels = CHANNELS, .parentGroup = group}};
        plugin->start(context, &handle, &d);
    } else if (version == 4) {
        descriptor4 d = {
            .type = COLL, .parentObj = group, .rank = comm_rank, .coll = {COLL_TEXTS, .nChannels = CHANNELS}};
        plugin->start(context, &handle, &d);
    } else if (version == 3) {
        descriptor3 d = {.type = COLL,
                         .parentObj = group,
                         .rank = comm_rank,
                         .coll = {NAME_OF(3), COLL_TEXTS, .nMaxChannels = CHANNELS}};
        plugin->start(context, &handle, &d);
    } else if (version == 2) {
        descriptor2 d = {.type = COLL,
                         .parentObj = group,
                         .rank = comm_rank,
                         .coll = {NAME_OF(2), COLL_TEXTS, .nMaxChannels = CHANNELS}};
        plugin->start(context, &handle, &d);
    } else {
        descriptor1 d = {.type = COLL,
                         .parentObj = group,
                         .rank = comm_rank,
                         .coll = {NAME_OF(1), .seqNumber = seq, .func = number_of(func), .count = count, .datatype = 7,
                                  .nMaxChannels = CHANNELS, .algo = 1, .proto = 2}};
        plugin->start(context, &handle, &d);
    }
    return handle;
}

static void *start_pair(int func, size_t count, int peer)
{
    void *handle = NULL;
    if (version >= 5) {
        descriptor5 d = {.type = P2P,
                         .rank = comm_rank,
                         .p2p = {.func = functions[func],
                                 .datatype = "ncclFloat32",
                                 .count = count,
                                 .peer = peer,
                                 .nChannels = CHANNELS}};
        plugin->start(context, &handle, &d);
    } else if (version == 4) {
        descriptor4 d = {.type = P2P,
                         .rank = comm_rank,
                         .p2p = {.func = functions[func],
                                 .datatype = "ncclFloat32",
                                 .count = count,
                                 .peer = peer,
                                 .nChannels = CHANNELS}};
        plugin->start(context, &handle, &d);
    } else if (version >= 2) {
        descriptor2 d = {
            .type = P2P,
            .rank = comm_rank,
            .p2p = {NAME_OF(2), .func = functions[func], .datatype = "ncclFloat32", .count = count, .peer = peer}};
        plugin->start(context, &handle, &d);
    } else {
        descriptor1 d = {.type = P2P,
                         .rank = comm_rank,
                         .p2p = {NAME_OF(1), .func = (uint8_t)func, .datatype = 7, .count = count, .peer = peer}};
        plugin->start(context, &handle, &d);
    }
    return handle;
}

static void *start_api(const char *func, size_t count, bool captured, void **group)
{
    static void *call; /* NCCL keeps the handle of the thread's last call */
    *group = NULL;
    if (version < 5) return NULL;
    descriptor5 g = {.type = GROUP_API, .groupApi = {captured, 1}};
    plugin->start(context, group, &g);
    descriptor5 c = {.type = COLL_API,
                     .parentObj = *group,
                     .rank = comm_rank,
                     .collApi = {.func = func, .count = count, .datatype = "ncclFloat32", .graphCaptured = captured}};
    plugin->start(context, &call, &c);
    if (call) plugin->stop(call);
    return call;
}

typedef enum { ENDS, STAYS_OPEN, NEVER_BEGINS, NEVER_RETURNS, HAS_NO_PARTS } fate;

static void collective(const char *func, size_t count, fate f)
{
    void *group, *launch = NULL, *task = NULL;
    if (!plugin || !mask) return;
    void *call = start_api(func, count, false, &group);
    if (f == NEVER_RETURNS && version >= 5)
        for (;;) pause();
    if (f != HAS_NO_PARTS || version < 5) {
        if (mask & GROUP) {
            descriptor4 g = {.type = GROUP};
            plugin->start(context, &launch, &g);
        }
        task = start_task(func, count, launch, call);
        if (f < NEVER_BEGINS) give((work){context, task, CHANNELS, f == ENDS});
        if (task) plugin->stop(task);
        if (launch) plugin->stop(launch);
    }
    if (group) plugin->stop(group);
}

static void graph(const char *func, size_t count, int times)
{
    void *group, *call;
    if (!plugin || !mask) return;
    call = start_api(func, count, true, &group);
    if (group) plugin->stop(group);
    for (int i = 0; i < times; i++) {
        void *task = start_task(func, count, NULL, call); /* the handle of a call that has ended, as its parent */
        give((work){context, task, CHANNELS, true});
        if (task) plugin->stop(task);
    }
}

static void pair(int func, int peer, size_t count, bool ends)
{
    if (!plugin || !mask) return;
    void *task = start_pair(func, count, peer);
    give((work){context, task, CHANNELS, ends});
    if (task) plugin->stop(task);
}

/* ---- words ---- */

static bool is(const char *word, const char *name, const char **rest)
{
    size_t n = strlen(name);
    if (strncmp(word, name, n) != 0 || (word[n] && word[n] != '=')) return false;
    *rest = word[n] ? word + n + 1 : word + n;
    return true;
}

static void freeze(void)
{
    int (*meta)(const char *, const char *) = NULL;
    void *lib = dlopen(getenv("NCCL_PROFILER_PLUGIN"), RTLD_NOW), *at = lib ? dlsym(lib, "tracetty_meta") : NULL;
    memcpy(&meta, &at, sizeof meta);
    if (meta) meta("trigger", "\"test\"");
}

static void run_word(const char *word)
{
    const char *rest = "";
    char func[32] = "";
    long a = 0, b = 1;
    if (is(word, "comm", &rest)) {
        comm(rest);
        return;
    }
    if (is(word, "say", &rest)) {
        puts(rest);
        fflush(stdout);
        return;
    }
    if (is(word, "send", &rest) || is(word, "recv", &rest) || is(word, "openrecv", &rest)) {
        long peer = 0;
        sscanf(rest, "%ld,%ld,%ld", &peer, &a, &b);
        for (long i = 0; i < b; i++) pair(*word == 's' ? SEND : RECV, (int)peer, (size_t)a, *word != 'o'), drain(0);
        return;
    }
    if (strchr(word, '=')) sscanf(strchr(word, '=') + 1, "%31[A-Za-z],%ld,%ld", func, &a, &b);
    for (long i = 0; i < b; i++) {
        if (is(word, "coll", &rest)) collective(func, (size_t)a, ENDS), drain(0);
        if (is(word, "fast", &rest)) collective(func, (size_t)a, ENDS);
        if (is(word, "open", &rest)) collective(func, (size_t)a, STAYS_OPEN), drain(0);
        if (is(word, "launched", &rest)) collective(func, (size_t)a, NEVER_BEGINS);
        if (is(word, "blocked", &rest)) collective(func, (size_t)a, NEVER_RETURNS);
        if (is(word, "blind", &rest)) collective(func, (size_t)a, HAS_NO_PARTS);
    }
    if (is(word, "graph", &rest)) graph(func, (size_t)a, (int)b);
    if (is(word, "drain", &rest)) drain(0);
    if (is(word, "freeze", &rest)) freeze();
    if (is(word, "destroy", &rest) && plugin && context) drain(0), plugin->finalize(context), context = NULL;
    if (is(word, "sleep", &rest)) {
        long ms = strtol(rest, NULL, 10);
        struct timespec t = {ms / 1000, ms % 1000 * 1000000};
        nanosleep(&t, NULL);
    }
    while (is(word, "hang", &rest)) pause();
}

int main(int argc, char **argv)
{
    pthread_t thread;
    load(argc > 1 ? (int)strtol(argv[1], NULL, 10) : 6);
    pthread_create(&thread, NULL, proxy, NULL);
    pthread_detach(thread);
    for (int i = 2; i < argc; i++) run_word(argv[i]);
    drain(0);
    return 0;
}
