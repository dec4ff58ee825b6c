/* model/base/bisect.h - binary search in any sorted list. */
#ifndef TT_MODEL_BASE_BISECT_H
#define TT_MODEL_BASE_BISECT_H

/* Move lo to the first index i of [lo, hi) for which `before`, an expression of i, is false; to hi when `before` is
 * true everywhere. `before` must be true up to some index and false from there on. lo and hi are variables of one
 * unsigned type; both end at that index. */
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

/* Like TT_BISECT over [0, n), but faster when the result is close to the index `near`. lo ends at the result; hi is
 * a variable for the macro. */
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
