/* tui/ranks/gather.h - summary files and folders of them become one union; and what a person must know of a run. */
#ifndef TT_TUI_RANKS_GATHER_H
#define TT_TUI_RANKS_GATHER_H

#include "model/summary/union.h"
#include "model/trace/session.h"

typedef void tt_gather_warn(void *arg, const char *text);

/* Every .tts at the paths; a folder is searched with all below it, where the file `leave` is left out. Each source
 * is looked at, byte for byte; what is damaged is warned of, counted, and not in the union. TT_ERR_INPUT: there is
 * none. */
tt_status tt_gather(const char *const *paths, uint32_t n, const char *leave, tt_tts_union *out, uint32_t *damaged,
                    tt_file_ids *inputs, tt_gather_warn *warn, void *arg, tt_err *err);

/* Warn of missing, foreign, repeated and duplicate ranks and of different worlds. False: a rank is missing or foreign,
 * or worlds differ. */
bool tt_gather_tell(const tt_tts_union *u, tt_gather_warn *warn, void *arg);

#endif
