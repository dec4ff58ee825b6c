/* capture/stacks/unwind.h - how a function's caller is found: the unwind information of x86-64 (.eh_frame, as the
 * System V ABI and the Linux Standard Base describe it), read from the memory of a process. Private to the folder. */
#ifndef TT_CAPTURE_STACKS_UNWIND_H
#define TT_CAPTURE_STACKS_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

enum { TT_REGISTER_BP = 6, TT_REGISTER_SP = 7 }; /* numbers of DWARF */

typedef struct tt_unwind_rule { /* what holds at an instruction; the CFA is the stack pointer before the call */
    uint32_t cfa_register;      /* TT_REGISTER_BP or TT_REGISTER_SP */
    int64_t cfa_offset;         /* CFA = register + offset */
    bool saves_bp;              /* the caller's bp is at CFA + bp_offset; else it is unchanged */
    int64_t bp_offset;
    int64_t return_offset; /* the return address is at CFA + return_offset */
    bool outermost;        /* there is no caller */
    uint64_t function;     /* where the function begins; 0: not known */
} tt_unwind_rule;

/* The rule at the instruction `at`, by the table (.eh_frame_hdr) at `table` of its ELF file. False: there is none, or
 * it needs more than the two registers. */
bool tt_unwind_rule_at(uint32_t pid, uint64_t table, uint64_t at, tt_unwind_rule *out);

#endif
