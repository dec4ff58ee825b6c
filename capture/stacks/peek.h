/* capture/stacks/peek.h - reads the memory of a process, this one included, by process_vm_readv(): a bad address is an
 * error and no crash, and the process is not stopped. Private to the folder. */
#ifndef TT_CAPTURE_STACKS_PEEK_H
#define TT_CAPTURE_STACKS_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

/* Read n bytes; false with errno when not all of them can be read. */
static inline bool tt_peek(uint32_t pid, uint64_t at, void *out, size_t n)
{
    struct iovec here = {out, n}, there = {(void *)(uintptr_t)at, n};
    return process_vm_readv((pid_t)pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

/* Read at most n bytes of a region whose end may lie before that: the number of bytes read. */
static inline size_t tt_peek_most(uint32_t pid, uint64_t at, void *out, size_t n)
{
    enum { PAGE = 4096 };
    struct iovec here = {out, n}, there[2];
    size_t first = PAGE - at % PAGE;
    first = first < n ? first : n;
    there[0] = (struct iovec){(void *)(uintptr_t)at, first};
    there[1] = (struct iovec){(void *)(uintptr_t)(at + first), n - first};
    ssize_t got = process_vm_readv((pid_t)pid, &here, 1, there, 2, 0);
    return got > 0 ? (size_t)got : 0;
}

static inline bool tt_peek_u64(uint32_t pid, uint64_t at, uint64_t *out) { return tt_peek(pid, at, out, sizeof *out); }

#endif
