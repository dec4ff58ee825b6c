/* model/index/curve.c - samples in time order, with the highest value of each block. */
#include "model/index/curve.h"

#include <stdlib.h>

#include "model/base/bisect.h"

void tt_curve_add(tt_curve *c, int64_t at, double v) { *tt_vec_push(&c->at) = (tt_sample){at, v}; }

void tt_curve_index(tt_curve *c)
{
    c->peaks = tt_malloc((c->at.n / TT_CURVE_BLOCK + 1) * sizeof *c->peaks);
    c->areas = tt_malloc((c->at.n / TT_CURVE_BLOCK + 1) * sizeof *c->areas);
    c->low = c->top = 0;
    double area = 0;
    for (size_t i = 0; i < c->at.n; i++) {
        double v = c->at.at[i].value, *peak = &c->peaks[i / TT_CURVE_BLOCK];
        if (i % TT_CURVE_BLOCK == 0 || v > *peak) *peak = v;
        if (i % TT_CURVE_BLOCK == 0) c->areas[i / TT_CURVE_BLOCK] = area;
        if (i + 1 < c->at.n) area += v * (double)(c->at.at[i + 1].ts - c->at.at[i].ts);
        if (v > c->top) c->top = v;
        if (v < c->low) c->low = v;
    }
}

void tt_curve_free(tt_curve *c)
{
    tt_vec_free(&c->at);
    free(c->peaks);
    free(c->areas);
    c->peaks = c->areas = NULL;
}

size_t tt_curve_from(const tt_curve *c, int64_t t)
{
    size_t lo = 0, hi = c->at.n;
    TT_BISECT(lo, hi, i, c->at.at[i].ts < t);
    return lo;
}

double tt_curve_value(const tt_curve *c, int64_t t)
{
    size_t lo = 0, hi = c->at.n;
    TT_BISECT(lo, hi, i, c->at.at[i].ts <= t);
    return lo ? c->at.at[lo - 1].value : 0;
}

/* Area from the first sample to t. */
static double area_to(const tt_curve *c, int64_t t)
{
    size_t lo = 0, hi = c->at.n;
    TT_BISECT(lo, hi, i, c->at.at[i].ts <= t);
    if (lo == 0) return 0;
    size_t i = (lo - 1) / TT_CURVE_BLOCK * TT_CURVE_BLOCK;
    double area = c->areas[i / TT_CURVE_BLOCK];
    for (; i + 1 < lo; i++) area += c->at.at[i].value * (double)(c->at.at[i + 1].ts - c->at.at[i].ts);
    return area + c->at.at[i].value * (double)(t - c->at.at[i].ts);
}

double tt_curve_mean(const tt_curve *c, int64_t t0, int64_t t1)
{
    return (area_to(c, t1) - area_to(c, t0)) / (double)(t1 - t0);
}

double tt_curve_largest(const tt_curve *c, int64_t t0, int64_t t1)
{
    size_t i = tt_curve_from(c, t0), end = tt_curve_from(c, t1);
    double v = tt_curve_value(c, t0);
    while (i < end) {
        bool block = i % TT_CURVE_BLOCK == 0 && end - i >= TT_CURVE_BLOCK;
        double here = block ? c->peaks[i / TT_CURVE_BLOCK] : c->at.at[i].value;
        if (here > v) v = here;
        i += block ? TT_CURVE_BLOCK : 1;
    }
    return v;
}
