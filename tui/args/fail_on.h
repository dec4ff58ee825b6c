/* tui/args/fail_on.h - the conditions of --fail-on: METRIC>LIMIT. */
#ifndef TT_TUI_ARGS_FAIL_ON_H
#define TT_TUI_ARGS_FAIL_ON_H

#include "model/tables/compare/conditions.h"
#include "tui/args/cli.h"

/* Parse "step>5%", "idle > 2ms", "peak_memory>100MiB", "kernel:flash>10%", "operator:aten::mm>1ms", "findings>0".
 * Texts are in the arena. TT_ERR_USAGE: the message says what is wrong and what is allowed. Whether the runs have
 * the metric is checked later. */
tt_status tt_fail_on_parse(const char *text, tt_arena *arena, tt_condition *out, tt_err *err);

#endif
