/* parser/snapshot/reader.h - snapshots of PyTorch's caching allocator: torch.cuda.memory._dump_snapshot(FILE), a pickle
 * of plain data.
 *
 * What the allocator did becomes memory records, with the stack of each; what its memory looked like at the end goes
 * into tt_trace.snapshot (model/trace/snapshot.h). */
#ifndef TT_PARSER_SNAPSHOT_READER_H
#define TT_PARSER_SNAPSHOT_READER_H

#include "parser/input/reader.h"

/* Every pickle of protocol 2 or later: one that is no snapshot is refused by the reader, which knows what it holds. */
bool tt_snapshot_sniff(const char *head, size_t len);
tt_read_fn tt_read_snapshot;

#endif
