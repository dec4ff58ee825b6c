/* tui/ranks/summarize.h - traces become sources of a summary (model/summary/union.h), one file after the other, so that
 * memory is that of the largest one. */
#ifndef TT_TUI_RANKS_SUMMARIZE_H
#define TT_TUI_RANKS_SUMMARIZE_H

#include "model/summary/union.h"
#include "parser/load.h"

typedef struct tt_summarize_spec {
    const char *const *paths;
    uint32_t n_paths;
    uint64_t part, parts; /* part of parts; 0 of 1: all */
    const tt_load_options *load;
    /* Something a person should know of a file: a warning, as it is printed. */
    void (*warn)(void *arg, const char *text);
    /* done of all files were looked at; false: give up. May be NULL. */
    bool (*progress)(void *arg, uint32_t done, uint32_t all);
    void *arg;
} tt_summarize_spec;

/* Add a source for each recording. Files that cannot be read are warned of and counted in *failed. TT_ERR_INPUT:
 * nothing is found at the paths; TT_ERR_CANCELLED: progress said so. What is found of a summary file is taken as it
 * is. inputs: what was read, NULL = nobody asks. */
tt_status tt_summarize(const tt_summarize_spec *spec, tt_tts_union *out, uint32_t *failed, tt_file_ids *inputs,
                       tt_err *err);

/* Add the sources of a session that is open. */
void tt_summarize_session(const tt_session *s, tt_tts_union *out);
/* The file of a union: whole, or not at all. inputs: what it must not be; NULL = nothing. */
tt_status tt_summarize_write(const tt_tts_union *u, const char *to, const tt_file_ids *inputs, tt_err *err);

#endif
