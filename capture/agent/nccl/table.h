/* capture/agent/nccl/table.h - the table behind calls.h: communicators, open groups, calls. Private to this folder.
 *
 * Who fills a place does so before it publishes the id or state (release); the writer alone frees places. */
#ifndef TT_CAPTURE_AGENT_NCCL_TABLE_H
#define TT_CAPTURE_AGENT_NCCL_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct tt_nccl_comm;

enum { TT_NCCL_COMMS = 1024, TT_NCCL_GROUPS = 256, TT_NCCL_CALLS = 8192 };
/* Versions from which on parts on the device are told, and calls of the program. */
enum { TT_NCCL_TELLS_PARTS = 3, TT_NCCL_TELLS_CALLS = 5 };

/* Calls are numbered in each communicator among their kind: those of graphs are launched apart from the others. */
typedef enum tt_nccl_kind { TT_NCCL_COLLECTIVES, TT_NCCL_PAIRS, TT_NCCL_CAPTURED, TT_NCCL_KINDS_ } tt_nccl_kind;

enum { TT_COMM_FREE, TT_COMM_BEGINS, TT_COMM_LIVES, TT_COMM_ENDED };

struct tt_nccl_comm {
    _Atomic uint32_t state;
    uint32_t number, version;
    int64_t began;
    struct {
        _Atomic uint32_t described; /* 1: being told, 2: the next members are set */
        uint32_t name;
        uint64_t hash;
        int32_t nodes, size, rank;
        _Atomic int64_t ended;
        _Atomic uint64_t called[TT_NCCL_KINDS_], started[TT_NCCL_KINDS_], finished[TT_NCCL_KINDS_];
        /* used by the writer alone: what was written last, and when; finished numbers at the last two passes */
        int64_t written;
        bool written_whole; /* with name and size */
        uint64_t written_counts;
        uint64_t seen[TT_NCCL_KINDS_], settled[TT_NCCL_KINDS_];
    } since_begin;
};

/* Parts of a call on the device: the number that has begun, and the number that has ended, in one word. */
#define TT_PART_BEGUN UINT64_C(1)
#define TT_PART_ENDED (UINT64_C(1) << 32)
#define TT_PARTS_BEGUN(parts) ((uint32_t)(parts))
#define TT_PARTS_ENDED(parts) ((uint32_t)((parts) >> 32))

#define TT_NCCL_FILLING UINT64_MAX

typedef struct tt_nccl_call {
    struct tt_nccl_comm *comm;
    uint64_t seq, count, group; /* group: the group of calls that it was called in, 0 = none */
    int64_t enqueued;
    int32_t other;
    uint32_t comm_number, tid, func, type;
    uint8_t kind;
    bool kept; /* it was called while recording */
    _Atomic bool changed;
    _Atomic uint32_t algorithm, protocol, channels;
    _Atomic uint32_t tasks, enqueuing; /* its task has come; is being enqueued now */
    _Atomic uint64_t nccl_seq, parts;
    _Atomic int64_t started, finished;
    /* used by the writer alone */
    bool written, was_old;
} tt_nccl_call;

typedef struct tt_nccl_table {
    _Atomic uint64_t call_number, group_number;
    _Atomic uint32_t comm_number;
    _Atomic uint64_t groups[TT_NCCL_GROUPS]; /* open groups by number modulo the size; 0 = none */
    _Atomic uint32_t comms_used;             /* communicators behind these were never used */
    struct tt_nccl_comm comms[TT_NCCL_COMMS];
    _Atomic uint64_t ids[TT_NCCL_CALLS]; /* ids of the calls; 0: free; FILLING: a thread fills it */
    tt_nccl_call calls[TT_NCCL_CALLS];
    uint32_t busy; /* used by the writer alone: calls at the last pass */
} tt_nccl_table;

tt_nccl_table *tt_nccl_the_table(void);  /* NULL: there was no communicator yet */
tt_nccl_table *tt_nccl_table_made(void); /* made if there is none; NULL: no memory */
void tt_nccl_table_forget(void);         /* in a forked child, which has no communicators */

#endif
