/* parser/workers.h - the workers that one file holds. Private to parser/. */
#ifndef TT_PARSER_WORKERS_H
#define TT_PARSER_WORKERS_H

#include "model/trace/trace.h"

/* The traces of the workers in s, which is taken over (model/build/finish/split.h): *n of them, in an array that the
 * caller frees. */
tt_trace **tt_workers_of(tt_trace *s, uint32_t *n);

#endif
