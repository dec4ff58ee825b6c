/* capture/stacks/stacks.h - call stacks of the threads of a process, this one or another, that runs on: nothing is
 * stopped, no signal is sent, and no Python code runs. Used by the recorder inside the program and by the launcher.
 *
 * Memory: one tt_live_stacks of the caller; malloc() is not called, since the program may hang inside it. Files: only
 * /proc/PID/maps and the like are opened; inside the program call from the thread of files.h. */
#ifndef TT_CAPTURE_STACKS_STACKS_H
#define TT_CAPTURE_STACKS_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TT_LIVE_THREADS = 1024, /* threads that are read at most */
    TT_LIVE_FRAMES = 128,   /* innermost frames of a thread */
    TT_LIVE_TEXT = 32000,   /* bytes of a stack's text, as in spool.h */
};

typedef struct tt_live_stack {
    uint32_t tid, kind; /* kind: TT_SPOOL_STACK_ */
    const char *text;   /* lines as tt_spool_stack has them, UTF-8 without control characters but '\n' */
    size_t len;
} tt_live_stack;

/* Gets a stack; its text is valid during the call. */
typedef void tt_live_stack_put(void *arg, const tt_live_stack *s);

typedef struct tt_live_frame { /* a frame of Python, as it was read */
    uint64_t at, code, instruction, previous;
    uint8_t owner;
} tt_live_frame;

typedef struct tt_live_thread {
    uint64_t at, next;
    uint64_t native_id;
} tt_live_thread;

/* File and function of a code object that was met before in this call. */
enum { TT_LIVE_KNOWN = 512, TT_LIVE_KNOWN_TEXT = 1 << 16 };
typedef struct tt_live_known {
    uint64_t code, file, name; /* addresses: another value is another function */
    uint32_t at, file_n, name_n;
} tt_live_known;

enum { TT_LIVE_CODE = 1024, TT_LIVE_NATIVE = 64, TT_LIVE_STACK = 1 << 16 };
typedef struct tt_live_code {   /* executable memory */
    uint64_t start, end, image; /* image: beginning of the ELF file; 0: of none */
    char name[48];              /* the file without its folders */
} tt_live_code;

typedef struct tt_live_stacks { /* working memory; zeroed before the first use */
    int64_t limit_ns;           /* threads that come later than that are not read, which their text says; 0: no limit */
    tt_live_thread threads[TT_LIVE_THREADS];
    tt_live_frame frames[TT_LIVE_FRAMES], again[TT_LIVE_FRAMES];
    tt_live_known known[TT_LIVE_KNOWN];
    char known_text[TT_LIVE_KNOWN_TEXT];
    size_t known_n;
    tt_live_code code[TT_LIVE_CODE];
    uint32_t n_code;
    uint64_t frames_at[TT_LIVE_NATIVE]; /* instructions of C frames */
    uint32_t n_frames;
    unsigned char stack[TT_LIVE_STACK]; /* the innermost part of a C stack */
    char text[TT_LIVE_TEXT];
    size_t n;
} tt_live_stacks;

typedef enum tt_live_result {
    TT_LIVE_NONE,    /* the process has no Python that runs */
    TT_LIVE_READ,    /* the stacks were given; those that could not be read say so as their last line */
    TT_LIVE_UNKNOWN, /* a version whose stacks are not read: why says so, as "Python 3.10: stacks are not read" */
    TT_LIVE_REFUSED, /* why has a sentence that names the process and the cause */
} tt_live_result;

/* Give the Python stack of every thread of a process that has one. */
tt_live_result tt_live_stacks_python(tt_live_stacks *s, uint32_t pid, tt_live_stack_put *put, void *arg, char *why,
                                     size_t cap);

/* Give the C frames "library: symbol+0x12" of a thread that waits in the kernel, "library: +0x12" without a symbol.
 * Nothing is given of a thread that runs but a line that says so: its registers could be had only by stopping it or by
 * a signal, which both can break a program. x86-64 only. */
void tt_live_stacks_native(tt_live_stacks *s, uint32_t pid, uint32_t tid, tt_live_stack_put *put, void *arg);

/* Whether a program can read its own stacks here; out says whose this process can. */
bool tt_live_stacks_allowed(char *out, size_t cap);

#endif
