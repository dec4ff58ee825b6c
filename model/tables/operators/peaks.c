/* model/tables/operators/peaks.c - devices are found by the words in their name: see peaks.def. */
#include "model/tables/operators/peaks.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static const tt_peaks peaks[] = {
#define X(name, gib, gb, v64, v32, m64, m32, mtf32, mfp16, mbf16, mfp8, mint8)                                         \
    {                                                                                                                  \
        .words = (name),                                                                                               \
        .least_gib = (gib),                                                                                            \
        .gb_per_s = (gb),                                                                                              \
        .vector = {[TT_DATA_FP64] = (v64), [TT_DATA_FP32] = (v32)},                                                    \
        .matrix = {[TT_DATA_FP64] = (m64),                                                                             \
                   [TT_DATA_FP32] = (m32),                                                                             \
                   [TT_DATA_TF32] = (mtf32),                                                                           \
                   [TT_DATA_FP16] = (mfp16),                                                                           \
                   [TT_DATA_BF16] = (mbf16),                                                                           \
                   [TT_DATA_FP8] = (mfp8),                                                                             \
                   [TT_DATA_INT8] = (mint8)},                                                                          \
    },
#include "model/tables/operators/peaks.def"
#undef X
};

/* Words of partial products, or of variants slower than the product they are named after. */
static const char *const weaker[] = {"MIG", "Laptop", "Mobile", "Max"};

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n])) n++;
    return n;
}

static bool has_word(const char *name, const char *word, size_t len)
{
    for (size_t n; *name; name += n ? n : 1) {
        n = word_length(name);
        if (n == len && !strncasecmp(name, word, len)) return true;
    }
    return false;
}

static bool has_all(const char *name, const char *words)
{
    for (size_t n; *words; words += n ? n : 1) {
        n = word_length(words);
        if (n && !has_word(name, words, n)) return false;
    }
    return true;
}

const tt_peaks *tt_peaks_find(const char *product, int64_t memory_bytes)
{
    int64_t gib = memory_bytes == TT_UNKNOWN ? 0 : memory_bytes >> 30;
    for (size_t i = 0; i < sizeof weaker / sizeof *weaker; i++)
        if (has_word(product, weaker[i], strlen(weaker[i]))) return NULL;
    for (size_t i = 0; i < sizeof peaks / sizeof *peaks; i++)
        if (gib >= peaks[i].least_gib && has_all(product, peaks[i].words)) return &peaks[i];
    return NULL;
}

/* Devices that HIP leaves without a name, and no other product has these numbers. */
static const struct {
    const char *product;
    int64_t major, minor, sms, gib;
} nameless[] = {{"MI300X", 9, 4, 304, 192}};

const char *tt_peaks_taken_for(const tt_trace *s, const tt_device_props *d)
{
    int64_t gib = (d->memory_bytes + (INT64_C(1) << 29)) >> 30;
    if (*tt_str(&s->strings, d->name) || d->memory_bytes == TT_UNKNOWN) return NULL;
    for (size_t i = 0; i < sizeof nameless / sizeof *nameless; i++)
        if (d->major == nameless[i].major && d->minor == nameless[i].minor && d->sms == nameless[i].sms &&
            gib == nameless[i].gib)
            return nameless[i].product;
    return NULL;
}

static const tt_peaks *peaks_of(const tt_trace *s, const tt_device_props *d)
{
    const char *product = tt_peaks_taken_for(s, d);
    return tt_peaks_find(product ? product : tt_str(&s->strings, d->name), d->memory_bytes);
}

const tt_peaks *tt_peaks_of_device(const tt_trace *s, int64_t device)
{
    const tt_device_props *first = s->devices;
    bool alike = s->n_devices > 0;
    for (uint32_t i = 0; i < s->n_devices; i++) {
        const tt_device_props *d = &s->devices[i];
        if (d->id == device) return peaks_of(s, d);
        alike &= d->name == first->name && d->memory_bytes == first->memory_bytes;
    }
    return alike ? peaks_of(s, first) : NULL; /* ROCm numbers devices as the machine does, their properties from 0 */
}

tt_data_type tt_peaks_type(const tt_peaks *p, tt_data_type type, bool matrix)
{
    bool rounds = p && p->matrix[TT_DATA_TF32] > 0 && !(p->matrix[TT_DATA_FP32] > 0);
    return type == TT_DATA_FP32 && matrix && rounds ? TT_DATA_TF32 : type;
}

double tt_peaks_tflops(const tt_peaks *p, tt_op_kind kind, tt_data_type type)
{
    if (!p) return NAN;
    bool half = type == TT_DATA_FP16 || type == TT_DATA_BF16, matrix = kind <= TT_OP_ATTENTION;
    double v = matrix ? p->matrix[type] : 0;
    if (!(v > 0)) v = p->vector[half && !matrix ? TT_DATA_FP32 : type];
    return v > 0 ? v : NAN;
}
