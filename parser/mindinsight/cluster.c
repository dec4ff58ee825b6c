/* parser/mindinsight/cluster.c - steps and links of a rank in a cluster: *_cluster_analyse_*, hccl_raw.
 *
 * The name ascend_cluster_analyse_MODE-parallel_STAGES_RANKS_RANK.csv tells how the ranks share the work. Its rows are
 * steps in ms; the last row has the means. A file of data parallelism may have the columns of a step trace instead, in
 * ticks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/json_text.h"
#include "parser/json/string.h"
#include "parser/mindinsight/folder.h"

enum { TYPE, INDEX, STEP, COMPUTING, NOT_OVERLAPPED, STAGE, BUBBLE, PREPARING, COLLECTIVE, COLUMNS };
static const tt_imported_key columns[] = {
    {"type", TT_T_STRING},
    {"index", TT_T_STRING},
    {"step", TT_T_STRING},
    {"computing_ns", TT_T_DURATION},
    {"not_overlapped_ns", TT_T_DURATION},
    {"stage_ns", TT_T_DURATION},
    {"bubble_ns", TT_T_DURATION},
    {"preparing_ns", TT_T_DURATION},
    {"collective_ns", TT_T_DURATION},
};

/* ---- steps ---- */

static void parse_mode(tt_mi *m)
{
    static const char *const keys[] = {"stage_num", "rank_size"};
    const char *name = tt_mi_file(m, "cluster"), *p = strstr(name, "_cluster_analyse_");
    const char *mode = p ? p + strlen("_cluster_analyse_") : "", *end = strchr(mode, '_');
    if (!end) return;
    if (!tt_mi_has_fact(m, "parallel_mode")) tt_mi_fact(m, "parallel_mode", mode, (size_t)(end - mode));
    for (size_t i = 0; i < 2 && end && *end == '_'; i++) {
        size_t n = strspn(end + 1, "0123456789");
        int64_t v;
        if (tt_decimal_whole(end + 1, n, &v)) {
            if (!tt_mi_has_fact(m, keys[i])) tt_mi_fact(m, keys[i], end + 1, n);
            if (i == 1 && m->h && m->h->world_size < 0) m->h->world_size = v;
        }
        end += 1 + n;
    }
}

typedef struct row {
    int64_t ns[COLUMNS];
} row;

static void put_row(tt_mi *m, tt_imported *t, const row *r, const char *step)
{
    char rank[24];
    uint32_t at = tt_imported_row(t);
    int n = snprintf(rank, sizeof rank, "%" PRId64, m->rank);
    tt_imported_set_s(t, at, TYPE, "rank", 4);
    tt_imported_set_s(t, at, INDEX, rank, (size_t)n);
    tt_imported_set_s(t, at, STEP, step, strlen(step));
    for (uint32_t k = COMPUTING; k < COLUMNS; k++) {
        if (r->ns[k] != TT_UNKNOWN) tt_imported_set_i(t, at, k, r->ns[k]);
    }
}

static void read_steps(tt_mi *m)
{
    tt_csv *c = tt_mi_csv(m, "cluster", NULL);
    if (!c) return;
    parse_mode(m);
    tt_imported *t = TT_MI_TABLE(m, "cluster_steps", columns);
    int at[COLUMNS];
    for (int k = 0; k < COLUMNS; k++) at[k] = -1;
    bool ticks = tt_csv_column(c, "iteration_interval") >= 0;
    int tail = ticks ? tt_csv_column(c, "tail") : -1;
    at[COMPUTING] = ticks ? tt_csv_need(c, "fp_and_bp|fp") : tt_csv_need(c, "computation*");
    at[NOT_OVERLAPPED] = ticks ? -1 : tt_csv_need(c, "communication_alone*");
    at[STAGE] = tt_csv_column(c, "stage*");
    at[BUBBLE] = tt_csv_column(c, "receive_alone*");
    at[COLLECTIVE] = tt_csv_column(c, "collective_communication*");
    at[PREPARING] = ticks ? tt_csv_column(c, "iteration_interval") : -1;
    TT_VEC(row) rows = {0};
    while (tt_csv_is_open(c) && tt_csv_next(c) && !tt_mi_cancelled(m)) {
        row *r = tt_vec_push(&rows);
        for (int k = 0; k < COLUMNS; k++) {
            r->ns[k] = TT_UNKNOWN;
            tt_csv_ns(c, at[k], ticks ? TT_NS_OF_TICKS : TT_NS_OF_MS, &r->ns[k]);
        }
        int64_t more;
        if (ticks && r->ns[COMPUTING] != TT_UNKNOWN && r->ns[PREPARING] != TT_UNKNOWN &&
            tt_csv_ns(c, tail, TT_NS_OF_TICKS, &more))
            r->ns[STAGE] = r->ns[PREPARING] + r->ns[COMPUTING] + more;
    }
    for (size_t i = 0; i < rows.n; i++) {
        char step[24];
        snprintf(step, sizeof step, "%zu", i + 1);
        put_row(m, t, &rows.at[i], i + 1 < rows.n ? step : "average");
    }
    tt_vec_free(&rows);
    tt_csv_close(c);
}

/* ---- links ---- */

enum { L_RANK, L_STEP, L_SRC, L_DST, L_TRANSPORT, L_SIZE, L_TRANSIT, L_BANDWIDTH };
static const tt_imported_key link_columns[] = {
    {"rank", TT_T_COUNT},          {"step", TT_T_STRING},           {"src", TT_T_COUNT},
    {"dst", TT_T_COUNT},           {"transport", TT_T_STRING},      {"size_bytes", TT_T_BYTES},
    {"transit_ns", TT_T_DURATION}, {"bandwidth_gbps", TT_T_NUMBER},
};

/* Parse the key "1-0". */
static bool parse_ends(const tt_json_member *link, int64_t *src, int64_t *dst)
{
    const char *dash = link->key_n ? memchr(link->key, '-', link->key_n) : NULL;
    if (!dash) return false;
    size_t n = (size_t)(dash - link->key);
    return tt_decimal_whole(link->key, n, src) && tt_decimal_whole(dash + 1, link->key_n - n - 1, dst);
}

/* Add one transport of a link: [time in ms, KB of 1000 bytes, bandwidth]. The file's bandwidth adds up those of its
 * operations, which no link reaches, so it is computed from time and size. */
static bool put_link(tt_mi *m, tt_imported *t, tt_csv_text step, const tt_json_member *ends, const tt_json_member *v)
{
    int64_t src, dst, ns, bytes;
    tt_json_member time, size;
    if (!parse_ends(ends, &src, &dst) || !v->value_n || *v->value != '[') return false;
    const char *p = v->value + 1, *end = v->value + v->value_n;
    if (!tt_json_item(&p, end, &time) || !tt_json_item(&p, end, &size)) return false;
    if (!tt_decimal(time.value, time.value_n, TT_NS_OF_MS, &ns) || ns < 0) return false;
    if (!tt_decimal(size.value, size.value_n, TT_BYTES_OF_KB, &bytes) || bytes < 0) return false;
    char *transport = tt_malloc(v->key_n + 1);
    size_t n = tt_json_unescape(v->key, v->key_n, transport, NULL);
    uint32_t at = tt_imported_row(t);
    tt_imported_set_i(t, at, L_RANK, m->rank);
    tt_mi_set_text(t, at, L_STEP, step);
    tt_imported_set_i(t, at, L_SRC, src);
    tt_imported_set_i(t, at, L_DST, dst);
    tt_imported_set_s(t, at, L_TRANSPORT, transport, n);
    tt_imported_set_i(t, at, L_SIZE, bytes);
    tt_imported_set_i(t, at, L_TRANSIT, ns);
    if (ns) tt_imported_set_d(t, at, L_BANDWIDTH, (double)bytes / (double)ns);
    free(transport);
    return true;
}

/* Add the links of {"1-0": {"SDMA": [2.5, 52706.8, 1e8]}}. */
static bool put_links(tt_mi *m, tt_imported *t, tt_csv_text step, tt_csv_text info)
{
    const char *p = info.at, *end = info.at + info.n;
    tt_json_member link, transport;
    bool good = info.n && *p == '{' && tt_json_value_end(p, end);
    if (!info.n || *p != '{') return !info.n;
    for (p++; tt_json_next(&p, end, &link);) {
        const char *q = link.value, *to = link.value + link.value_n;
        if (!link.value_n || *q != '{') {
            good = false;
            continue;
        }
        for (q++; tt_json_next(&q, to, &transport);) good &= put_link(m, t, step, &link, &transport);
    }
    return good;
}

/* Read all rows except "-", which has the means of the others. */
static void read_links(tt_mi *m)
{
    tt_csv *c = tt_mi_csv(m, "links", NULL);
    if (!c) return;
    tt_imported *t = TT_MI_TABLE(m, "cluster_links", link_columns);
    int step = tt_csv_need(c, "step_num"), info = tt_csv_need(c, "link_info");
    while (info >= 0 && tt_csv_next(c) && !tt_mi_cancelled(m)) {
        tt_csv_text number = tt_csv_cell(c, step);
        if (tt_csv_is(c, step, "-")) continue;
        if (!put_links(m, t, number, tt_csv_cell(c, info))) tt_csv_bad(c, -1, "has a link_info that is not understood");
    }
    tt_csv_close(c);
}

void tt_mi_cluster(tt_mi *m)
{
    read_steps(m);
    read_links(m);
}
