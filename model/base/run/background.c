/* Threads that give way: see background.h. */
#include "model/base/run/background.h"

#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GIVES_WAY = 5 };

void tt_background(void)
{
    id_t self =
        (id_t)syscall(SYS_gettid); /* on Linux the nice value belongs to a thread and is inherited by its threads */
    int now = getpriority(PRIO_PROCESS, self);
    setpriority(PRIO_PROCESS, self, now + GIVES_WAY);
}

/* struct sched_attr of linux/sched/types.h, first version: libc has no name for it before 2.41. */
typedef struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
} attributes;

void tt_foreground(void)
{
    enum { RESET_ON_FORK = 1, SLICE_NS = 100000 };
    int nice = getpriority(PRIO_PROCESS, 0);
    /* since Linux 6.12 the runtime is the length of a turn: a thread that asks for short turns gets them sooner */
    attributes a = {.size = sizeof a, .policy = SCHED_OTHER, .flags = RESET_ON_FORK, .nice = nice, .runtime = SLICE_NS};
    if (sched_getscheduler(0) == SCHED_OTHER) syscall(SYS_sched_setattr, 0, &a, 0);
}
