/* model/text/process_name.h - what servers of LLMs write into the names of their traces: the place of the process in
 * the parallel layout, the stage, and the profile.
 *
 * vLLM: dp0_pp0_tp1_dcp0_ep1_rank1.TIME.pt.trace.json.gz, and HOST_PID.async_llm.TIME.pt.trace.json.gz for the front
 * end. SGLang: [PREFIX-]ID-TP-1[-DP-0][-PP-0][-EP-1][-DECODE].trace.json.gz. */
#ifndef TT_MODEL_TEXT_PROCESS_NAME_H
#define TT_MODEL_TEXT_PROCESS_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tt_layout {
    TT_LAYOUT_TENSOR,
    TT_LAYOUT_DATA,
    TT_LAYOUT_PIPELINE,
    TT_LAYOUT_EXPERT,
    TT_LAYOUT_CONTEXT, /* context parallelism while decoding */
    TT_LAYOUT_COUNT_
} tt_layout;

typedef struct tt_process_name {
    int64_t rank[TT_LAYOUT_COUNT_]; /* -1 = the name does not say it */
    size_t worker, worker_n;        /* the part that names the process: "TP-1-DP-0" */
    size_t stage, stage_n;          /* "DECODE"; stage_n 0 = none */
    size_t profile_n;               /* length of "[PREFIX-]ID", at the beginning; 0 = none */
} tt_process_name;

/* Read the name of a file, without its folder. False = a name of another kind; then *out says nothing. */
bool tt_process_name_read(const char *file, tt_process_name *out);
const char *tt_layout_fact(tt_layout p); /* "tp_rank" */
/* Whether the worker of this name is the front end of a server: it takes requests, and has neither rank nor device. */
bool tt_process_front_end(const char *worker);

#endif
