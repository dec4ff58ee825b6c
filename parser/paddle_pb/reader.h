/* parser/paddle_pb/reader.h - Paddle's protobuf dump. Private to parser/. */
#ifndef TT_PARSER_PADDLE_PB_READER_H
#define TT_PARSER_PADDLE_PB_READER_H

#include "parser/input/reader.h"

tt_read_fn tt_read_paddle_pb;
bool tt_paddle_pb_sniff(const char *head, size_t len);
/* Read Paddle's span number from the beginning of a file. False when it is absent. */
bool tt_paddle_pb_span(const char *head, size_t len, char *out, size_t cap);

#endif
