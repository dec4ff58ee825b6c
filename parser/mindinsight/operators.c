/* parser/mindinsight/operators.c - facts about operators from framework_raw and flops; rows of op_types and
 * op_details. */
#include "parser/mindinsight/operators.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/json_text.h"
#include "parser/json/number.h"
#include "parser/json/string.h"

/* ---- facts about an operator ---- */

static tt_mi_operator *operator_of(tt_mi_operators *o, tt_csv_text name, bool *first)
{
    tt_sid id = tt_strings_put(&o->names, name.at, name.n);
    *first = id > o->at.n;
    if (*first) *tt_vec_push(&o->at) = (tt_mi_operator){.flops = NAN, .gflops = NAN};
    return &o->at.at[id - 1];
}

static const char *keep(tt_mi_operators *o, tt_csv_text t) { return t.n ? tt_arena_strndup(&o->a, t.at, t.n) : NULL; }

/* Number of the key "input_3" in an operator's op_info, ignoring case; TT_UNKNOWN = another key. */
static int64_t input_number(const tt_json_member *m)
{
    int64_t n = TT_UNKNOWN;
    if (m->key_n < 7 || (m->key[0] | 32) != 'i' || memcmp(m->key + 1, "nput_", 5) != 0) return TT_UNKNOWN;
    return tt_decimal_whole(m->key + 6, m->key_n - 6, &n) && n >= 0 && n < 4096 ? n : TT_UNKNOWN;
}

/* "[1, 2]" from the list [1,2] or from the text "1,2". */
static const char *shape_text(tt_arena *a, const tt_json_member *m)
{
    tt_json_member v;
    if (!tt_json_find(m->value, m->value + m->value_n, "shape", &v) || !v.value_n) return "[]";
    bool quoted = *v.value == '"' && v.value_n >= 2;
    char *out = tt_arena_alloc(a, 2 * v.value_n + 3);
    size_t n = 0;
    if (*v.value != '[') out[n++] = '[';
    for (size_t i = quoted; i < v.value_n - quoted; i++) {
        char c = v.value[i];
        if (tt_is_blank(c)) continue;
        out[n++] = c;
        if (c == ',') out[n++] = ' ';
    }
    if (*v.value != '[') out[n++] = ']';
    out[n] = '\0';
    return out;
}

/* Shapes of the inputs in order of their numbers, spelled as by PyTorch: "[[1, 2], [3]]". */
static const char *shapes_of(tt_mi_operators *o, tt_csv_text info)
{
    TT_VEC(const char *) shapes = {0};
    const char *p = info.at, *end = info.at + info.n;
    tt_arena a = {0};
    tt_json_member m;
    if (!info.n || *p != '{') return NULL;
    for (p++; tt_json_next(&p, end, &m);) {
        int64_t k = input_number(&m);
        if (k == TT_UNKNOWN) continue;
        while (shapes.n <= (size_t)k) *tt_vec_push(&shapes) = "[]";
        shapes.at[k] = shape_text(&a, &m);
    }
    tt_text text = {0};
    for (size_t i = 0; i < shapes.n; i++) {
        tt_text_put(&text, i ? ", " : "[", i ? 2 : 1);
        tt_text_put(&text, shapes.at[i], strlen(shapes.at[i]));
    }
    if (text.n) tt_text_put(&text, "]", 1);
    const char *all = text.n ? tt_arena_strndup(&o->a, text.at, text.n) : NULL;
    tt_vec_free(&text);
    tt_vec_free(&shapes);
    tt_arena_free(&a);
    return all;
}

/* Three generations of the file have these columns in different orders; in the newest kernel_type is the core, and
 * op_type is the type. */
static void read_framework(tt_mi *m, tt_mi_operators *o)
{
    tt_csv *c = tt_mi_csv(m, "framework", NULL);
    if (!c) return;
    bool newest = tt_csv_column(c, "model_id") >= 0;
    int name = tt_csv_need(c, "full_op_name|full_kernel_name|full_kernel_time"),
        type = tt_csv_column(c, newest ? "op_type" : "op_type|kernel_type");
    int stream = tt_csv_column(c, "stream_id"), blocks = tt_csv_column(c, "block_dim"),
        info = tt_csv_column(c, "op_info");
    while (name >= 0 && tt_csv_next(c) && !tt_mi_cancelled(m)) {
        tt_csv_text full = tt_csv_cell(c, name);
        bool first;
        if (!full.n) {
            tt_csv_bad(c, -1, "has no name");
            continue;
        }
        tt_mi_operator *k = operator_of(o, full, &first);
        if (!first) continue;
        k->type = keep(o, tt_csv_cell(c, type));
        k->stream = keep(o, tt_csv_cell(c, stream));
        k->block_dim = keep(o, tt_csv_cell(c, blocks));
        k->shapes = shapes_of(o, tt_csv_cell(c, info));
    }
    tt_csv_close(c);
}

static bool begins(tt_csv_text t, const char *with)
{
    size_t n = strlen(with);
    return t.n >= n && !memcmp(t.at, with, n);
}

static bool has_word(tt_csv_text t, const char *word) { return memmem(t.at, t.n, word, strlen(word)) != NULL; }

static void add_number(tt_csv *c, int column, double *to)
{
    double v;
    if (tt_csv_double(c, column, &v)) *to = isnan(*to) ? v : *to + v;
}

/* FLOPs (10^6) are work, FLOPS (10^9 in a second) are a rate: the case of the last letter tells. Newer files have both
 * for the cube unit and for the vector unit: "MFLOPs cube", "GFLOPS vec". */
static void read_flops(tt_mi *m, tt_mi_operators *o)
{
    tt_csv *c = tt_mi_csv(m, "flops", NULL);
    if (!c) return;
    for (; tt_csv_next(c) && !tt_mi_cancelled(m);) {
        tt_csv_text full = tt_csv_cell(c, 0);
        bool first;
        if (!full.n) continue;
        tt_mi_operator *k = operator_of(o, full, &first);
        for (uint32_t i = 1; i < tt_csv_columns(c); i++) {
            tt_csv_text n = tt_csv_name(c, (int)i);
            if (has_word(n, "til")) continue; /* utilization, in one column or two */
            if (begins(n, "FLOPs") || begins(n, "MFLOPs")) add_number(c, (int)i, &k->flops);
            if (begins(n, "FLOPS") || begins(n, "GFLOPS")) add_number(c, (int)i, &k->gflops);
        }
    }
    tt_csv_close(c);
}

void tt_mi_operators_read(tt_mi *m, tt_mi_operators *o)
{
    *o = (tt_mi_operators){0};
    tt_strings_init(&o->names);
    read_framework(m, o);
    read_flops(m, o);
}

void tt_mi_operators_free(tt_mi_operators *o)
{
    tt_strings_free(&o->names);
    tt_vec_free(&o->at);
    tt_arena_free(&o->a);
}

const tt_mi_operator *tt_mi_operators_find(const tt_mi_operators *o, const char *name, size_t n)
{
    tt_sid id = tt_strings_find(&o->names, name, n);
    return id > 0 && id <= o->at.n ? &o->at.at[id - 1] : NULL;
}

/* ---- rows ---- */

enum { T_CORE, T_TYPE, T_CALLS, T_TOTAL, T_MEAN, T_MAX, T_MIN, T_RATIO };
static const tt_imported_key type_columns[] = {
    {"core", TT_T_STRING},      {"type", TT_T_STRING},     {"calls", TT_T_COUNT},     {"total_ns", TT_T_DURATION},
    {"mean_ns", TT_T_DURATION}, {"max_ns", TT_T_DURATION}, {"min_ns", TT_T_DURATION}, {"ratio_pct", TT_T_PERCENT},
};
enum { D_CORE, D_NAME, D_TYPE, D_CALLS, D_MEAN, D_TOTAL, D_STREAM, D_BLOCKS, D_SHAPES, D_FLOPS, D_TFLOPS };
static const tt_imported_key detail_columns[] = {
    {"core", TT_T_STRING},         {"name", TT_T_STRING},       {"type", TT_T_STRING},   {"calls", TT_T_COUNT},
    {"mean_ns", TT_T_DURATION},    {"total_ns", TT_T_DURATION}, {"stream", TT_T_STRING}, {"block_dim", TT_T_COUNT},
    {"input_shapes", TT_T_STRING}, {"flops", TT_T_NUMBER},      {"tflops", TT_T_NUMBER},
};

static void set_s(tt_imported *t, uint32_t row, uint32_t col, const char *s)
{
    if (s) tt_imported_set_s(t, row, col, s, strlen(s));
}

static void set_i(tt_imported *t, uint32_t row, uint32_t col, int64_t v)
{
    if (v != TT_UNKNOWN) tt_imported_set_i(t, row, col, v);
}

/* Type in a name: "Default/net/MatMul-op97" is a MatMul. */
static tt_csv_text type_of_name(tt_csv_text name)
{
    const char *slash = name.n ? memrchr(name.at, '/', name.n) : NULL, *from = slash ? slash + 1 : name.at;
    size_t n = name.n - (size_t)(from - name.at);
    const char *dash = n ? memchr(from, '-', n) : NULL;
    return (tt_csv_text){from, dash ? (size_t)(dash - from) : n};
}

int64_t tt_mi_times(tt_csv_text mean, uint64_t unit, int64_t calls)
{
    int64_t ns;
    if (calls < 0) return TT_UNKNOWN; /* negative, or unknown */
    if (calls && (uint64_t)calls < TT_DECIMAL_UNIT_MOST / unit)
        return tt_decimal(mean.at, mean.n, unit * (uint64_t)calls, &ns) ? ns : TT_UNKNOWN;
    return tt_decimal(mean.at, mean.n, unit, &ns) && !__builtin_mul_overflow(ns, calls, &ns) ? ns : TT_UNKNOWN;
}

static tt_csv_text type_of(const tt_mi_detail *d, const tt_mi_operator *known)
{
    if (d->type.n) return d->type;
    if (known && known->type) return (tt_csv_text){known->type, strlen(known->type)};
    return type_of_name(d->name);
}

tt_csv_text tt_mi_put_detail(tt_mi_tables *t, const tt_mi_detail *d)
{
    uint32_t row = tt_imported_row(t->details);
    const tt_mi_operator *k = tt_mi_operators_find(t->known, d->name.at, d->name.n);
    tt_csv_text type = type_of(d, k);
    int64_t blocks;
    set_s(t->details, row, D_CORE, d->core);
    tt_mi_set_text(t->details, row, D_NAME, d->name);
    tt_mi_set_text(t->details, row, D_TYPE, type);
    set_i(t->details, row, D_CALLS, d->calls);
    set_i(t->details, row, D_MEAN, d->mean);
    set_i(t->details, row, D_TOTAL, d->total);
    if (!k) return type;
    set_s(t->details, row, D_STREAM, k->stream);
    if (k->block_dim && tt_decimal_whole(k->block_dim, strlen(k->block_dim), &blocks))
        set_i(t->details, row, D_BLOCKS, blocks);
    set_s(t->details, row, D_SHAPES, k->shapes);
    if (!isnan(k->flops)) tt_imported_set_d(t->details, row, D_FLOPS, k->flops);
    if (!isnan(k->gflops)) tt_imported_set_d(t->details, row, D_TFLOPS, k->gflops / 1000);
    return type;
}

void tt_mi_set_stream(tt_mi_tables *t, tt_csv_text stream)
{
    tt_mi_set_text(t->details, t->details->n_rows - 1, D_STREAM, stream);
}

static void add(int64_t *to, int64_t v)
{
    if (v == TT_UNKNOWN || __builtin_add_overflow(*to == TT_UNKNOWN ? 0 : *to, v, to)) *to = TT_UNKNOWN;
}

void tt_mi_add_type(tt_mi_tables *t, const char *core, tt_csv_text type, int64_t calls, int64_t total, int64_t most,
                    int64_t least)
{
    tt_arena a = {0};
    const char *key = tt_arena_printf(&a, "%s/%.*s", core, (int)type.n, type.n ? type.at : "");
    tt_sid id = tt_strings_put(&t->keys, key, strlen(key));
    tt_arena_free(&a);
    if (id > t->groups.n) {
        *tt_vec_push(&t->groups) = (tt_mi_group){tt_arena_strndup(&t->a, core, strlen(core)),
                                                 tt_arena_strndup(&t->a, type.n ? type.at : "", type.n),
                                                 calls,
                                                 total,
                                                 most,
                                                 least};
        return;
    }
    tt_mi_group *g = &t->groups.at[id - 1];
    if (g->calls != TT_UNKNOWN) add(&g->calls, calls);
    if (g->total != TT_UNKNOWN) add(&g->total, total);
    if (most != TT_UNKNOWN && (g->most == TT_UNKNOWN || most > g->most)) g->most = most;
    if (least != TT_UNKNOWN && (g->least == TT_UNKNOWN || least < g->least)) g->least = least;
}

/* The ratio is the share of the core's time. It is computed, because the files' percentages end at 1 in some versions
 * and at 100 in others. */
static void put_types(tt_mi_tables *t)
{
    TT_VEC(double) sums = {0};
    tt_strings cores;
    tt_strings_init(&cores);
    for (size_t i = 0; i < t->groups.n; i++) {
        const tt_mi_group *g = &t->groups.at[i];
        tt_sid core = tt_strings_put(&cores, g->core, strlen(g->core));
        while (sums.n <= core) *tt_vec_push(&sums) = 0;
        if (g->total != TT_UNKNOWN) sums.at[core] += (double)g->total;
    }
    for (size_t i = 0; i < t->groups.n; i++) {
        const tt_mi_group *g = &t->groups.at[i];
        double sum = sums.at[tt_strings_put(&cores, g->core, strlen(g->core))];
        uint32_t row = tt_imported_row(t->types);
        set_s(t->types, row, T_CORE, g->core);
        set_s(t->types, row, T_TYPE, g->type);
        set_i(t->types, row, T_CALLS, g->calls);
        set_i(t->types, row, T_TOTAL, g->total);
        if (g->total != TT_UNKNOWN && g->calls > 0) set_i(t->types, row, T_MEAN, (g->total + g->calls / 2) / g->calls);
        set_i(t->types, row, T_MAX, g->most);
        set_i(t->types, row, T_MIN, g->least);
        if (g->total != TT_UNKNOWN && sum > 0)
            tt_imported_set_d(t->types, row, T_RATIO, 100.0 * (double)g->total / sum);
    }
    tt_vec_free(&sums);
    tt_strings_free(&cores);
}

void tt_mi_operators_tables(tt_mi *m, const tt_mi_operators *o)
{
    tt_mi_tables t = {.known = o};
    tt_strings_init(&t.keys);
    t.types = TT_MI_TABLE(m, "op_types", type_columns);
    t.details = TT_MI_TABLE(m, "op_details", detail_columns);
    tt_mi_ascend_tables(m, &t);
    tt_mi_gpu_tables(m, &t);
    put_types(&t);
    tt_strings_free(&t.keys);
    tt_vec_free(&t.groups);
    tt_arena_free(&t.a);
}
