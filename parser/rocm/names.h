/* parser/rocm/names.h - spellings that both databases of ROCm share. Private to parser/rocm. */
#ifndef TT_PARSER_ROCM_NAMES_H
#define TT_PARSER_ROCM_NAMES_H

#include "parser/sqlite/event.h"

extern const tt_db_launch tt_rocm_no_launch;
/* Convert a grid in work items to one in blocks, as CUDA counts: each side divided by the work-group's, rounded up. */
void tt_rocm_blocks(tt_db_launch *l);
/* CopyHostToDevice, MEMORY_COPY_HOST_TO_DEVICE -> "Memcpy HtoD (Host -> Device)"; NULL: another text. */
const char *tt_rocm_copy_name(const char *kind);
/* Whether a name is that of a library call. */
bool tt_rocm_is_call(const char *name);
/* A kernel's name without the suffix of its descriptor. */
const char *tt_rocm_symbol(const char *name, size_t *len);
void tt_rocm_thread(int64_t pid, int64_t tid, const char *process, const char *thread, tt_db_track_text *out);
/* Texts of a stream's track; what: "stream" or "queue". */
void tt_rocm_stream(int64_t device, int64_t id, const char *what, bool counters, tt_db_track_text *out);

#endif
