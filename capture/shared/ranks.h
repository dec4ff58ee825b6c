/* capture/shared/ranks.h - which process of a distributed run this is, by the variables that torchrun, MPI and SLURM
 * set. Any thread, as getenv() is. */
#ifndef TT_CAPTURE_SHARED_RANKS_H
#define TT_CAPTURE_SHARED_RANKS_H

long tt_rank(void);       /* -1 = none is said */
long tt_world_size(void); /* likewise */

#endif
