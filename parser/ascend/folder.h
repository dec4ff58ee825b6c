/* parser/ascend/folder.h - state shared by the readers of a folder's files, and functions to add their results.
 * Private to parser/ascend. */
#ifndef TT_PARSER_ASCEND_FOLDER_H
#define TT_PARSER_ASCEND_FOLDER_H

#include "model/trace/imported.h"
#include "parser/csv/csv.h"
#include "parser/input/reader.h"
#include "parser/json/stream.h"

/* Roles of the parts. */
#define ROLE_TRACE "trace"
#define ROLE_TASKS "tasks" /* msprof: the events of ROLE_TRACE again, in two files */
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
    tt_problems problems; /* problems of the files beside the timeline */
    int64_t rank, device; /* device: number of the NPU; -1 = unknown */
    TT_VEC(tt_imported *) tables;
    TT_VEC(tt_ascend_fact) facts;
    bool memory_profiled; /* the schedule of the recording asked for memory */
    tt_arena arena;       /* holds the texts of facts */
} tt_ascend;

bool tt_ascend_cancelled(const tt_ascend *a);
/* Report that a file that the folder should have is missing. */
void tt_ascend_missing(tt_ascend *a, const char *file, const char *what);
/* Add a fact of the trace; key and value are copied. */
void tt_ascend_fact_put(tt_ascend *a, const char *key, const char *value, size_t len);

/* ---- JSON files ---- */

typedef struct tt_ascend_json {
    tt_json_stream s;
    tt_source *source;
    tt_ascend *a;
    uint32_t part;
    const char *name; /* last component of the path */
} tt_ascend_json;

/* Open the first part with this role. False = there is none (not reported), or it cannot be read or is empty
 * (reported). */
bool tt_ascend_json_open(tt_ascend *a, const char *role, tt_ascend_json *j);
/* Close the file; an early end is reported as a bad row. */
void tt_ascend_json_close(tt_ascend_json *j);
/* Copy the text of a key or string, decoded and terminated; longer texts are cut. */
void tt_ascend_json_text(const tt_json_stream *s, char *out, size_t cap);
/* The number * unit, rounded; false = the token is no number. */
bool tt_ascend_json_number(const tt_json_stream *s, tt_json_token token, uint64_t unit, int64_t *out);

/* ---- tables ---- */

/* Make a table of the folder with these n columns; the trace takes it over later. */
tt_imported *tt_ascend_table(tt_ascend *a, const char *id, const tt_imported_key *columns, uint32_t n);

/* ---- the files ---- */

void tt_ascend_facts(tt_ascend *a);
void tt_ascend_calls(tt_ascend *a); /* table runtime_api of a folder without a timeline */
void tt_ascend_communication(tt_ascend *a);
void tt_ascend_links(tt_ascend *a);
/* Table cluster_steps from step_trace_time.csv; false = the file has no rows. */
bool tt_ascend_steps(tt_ascend *a);
/* Table cluster_steps from the timeline's rows of overlaps. */
void tt_ascend_steps_of_timeline(tt_ascend *a, const tt_trace *s);
/* Read operator_memory.csv and memory_record.csv as records whose text lies from `offset` on, one after another
 * (made_text.h). Returns their number. */
uint32_t tt_ascend_memory(tt_ascend *a, tt_builder *b, uint64_t offset);

#endif
