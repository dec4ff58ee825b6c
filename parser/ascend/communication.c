/* parser/ascend/communication.c - communication.json and communication_matrix.json: transfer and wait times of each
 * operation of a rank, and the traffic of each link.
 *
 * {"step50": {"collective": {"NAME@GROUP": {...}}, "p2p": {...}}}. Sizes in these files are in MB of 10^6 bytes. In
 * the first file link SDMA repeats HCCS, PCIE and SIO, and "Total Op Info" sums up the operations of a step. In the
 * second only the entries "-total" can be added, because the others are samples of them. */
#include <stdlib.h>
#include <string.h>

#include "parser/ascend/folder.h"

enum { NAME_MOST = 512 };

typedef struct entry { /* an operation of a step */
    char step[64], kind[16], name[NAME_MOST];
    size_t step_n, kind_n, name_n; /* lengths of the texts; name_n: the name without its group */
    const char *group;             /* points into name; NULL = none */
} entry;

typedef void entry_fn(tt_ascend_json *j, const entry *e, tt_imported *t);

static void set_text(tt_imported *t, uint32_t row, uint32_t col, const char *text, size_t n)
{
    if (n) tt_imported_set_s(t, row, col, text, n);
}

static void name_entry(const tt_json_stream *s, entry *e)
{
    tt_ascend_json_text(s, e->name, sizeof e->name);
    char *at = strrchr(e->name, '@');
    e->group = at ? at + 1 : NULL;
    e->name_n = at ? (size_t)(at - e->name) : strlen(e->name);
}

/* Call fn for each operation of each step, at its open object; fn reads the object to its end. */
static void each_entry(tt_ascend_json *j, entry_fn *fn, tt_imported *t)
{
    tt_json_stream *s = &j->s;
    entry e = {.group = NULL};
    for (tt_json_token k; !tt_ascend_cancelled(j->a) && (k = tt_json_stream_next(s)) > TT_JSON_BROKEN;) {
        if (k == TT_JSON_KEY && s->depth == 1) {
            tt_ascend_json_text(s, e.step, sizeof e.step);
            size_t head = !strncmp(e.step, "step", 4) ? 4 : 0; /* "step50"; "step" = recorded without a schedule */
            memmove(e.step, e.step + head, strlen(e.step + head) + 1);
            e.step_n = strlen(e.step);
        } else if (k == TT_JSON_KEY && s->depth == 2) {
            tt_ascend_json_text(s, e.kind, sizeof e.kind);
            e.kind_n = strlen(e.kind);
        } else if (k == TT_JSON_KEY && s->depth == 3) {
            name_entry(s, &e);
            k = tt_json_stream_next(s);
            if (k == TT_JSON_OBJECT)
                fn(j, &e, t);
            else if (k != TT_JSON_BROKEN)
                tt_json_stream_skip(s, k);
        }
    }
}

static void set_entry(tt_ascend_json *j, const entry *e, tt_imported *t, uint32_t row, const uint32_t at[5])
{
    if (j->a->rank >= 0) tt_imported_set_i(t, row, at[0], j->a->rank);
    set_text(t, row, at[1], e->step, e->step_n);
    set_text(t, row, at[2], e->kind, e->kind_n);
    set_text(t, row, at[3], e->group ? e->group : "", e->group ? strlen(e->group) : 0);
    set_text(t, row, at[4], e->name, e->name_n);
}

/* ---- operations ---- */

enum { RANK, STEP, KIND, GROUP, NAME, ELAPSE, TRANSIT, WAIT, SYNC, IDLE, WAIT_RATIO, SYNC_RATIO, SIZE, N_OPERATION };
static const tt_imported_key operation_columns[N_OPERATION] = {
    {"rank", TT_T_COUNT},
    {"step", TT_T_STRING},
    {"kind", TT_T_STRING},
    {"group", TT_T_STRING},
    {"name", TT_T_STRING},
    {"elapse_ns", TT_T_DURATION},
    {"transit_ns", TT_T_DURATION},
    {"wait_ns", TT_T_DURATION},
    {"synchronization_ns", TT_T_DURATION},
    {"idle_ns", TT_T_DURATION},
    {"wait_ratio_pct", TT_T_PERCENT},
    {"synchronization_ratio_pct", TT_T_PERCENT},
    {"size_bytes", TT_T_BYTES},
};
static const struct {
    const char *key;
    unsigned column;
} times[] = {{"Elapse Time(ms)", ELAPSE},
             {"Transit Time(ms)", TRANSIT},
             {"Wait Time(ms)", WAIT},
             {"Synchronization Time(ms)", SYNC},
             {"Idle Time(ms)", IDLE}};

typedef struct operation {
    int64_t ns[N_OPERATION]; /* value for each column; TT_UNKNOWN = none */
    int64_t bytes;
    bool links, whole;
} operation;

/* Read the number after a key of the operation or of one of its links. */
static void read_number(tt_json_stream *s, const char *part, const char *link, operation *o)
{
    char key[64];
    int64_t v;
    tt_ascend_json_text(s, key, sizeof key);
    tt_json_token k = tt_json_stream_next(s);
    if (k == TT_JSON_OBJECT || k == TT_JSON_LIST) {
        tt_json_stream_skip(s, k);
        return;
    }
    for (size_t i = 0; !link && !strcmp(part, "Communication Time Info") && i < sizeof times / sizeof *times; i++) {
        if (!strcmp(key, times[i].key) && tt_ascend_json_number(s, k, TT_NS_OF_MS, &v)) o->ns[times[i].column] = v;
    }
    if (link && !strcmp(part, "Communication Bandwidth Info") && strcmp(link, "SDMA") != 0 &&
        !strcmp(key, "Transit Size(MB)") && tt_ascend_json_number(s, k, TT_BYTES_OF_MB, &v)) {
        o->bytes += v;
        o->links = true;
    }
}

static void read_operation(tt_json_stream *s, operation *o)
{
    char part[64] = "", link[64] = "";
    unsigned level = s->depth; /* level of the operation's object */
    *o = (operation){.bytes = 0};
    for (unsigned i = 0; i < N_OPERATION; i++) o->ns[i] = TT_UNKNOWN;
    for (tt_json_token k; (k = tt_json_stream_next(s)) > TT_JSON_BROKEN;) {
        if (k == TT_JSON_OBJECT_END && s->depth == level) {
            o->whole = true;
            return;
        }
        if (k != TT_JSON_KEY) continue;
        if (s->depth == level + 1) {
            tt_ascend_json_text(s, part, sizeof part);
            *link = '\0';
        } else if (s->depth == level + 2 && !strcmp(part, "Communication Bandwidth Info")) {
            tt_ascend_json_text(s, link, sizeof link);
        } else {
            read_number(s, part, *link ? link : NULL, o);
        }
    }
}

static void set_ratio(tt_imported *t, uint32_t row, uint32_t col, int64_t waited, int64_t transit)
{
    if (waited == TT_UNKNOWN || transit == TT_UNKNOWN) return;
    int64_t all = waited + transit;
    tt_imported_set_d(t, row, col, all > 0 ? 100.0 * (double)waited / (double)all : 0);
}

static void on_operation(tt_ascend_json *j, const entry *e, tt_imported *t)
{
    operation o;
    read_operation(&j->s, &o);
    if (!strcmp(e->name, "Total Op Info") || !o.whole) return;
    if (o.ns[IDLE] == TT_UNKNOWN && o.ns[ELAPSE] != TT_UNKNOWN && o.ns[TRANSIT] != TT_UNKNOWN &&
        o.ns[WAIT] != TT_UNKNOWN)
        o.ns[IDLE] = o.ns[ELAPSE] - o.ns[TRANSIT] - o.ns[WAIT];
    uint32_t row = tt_imported_row(t);
    set_entry(j, e, t, row, (const uint32_t[]){RANK, STEP, KIND, GROUP, NAME});
    for (unsigned i = ELAPSE; i <= IDLE; i++) {
        if (o.ns[i] != TT_UNKNOWN) tt_imported_set_i(t, row, i, o.ns[i]);
    }
    set_ratio(t, row, WAIT_RATIO, o.ns[WAIT], o.ns[TRANSIT]);
    set_ratio(t, row, SYNC_RATIO, o.ns[SYNC], o.ns[TRANSIT]);
    if (o.links) tt_imported_set_i(t, row, SIZE, o.bytes);
}

/* Names of operations contain the group; "Total Op Info" has no group. */
void tt_ascend_communication(tt_ascend *a)
{
    tt_ascend_json j;
    if (!tt_ascend_json_open(a, ROLE_COMMUNICATION, &j)) return;
    each_entry(&j, on_operation, tt_ascend_table(a, "cluster_communication", operation_columns, N_OPERATION));
    tt_ascend_json_close(&j);
}

/* ---- links ---- */

enum { L_RANK, L_STEP, L_KIND, L_OP, L_GROUP, L_SRC, L_DST, L_TRANSPORT, L_SIZE, L_TRANSIT, L_BANDWIDTH, N_LINK };
static const tt_imported_key link_columns[N_LINK] = {
    {"rank", TT_T_COUNT},          {"step", TT_T_STRING},           {"kind", TT_T_STRING},
    {"op", TT_T_STRING},           {"group", TT_T_STRING},          {"src", TT_T_COUNT},
    {"dst", TT_T_COUNT},           {"transport", TT_T_STRING},      {"size_bytes", TT_T_BYTES},
    {"transit_ns", TT_T_DURATION}, {"bandwidth_gbps", TT_T_NUMBER},
};

typedef struct link_values {
    int64_t src, dst, bytes, ns; /* TT_UNKNOWN = none */
    char transport[32];
} link_values;

/* Read the key "0-7". */
static void read_ends(const tt_json_stream *s, link_values *l)
{
    char text[64], *dash;
    tt_ascend_json_text(s, text, sizeof text);
    dash = strchr(text, '-');
    if (!dash) return;
    tt_decimal_whole(text, (size_t)(dash - text), &l->src);
    tt_decimal_whole(dash + 1, strlen(dash + 1), &l->dst);
}

/* Read the open object of a link; false = the text ends in it. */
static bool read_link(tt_json_stream *s, link_values *l)
{
    unsigned level = s->depth;
    for (tt_json_token k; (k = tt_json_stream_next(s)) > TT_JSON_BROKEN;) {
        if (k == TT_JSON_OBJECT_END && s->depth == level) return true;
        if (k != TT_JSON_KEY || s->depth != level + 1) continue;
        char key[64];
        tt_ascend_json_text(s, key, sizeof key);
        k = tt_json_stream_next(s);
        if (!strcmp(key, "Transport Type") && k == TT_JSON_STRING)
            tt_ascend_json_text(s, l->transport, sizeof l->transport);
        if (!strcmp(key, "Transit Size(MB)")) tt_ascend_json_number(s, k, TT_BYTES_OF_MB, &l->bytes);
        if (!strcmp(key, "Transit Time(ms)")) tt_ascend_json_number(s, k, TT_NS_OF_MS, &l->ns);
        if (k == TT_JSON_OBJECT || k == TT_JSON_LIST) tt_json_stream_skip(s, k);
    }
    return false;
}

static void put_link(tt_ascend_json *j, const entry *e, tt_imported *t, const link_values *l)
{
    uint32_t row = tt_imported_row(t);
    set_entry(j, e, t, row, (const uint32_t[]){L_RANK, L_STEP, L_KIND, L_GROUP, L_OP});
    if (l->src != TT_UNKNOWN) tt_imported_set_i(t, row, L_SRC, l->src);
    if (l->dst != TT_UNKNOWN) tt_imported_set_i(t, row, L_DST, l->dst);
    set_text(t, row, L_TRANSPORT, l->transport, strlen(l->transport));
    if (l->bytes != TT_UNKNOWN) tt_imported_set_i(t, row, L_SIZE, l->bytes);
    if (l->ns != TT_UNKNOWN) tt_imported_set_i(t, row, L_TRANSIT, l->ns);
    if (l->bytes != TT_UNKNOWN && l->ns > 0) tt_imported_set_d(t, row, L_BANDWIDTH, (double)l->bytes / (double)l->ns);
}

static void on_links(tt_ascend_json *j, const entry *e, tt_imported *t)
{
    static const char total[] = "-total";
    const size_t n = sizeof total - 1;
    if (e->name_n < n || memcmp(e->name + e->name_n - n, total, n) != 0) {
        tt_json_stream_skip(&j->s, TT_JSON_OBJECT);
        return;
    }
    entry of = *e;
    of.group = e->group ? of.name + (e->group - e->name) : NULL;
    of.name_n -= n;
    unsigned level = j->s.depth;
    for (tt_json_token k; (k = tt_json_stream_next(&j->s)) > TT_JSON_BROKEN;) {
        if (k == TT_JSON_OBJECT_END && j->s.depth == level) return;
        if (k != TT_JSON_KEY) continue;
        link_values l = {TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN, ""};
        read_ends(&j->s, &l);
        k = tt_json_stream_next(&j->s);
        if (k == TT_JSON_OBJECT && read_link(&j->s, &l)) put_link(j, &of, t, &l);
        if (k == TT_JSON_LIST) tt_json_stream_skip(&j->s, k);
    }
}

void tt_ascend_links(tt_ascend *a)
{
    tt_ascend_json j;
    if (!tt_ascend_json_open(a, ROLE_LINKS, &j)) return;
    each_entry(&j, on_links, tt_ascend_table(a, "cluster_links", link_columns, N_LINK));
    tt_ascend_json_close(&j);
}
