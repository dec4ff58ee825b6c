/* tui/cluster/plan.h - the work of `tracetty cluster`: one part for each input, and a folder for the summaries of
 * the parts.
 *
 * The folder lies beside the result, since all nodes share that file system but not /tmp. It is hidden, so that no
 * search for traces enters it. It holds cluster.sh (script.h) and for each part: part-ID.tts when it is done
 * (renamed when complete), part-ID.log with its messages, part-ID.failed with its exit status. ID is a hash of path,
 * size and time of the input and of our version: a complete part in the folder belongs to the same input, and is not
 * computed again. One run at a time uses the folder (folder.h). */
#ifndef TT_TUI_CLUSTER_PLAN_H
#define TT_TUI_CLUSTER_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/err.h"
#include "model/base/mem.h"
#include "tui/cluster/folder.h"

enum { TT_CLUSTER_NAME = 32 };

typedef struct tt_cluster_part {
    char *path; /* absolute path of a trace, an archive, or a folder that is one input */
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
    TT_VEC(tt_cluster_part) parts; /* largest first, so that small parts fill the gaps at the end */
    TT_VEC(tt_cluster_id) ids;     /* ids of the parts, ascending */
    uint64_t bytes;                /* size of all parts */
    char *output, *work;           /* absolute paths of the result and of the folder */
    int lock;                      /* -1 = not locked yet */
    tt_cluster_run_id
        earlier;  /* run that had the folder before; its tasks may still run on other machines; id "" = none */
    bool started; /* at least one task has begun */
    uint32_t n_done, n_failed;
    uint64_t bytes_done;
} tt_cluster_plan;

/* Find the inputs in the paths; write nothing. output NULL: PATH.tts beside the path. Of several runs in a folder it
 * takes `run`; run NULL: the newest. Several paths are one run. Warnings go to stderr. Errors as for tt_discover()
 * and tt_found_choose(). Free the plan also after an error. */
tt_status tt_cluster_plan_make(const char *const *paths, uint32_t n, const char *run, const char *output,
                               tt_cluster_plan *out, tt_err *err);
/* Create the folder and claim it for run `id`, or continue in an existing folder. fresh: delete its contents first. */
tt_status tt_cluster_plan_begin(tt_cluster_plan *p, const char *id, const char *engine, bool fresh, tt_err *err);
/* Name of a file of the part; `ending`: ".tts", ".log", ".failed". */
void tt_cluster_part_name(const tt_cluster_part *part, const char *ending, char out[TT_CLUSTER_NAME]);
/* Update done, failed, started and the sums from the folder. */
void tt_cluster_plan_look(tt_cluster_plan *p);
void tt_cluster_plan_remove(const tt_cluster_plan *p); /* remove the folder */
void tt_cluster_plan_free(tt_cluster_plan *p);

#endif
