/* capture/shared/ranks.c - reads rank and world size from the first variable that holds a number. See ranks.h. */
#include "capture/shared/ranks.h"

#include <stddef.h>
#include <stdlib.h>

static long number_of(const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *v = getenv(names[i]);
        char *end;
        long k = v && *v ? strtol(v, &end, 10) : -1;
        if (v && *v && !*end && k >= 0) return k;
    }
    return -1;
}

long tt_rank(void)
{
    static const char *const names[] = {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", "LOCAL_RANK"};
    return number_of(names, sizeof names / sizeof *names);
}

long tt_world_size(void)
{
    static const char *const names[] = {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"};
    return number_of(names, sizeof names / sizeof *names);
}
