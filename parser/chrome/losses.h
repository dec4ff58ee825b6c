/* parser/chrome/losses.h - reports a recorder's losses as problems of the trace. Private to parser/. */
#ifndef TT_PARSER_CHROME_LOSSES_H
#define TT_PARSER_CHROME_LOSSES_H

#include "capture/format/spool.h"
#include "model/base/problems.h"

/* Member of an export that says how it was recorded and which events were lost. */
#define TT_SPOOL_OWN "tracetty"
/* Report events that the recorder lost by one cause; n may be 0. */
void tt_spool_lost(tt_problems *problems, unsigned cause, uint64_t n);
/* Report the losses in that member of an export. */
void tt_spool_reported_losses(const char *json, tt_problems *problems);
/* Report a value of TT_SPOOL_TAKEN: another profiler in the program took CUPTI over. */
void tt_spool_taken(tt_problems *problems, const char *since);

#endif
