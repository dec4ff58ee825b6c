/* parser/nsys/reader.h - exports of Nsight Systems (nsys export --type sqlite), schemas 2.9 to 3.25.
 *
 * Tables may be missing, columns come and go: tables.c lists those that are read. Tables with the user's environment
 * (TARGET_INFO_SYSTEM_ENV, META_DATA_CAPTURE, ProcessStreams) are never read. Private to parser/. */
#ifndef TT_PARSER_NSYS_READER_H
#define TT_PARSER_NSYS_READER_H

#include "parser/sqlite/load.h"

/* Whether the database's tables are those of an export. */
bool tt_nsys_is(const tt_db *d);
/* Load the trace; takes job->image over. */
tt_trace *tt_nsys_load(tt_db_job *job);

#endif
