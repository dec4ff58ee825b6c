/* parser/workers.h - the workers inside one file. Private to parser/. */
#ifndef TT_PARSER_WORKERS_H
#define TT_PARSER_WORKERS_H

#include "model/trace/trace.h"

/* Split s, which is taken over, into the traces of its workers (model/build/finish/split.h): *n traces in an array
 * that the caller frees. */
tt_trace **tt_workers_of(tt_trace *s, uint32_t *n);

#endif
