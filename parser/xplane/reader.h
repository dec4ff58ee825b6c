/* parser/xplane/reader.h - XSpaces of XLA's profiler (*.xplane.pb): JAX, PyTorch/XLA, TensorFlow. Private to
 * parser/. */
#ifndef TT_PARSER_XPLANE_READER_H
#define TT_PARSER_XPLANE_READER_H

#include "parser/input/reader.h"

tt_read_fn tt_read_xplane;
/* Whether the head of a file has a plane with a name that XLA gives. */
bool tt_xplane_sniff(const char *head, size_t len);

#endif
