/* parser/nsys/reader.h - exports of Nsight Systems (nsys export --type sqlite), schemas 2.9 to 3.25.
 *
 * Tables are there or not, columns come and go; what is read is the list of tables.c. Tables with the environment of
 * the user (TARGET_INFO_SYSTEM_ENV, META_DATA_CAPTURE, ProcessStreams) are never looked at. Private to parser/. */
#ifndef TT_PARSER_NSYS_READER_H
#define TT_PARSER_NSYS_READER_H

#include "parser/sqlite/load.h"

/* Whether the tables are those of an export. */
bool tt_nsys_is(const tt_db *d);
/* The trace; job->image is taken over. */
tt_trace *tt_nsys_load(tt_db_job *job);

#endif
