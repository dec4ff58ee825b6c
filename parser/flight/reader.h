/* parser/flight/reader.h - dumps of flight recorders: what one rank of a distributed job called last (PyTorch's c10d
 * for NCCL, XCCL, gloo and HCCL; torchcomms), as a pickle of plain data or as JSON. */
#ifndef TT_PARSER_FLIGHT_READER_H
#define TT_PARSER_FLIGHT_READER_H

#include "parser/input/reader.h"

/* Whether the first bytes are those of a dump. */
bool tt_flight_sniff(const char *head, size_t len);
/* The rank in the name of a dump's file, wherever it stands; -1 = the name has no number. */
int64_t tt_flight_named_rank(const char *name);
/* The trace has a slice an entry, and tt_trace.flight. */
tt_read_fn tt_read_flight;

#endif
