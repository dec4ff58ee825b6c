/* parser/ascend/folder.h - what the readers of a folder's files share: where they put what they find. Private to
 * parser/ascend. */
#ifndef TT_PARSER_ASCEND_FOLDER_H
#define TT_PARSER_ASCEND_FOLDER_H

#include "model/trace/imported.h"
#include "parser/csv/csv.h"
#include "parser/input/reader.h"
#include "parser/json/stream.h"

/* Roles of the parts. */
#define ROLE_TRACE "trace"
#define ROLE_TASKS "tasks" /* of msprof: the same events as in ROLE_TRACE, in two files */
#define ROLE_KERNELS "kernel_details"
#define ROLE_STEPS "step_trace_time"
#define ROLE_OPERATORS "op_statistic"
#define ROLE_CALLS "api_statistic"
#define ROLE_COMMUNICATION "communication"
#define ROLE_LINKS "communication_matrix"
#define ROLE_ALLOCATIONS "operator_memory"
#define ROLE_MEMORY "memory_record"
#define ROLE_INFO "profiler_info"
#define ROLE_METADATA "profiler_metadata"
#define ROLE_DATABASE "database"
#define ROLE_ITERATIONS "step_trace"

typedef struct tt_ascend_fact {
    const char *key, *value;
} tt_ascend_fact;

typedef struct tt_ascend {
    tt_input *in;
    tt_reader_progress *progress;
    tt_problems problems; /* of the files beside the timeline */
    int64_t rank, device; /* device: number of the NPU; -1 = not known */
    TT_VEC(tt_imported *) tables;
    TT_VEC(tt_ascend_fact) facts;
    bool memory_profiled; /* asked for by the schedule of the recording */
    tt_arena arena;       /* texts of the facts */
} tt_ascend;

bool tt_ascend_cancelled(const tt_ascend *a);
/* A file of the folder that should be there is not. */
void tt_ascend_missing(tt_ascend *a, const char *file, const char *what);
/* Facts of the trace; both are copied. */
void tt_ascend_fact_put(tt_ascend *a, const char *key, const char *value, size_t len);

/* ---- JSON files ---- */

typedef struct tt_ascend_json {
    tt_json_stream s;
    tt_source *source;
    tt_ascend *a;
    uint32_t part;
    const char *name; /* last component of the path */
} tt_ascend_json;

/* The first part with this role; false when there is none, or it cannot be read, or is empty: reported. */
bool tt_ascend_json_open(tt_ascend *a, const char *role, tt_ascend_json *j);
/* What ends a file early is reported as a row that cannot be read. */
void tt_ascend_json_close(tt_ascend_json *j);
/* The text of a key or string, decoded, with a NUL; longer ones are cut. */
void tt_ascend_json_text(const tt_json_stream *s, char *out, size_t cap);
/* The number * unit, rounded; false when it is none. */
bool tt_ascend_json_number(const tt_json_stream *s, tt_json_token token, uint64_t unit, int64_t *out);

/* ---- tables ---- */

/* A table of the folder with these columns, n of them, which goes to the trace. */
tt_imported *tt_ascend_table(tt_ascend *a, const char *id, const tt_imported_key *columns, uint32_t n);

/* ---- the files ---- */

void tt_ascend_facts(tt_ascend *a);
void tt_ascend_calls(tt_ascend *a); /* table runtime_api, for a folder without a timeline */
void tt_ascend_communication(tt_ascend *a);
void tt_ascend_links(tt_ascend *a);
/* step_trace_time.csv; false when it has no rows: */
bool tt_ascend_steps(tt_ascend *a);
/* The same from the rows of the timeline that say what overlaps. */
void tt_ascend_steps_of_timeline(tt_ascend *a, const tt_trace *s);
/* operator_memory.csv and memory_record.csv as records, whose places follow each other from `offset` on
 * (made_text.h); how many. */
uint32_t tt_ascend_memory(tt_ascend *a, tt_builder *b, uint64_t offset);

#endif
