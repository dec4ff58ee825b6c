/* capture/shared/ranks.h - rank and world size of a process in a distributed run, from the variables of torchrun, MPI
 * and SLURM. Any thread, as getenv(). */
#ifndef TT_CAPTURE_SHARED_RANKS_H
#define TT_CAPTURE_SHARED_RANKS_H

long tt_rank(void);       /* -1 = no variable is set */
long tt_world_size(void); /* -1 = no variable is set */

#endif
