/* parser/discover/twins.h - files of one load with the same content, which would be counted twice. Private to
 * parser/. */
#ifndef TT_PARSER_INPUT_TWINS_H
#define TT_PARSER_INPUT_TWINS_H

#include "parser/source/source.h"

typedef struct tt_twin_hooks {
    /* A new source of the file that trace i was read from; an error: nothing can be said of it. */
    tt_status (*open)(void *arg, size_t i, tt_source **out, tt_err *err);
    /* Called for each trace that has a twin among the others. sure: every byte is the same; else they agree in the
     * numbers of events and bytes and in their times, and are too large to be compared here. */
    void (*tell)(void *arg, const tt_trace *one, const tt_trace *other, bool sure);
    void *arg;
} tt_twin_hooks;

/* Look for twins among the traces: a sort, and reading the files again whose sizes agree, up to 512 MiB of text in
 * all. */
void tt_twins_find(tt_trace *const *traces, size_t n, const tt_twin_hooks *hooks);

/* Add a problem to each trace whose rank another worker has, too, that comes from another path. */
void tt_twins_ranks(tt_trace *const *traces, size_t n);

#endif
