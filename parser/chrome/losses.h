/* parser/chrome/losses.h - what a recorder lost, as problems of the trace. Private to parser/. */
#ifndef TT_PARSER_CHROME_LOSSES_H
#define TT_PARSER_CHROME_LOSSES_H

#include "capture/format/spool.h"
#include "model/base/problems.h"

/* The member of an export that says how it was recorded and what was lost. */
#define TT_SPOOL_OWN "tracetty"
/* Events that the recorder lost by one cause; n may be 0. */
void tt_spool_lost(tt_problems *problems, unsigned cause, uint64_t n);
/* The same from that member of an export. */
void tt_spool_reported_losses(const char *json, tt_problems *problems);
/* What the value of TT_SPOOL_TAKEN says: another profiler in the program had CUPTI. */
void tt_spool_taken(tt_problems *problems, const char *since);

#endif
