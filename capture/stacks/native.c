/* capture/stacks/native.c - C frames of a thread. See stacks.h. */
#include "capture/stacks/stacks.h"
void tt_live_stacks_native(tt_live_stacks *s, uint32_t pid, uint32_t tid, tt_live_stack_put *put, void *arg)
{
    (void)s, (void)pid, (void)tid, (void)put, (void)arg;
}
