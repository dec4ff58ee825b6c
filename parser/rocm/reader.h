/* parser/rocm/reader.h - databases of ROCm: rocpd of rocprofv3 (schema 3), and rpd of rocmProfileData (schema 2).
 * Private to parser/. */
#ifndef TT_PARSER_ROCM_READER_H
#define TT_PARSER_ROCM_READER_H

#include "parser/sqlite/load.h"

/* Whether the tables are those of rocpd; of rpd. */
bool tt_rocpd_is(const tt_db *d);
bool tt_rpd_is(const tt_db *d);
/* Load the trace; takes job->image over. */
tt_trace *tt_rocpd_load(tt_db_job *job);
tt_trace *tt_rpd_load(tt_db_job *job);

#endif
