/* capture/shared/stall.h - decides whether a program has stalled: work was launched and none completes, or its steps
 * have stopped. Pure functions of the facts given.
 *
 * A program that is idle has no work due, and does not stall. One that has ended its steps cannot be told from one
 * whose step hangs: it stalls once. Every stall is told once: work that completes, or a step that begins, ends it.
 * Time in which the program was stopped does not count. */
#ifndef TT_CAPTURE_SHARED_STALL_H
#define TT_CAPTURE_SHARED_STALL_H

#include <stdbool.h>
#include <stdint.h>

/* Steps are late after the limit, and after TT_STALL_STEPS times the usual length of a step if that is longer. */
enum { TT_STALL_STEPS = 3 };

typedef struct tt_stall_facts {
    int64_t now;        /* ns of a clock that does not step */
    uint64_t due, done; /* device work: launched and not completed; completed so far */
    uint64_t steps;     /* steps that have begun so far */
    int64_t step_ns;    /* usual length of a step, 0: not known */
} tt_stall_facts;

typedef enum tt_stall_kind { TT_STALL_NONE, TT_STALL_DEVICE, TT_STALL_STEP } tt_stall_kind;

typedef struct tt_stall {         /* zero-initialise */
    int64_t looked;               /* time of the last look, 0: none yet */
    int64_t device_ns, step_ns;   /* time without completed work, and without a step */
    uint64_t done, steps;         /* as of the last look */
    bool device_told, steps_told; /* the present stall was told */
} tt_stall;

/* Look once; several times a second. limit: ns; 0: nothing stalls. */
tt_stall_kind tt_stall_look(tt_stall *s, const tt_stall_facts *f, int64_t limit);

#endif
