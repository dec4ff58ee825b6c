"""Intervals of integers, half open, as lists of (start, end)."""
import bisect


def union(spans):
    """Merged: sorted, apart from each other. Touching ones become one; empty ones vanish."""
    out = []
    for a, b in sorted(spans):
        if b <= a:
            continue
        if out and a <= out[-1][1]:
            if b > out[-1][1]:
                out[-1] = (out[-1][0], b)
        else:
            out.append((a, b))
    return out


def length(spans):
    return sum(b - a for a, b in spans)


def minus(a, b):
    """The parts of the merged a that are not in the merged b."""
    out, j = [], 0
    for s, e in a:
        while j < len(b) and b[j][1] <= s:
            j += 1
        k = j
        while k < len(b) and b[k][0] < e:
            if b[k][0] > s:
                out.append((s, b[k][0]))
            s = max(s, b[k][1])
            k += 1
        if s < e:
            out.append((s, e))
    return out


def common(a, b):
    return minus(a, minus(a, b))


def cut(spans, t0, t1):
    """Those of the merged spans inside [t0, t1)."""
    i = bisect.bisect_left(spans, (t0, t0))
    if i and spans[i - 1][1] > t0:
        i -= 1
    out = []
    while i < len(spans) and spans[i][0] < t1:
        s, e = max(spans[i][0], t0), min(spans[i][1], t1)
        if s < e:
            out.append((s, e))
        i += 1
    return out


def middle(values):
    """The median; of an even number the floor of the mean of the middle two."""
    v = sorted(values)
    n = len(v)
    return v[n // 2] if n % 2 else (v[n // 2 - 1] + v[n // 2]) // 2


def mean(total, n):
    """To the nearest, halves up, as all means of tracetty."""
    return (2 * total + n) // (2 * n)
