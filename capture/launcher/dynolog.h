/* capture/launcher/dynolog.h - the daemon's side of Kineto's on-demand protocol, as the dynolog daemon speaks it: asks
 * PyTorch's profiler for a trace.
 *
 * A process started with KINETO_USE_DAEMON=1 asks for work at intervals (by default 5 s): one datagram to the socket
 * "dynolog", one back, over the abstract name or a file in the folder that the process's KINETO_IPC_SOCKET_DIR names.
 * The answer is the text of a configuration; the process writes its trace to the file that the text names, with _PID
 * before the ending. One thread. */
#ifndef TT_CAPTURE_LAUNCHER_DYNOLOG_H
#define TT_CAPTURE_LAUNCHER_DYNOLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TT_DYNOLOG_FOLDER_ENV "KINETO_IPC_SOCKET_DIR"
/* most bytes of a folder's path: Kineto's socket names need the rest of an address */
enum { TT_DYNOLOG_FOLDER_MOST = 50 };

/* A client: the target process or a descendant of it. Its identity comes from the kernel (SCM_CREDENTIALS); what a
 * datagram claims about its sender is ignored. */
typedef struct tt_dynolog_client {
    int32_t pid; /* pid in the process's own namespace: its files have this number */
    pid_t real;  /* pid in our namespace */
    uid_t uid;
    bool foreign; /* another user's process: gets no configuration */
    bool busy;    /* its profiler is already running: takes no configuration now */
    bool given;   /* has received the configuration */
    /* set and read by the caller only */
    bool done, gone, told;
    uint64_t bytes; /* size of its trace at the last check */
} tt_dynolog_client;

typedef struct tt_dynolog {
    int fd[2];      /* the abstract socket, and the socket in the folder; -1 = not open */
    char path[108]; /* path of the socket in the folder */
    tt_dynolog_client *at;
    size_t n, cap;
} tt_dynolog;

/* Open the sockets. folder NULL: the abstract socket; else a socket in that folder, and with `both` the abstract one.
 * False with a message that names the remedy. */
bool tt_dynolog_open(tt_dynolog *d, const char *folder, bool both, char *why, size_t cap);
/* Answer the requests since the last call; users other than ours and the ancestor's get only a few answers.
 * `ancestor` and its descendants get `config` once; NULL = no work yet. */
void tt_dynolog_serve(tt_dynolog *d, pid_t ancestor, const char *config);
/* Sleep until a request arrives, or the timeout. Kineto waits for an answer no longer than 90 ms. */
void tt_dynolog_wait(const tt_dynolog *d, int ms);
void tt_dynolog_close(tt_dynolog *d);

/* The trace that Kineto is asked for. */
typedef struct tt_kineto_wish {
    const char *log_file;
    const char *types;   /* "cpu_op,kernel": ACTIVITY_TYPES; NULL = Kineto's own choice */
    int64_t duration_ms; /* length of the trace, when iterations is 0 */
    int64_t first;       /* first iteration to trace; if it is past, the next one */
    int64_t warmup;      /* iterations of warmup before `first` */
    int64_t iterations;  /* iterations of the program's optimizer or profiler step */
    bool shapes, stack, flops, modules, memory;
} tt_kineto_wish;

/* Write the text of a configuration; false when it does not fit. */
bool tt_kineto_config(const tt_kineto_wish *w, char *out, size_t cap);

#endif
