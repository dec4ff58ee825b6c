/* model/tables/analysis/names/comm_names.h - which host ranges and kernels are communication, and of which library.
 *
 * One table of patterns in comm_names.c; adding a library is one line there. A user adds patterns, separated by
 * commas, in the environment variable TT_COMM_VARIABLE: "my_ring_kernel,mylib:" - what ends in a colon is the
 * beginning of a host range, the others are a part of a kernel's name in any case; their library is "custom". No
 * function allocates or keeps state. */
#ifndef TT_MODEL_TABLES_ANALYSIS_COMM_NAMES_H
#define TT_MODEL_TABLES_ANALYSIS_COMM_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/tables/analysis/names/name_pattern.h"
#include "model/trace/rules.h"

#define TT_COMM_VARIABLE "TRACETTY_COMM"

/* The library of a host range ("nccl:all_reduce" -> "nccl"), NULL when the name is no collective or transfer. Only
 * ranges that a library marks itself count; wrappers such as c10d:: operators merely enqueue. */
const char *tt_comm_op_library(const char *name);
/* An operator that communicates though no library marked it: the rules of the trace tell by its name. */
bool tt_comm_operator(const tt_rules *rules, const char *name);
/* The library that a part of a kernel's name tells, NULL: none. qualified: of the patterns that name a namespace, which
 * are for names without template arguments; else of the others. Which part counts says kernel_class.h, where the
 * class of a kernel is decided: this is the list of its class communication. */
const char *tt_comm_text_library(const tt_pattern_text *text, bool qualified);
/* A pattern of TT_COMM_VARIABLE fits the kernel. */
bool tt_comm_named_by_user(const char *name);
/* The part of a kernel's name that tells its library, of the table in comm_names.c. NULL: none. */
const char *tt_comm_kernel_word(const char *name);
/* A kernel that TensorBoard's plugin counts as communication where it divides a step: it has the name of a collective
 * library or of one of the all-reduce kernels known to it anywhere, or the user named it. The class of a kernel goes by
 * more names; step_breakdown and what is made from its roles (time_class.h) keep to this. */
bool tt_comm_step_kernel(const char *name);
/* A C++ function without return type and argument list: a part of `name`, *n bytes. Parentheses inside the name stay:
 * "void (anonymous namespace)::f<int>(int*)" -> "(anonymous namespace)::f<int>". A name without arguments only
 * loses a "void". */
const char *tt_comm_bare_name(const char *name, size_t *n);

#endif
