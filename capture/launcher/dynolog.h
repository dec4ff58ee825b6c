/* capture/launcher/dynolog.h - the daemon's side of the protocol by which PyTorch's own profiler, Kineto, is asked for a trace. It is that of the
 * dynolog daemon, in whose place we answer.
 *
 * A process that was started with KINETO_USE_DAEMON=1 asks again and again, by default every 5 s, for something to do: one datagram to the
 * socket "dynolog", one back, over the abstract name or a file in the folder that KINETO_IPC_SOCKET_DIR names there. What it gets is the text
 * of a configuration; it writes its trace to the file that this names, with _PID before the ending. One thread.              */
#ifndef TT_CAPTURE_LAUNCHER_DYNOLOG_H
#define TT_CAPTURE_LAUNCHER_DYNOLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TT_DYNOLOG_FOLDER_ENV "KINETO_IPC_SOCKET_DIR"
enum { TT_DYNOLOG_FOLDER_MOST = 50 }; /* the names of Kineto's sockets need the rest of an address */

/* A process that asked, and is the one that is meant or descends from it. All of that is the kernel's word: what a datagram claims of its
 * sender is not looked at. */
typedef struct tt_dynolog_client {
    int32_t pid; /* in the process's own namespace: its files have this number */
    pid_t real;  /* as the system knows it here */
    uid_t uid;
    bool foreign; /* of another user: it is given nothing */
    bool busy;    /* its profiler is at work already: it takes nothing now */
    bool given;   /* it has the configuration */
    /* the caller's */
    bool done, gone, told;
    uint64_t bytes; /* of its trace, when it was last looked at */
} tt_dynolog_client;

typedef struct tt_dynolog {
    int fd[2];      /* the abstract socket, the one in the folder; -1 = not open */
    char path[108]; /* of the latter */
    tt_dynolog_client *at;
    size_t n, cap;
} tt_dynolog;

/* folder NULL: the abstract socket; else a socket in that folder, too when `both`. False with a sentence that says what to do. */
bool tt_dynolog_open(tt_dynolog *d, const char *folder, bool both, char *why, size_t cap);
/* Answer whoever asked since, of each user other than ours and the ancestor's a few. Processes that are `ancestor` or descend from it get
 * `config` once; NULL = nothing to do yet. */
void tt_dynolog_serve(tt_dynolog *d, pid_t ancestor, const char *config);
/* Sleep until somebody asks, at most so long: Kineto waits for an answer no longer than 90 ms. */
void tt_dynolog_wait(const tt_dynolog *d, int ms);
void tt_dynolog_close(tt_dynolog *d);

/* What Kineto is asked for. */
typedef struct tt_kineto_wish {
    const char *log_file;
    const char *types;   /* "cpu_op,kernel": ACTIVITY_TYPES; NULL = Kineto's own choice */
    int64_t duration_ms; /* when iterations is 0 */
    int64_t first;       /* iteration to begin with; when it is past, the next one */
    int64_t warmup;      /* iterations before that */
    int64_t iterations;  /* of the program's optimizer or profiler step */
    bool shapes, stack, flops, modules, memory;
} tt_kineto_wish;

/* The text of a configuration; false when it does not fit. */
bool tt_kineto_config(const tt_kineto_wish *w, char *out, size_t cap);

#endif
