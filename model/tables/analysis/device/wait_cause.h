/* model/tables/analysis/device/wait_cause.h - the causes for which a device waits, and the activity of a host call
 * meanwhile.
 *
 * The order of the causes is their priority when several apply at one instant of the host, and the order of ties.
 * The critical path uses the same words for time without device work. */
#ifndef TT_MODEL_TABLES_ANALYSIS_DEVICE_WAIT_CAUSE_H
#define TT_MODEL_TABLES_ANALYSIS_DEVICE_WAIT_CAUSE_H

#include "model/tables/analysis/names/name_class.h"

typedef enum tt_wait_cause {
    TT_WAIT_INPUT,    /* the host is in a DataLoader range */
    TT_WAIT_SYNC,     /* the host is in a call that blocks */
    TT_WAIT_RUNTIME,  /* the host is in another runtime or driver call */
    TT_WAIT_OPERATOR, /* the host is in an operator */
    TT_WAIT_BETWEEN,  /* the host is in nothing that was recorded: Python, or code that records nothing */
    TT_WAIT_LAUNCH,   /* a launch is on its way: at most TT_LAUNCH_NS after the call */
    TT_WAIT_QUEUE,    /* launched work waits for other work, or for something that the file does not have */
    TT_WAIT_UNKNOWN,  /* the launch is not in the file */
    TT_WAIT_COUNT_,
} tt_wait_cause;
extern const char *const tt_wait_name[TT_WAIT_COUNT_]; /* "input" ... "unknown": cells of tables */
tt_wait_cause tt_wait_named(const char *name); /* The cause with this name; TT_WAIT_UNKNOWN when there is none. */
extern const char *const tt_wait_text[TT_WAIT_COUNT_]; /* for a person: "input", "sync", "runtime calls" ... */
extern const char *const tt_wait_help[TT_WAIT_COUNT_]; /* meaning in one line, for legends and help */

/* longest delivery of a launch to an idle device, ns */
#define TT_LAUNCH_NS 100000

/* Cause of a slice of a host thread: input, sync, runtime or operator (which may communicate). TT_WAIT_COUNT_ for
 * other slices: annotations, steps, stages and Python functions contain the slices that wait. */
tt_wait_cause tt_wait_cause_of(const tt_trace *s, const tt_name_classes *names, tt_row r);

/* Remembers tt_wait_cause_of() by category and name for the slices of a thread, which call the same few names again
 * and again. Zero-initialise; one for each thread of execution. */
typedef struct tt_wait_memo {
    uint8_t of_cat[256]; /* 0 = not looked at, 1 = depends on the name, else cause + 2 */
    struct {
        tt_sid name;
        uint8_t cat, cause; /* cause + 1; 0 = empty slot */
    } at[512];
} tt_wait_memo;
tt_wait_cause tt_wait_cause_memo(tt_wait_memo *m, const tt_trace *s, const tt_name_classes *names, tt_row r);

/* Whether a runtime or driver call of this name waits for the device: cuda/hip Device|Stream|Event Synchronize, cu
 * Ctx|Stream|Event Synchronize, cuda/hip Memcpy|Memset without Async, and the like of other runtimes. */
bool tt_call_blocks(const char *name);
/* Whether a call of this name copies or sets memory. */
bool tt_call_copies(const char *name);

#endif
