/* parser/recording/reader.h - loads the recorder's spool files (capture/format/spool.h). Private to parser/. */
#ifndef TT_PARSER_RECORDING_READER_H
#define TT_PARSER_RECORDING_READER_H

#include "parser/input/reader.h"

tt_read_fn tt_read_spool;
bool tt_spool_sniff(const char *head, size_t len);

#endif
