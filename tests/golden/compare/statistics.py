"""The statistics that judge a change, with Python's integers and fractions.

Up to 50 samples a side everything is counted and nothing approximated. The number of orderings comes from adding one
sample after the other (the recurrence of Mann and Whitney), not from a product of polynomials."""
import fractions
import functools
import itertools
import math

EXACT_UP_TO = 50


def median(values):
    """Median; for an even number the floor of the middle two's mean."""
    v = sorted(values)
    n = len(v)
    return v[n // 2] if n % 2 else (v[n // 2 - 1] + v[n // 2]) // 2


def shift(sorted_differences):
    """Median of differences; for an even number the mean of the middle two rounded towards 0, so that swapping sides
    only changes the sign."""
    n = len(sorted_differences)
    twice = sorted_differences[(n - 1) // 2] + sorted_differences[n // 2]
    return twice // 2 if twice >= 0 else -(-twice // 2)


def differences(base, new):
    return sorted(y - x for x in base for y in new)


@functools.lru_cache(maxsize=None)
def orderings(m, n):
    """counts[u]: orderings of m and n samples with u of the m * n pairs in which the second sample precedes the
    first."""
    if m == 0 or n == 0:
        return (1,)
    counts = [0] * (m * n + 1)
    for u, c in enumerate(orderings(m - 1, n)):  # if the last sample is of the first kind, n samples of the other precede it
        counts[u + n] += c
    for u, c in enumerate(orderings(m, n - 1)):
        counts[u] += c
    return tuple(counts)


def twice_pairs(base, new):
    """Twice the number of pairs whose new sample is larger; equal pairs count half."""
    return sum(2 * (y > x) + (y == x) for x in base for y in new)


def p_exact(base, new):
    m, n = len(base), len(new)
    twice = twice_pairs(base, new)
    u = -(-min(twice, 2 * m * n - twice) // 2)
    return min(fractions.Fraction(1), fractions.Fraction(2 * sum(orderings(m, n)[:u + 1]), math.comb(m + n, m)))


def p_by_trying(base, new):
    """p for samples without ties by trying every division: slow, shares no code with p_exact."""
    both = sorted(base) + sorted(new)
    m, n = len(base), len(new)
    at = min(twice_pairs(base, new), 2 * m * n - twice_pairs(base, new))
    few = total = 0
    for chosen in itertools.combinations(range(m + n), m):
        rest = [both[i] for i in range(m + n) if i not in chosen]
        few += twice_pairs([both[i] for i in chosen], rest) <= at
        total += 1
    return min(fractions.Fraction(1), fractions.Fraction(2 * few, total))


def rank(m, n, confidence):
    """k of the interval [d(k), d(mn + 1 - k)]; 0: no interval."""
    limit = (1 - fractions.Fraction(str(confidence)) / 100) / 2 * math.comb(m + n, m)
    k = total = 0
    for count in orderings(m, n):
        total += count
        if total > limit:
            break
        k += 1
    return k


def p_normal(base, new):
    """p for more than 50 samples a side: normal distribution, with corrections for ties and continuity."""
    m, n = len(base), len(new)
    tie = {}
    for v in itertools.chain(base, new):
        tie[v] = tie.get(v, 0) + 1
    s = m + n
    variance = m * n / 12 * (s + 1 - sum(t ** 3 - t for t in tie.values()) / (s * (s - 1)))
    if variance <= 0:
        return 1.0
    away = max(0.0, abs(twice_pairs(base, new) / 2 - m * n / 2) - 0.5)
    return math.erfc(away / math.sqrt(variance) / math.sqrt(2))


class Change:
    """base, new: medians; delta: shift; low, high: interval or None; p; verdict."""

    def __init__(self, base, new, confidence=95, min_effect=1):
        self.base, self.new = median(base), median(new)
        d = differences(base, new)
        self.delta = shift(d)
        self.exact = max(len(base), len(new)) <= EXACT_UP_TO
        self.p = float(p_exact(base, new)) if self.exact else p_normal(base, new)
        k = rank(len(base), len(new), confidence) if self.exact else None
        self.low, self.high = (d[k - 1], d[-k]) if k else (None, None)
        self.verdict = self.judge(fractions.Fraction(str(min_effect)) / 100 * abs(self.base))

    def judge(self, least):
        if self.low is None:
            return "unclear"
        if (self.low > 0 or self.high < 0) and abs(self.delta) >= least:
            return "slower" if self.low > 0 else "faster"
        return "same" if -least <= self.low and self.high <= least else "unclear"

    def moves(self, of_step, pct=fractions.Fraction(1, 10)):
        """Whether the change moves a step of this length by the given percentage."""
        return abs(self.delta) * 100 >= pct * of_step
