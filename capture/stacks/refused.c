/* capture/stacks/refused.c - the cause of a refusal: process_vm_readv() has the rights of ptrace(). See refused.h. */
#include "capture/stacks/refused.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/shared/sysfile.h"
#include "capture/stacks/peek.h"
#include "capture/stacks/stacks.h"

enum { PARENTS_MOST = 64 };

/* A number of /proc/PID/status, such as "PPid:"; -1: not known. */
static long status_of(uint32_t pid, const char *key)
{
    char path[40], text[2048];
    snprintf(path, sizeof path, "/proc/%u/status", pid);
    if (!tt_sysfile_read(path, text, sizeof text)) return -1;
    const char *at = strstr(text, key);
    return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

static int is_ancestor(uint32_t pid)
{
    long up = status_of(pid, "\nPPid:");
    for (int i = 0; i < PARENTS_MOST && up > 0; i++) {
        if (up == (long)getpid()) return 1;
        up = status_of((uint32_t)up, "\nPPid:");
    }
    return 0;
}

/* Value of Yama's ptrace_scope; 0 where there is none. */
static int ptrace_scope(void)
{
    char text[16];
    bool have = tt_sysfile_read("/proc/sys/kernel/yama/ptrace_scope", text, sizeof text);
    return have ? (int)strtol(text, NULL, 10) : 0;
}

static bool reads_itself(void)
{
    uint64_t here = 1, there = 0;
    return tt_peek_u64((uint32_t)getpid(), (uintptr_t)&here, &there) && there == here;
}

bool tt_live_stacks_allowed(char *out, size_t cap)
{
    static const char *const whose[] = {"those of the user", "those that it started, root all", "none, root all",
                                        "none"};
    int scope = ptrace_scope();
    bool good = reads_itself();
    const char *which = !geteuid() && scope < 3 ? "all" : whose[scope < 0 ? 0 : scope > 3 ? 3 : scope];
    snprintf(out, cap, good ? "a program can read its own; tracetty those of other processes: %s" : "not allowed here",
             which);
    return good;
}

static void cause(uint32_t pid, char *out, size_t cap)
{
    long owner = status_of(pid, "\nUid:");
    int scope = ptrace_scope();
    *out = 0;
    if (!reads_itself()) {
        snprintf(out, cap, " (process_vm_readv is forbidden here, as by seccomp of a container)");
    } else if (owner >= 0 && owner != (long)geteuid() && geteuid()) {
        snprintf(out, cap, " (it belongs to another user)");
    } else if (scope >= 3) {
        snprintf(out, cap, " (ptrace_scope is %d: no process may)", scope);
    } else if (scope == 2 && geteuid()) {
        snprintf(out, cap, " (ptrace_scope is 2: only root may)");
    } else if (scope == 1 && !is_ancestor(pid)) {
        snprintf(out, cap, " (ptrace_scope is 1, and this is not its parent)");
    }
}

void tt_live_stacks_say_refused(uint32_t pid, int error, char *out, size_t cap)
{
    char why[100] = "";
    if (error != ESRCH && error != ENOENT) cause(pid, why, sizeof why);
    if (error == ENOENT) error = ESRCH; /* /proc/PID is gone */
    snprintf(out, cap, "Python stacks of process %u: not read: %s%s", pid, strerror(error), why);
}
