/* capture/shared/cpu_limit.h - how many processors a process may use. Private to the library. */
#ifndef TT_CAPTURE_SHARED_CPU_LIMIT_H
#define TT_CAPTURE_SHARED_CPU_LIMIT_H

/* Processors that affinity and the quotas of control groups (version 2, or 1) leave to this process; 2.5 = two and a
 * half. root: prefix of /proc and /sys, "" outside tests. Above 0; INFINITY when nothing can be read. */
double tt_processors_allowed(const char *root);

#endif
