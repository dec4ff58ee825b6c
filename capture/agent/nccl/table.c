/* capture/agent/nccl/table.c - the table of the process: see table.h. */
#include "capture/agent/nccl/table.h"

#include "capture/spool/memory.h"

static tt_nccl_table *_Atomic table;

tt_nccl_table *tt_nccl_the_table(void) { return atomic_load_explicit(&table, memory_order_acquire); }

tt_nccl_table *tt_nccl_table_made(void)
{
    tt_nccl_table *t = tt_nccl_the_table(), *none = NULL;
    if (t) return t;
    t = tt_memory_take(sizeof *t);
    if (!t || atomic_compare_exchange_strong(&table, &none, t)) return t;
    tt_memory_give(t, sizeof *t); /* another thread was faster */
    return none;
}

/* Leaves the memory alone: another thread may have been inside it when the process forked. */
void tt_nccl_table_forget(void) { atomic_store(&table, NULL); }
