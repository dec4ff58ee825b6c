/* model/base/bisect.h - binary search, for every list that is in some order. */
#ifndef TT_MODEL_BASE_BISECT_H
#define TT_MODEL_BASE_BISECT_H

/* Moves lo to the first place of [lo, hi) for which `before`, an expression of the place i, is false; to hi when
 * there is none. `before` holds for a beginning of the range, which may be empty. lo and hi are variables of one
 * unsigned type; both end there. */
#define TT_BISECT(lo, hi, i, before)                                                                                   \
    do {                                                                                                               \
        while ((lo) < (hi)) {                                                                                          \
            __typeof__(lo) i = (lo) + ((hi) - (lo)) / 2;                                                               \
            if (before) {                                                                                              \
                (lo) = i + 1;                                                                                          \
            } else {                                                                                                   \
                (hi) = i;                                                                                              \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

#endif
