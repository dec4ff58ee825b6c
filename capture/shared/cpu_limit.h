/* capture/shared/cpu_limit.h - how many processors a process may use. Private to the library. */
#ifndef TT_CAPTURE_SHARED_CPU_LIMIT_H
#define TT_CAPTURE_SHARED_CPU_LIMIT_H

/* Processors that its affinity and the quotas of its control groups (version 2, or 1) leave to this process; 2.5 =
 * two and a half. root: in front of /proc and /sys, "" unless a test has others. Above 0; INFINITY when nothing can
 * be read. */
double tt_processors_allowed(const char *root);

#endif
