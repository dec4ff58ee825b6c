/* parser/xplane/reader.h - the XSpaces of XLA's profiler (*.xplane.pb): JAX, PyTorch/XLA, TensorFlow. Private to
 * parser/. */
#ifndef TT_PARSER_XPLANE_READER_H
#define TT_PARSER_XPLANE_READER_H

#include "parser/input/reader.h"

tt_read_fn tt_read_xplane;
/* A plane with a name that XLA gives, within the beginning of the text. */
bool tt_xplane_sniff(const char *head, size_t len);

#endif
