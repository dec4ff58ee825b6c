/* model/tables/analysis/names/comm_names.h - which host ranges and kernels are communication, and of which library.
 * comm_names.c has one table of patterns; a new library is one line there.
 *
 * A user adds patterns, separated by commas, in the environment variable TT_COMM_VARIABLE: "my_ring_kernel,mylib:".
 * A pattern that ends in a colon is the beginning of a host range; other patterns are a part of a kernel's name in
 * any case. The library of such names is "custom". No function allocates or keeps state. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_COMM_NAMES_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_COMM_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/tables/analysis/names/name_pattern.h"
#include "model/trace/rules/rules.h"

#define TT_COMM_VARIABLE "TRACETTY_COMM"

/* Library of a host range ("nccl:all_reduce" -> "nccl"); NULL when the name is no collective or transfer. Only
 * ranges that a library marks itself count; wrappers such as c10d:: operators merely enqueue. */
const char *tt_comm_op_library(const char *name);
/* Whether an operator communicates though no library marked it, by the rules of the trace. */
bool tt_comm_operator(const tt_rules *rules, const char *name);
/* Library that a part of a kernel's name reveals; NULL: none. qualified: use the patterns with a namespace, which
 * are for names without template arguments; else the other patterns. kernel_class.h says which part of a name
 * counts: these patterns are its class communication. */
const char *tt_comm_text_library(const tt_pattern_text *text, bool qualified);
/* Whether a pattern of TT_COMM_VARIABLE fits the kernel. */
bool tt_comm_named_by_user(const char *name);
/* The part of a kernel's name that reveals its library, from the table in comm_names.c; NULL: none. */
const char *tt_comm_kernel_word(const char *name);
/* Whether TensorBoard's plugin counts the kernel as communication when it divides a step: the name contains a
 * collective library or one of the all-reduce kernels that the plugin knows, or the user named it. The class of a
 * kernel considers more names; step_breakdown and the roles of time_class.h do not. */
bool tt_comm_step_kernel(const char *name);
/* A C++ function without return type and argument list: a part of `name` of *n bytes. Parentheses inside the name
 * stay: "void (anonymous namespace)::f<int>(int*)" -> "(anonymous namespace)::f<int>". A name without arguments only
 * loses "void". */
const char *tt_comm_bare_name(const char *name, size_t *n);

#endif
