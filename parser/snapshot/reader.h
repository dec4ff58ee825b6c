/* parser/snapshot/reader.h - snapshots of PyTorch's caching allocator: torch.cuda.memory._dump_snapshot(FILE), a pickle
 * of plain data.
 *
 * The allocator's events become memory records with their stacks; its state at the end goes into tt_trace.snapshot
 * (model/trace/snapshot.h). */
#ifndef TT_PARSER_SNAPSHOT_READER_H
#define TT_PARSER_SNAPSHOT_READER_H

#include "parser/input/reader.h"

/* Accepts every pickle of protocol 2 or later; the reader refuses one that is no snapshot with a message on its
 * content. */
bool tt_snapshot_sniff(const char *head, size_t len);
tt_read_fn tt_read_snapshot;

#endif
