/* model/tables/findings/claims/claim_lines.h - the line of the program below which the time of a claim is spent.
 *
 * At every instant of the claim, the innermost Python frame of the program (python_line.h) on the charged thread has
 * the time, not the library function below it. In a trace without Python functions, the first such frame in the call
 * stack of the operator that ran has it. */
#ifndef TT_MODEL_TABLES_FINDINGS_CLAIMS_CLAIM_LINES_H
#define TT_MODEL_TABLES_FINDINGS_CLAIMS_CLAIM_LINES_H

#include "model/base/interval_set.h"
#include "model/trace/session.h"

/* Frames of the threads of a trace, made when first needed; the claims share them. */
typedef struct tt_claim_frames tt_claim_frames;
tt_claim_frames *tt_claim_frames_new(const tt_session *s, uint32_t trace);
void tt_claim_frames_free(tt_claim_frames *f);

/* The time of one claim by line. */
typedef struct tt_claim_lines tt_claim_lines;
tt_claim_lines *tt_claim_lines_new(tt_claim_frames *f);
void tt_claim_lines_free(tt_claim_lines *l);
/* Add stretches of the claim on a track; TT_NONE = no thread is charged. op: operator that ran meanwhile; TT_NONE. */
void tt_claim_lines_add(tt_claim_lines *l, uint32_t track, tt_row op, const tt_ivs *stretches);
/* "zoom (scaling/resize.py:739)": the line with most of the time (ties by its text), if that is a fifth of ns; else
 * NULL. In the arena. */
const char *tt_claim_lines_most(const tt_claim_lines *l, int64_t ns, tt_arena *a);

/* A frame "scaling/resize.py(739): zoom" as "zoom (scaling/resize.py:739)"; the frame itself when it names no place. */
const char *tt_frame_shown(tt_arena *a, const char *frame);

#endif
