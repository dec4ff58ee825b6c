/* parser/twins.h - files of one load with the same content, which would count twice. Private to parser/. */
#ifndef TT_PARSER_TWINS_H
#define TT_PARSER_TWINS_H

#include "parser/source/source.h"

typedef struct tt_twin_hooks {
    /* Open the file of trace i again; an error = it cannot be compared. */
    tt_status (*open)(void *arg, size_t i, tt_source **out, tt_err *err);
    /* Called for each trace with a twin among the earlier ones. sure: every byte is equal; otherwise the numbers of
     * events and bytes and the times are equal, and the files are too large to compare. */
    void (*tell)(void *arg, const tt_trace *one, const tt_trace *other, bool sure);
    void *arg;
} tt_twin_hooks;

/* Find twins among the traces by sorting, and by reading files of equal size again, up to 512 MiB of text in all. */
void tt_twins_find(tt_trace *const *traces, size_t n, const tt_twin_hooks *hooks);

/* Add a problem to each trace whose rank is also the rank of another worker from another path. */
void tt_twins_ranks(tt_trace *const *traces, size_t n);

#endif
