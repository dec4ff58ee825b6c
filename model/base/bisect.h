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

/* The same in [0, n), faster where the place is not far from `near`: lo ends there, hi is for the macro's own use. */
#define TT_BISECT_NEAR(lo, hi, n, near, i, before)                                                                     \
    do {                                                                                                               \
        __typeof__(lo) n_ = (n), step_ = 1;                                                                            \
        for ((lo) = (hi) = (near) < n_ ? (near) : n_; (lo) > 0; step_ *= 2) {                                          \
            __typeof__(lo) i = (lo)-1;                                                                                 \
            if (before) break;                                                                                         \
            (hi) = i;                                                                                                  \
            (lo) = (lo) > step_ ? (lo)-step_ : 0;                                                                      \
        }                                                                                                              \
        for (step_ = 1; (hi) < n_; step_ *= 2) {                                                                       \
            __typeof__(lo) i = (hi);                                                                                   \
            if (!(before)) break;                                                                                      \
            (lo) = i + 1;                                                                                              \
            (hi) = n_ - i > step_ ? i + step_ : n_;                                                                    \
        }                                                                                                              \
        TT_BISECT(lo, hi, i, before);                                                                                  \
    } while (0)

#endif
