/* model/tables/analysis/comm_names.h - which host ranges and kernels are communication, and of which library.
 *
 * One table of patterns in comm_names.c; adding a library is one line there. A user adds patterns, separated by
 * commas, in the environment variable TT_COMM_VARIABLE: "my_ring_kernel,mylib:" - what ends in a colon is the
 * beginning of a host range, the others are a part of a kernel's name in any case; their library is "custom". No
 * function allocates or keeps state. */
#ifndef TT_MODEL_TABLES_ANALYSIS_COMM_NAMES_H
#define TT_MODEL_TABLES_ANALYSIS_COMM_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/trace/rules.h"

#define TT_COMM_VARIABLE "TRACETTY_COMM"

/* The library of a host range ("nccl:all_reduce" -> "nccl"), NULL when the name is no collective or transfer. Only
 * ranges that a library marks itself count; wrappers such as c10d:: operators merely enqueue. */
const char *tt_comm_op_library(const char *name);
/* An operator that communicates though no library marked it: the rules of the trace tell by its name. */
bool tt_comm_operator(const tt_rules *rules, const char *name);
/* The library of a kernel by its name, NULL when it computes. */
const char *tt_comm_kernel_library(const char *name);
/* The part of a kernel's name that tells its library, of the table in comm_names.c. NULL: none. */
const char *tt_comm_kernel_word(const char *name);
/* A kernel whose time is communication where the time of a device is divided (device_work.h): those of the collective
 * libraries, cross_device_reduce as other profilers have it, and those that the user named. Other kernels that fetch
 * and reduce on their own count as computation there. */
bool tt_comm_kernel_time(const char *name);
/* A C++ function without return type and argument list: a part of `name`, *n bytes. Parentheses inside the name stay:
 * "void (anonymous namespace)::f<int>(int*)" -> "(anonymous namespace)::f<int>". A name without arguments only
 * loses a "void". */
const char *tt_comm_bare_name(const char *name, size_t *n);

#endif
