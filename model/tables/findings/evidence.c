/* model/tables/findings/evidence.c - table evidence: the pieces of the time that each finding claims. */
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/findings/claims/claim_lines.h"
#include "model/tables/findings/evidence.h"
#include "model/tables/findings/findings.h"
#include "model/tables/findings/tables.h"
#include "model/tables/summary_rows.h"

enum { WORKER, SPAN, FINDING, ID, DEVICE, START, END, DURATION, CAUSE, THREAD, TRACK, LINE, IS_LONGEST };

static const tt_column columns[] = {
    COL_OPT("worker", "Worker", STRING, 0, "worker, when there are several"),
    COL_OPT("span", "Span", STRING, 0, "span, when there are several"),
    COL("finding", "Finding", COUNT, 0, "place in table findings, from 1"),
    COL("id", "Id", STRING, 0, "name of the rule"),
    COL("device", "Device", STRING, 1, "device whose time it is"),
    COL("start_at_ns", "Start", TIME, 0, "start of the first instant of it in the piece"),
    COL("end_at_ns", "End", TIME, 1, "end of the last one"),
    COL("duration_ns", "Time", DURATION, 0, "time of the claim in the piece: of a finding they add up to its time_ns"),
    COL("cause", "Cause", STRING, 0, "of idle time the largest part, as in idle_causes"),
    COL("thread", "Thread", STRING, 1, "of idle time the CPU thread that is charged with it"),
    COL("track", "Track", STRING, 2, "of device work its stream, of idle time the device"),
    COL("line", "Line", STRING, 1, "line of the program on that thread, in the middle of the piece"),
    COL("longest", "Longest", BOOL, 3, "the longest piece of the finding"),
};

typedef struct piece_list { /* pieces of one finding */
    tt_table *t;
    const tt_session *s;
    const tt_finding *f;
    uint32_t place; /* number of the finding, from 1 */
    const char *id;
    tt_line_memo *memo;
} piece_list;

/* For each piece of device work, in the order of time, find the stream that works where the piece begins; if there
 * are several, the first in the order of device_work.h. Each slice looks for pieces that begin in it and have no
 * stream yet, since there may be as many streams as pieces. The caller frees the list; NULL: the claim is idle time. */
static const char **streams_of(const tt_device_work *w, const tt_claim *c)
{
    const tt_work_device *dev = &w->devices[c->device];
    const size_t n = c->pieces.n;
    if (!n || c->pieces.at[0].cause != TT_WAIT_COUNT_) return NULL;
    const char **names = tt_calloc(n + 1, sizeof *names);
    uint32_t *next =
        /* per piece the next piece from it on without a stream, or one that leads there */
        tt_malloc((n + 1) * sizeof *next);
    for (uint32_t i = 0; i <= n; i++) next[i] = i;
    for (uint32_t k = dev->first_stream; k < dev->first_stream + dev->n_streams; k++) {
        const tt_work_stream *st = &w->streams[k];
        for (uint32_t i = st->first; i < st->first + st->n; i++) {
            size_t lo = 0, hi = n;
            TT_BISECT(lo, hi, at, c->pieces.at[at].t0 < w->at[i].start);
            for (uint32_t p = (uint32_t)lo;; p = next[p]) {
                while (next[p] != p) p = next[p] = next[next[p]];
                if (p >= n || c->pieces.at[p].t0 >= w->at[i].end) break;
                names[p] = st->name;
                next[p] = p + 1;
            }
        }
    }
    free(next);
    return names;
}

static void put_piece(const piece_list *l, const tt_claim_piece *p, const char *stream, bool longest)
{
    const tt_trace *s = l->s->traces[l->f->trace];
    const tt_device_work *w = tt_device_work_get(l->s, l->f->trace);
    const char *device = w->devices[l->f->claim.device].name;
    int64_t offset = l->s->offset_ns[l->f->trace];
    tt_table *t = l->t;
    uint32_t row = tt_table_add(t);
    bool idle = p->cause != TT_WAIT_COUNT_;
    char line[512];
    if (l->s->n_workers > 1) tt_set_ref(t, row, WORKER, s->worker);
    if (l->s->n_spans > 1) tt_set_ref(t, row, SPAN, s->span);
    tt_set_i(t, row, FINDING, l->place);
    tt_set_s(t, row, ID, l->id);
    tt_set_ref(t, row, DEVICE, device);
    tt_set_i(t, row, START, p->t0 + offset);
    tt_set_i(t, row, END, p->t1 + offset);
    tt_set_i(t, row, DURATION, p->ns);
    if (idle) tt_set_ref(t, row, CAUSE, tt_wait_name[p->cause]);
    if (p->track != TT_NONE) tt_set_ref(t, row, THREAD, tt_str(&s->strings, s->tracks[p->track].name));
    tt_set_ref(t, row, TRACK, idle ? device : stream);
    if (p->track != TT_NONE &&
        tt_python_line_on_with(s, l->memo, p->track, p->t0 + (p->t1 - p->t0) / 2, line, sizeof line))
        tt_set_ref(t, row, LINE, tt_frame_shown(&t->arena, line));
    tt_set_i(t, row, IS_LONGEST, longest);
    *tt_set_drilldown(t, row) = (tt_drilldown){.what = TT_DRILL_RANGE,
                                               .finding = (uint16_t)(l->f->rule + 1),
                                               .trace = l->f->trace,
                                               .t0 = p->t0 + offset,
                                               .t1 = p->t1 + offset};
}

static void put_pieces(piece_list *l)
{
    const tt_claim *c = &l->f->claim;
    tt_claim_piece *order = tt_malloc((c->pieces.n + 1) * sizeof *order);
    if (c->pieces.n) memcpy(order, c->pieces.at, c->pieces.n * sizeof *order);
    TT_SORT_BY(order, c->pieces.n, TT_DESC(tt_claim_piece, ns), TT_ASC(tt_claim_piece, t0));
    const char **streams = streams_of(tt_device_work_get(l->s, l->f->trace), c);
    for (size_t i = 0; i < c->pieces.n; i++) {
        size_t lo = 0, hi = c->pieces.n;
        TT_BISECT(lo, hi, k, c->pieces.at[k].t0 < order[i].t0);
        put_piece(l, &order[i], streams ? streams[lo] : NULL, i == 0);
    }
    free(streams);
    free(order);
}

/* ---- of one finding ---- */

/* Whether [t0, t1) goes from the start of a piece to the end of one; it tells claims of one rule apart, which are
 * disjoint. */
static bool has_window(const tt_claim *c, int64_t t0, int64_t t1)
{
    const tt_claim_piece *at = c->pieces.at;
    size_t from = 0, from_end = c->pieces.n, to = 0, to_end = c->pieces.n;
    TT_BISECT(from, from_end, i, at[i].t0 < t0);
    TT_BISECT(to, to_end, k, at[k].t1 < t1);
    return from < c->pieces.n && to < c->pieces.n && at[from].t0 == t0 && at[to].t1 == t1;
}

static void copy_pieces(const tt_finding *f, tt_evidence_pieces *out)
{
    out->device = f->claim.device;
    for (size_t i = 0; i < f->claim.pieces.n; i++) {
        const tt_claim_piece *p = &f->claim.pieces.at[i];
        *tt_vec_push(&out->at) = (tt_evidence_piece){p->t0, p->t1, p->ns, p->track, p->cause != TT_WAIT_COUNT_};
    }
}

tt_evidence_pieces tt_evidence_of(const tt_session *s, const tt_scope *scope, const tt_drilldown *o)
{
    tt_evidence_pieces out = {.trace = o->trace, .device = TT_NONE};
    tt_options with_claims = {.claims = true};
    tt_scope own = *scope;
    if (o->what != TT_DRILL_RANGE || !o->finding) return out;
    int64_t offset = s->offset_ns[o->trace];
    tt_scope_to_trace(s, o->trace, &own);
    tt_table *findings = tt_table_compute(s, &tt_table_findings, &own, &with_claims);
    const tt_findings_kept *kept = (const tt_findings_kept *)findings->attached;
    for (size_t i = 0; kept && i < kept->of.n && out.device == TT_NONE; i++) {
        const tt_finding *f = &kept->of.at[i];
        if (f->rule + 1 != o->finding || f->trace != o->trace || f->claim.device == TT_NONE) continue;
        if (has_window(&f->claim, o->t0 - offset, o->t1 - offset)) copy_pieces(f, &out);
    }
    tt_table_free(findings);
    return out;
}

/* ---- the table ---- */

static void compute(const tt_query *q, tt_table *t)
{
    tt_options with_claims = {.claims = true};
    tt_line_memo *memos = tt_calloc(q->session->n_traces + (size_t)1, sizeof *memos);
    tt_table *findings = tt_table_compute(q->session, &tt_table_findings, q->scope, &with_claims);
    const tt_findings_kept *kept = (const tt_findings_kept *)findings->attached;
    bool all = kept && kept->of.n == findings->n_rows; /* rows of a summary file have no claims */
    for (uint32_t r = 0; all && r < findings->n_rows; r++) {
        const tt_finding *f = &kept->of.at[r];
        if (f->claim.device == TT_NONE) continue;
        piece_list l = {t, q->session, f, r + 1, tt_finding_text(findings, r, "id"), &memos[f->trace]};
        put_pieces(&l);
    }
    for (uint32_t i = 0; i < q->session->n_traces; i++) tt_line_memo_free(&memos[i]);
    free(memos);
    tt_table_free(findings);
    for (uint32_t i = 0; i < q->session->n_traces && !t->n_rows && !t->note; i++)
        if (q->session->traces[i]->summary) (void)tt_summary_keeps(t->desc, 0, &t->note);
    if (!t->n_rows && !t->note) t->note = "No finding claims time of a device";
}

const tt_table_desc tt_table_evidence = {
    .id = "evidence",
    .title = "Evidence",
    .meaning = "when each finding's time is, piece by piece: the time that it claims on a device",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_ALL_TRACES | TT_TABLE_SELECTED,
    .compute = compute,
};
