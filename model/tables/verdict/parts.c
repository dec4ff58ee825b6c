/* model/tables/verdict/parts.c - see parts.h. */
#include "model/tables/verdict/parts.h"

#include <string.h>

const char *const tt_account_part_name[TT_ACCOUNT_PARTS] = {
#define X(symbol, name) name,
#include "model/tables/verdict/parts.def"
#undef X
};

tt_account_part tt_account_part_of(const char *name)
{
    int p = 0;
    while (p < TT_ACCOUNT_PARTS && strcmp(name, tt_account_part_name[p]) != 0) p++;
    return (tt_account_part)p;
}

tt_account_part tt_account_part_of_wait(tt_wait_cause cause)
{
    switch (cause) {
    case TT_WAIT_INPUT: return TT_ACCOUNT_IDLE_INPUT;
    case TT_WAIT_SYNC: return TT_ACCOUNT_IDLE_SYNC;
    case TT_WAIT_RUNTIME:
    case TT_WAIT_OPERATOR:
    case TT_WAIT_BETWEEN: return TT_ACCOUNT_IDLE_CPU;
    case TT_WAIT_LAUNCH: return TT_ACCOUNT_IDLE_LAUNCH;
    case TT_WAIT_QUEUE: return TT_ACCOUNT_IDLE_QUEUE;
    default: return TT_ACCOUNT_IDLE_UNKNOWN;
    }
}

void tt_account_permille(const int64_t *ns, int n, int *permille)
{
    __int128 sum = 0;
    int left = 1000;
    for (int i = 0; i < n; i++) sum += ns[i];
    for (int i = 0; i < n; i++) {
        permille[i] = sum > 0 ? (int)(ns[i] * (__int128)1000 / sum) : 0;
        left -= permille[i];
    }
    for (bool given[TT_ACCOUNT_PARTS] = {false}; sum > 0 && left > 0; left--) {
        __int128 rest = -1;
        int best = 0;
        for (int i = 0; i < n; i++)
            if (!given[i] && ns[i] * (__int128)1000 % sum > rest) best = i, rest = ns[i] * (__int128)1000 % sum;
        given[best] = true;
        permille[best]++;
    }
}
