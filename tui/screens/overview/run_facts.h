/* tui/screens/overview/run_facts.h - facts of a run in words: framework, device, duration, recorded kinds of events,
 * versions. The Overview and the Markdown summary use the same words. */
#ifndef TT_TUI_SCREENS_OVERVIEW_RUN_FACTS_H
#define TT_TUI_SCREENS_OVERVIEW_RUN_FACTS_H

#include "model/tables/table.h"

enum { TT_RUN_FACTS = 16 };
typedef struct tt_run_fact {
    const char *label; /* "Framework" */
    char text[96];     /* value: raw bytes of the trace, cut */
} tt_run_fact;

/* The value of a fact in table run, "" = the trace has no such fact; run may be NULL. */
const char *tt_run_value(const tt_table *run, const char *key);
/* Collect facts from the tables run and devices (NULL = not there); returns their number. Facts that the trace does
 * not have are left out. */
int tt_run_facts(const tt_session *s, const tt_table *run, const tt_table *devices, tt_run_fact f[TT_RUN_FACTS]);

#endif
