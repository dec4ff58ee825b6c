/* model/tables/path/replay.h - the runs of the critical path run again with some of their parts shorter.
 *
 * The same dependencies as those of the critical path, forward in the order of the original starts: work begins at
 * the latest of the new times of all that it may have waited for, plus the original distance from the original latest
 * of them. Distances never shrink, threads keep the order and the length of their pieces, and a call that waited ends
 * when what it waited for ends, plus the original difference. With nothing shortened every time is the original one. */
#ifndef TT_MODEL_TABLES_PATH_REPLAY_H
#define TT_MODEL_TABLES_PATH_REPLAY_H

#include "model/tables/path/critical_path.h"
#include "model/tables/path/path_inputs.h"

#define TT_REPLAY_WHOLE 1000000000u /* a part that keeps its length: factors are in billionths */
#define TT_REPLAY_CLASSES 256

typedef struct tt_replay_work {
    uint32_t work;   /* index into tt_device_work.at */
    uint32_t factor; /* at most TT_REPLAY_WHOLE */
} tt_replay_work;

/* What becomes of the parts: the length of each is multiplied by all factors that speak of it. All arrays are borrowed
 * and may be NULL. */
typedef struct tt_replay_change {
    const uint8_t *work_class, *host_class; /* by tt_sid: names of device work, of host slices; class 0 keeps its
                                               length */
    uint32_t factor[TT_REPLAY_CLASSES];     /* of a class, at most TT_REPLAY_WHOLE */
    uint32_t category[TT_PATH_COUNT_];      /* likewise of a category */
    const tt_replay_work *works;            /* ascending, each work once; others keep their length */
    size_t n_works;
    tt_row call; /* a slice of a host thread that takes no time, with what lies inside it; TT_NONE */
} tt_replay_change;
/* With which everything keeps its length. */
tt_replay_change tt_replay_change_none(void);

typedef struct tt_replay_result {
    int64_t saved;   /* the runs together would be shorter by */
    int64_t removed; /* length of all that was taken away from any part: saved is at most this */
} tt_replay_result;

/* What a path of the trace consists of, made once for all changes: 48 bytes a piece of device work, and as much for
 * each instant of the host that something waits for. It keeps nothing of the path. O(slices). */
typedef struct tt_replay_list tt_replay_list;
tt_replay_list *tt_replay_list_make(const tt_session *s, uint32_t trace, const tt_path *path);
void tt_replay_list_free(tt_replay_list *list); /* NULL is fine */

/* Runs it again for each of n changes, side by side on several threads: no change knows of the others. O(device work +
 * host pieces that a change shortens) for each. Without a path all is 0. */
void tt_replay_run(const tt_replay_list *list, const tt_replay_change *const *changes, size_t n, tt_replay_result *out);
/* By tt_sid: whether device work or a host slice in a run has the name. Caller frees. O(slices). */
uint8_t *tt_replay_names(const tt_path_inputs *in, const tt_path *path);

#endif
