/* tui/ranks/summarize.h - turns traces into sources of a summary (model/summary/union.h), one file after the other,
 * so that the largest file bounds the memory. */
#ifndef TT_TUI_RANKS_SUMMARIZE_H
#define TT_TUI_RANKS_SUMMARIZE_H

#include "model/summary/union.h"
#include "parser/load.h"

typedef struct tt_summarize_spec {
    const char *const *paths;
    uint32_t n_paths;
    uint64_t part, parts; /* compute part K of `parts`; 0 of 1: everything */
    const tt_load_options *load;
    /* Print a warning about a file. */
    void (*warn)(void *arg, const char *text);
    /* Report progress: `done` of `all` files; return false to stop. May be NULL. */
    bool (*progress)(void *arg, uint32_t done, uint32_t all);
    void *arg;
} tt_summarize_spec;

/* Add a source for each recording. A file that cannot be read is warned about and counted in *failed. TT_ERR_INPUT:
 * no trace was found at the paths; TT_ERR_CANCELLED: progress() returned false. Sources of a summary file are added
 * as they are. inputs gets the files read; NULL = not wanted. */
tt_status tt_summarize(const tt_summarize_spec *spec, tt_tts_union *out, uint32_t *failed, tt_file_ids *inputs,
                       tt_err *err);

/* Add the sources of an open session. */
void tt_summarize_session(const tt_session *s, tt_tts_union *out);
/* Write a union to a file, complete or not at all. inputs: files that it must not replace; NULL = none. */
tt_status tt_summarize_write(const tt_tts_union *u, const char *to, const tt_file_ids *inputs, tt_err *err);

#endif
