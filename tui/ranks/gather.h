/* tui/ranks/gather.h - joins summary files, and folders of them, into one union, and checks that it is one complete
 * run. */
#ifndef TT_TUI_RANKS_GATHER_H
#define TT_TUI_RANKS_GATHER_H

#include "model/summary/union.h"
#include "model/trace/session.h"

typedef void tt_gather_warn(void *arg, const char *text);

/* Add every .tts file at the paths; folders are searched with their subfolders, except for the file `leave`. Each
 * source is checked byte for byte; a damaged one is counted, warned about and left out. TT_ERR_INPUT: no summary was
 * found. */
tt_status tt_gather(const char *const *paths, uint32_t n, const char *leave, tt_tts_union *out, uint32_t *damaged,
                    tt_file_ids *inputs, tt_gather_warn *warn, void *arg, tt_err *err);

/* Warn about missing, foreign, repeated and duplicate ranks and about different world sizes. False: a rank is
 * missing or foreign, or world sizes differ. */
bool tt_gather_tell(const tt_tts_union *u, tt_gather_warn *warn, void *arg);

#endif
