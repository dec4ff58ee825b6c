/* tui/cluster/plan.h - what `tracetty cluster` has to do: one part for each input, and a folder for their summaries.
 *
 * The folder lies beside the result, since nodes share that file system and not /tmp, and is hidden, so that no search
 * for traces enters it. It holds cluster.sh (script.h) and, of each part, part-ID.tts when it is done (renamed when
 * complete), part-ID.log with what was said, part-ID.failed with an exit status. ID is made of the input's path, size
 * and time and of our version: a part that is there and whole is the part of that input, and not computed again. One
 * run at a time (folder.h). */
#ifndef TT_TUI_CLUSTER_PLAN_H
#define TT_TUI_CLUSTER_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/err.h"
#include "model/base/mem.h"
#include "tui/cluster/folder.h"

enum { TT_CLUSTER_NAME = 32 };

typedef struct tt_cluster_part {
    char *path; /* absolute: a trace, an archive, or a folder that is one input */
    uint64_t bytes;
    int64_t changed_ns; /* since 1970 */
    uint64_t id;        /* unique in a plan */
    bool done, failed;
} tt_cluster_part;

typedef struct tt_cluster_id {
    uint64_t id;
    uint32_t part;
} tt_cluster_id;

typedef struct tt_cluster_plan {
    TT_VEC(tt_cluster_part) parts; /* largest first, so that the small ones fill the end */
    TT_VEC(tt_cluster_id) ids;     /* ids of the parts, ascending */
    uint64_t bytes;                /* size of all parts */
    char *output, *work;           /* absolute: the result, the folder */
    int lock;                      /* -1 = not begun */
    tt_cluster_run_id
        earlier;  /* the run that had the folder before, of which tasks may go on elsewhere; id "" = none */
    bool started; /* a task runs, or ran */
    uint32_t n_done, n_failed;
    uint64_t bytes_done;
} tt_cluster_plan;

/* Look for the inputs in the paths; writes nothing. output NULL: PATH.tts beside the path. Of several runs in a folder
 * the one called `run` is taken, NULL: the newest; several paths are one run. Warnings go to stderr. Errors as of
 * tt_discover() and tt_found_choose(). Free also after an error. */
tt_status tt_cluster_plan_make(const char *const *paths, uint32_t n, const char *run, const char *output,
                               tt_cluster_plan *out, tt_err *err);
/* Make the folder and claim it for the run id, or go on with an existing one; fresh: delete its contents first. */
tt_status tt_cluster_plan_begin(tt_cluster_plan *p, const char *id, const char *engine, bool fresh, tt_err *err);
/* Name of a file of the part: ending ".tts", ".log", ".failed". */
void tt_cluster_part_name(const tt_cluster_part *part, const char *ending, char out[TT_CLUSTER_NAME]);
/* See how far it is: done, failed, started and the sums. */
void tt_cluster_plan_look(tt_cluster_plan *p);
void tt_cluster_plan_remove(const tt_cluster_plan *p); /* the folder */
void tt_cluster_plan_free(tt_cluster_plan *p);

#endif
