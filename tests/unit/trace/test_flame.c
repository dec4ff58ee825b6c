/* Merged call paths against their definition: find the parent of every slice among all slices of its track, write
 * paths as texts, and sum over all slices with the same path. On the sample (Python frames, operators, launches,
 * streams) and on crossing slices. */
#include <glob.h>
#include <stdlib.h>

#include "model/index/flame.h"
#include "tests/unit/check.h"
#include "tests/unit/made.h"
#include "tests/unit/random.h"

/* A host thread with operators, Python frames and launches that nest and cross, and the kernels of the launches. */
static tt_session *made(void)
{
    made_trace m;
    made_begin(&m);
    for (int i = 0; i < 2500; i++) {
        static const char *const cats[] = {"cpu_op", "cpu_op", "python_function", "user_annotation", "cuda_runtime"};
        int k = (int)random_below(5), at = (int)random_below(4000);
        /* draw one number a statement, because the compiler chooses the order in which it computes arguments */
        int dur = (int)(random_below(20) ? random_below(9) : random_below(400)), name = (int)random_below(3);
        fprintf(m.f, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"n%d\",\"pid\":1,\"tid\":7,\"ts\":%d,\"dur\":%d", cats[k],
                name, at, dur);
        fprintf(m.f, ",\"args\":{\"correlation\":%d}},\n", k == 4 ? i + 1 : 0);
        if (k != 4) continue;
        dur = (int)random_below(9);
        name = (int)random_below(2);
        fprintf(m.f, "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k%d\",\"pid\":0,\"tid\":2,\"ts\":%d,\"dur\":%d", name,
                at + 10, dur);
        fprintf(m.f, ",\"args\":{\"correlation\":%d,\"device\":0,\"stream\":2}},\n", i + 1);
    }
    return made_load(&m);
}

/* ---- the definition ---- */

typedef struct path { /* all slices with one path */
    char *text;
    int64_t calls, total, children, self, dev_self;
    bool found;
} path;

typedef struct paths {
    path *at;
    size_t n;
} paths;

static path *path_of(paths *p, const char *text)
{
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->at[i].text, text) == 0) return &p->at[i];
    p->at = realloc(p->at, (p->n + 1) * sizeof *p->at);
    p->at[p->n] = (path){.text = strdup(text)};
    return &p->at[p->n++];
}

static bool no_python;
static const tt_lod_filter *filter;

static tt_row parent_of(const tt_trace *s, const tt_track *track, tt_row r)
{
    tt_row own = s->parent[r];
    while (no_python && own != TT_NONE && tt_row_kind(s, own) == TT_KIND_PYTHON) own = s->parent[own];
    for (tt_row x = r; x-- > track->first;) {
        if (no_python && tt_row_kind(s, x) == TT_KIND_PYTHON) continue;
        if (tt_row_end(s, x) < tt_row_end(s, r) || tt_row_end(s, x) <= s->start[r]) continue;
        if (own == TT_NONE || x == own || tt_row_end(s, x) <= tt_row_end(s, own)) return x;
    }
    return TT_NONE;
}

static const char *name_of(const tt_trace *s, tt_row r)
{
    return tt_row_kind(s, r) == TT_KIND_STEP ? "step" : tt_row_name(s, r);
}

static int64_t cut(const tt_trace *s, tt_row r, int64_t t0, int64_t t1)
{
    int64_t a = s->start[r] > t0 ? s->start[r] : t0, b = tt_row_end(s, r) < t1 ? tt_row_end(s, r) : t1;
    return b - a;
}

static bool touches(const tt_trace *s, tt_row r, int64_t t0, int64_t t1)
{
    return s->dur[r] ? s->start[r] < t1 && tt_row_end(s, r) > t0 : s->start[r] >= t0 && s->start[r] < t1;
}

/* Add the slices of a track that touch the window to their paths; root = only the slices below it, begin = prefix of
 * their paths. */
static void define(const tt_trace *s, uint32_t t, tt_row root, const char *begin, int64_t t0, int64_t t1, paths *out)
{
    size_t none = strlen(begin); /* no slice has a path of this length */
    const tt_track *track = &s->tracks[t];
    char **text = calloc(track->n, sizeof *text), buf[8192];
    int64_t *self = calloc(track->n, sizeof *self);
    tt_row *kept = calloc(track->n, sizeof *kept); /* the innermost listed slice around each slice */
    for (tt_row r = track->first; r < track->first + track->n; r++) {
        tt_row up = parent_of(s, track, r);
        bool below = root == TT_NONE || r == root || (up != TT_NONE && text[up - track->first]);
        if (!below || !touches(s, r, t0, t1)) continue;
        if (no_python && tt_row_kind(s, r) == TT_KIND_PYTHON) continue;
        bool child = up != TT_NONE && r != root && text[up - track->first];
        tt_row around = child ? kept[up - track->first] : TT_NONE;
        bool listed = r == root || tt_lod_passes(filter, s, r);
        kept[r - track->first] = listed ? r : around;
        snprintf(buf, sizeof buf, "%s%s%s", child ? text[up - track->first] : begin, listed ? ";" : "",
                 listed ? name_of(s, r) : "");
        text[r - track->first] = strdup(buf);
        path *p = strlen(buf) > none ? path_of(out, buf) : NULL;
        if (listed) {
            self[r - track->first] += cut(s, r, t0, t1);
            if (around != TT_NONE) self[around - track->first] -= cut(s, r, t0, t1);
            p->calls++;
            p->total += cut(s, r, t0, t1);
        }
        if (p && tt_kind_is_work(tt_row_kind(s, r))) p->dev_self += cut(s, r, t0, t1);
        uint32_t n;
        const uint32_t *dev = tt_row_launched(s, r, &n);
        for (uint32_t i = 0; i < n && s->start[r] >= t0 && !tt_kind_is_device(tt_row_kind(s, r)); i++) {
            tt_row k = s->dev[dev[i]].row;
            if (!tt_kind_is_work(tt_row_kind(s, k))) continue;
            const char *in = text[r - track->first];
            if (!tt_lod_passes(filter, s, k)) {
                if (strlen(in) > none) path_of(out, in)->dev_self += s->dur[k];
                continue;
            }
            snprintf(buf, sizeof buf, strlen(in) > none ? "%s;[%s]" : "%s;%s", in, tt_row_name(s, k));
            p = path_of(out, buf);
            p->calls++;
            p->dev_self += s->dur[k];
        }
    }
    for (uint32_t i = 0; i < track->n; i++) {
        if (text[i] && self[i] > 0) path_of(out, text[i])->self += self[i];
        free(text[i]);
    }
    free(text);
    free(self);
    free(kept);
}

/* ---- the comparison ---- */

static void text_of(const tt_flame *f, uint32_t node, char *out, size_t cap)
{
    const tt_flame_node *n = &f->nodes.at[node];
    out[0] = '\0';
    if (n->up != TT_NONE) text_of(f, n->up, out, cap);
    if (n->kind == TT_KIND_COUNT_) {
        if (n->up != TT_NONE) snprintf(out, cap, "/%s", tt_str(&f->trace->strings, n->name));
        return;
    }
    size_t at = strlen(out);
    uint8_t around = n->up != TT_NONE ? f->nodes.at[n->up].kind : TT_KIND_COUNT_;
    bool launched =
        tt_kind_is_work((tt_kind)n->kind) && around != TT_KIND_COUNT_ && !tt_kind_is_device((tt_kind)around);
    const char *name = n->kind == TT_KIND_STEP ? "step" : tt_str(&f->trace->strings, n->name);
    snprintf(out + at, cap - at, launched ? ";[%s]" : ";%s", name);
}

static void check_order(const tt_flame *f, tt_flame_weight w)
{
    bool sorted = true, family = true;
    for (uint32_t i = 0; i < f->nodes.n; i++) {
        int64_t sum = 0;
        for (uint32_t k = 0; k < f->nodes.at[i].n; k++) {
            const tt_flame_node *child = &f->nodes.at[tt_flame_child(f, i, k)];
            family &= child->up == i && child->depth == f->nodes.at[i].depth + 1;
            if (k) sorted &= child->total[w] <= f->nodes.at[tt_flame_child(f, i, k - 1)].total[w];
            sum += child->total[TT_FLAME_DEVICE];
        }
        CHECK_INT(f->nodes.at[i].total[TT_FLAME_DEVICE], sum + f->nodes.at[i].self[TT_FLAME_DEVICE]);
    }
    CHECK(sorted);
    CHECK(family);
}

static void check_flame(const tt_session *session, int64_t track, tt_row root, int64_t t0, int64_t t1)
{
    const tt_trace *s = session->traces[0];
    struct tt_window w = {t0, t1};
    tt_flame_spec spec = {
        .track = track, .root = root, .no_python = no_python, .filter = filter, .windows = {.at = &w, .n = 1}};
    tt_flame *f = tt_flame_new(session, &spec, NULL);
    paths want = {0};
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        char begin[256] = "";
        if (root == TT_NONE && track == TT_ALL)
            snprintf(begin, sizeof begin, "/%s", tt_str(&s->strings, s->tracks[t].name));
        if (root != TT_NONE   ? t == tt_row_track(s, root)
            : track == TT_ALL ? s->tracks[t].kind == TT_TRACK_THREAD
                              : t == track)
            define(s, t, root, begin, t0, t1, &want);
    }
    size_t seen = 0;
    for (uint32_t i = 0; i < f->nodes.n; i++) {
        char text[8192];
        const tt_flame_node *n = &f->nodes.at[i];
        if (n->kind == TT_KIND_COUNT_) continue;
        text_of(f, i, text, sizeof text);
        path *p = path_of(&want, text);
        seen++;
        CHECK_INT(n->calls, p->calls);
        CHECK_INT(n->total[TT_FLAME_TIME], p->total);
        CHECK_INT(n->self[TT_FLAME_TIME], p->self);
        CHECK_INT(n->self[TT_FLAME_DEVICE], p->dev_self);
        CHECK(!p->found);
        p->found = true;
    }
    CHECK_INT(seen, want.n);
    check_order(f, TT_FLAME_TIME);
    tt_flame_sort(f, TT_FLAME_DEVICE);
    check_order(f, TT_FLAME_DEVICE);
    for (size_t i = 0; i < want.n; i++) free(want.at[i].text);
    free(want.at);
    tt_flame_free(f);
}

/* Several windows add up; a slice in two of them counts as one call. */
static void check_windows(const tt_session *session)
{
    const tt_trace *s = session->traces[0];
    struct tt_window at[2] = {{s->end / 8, s->end / 4}, {s->end / 4, s->end / 2}}, both = {s->end / 8, s->end / 2};
    tt_flame_spec two = {.track = TT_ALL, .root = TT_NONE, .windows = {.at = at, .n = 2}}, one = two;
    one.windows = (tt_windows){.at = &both, .n = 1};
    tt_flame *a = tt_flame_new(session, &two, NULL), *b = tt_flame_new(session, &one, NULL);
    int64_t calls[2] = {0}, self[2] = {0};
    for (size_t i = 0; i < a->nodes.n; i++) calls[0] += a->nodes.at[i].calls, self[0] += a->nodes.at[i].self[0];
    for (size_t i = 0; i < b->nodes.n; i++) calls[1] += b->nodes.at[i].calls, self[1] += b->nodes.at[i].self[0];
    CHECK_INT(a->nodes.at[0].total[TT_FLAME_TIME], b->nodes.at[0].total[TT_FLAME_TIME]);
    CHECK_INT(a->nodes.at[0].total[TT_FLAME_DEVICE], b->nodes.at[0].total[TT_FLAME_DEVICE]);
    CHECK_INT(calls[0], calls[1]);
    CHECK_INT(self[0], self[1]);
    tt_flame_free(a);
    tt_flame_free(b);
}

/* All calls of a name: sums over the calls that lie in no other call of that name. */
static void check_calls(const tt_session *session)
{
    const tt_trace *s = session->traces[0];
    for (int i = 0; i < 12; i++) {
        tt_row one = (tt_row)random_below(s->n);
        struct tt_window w = {0, s->end + 1};
        tt_flame_spec spec = {.track = tt_row_track(s, one), .root = TT_NONE, .windows = {.at = &w, .n = 1}};
        spec.of = s->name[one];
        spec.of_kinds = 1u << tt_row_kind(s, one);
        tt_flame *f = tt_flame_new(session, &spec, NULL);
        const tt_track *track = &s->tracks[spec.track];
        bool *inside = calloc(track->n, sizeof *inside);
        int64_t calls = 0, total = 0, all = 0;
        for (tt_row r = track->first; r < track->first + track->n; r++) {
            tt_row up = parent_of(s, track, r);
            bool below = up != TT_NONE && inside[up - track->first];
            bool match = s->name[r] == spec.of && tt_row_kind(s, r) == tt_row_kind(s, one);
            inside[r - track->first] = below || match;
            all += inside[r - track->first];
            if (!match || below) continue;
            calls++;
            total += s->dur[r];
        }
        int64_t listed = 0;
        for (size_t k = 0; k < f->nodes.n; k++) {
            const tt_flame_node *n = &f->nodes.at[k];
            bool launched = tt_kind_is_work((tt_kind)n->kind) && n->total[TT_FLAME_TIME] == 0 && n->up != TT_NONE;
            listed += launched ? 0 : n->calls;
        }
        CHECK_INT(f->nodes.at[0].calls, calls);
        CHECK_INT(f->nodes.at[0].total[TT_FLAME_TIME], total);
        CHECK_INT(listed, all);
        free(inside);
        tt_flame_free(f);
    }
}

/* Paths that lead to the slices of a name, or to the device work of a name, from the inside out. */
static void check_callers(const tt_session *session, tt_row one)
{
    const tt_trace *s = session->traces[0];
    bool device = tt_kind_is_work(tt_row_kind(s, one));
    if (!device && tt_kind_is_device(tt_row_kind(s, one))) return; /* waits and ranges have no callers */
    struct tt_window w = {s->end / 5, s->end + 1};
    tt_flame_spec spec = {
        .track = TT_ALL, .root = TT_NONE, .callers = true, .filter = filter, .windows = {.at = &w, .n = 1}};
    spec.of = s->name[one];
    spec.of_kinds = 1u << tt_row_kind(s, one);
    tt_flame *f = tt_flame_new(session, &spec, NULL);
    int64_t calls = 0, total = 0, launched = 0;
    paths want = {0};
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        const tt_track *track = &s->tracks[t];
        if (track->kind != TT_TRACK_THREAD) continue;
        for (tt_row r = track->first; r < track->first + track->n; r++) {
            uint32_t n;
            const uint32_t *dev = tt_row_launched(s, r, &n);
            for (uint32_t i = 0; i < (device ? n : 1); i++) {
                tt_row what = device ? s->dev[dev[i]].row : r, from = device ? r : parent_of(s, track, r);
                bool nested = false;
                if (s->name[what] != spec.of || !(spec.of_kinds >> tt_row_kind(s, what) & 1)) continue;
                if (device ? s->start[r] < w.t0 : !touches(s, r, w.t0, w.t1)) continue;
                for (tt_row up = from; !device && up != TT_NONE; up = parent_of(s, track, up))
                    nested |= s->name[up] == spec.of && s->cat[up] == s->cat[one];
                if (nested) continue;
                int64_t ns = device ? s->dur[what] : cut(s, r, w.t0, w.t1);
                calls++;
                total += ns;
                char text[8192] = "";
                for (tt_row up = from; up != TT_NONE; up = parent_of(s, track, up)) {
                    if (!tt_lod_passes(filter, s, up)) continue;
                    size_t at = strlen(text);
                    snprintf(text + at, sizeof text - at, ";%s", name_of(s, up));
                    path *p = path_of(&want, text);
                    p->calls++;
                    p->total += ns;
                }
            }
        }
    }
    for (uint32_t i = 0; i < s->n_dev && device; i++) /* work without a launch is not in the graph */
        launched +=
            s->name[s->dev[i].row] == spec.of && s->dev[i].launch != TT_NONE && s->start[s->dev[i].launch] >= w.t0;
    if (device) CHECK_INT(calls, launched);
    CHECK_INT(f->nodes.at[0].calls, calls);
    CHECK_INT(f->nodes.at[0].total[TT_FLAME_TIME], total);
    size_t seen = 0;
    for (uint32_t i = 1; i < f->nodes.n; i++) {
        char text[8192] = "", one_name[8192];
        const tt_flame_node *n = &f->nodes.at[i];
        if (n->kind == TT_KIND_COUNT_) continue;
        for (uint32_t up = i; up; up = f->nodes.at[up].up) { /* inside out: the outermost slice comes last */
            const tt_flame_node *x = &f->nodes.at[up];
            snprintf(one_name, sizeof one_name, ";%s%s",
                     x->kind == TT_KIND_STEP ? "step" : tt_str(&s->strings, x->name), text);
            memcpy(text, one_name, sizeof text);
        }
        path *p = path_of(&want, text);
        CHECK_INT(n->calls, p->calls);
        CHECK_INT(n->total[TT_FLAME_TIME], p->total);
        CHECK(n->self[TT_FLAME_TIME] >= 0);
        seen++;
    }
    CHECK_INT(seen, want.n);
    for (size_t i = 0; i < want.n; i++) free(want.at[i].text);
    free(want.at);
    tt_flame_free(f);
}

/* With a filter on half of the names or on one category, other slices vanish; only their time and their launches
 * remain. */
static void check_filters(tt_session *s)
{
    const tt_trace *st = s->traces[0];
    tt_lod_filter f = {.names = calloc(st->strings.text.n + 1, sizeof *f.names)};
    filter = &f;
    for (int i = 0; i < 4; i++) {
        memset(f.cats, 0, sizeof f.cats);
        for (size_t k = 0; k < st->strings.text.n; k++) f.names[k] = i && random_below(2) ? UINT32_MAX : 0;
        if (i < 2) f.cats[st->cat[random_below(st->n)]] = 1;
        no_python = i == 3;
        check_flame(s, TT_ALL, TT_NONE, 0, st->end + 1);
        tt_row root = (tt_row)random_below(st->n);
        check_flame(s, TT_ALL, root, st->start[root], tt_row_end(st, root) + (st->dur[root] == 0));
        check_flame(s, (int64_t)random_below(st->n_tracks), TT_NONE, st->end / 3, st->end);
        no_python = false;
        if (st->n_dev) check_callers(s, st->dev[random_below(st->n_dev)].row);
    }
    no_python = false;
    filter = NULL;
    free(f.names);
}

static void check_session(tt_session *s)
{
    const tt_trace *st = s->traces[0];
    check_filters(s);
    no_python = true;
    check_flame(s, TT_ALL, TT_NONE, 0, st->end + 1);
    check_flame(s, TT_ALL, TT_NONE, st->end / 3, st->end / 2);
    no_python = false;
    check_flame(s, TT_ALL, TT_NONE, 0, st->end + 1);
    for (uint32_t t = 0; t < st->n_tracks; t++) {
        if (st->tracks[t].n) check_flame(s, t, TT_NONE, 0, st->end + 1);
    }
    for (int i = 0; i < 6; i++) {
        int64_t t0 = (int64_t)random_below((uint64_t)st->end);
        check_flame(s, i % 2 ? TT_ALL : (int64_t)random_below(st->n_tracks), TT_NONE, t0,
                    t0 + 1 + (int64_t)random_below((uint64_t)st->end / 3));
    }
    for (int i = 0; i < 12; i++) {
        tt_row root = (tt_row)random_below(st->n);
        check_flame(s, TT_ALL, root, st->start[root], tt_row_end(st, root) + (st->dur[root] == 0));
    }
}

int main(void)
{
    temp_begin();
    glob_t found;
    CHECK_INT(glob("assets/sample_gpu/*rank0*.json.gz", 0, NULL, &found), 0);
    tt_session *s = load_trace(found.gl_pathv[0]);
    if (s) {
        const tt_trace *st = s->traces[0];
        check_session(s);
        check_windows(s);
        check_calls(s);
        for (uint32_t i = 0; i < st->n_dev; i += st->n_dev / 8) check_callers(s, st->dev[i].row);
        for (int i = 0; i < 8; i++) check_callers(s, (tt_row)random_below(st->tracks[tt_row_track(s->traces[0], 0)].n));
        for (uint32_t i = 0; i < 2 && i < st->n_steps; i++)
            check_flame(s, TT_ALL, st->steps[i].row, st->steps[i].host_start, st->steps[i].host_end);
        tt_session_free(s);
    }
    s = made();
    if (s) {
        CHECK(s->traces[0]->tracks[tt_row_track(s->traces[0], 0)].n > 1000);
        check_session(s);
        check_calls(s);
        for (int i = 0; i < 8; i++) check_callers(s, (tt_row)random_below(s->traces[0]->n));
        tt_session_free(s);
    }
    globfree(&found);
    temp_end();
    return check_done();
}
