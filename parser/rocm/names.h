/* parser/rocm/names.h - what both databases of ROCm spell alike. Private to parser/rocm. */
#ifndef TT_PARSER_ROCM_NAMES_H
#define TT_PARSER_ROCM_NAMES_H

#include "parser/sqlite/event.h"

extern const tt_db_launch tt_rocm_no_launch;
/* A grid in work items becomes one in blocks, as CUDA counts: each side divided by the work-group's, rounded up. */
void tt_rocm_blocks(tt_db_launch *l);
/* CopyHostToDevice, MEMORY_COPY_HOST_TO_DEVICE -> "Memcpy HtoD (Host -> Device)"; NULL: none of these. */
const char *tt_rocm_copy_name(const char *kind);
/* A call of a library, by its name. */
bool tt_rocm_is_call(const char *name);
/* The name of a kernel without what marks its descriptor. */
const char *tt_rocm_symbol(const char *name, size_t *len);
void tt_rocm_thread(int64_t pid, int64_t tid, const char *process, const char *thread, tt_db_track_text *out);
/* what: a stream, or a queue. */
void tt_rocm_stream(int64_t device, int64_t id, const char *what, bool counters, tt_db_track_text *out);

#endif
