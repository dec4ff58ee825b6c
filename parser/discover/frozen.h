/* parser/discover/frozen.h - which frozen recordings (capture/format/dump_name.h) belong together: those of the
 * processes of a job, whose folders lie beside each other and that were frozen one soon after another. Private to
 * parser/discover. */
#ifndef TT_PARSER_DISCOVER_FROZEN_H
#define TT_PARSER_DISCOVER_FROZEN_H

#include <stddef.h>

/* Look at the places of n inputs, each a folder below the root. joined[i], NULL before the call, gets the common place
 * of inputs from several folders that belong together: the name of the first folder without the process; malloc. */
void tt_frozen_join(const char *const *places, size_t n, char **joined);

#endif
