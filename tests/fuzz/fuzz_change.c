// Fuzz target: judge arbitrary samples of two runs without overflow; swapping the runs must mirror the judgement.
#include <math.h>

#include "model/tables/compare/change.h"
#include "tests/fuzz/common.h"

enum { MOST = 120 }; // covers the exact and the approximated test, which meet at 50 samples a side

static bool mirrored(int64_t a, int64_t b) { return a == TT_UNKNOWN ? b == TT_UNKNOWN : b == -a; }

// The first bytes choose the number of base samples, the width of a sample, the confidence and the least effect.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4) return 0;
    size_t width = data[1] % 8 + 1, all = (size - 4) / width, n[2] = {data[0] % (MOST / 2 + 1), 0};
    if (all > MOST) all = MOST;
    if (n[0] > all) n[0] = all;
    n[1] = all - n[0];
    int64_t sample[2][2][MOST];
    for (size_t i = 0; i < all; i++) {
        uint64_t bits = 0;
        for (size_t k = 0; k < width; k++) bits |= (uint64_t)data[4 + i * width + k] << (8 * k);
        int64_t v = (int64_t)bits == INT64_MIN ? 0 : (int64_t)bits;
        for (int t = 0; t < 2; t++) sample[t][i >= n[0]][i >= n[0] ? i - n[0] : i] = v;
    }
    double confidence = (data[2] + 1) / 2.57, least = data[3] / 10.0;
    tt_change there, back;
    tt_change_of(sample[0][0], (uint32_t)n[0], sample[0][1], (uint32_t)n[1], confidence, least, &there);
    tt_change_of(sample[1][1], (uint32_t)n[1], sample[1][0], (uint32_t)n[0], confidence, least, &back);
    MUST(there.base == back.now && there.now == back.base && there.verdict < TT_VERDICT_COUNT_);
    if (!n[0] || !n[1]) {
        MUST(there.verdict == TT_VERDICT_NONE && isnan(there.p));
        return 0;
    }
    MUST(mirrored(there.delta, back.delta) && mirrored(there.low, back.high) && mirrored(there.high, back.low));
    MUST(there.p >= 0 && there.p <= 1 && !(there.p < back.p) && !(there.p > back.p));
    MUST((there.low == TT_UNKNOWN) == (there.high == TT_UNKNOWN));
    MUST(there.low == TT_UNKNOWN || (there.low <= there.delta && there.delta <= there.high));
    return 0;
}
