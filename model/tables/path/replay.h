/* model/tables/path/replay.h - the runs of the critical path run again with some parts shorter.
 *
 * The dependencies are those of the critical path, taken forward in the order of the original starts: work begins at
 * the latest of the new times of everything that it may have waited for, plus the original distance from the
 * original latest one. Distances never shrink, threads keep the order and the length of their pieces, and a call
 * that waited ends when the awaited work ends, plus the original difference. With nothing shortened every time is
 * the original one. */
#ifndef TT_MODEL_TABLES_PATH_REPLAY_H
#define TT_MODEL_TABLES_PATH_REPLAY_H

#include "model/tables/path/critical_path.h"
#include "model/tables/path/path_inputs.h"

#define TT_REPLAY_WHOLE 1000000000u /* factor of a part that keeps its length: factors are in billionths */
#define TT_REPLAY_CLASSES 256

typedef struct tt_replay_work {
    uint32_t work;   /* index into tt_device_work.at */
    uint32_t factor; /* at most TT_REPLAY_WHOLE */
} tt_replay_work;

/* What happens to the parts: the length of a part is multiplied by every factor that applies to it. All arrays are
 * borrowed and may be NULL. */
typedef struct tt_replay_change {
    /* per tt_sid the class of names of device work and of host slices; class 0 keeps its length */
    const uint8_t *work_class, *host_class;
    uint32_t factor[TT_REPLAY_CLASSES]; /* factor of each class, at most TT_REPLAY_WHOLE */
    uint32_t category[TT_PATH_COUNT_];  /* factor of each category, at most TT_REPLAY_WHOLE */
    const tt_replay_work *works;        /* ascending, each work once; other work keeps its length */
    size_t n_works;
    tt_row call; /* slice of a host thread that takes no time, with everything inside it; TT_NONE */
} tt_replay_change;
/* A change that keeps every length. */
tt_replay_change tt_replay_change_none(void);

typedef struct tt_replay_result {
    int64_t saved;   /* ns by which all runs together would be shorter */
    int64_t removed; /* length of everything that was taken away from parts: saved is at most this */
} tt_replay_result;

/* The parts of a path, made once for all changes: 48 bytes for each piece of device work and for each instant of the
 * host that something waits for. It keeps no pointer to the path. O(slices). */
typedef struct tt_replay_list tt_replay_list;
tt_replay_list *tt_replay_list_make(const tt_session *s, uint32_t trace, const tt_path *path);
void tt_replay_list_free(tt_replay_list *list); /* NULL is fine */

/* Replay the path for each of n independent changes, side by side on several threads. O(device work + host pieces
 * that a change shortens) for each change. Without a path all results are 0. */
void tt_replay_run(const tt_replay_list *list, const tt_replay_change *const *changes, size_t n, tt_replay_result *out);
/* Per tt_sid whether device work or a host slice in a run has the name. The caller frees it. O(slices). */
uint8_t *tt_replay_names(const tt_path_inputs *in, const tt_path *path);

#endif
