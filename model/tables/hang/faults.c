/* model/tables/hang/faults.c - tables hang_faults and hang_mismatches: who is stuck, and whose calls differ. */
#include "model/tables/hang/hang_cells.h"
#include "model/tables/hang/tables.h"

/* ---- hang_faults ---- */

static const tt_column fault_columns[] = {
    [TT_HANG_FAULTS_FAULT] = COL_ID("fault", "Fault", 0, "1 is the worst"),
    [TT_HANG_FAULTS_KIND] =
        COL("kind", "Kind", STRING, 0,
            "mismatch: calls differ; deadlock: ranks wait for each other; no_dump; device: has not finished what "
            "others have; host: never made the call; collective: all called, none finished; late: slow as usual"),
    [TT_HANG_FAULTS_SIDE] = COL("side", "Side", STRING, 1, "where the ranks are stuck: host or device"),
    [TT_HANG_FAULTS_CERTAINTY] = COL("certainty", "Certainty", STRING, 0, "certain, likely or possible"),
    [TT_HANG_FAULTS_RANKS] = COL("ranks", "Ranks", STRING, 0, "culprits: others wait for them"),
    [TT_HANG_FAULTS_GROUP] = COL("group", "Group", STRING, 2, "name of the process group"),
    [TT_HANG_FAULTS_GROUP_DESC] = COL("group_desc", "Description", STRING, 1, "description of the process group"),
    [TT_HANG_FAULTS_GROUP_SIZE] = COL("group_size", "Size", COUNT, 4, "ranks of the group"),
    [TT_HANG_FAULTS_GROUP_RANKS] = COL("group_ranks", "Members", STRING, 4, "ranks of the group"),
    [TT_HANG_FAULTS_OP] = COL("op", "Operation", STRING, 0, "what was called, or never called"),
    [TT_HANG_FAULTS_SEQ] = COL_ID("seq", "Seq", 1, "number of the call in the group"),
    [TT_HANG_FAULTS_P2P] = COL("p2p", "P2P", BOOL, 5, "a send or receive"),
    [TT_HANG_FAULTS_DTYPE] = COL("dtype", "Type", STRING, 3, "types of the inputs"),
    [TT_HANG_FAULTS_IN_SIZES] = COL("in_sizes", "Input sizes", STRING, 3, "sizes of the inputs"),
    [TT_HANG_FAULTS_OUT_SIZES] = COL("out_sizes", "Output sizes", STRING, 5, "sizes of the outputs"),
    [TT_HANG_FAULTS_WAITING] =
        COL("waiting", "Waiting", COUNT, 0, "ranks that wait for it, through any number of ranks"),
    [TT_HANG_FAULTS_SINCE_AT] = COL("since_at_ns", "Since", TIME, 2, "when the first of them began to wait"),
    [TT_HANG_FAULTS_SINCE_UNIX] = COL_ID("since_unix_ns", "Since (ns)", 6, "the same, ns since 1970"),
    [TT_HANG_FAULTS_FRAME] = COL("frame", "Frame", STRING, 2, "where in the program the call is made"),
    [TT_HANG_FAULTS_LAST_FRAME] = COL("last_frame", "Last frame", STRING, 6, "where the culprit made its last call"),
};

static const char *const side_name[] =
    {[TT_HANG_NO_SIDE] = NULL, [TT_HANG_ON_HOST] = "host", [TT_HANG_ON_DEVICE] = "device"};

static void put_fault(const tt_hang *h, uint32_t i, tt_table *t)
{
    const tt_hang_fault *f = &h->faults[i];
    const tt_flight_call *c = tt_hang_call_of(h, f->entry);
    uint32_t row = tt_table_add(t);
    tt_set_i(t, row, TT_HANG_FAULTS_FAULT, i + 1);
    tt_set_ref(t, row, TT_HANG_FAULTS_KIND, tt_hang_kind_name[f->kind]);
    tt_set_ref(t, row, TT_HANG_FAULTS_SIDE, side_name[f->side]);
    tt_set_ref(t, row, TT_HANG_FAULTS_CERTAINTY, tt_hang_certainty_name[f->certainty]);
    tt_set_ref(t, row, TT_HANG_FAULTS_RANKS, tt_hang_list_text(h, f->ranks, &t->arena));
    tt_hang_set_group(h, t, row, TT_HANG_FAULTS_GROUP, f->group);
    if (f->group != TT_NONE) {
        tt_set_i(t, row, TT_HANG_FAULTS_GROUP_SIZE, h->groups[f->group].size);
        tt_set_ref(t, row, TT_HANG_FAULTS_GROUP_RANKS, tt_hang_members_text(h, f->group, &t->arena));
    }
    tt_set_ref(t, row, TT_HANG_FAULTS_OP, f->op);
    tt_set_i(t, row, TT_HANG_FAULTS_SEQ, f->seq);
    tt_set_i(t, row, TT_HANG_FAULTS_P2P, f->p2p);
    if (c) {
        tt_hang_set_text(h, t, row, TT_HANG_FAULTS_DTYPE, f->entry, c->in_dtypes);
        tt_hang_set_text(h, t, row, TT_HANG_FAULTS_IN_SIZES, f->entry, c->in_sizes);
        tt_hang_set_text(h, t, row, TT_HANG_FAULTS_OUT_SIZES, f->entry, c->out_sizes);
    }
    tt_set_i(t, row, TT_HANG_FAULTS_WAITING, f->waiting);
    tt_hang_set_time(h, t, row, TT_HANG_FAULTS_SINCE_AT, f->since);
    tt_set_i(t, row, TT_HANG_FAULTS_SINCE_UNIX, f->since);
    tt_set_ref(t, row, TT_HANG_FAULTS_FRAME, tt_hang_frame(h, f->place, &t->arena));
    tt_set_ref(t, row, TT_HANG_FAULTS_LAST_FRAME, tt_hang_frame(h, f->last, &t->arena));
    tt_hang_set_drilldown(h, t, row, f->entry);
}

static void compute_faults(const tt_query *q, tt_table *out)
{
    const tt_hang *h = tt_hang_get(q->session);
    for (uint32_t i = 0; h && i < h->n_faults; i++) put_fault(h, i, out);
    if (h && !h->n_faults) out->note = tt_hang_verdict(h, &out->arena);
}

const tt_table_desc tt_table_hang_faults = {
    .id = "hang_faults",
    .title = "Faults",
    .meaning = "who is stuck, in which call, on the host or on the device, since when, and where in the code",
    .cols = fault_columns,
    .n_cols = COUNT_OF(fault_columns),
    .flags = TT_TABLE_ALL_TRACES,
    .note = TT_HANG_NOTE,
    .compute = compute_faults,
};

/* ---- hang_mismatches ---- */

static const tt_column mismatch_columns[] = {
    [TT_HANG_MISMATCHES_GROUP] = COL("group", "Group", STRING, 1, "name of the process group"),
    [TT_HANG_MISMATCHES_GROUP_DESC] = COL("group_desc", "Description", STRING, 2, "description of the process group"),
    [TT_HANG_MISMATCHES_SEQ] = COL_ID("seq", "Seq", 0, "number of the call in the group"),
    [TT_HANG_MISMATCHES_KIND] = COL("kind", "Kind", STRING, 0,
                                    "what differs first, in the words of PyTorch's fr_trace: operation, sizes, types"),
    [TT_HANG_MISMATCHES_RANK] = COL_ID("rank", "Rank", 0, "rank that differs"),
    [TT_HANG_MISMATCHES_KNOWN] =
        COL("known", "Known", BOOL, 1,
            "more ranks agree on something else than on anything other; no: who is right is unknown"),
    [TT_HANG_MISMATCHES_OP] = COL("op", "Called", STRING, 0, "operation of this rank"),
    [TT_HANG_MISMATCHES_EXPECTED_OP] = COL("expected_op", "Others called", STRING, 0, "operation of the others"),
    [TT_HANG_MISMATCHES_IN_SIZES] = COL("in_sizes", "Input sizes", STRING, 1, "sizes of this rank's inputs"),
    [TT_HANG_MISMATCHES_OUT_SIZES] = COL("out_sizes", "Output sizes", STRING, 3, "sizes of this rank's outputs"),
    [TT_HANG_MISMATCHES_EXPECTED_IN_SIZES] =
        COL("expected_in_sizes", "Others' inputs", STRING, 1, "sizes of the others' inputs"),
    [TT_HANG_MISMATCHES_EXPECTED_OUT_SIZES] =
        COL("expected_out_sizes", "Others' outputs", STRING, 3, "sizes of the others' outputs"),
    [TT_HANG_MISMATCHES_DTYPE] = COL("dtype", "Type", STRING, 2, "types of this rank's inputs"),
    [TT_HANG_MISMATCHES_EXPECTED_DTYPE] =
        COL("expected_dtype", "Others' type", STRING, 2, "types of the others' inputs"),
    [TT_HANG_MISMATCHES_SWAPPED] =
        COL("swapped", "Swapped", BOOL, 2, "within the next three calls each makes the other's call"),
    [TT_HANG_MISMATCHES_OPEN] = COL("open", "Open", BOOL, 1, "some rank has the call open"),
    [TT_HANG_MISMATCHES_FRAME] = COL("frame", "Frame", STRING, 2, "where this rank made the call"),
    [TT_HANG_MISMATCHES_EXPECTED_FRAME] =
        COL("expected_frame", "Others' frame", STRING, 4, "where the others made theirs"),
};

static void put_mismatch(const tt_hang *h, const tt_hang_mismatch *x, tt_table *t)
{
    const tt_flight_call *own = tt_hang_call_of(h, x->own), *other = tt_hang_call_of(h, x->expected);
    uint32_t row = tt_table_add(t);
    tt_hang_set_group(h, t, row, TT_HANG_MISMATCHES_GROUP, x->group);
    tt_set_i(t, row, TT_HANG_MISMATCHES_SEQ, x->seq);
    tt_set_ref(t, row, TT_HANG_MISMATCHES_KIND, tt_mismatch_name[x->kind]);
    if (x->rank != TT_NONE) tt_set_i(t, row, TT_HANG_MISMATCHES_RANK, h->ranks[x->rank].rank);
    tt_set_i(t, row, TT_HANG_MISMATCHES_KNOWN, x->known);
    tt_hang_set_text(h, t, row, TT_HANG_MISMATCHES_OP, x->own, own->op);
    tt_hang_set_text(h, t, row, TT_HANG_MISMATCHES_IN_SIZES, x->own, own->in_sizes);
    tt_hang_set_text(h, t, row, TT_HANG_MISMATCHES_OUT_SIZES, x->own, own->out_sizes);
    tt_hang_set_text(h, t, row, TT_HANG_MISMATCHES_DTYPE, x->own, own->in_dtypes);
    if (other) {
        tt_hang_set_text(h, t, row, TT_HANG_MISMATCHES_EXPECTED_OP, x->expected, other->op);
        tt_hang_set_text(h, t, row, TT_HANG_MISMATCHES_EXPECTED_IN_SIZES, x->expected, other->in_sizes);
        tt_hang_set_text(h, t, row, TT_HANG_MISMATCHES_EXPECTED_OUT_SIZES, x->expected, other->out_sizes);
        tt_hang_set_text(h, t, row, TT_HANG_MISMATCHES_EXPECTED_DTYPE, x->expected, other->in_dtypes);
    }
    tt_set_i(t, row, TT_HANG_MISMATCHES_SWAPPED, x->swapped);
    tt_set_i(t, row, TT_HANG_MISMATCHES_OPEN, x->open);
    tt_set_ref(t, row, TT_HANG_MISMATCHES_FRAME, tt_hang_frame(h, x->own, &t->arena));
    tt_set_ref(t, row, TT_HANG_MISMATCHES_EXPECTED_FRAME, tt_hang_frame(h, x->expected, &t->arena));
    tt_hang_set_drilldown(h, t, row, x->own);
}

static void compute_mismatches(const tt_query *q, tt_table *out)
{
    const tt_hang *h = tt_hang_get(q->session);
    for (uint32_t i = 0; h && i < h->n_mismatches; i++) put_mismatch(h, &h->mismatches[i], out);
    if (h && !h->n_mismatches) out->note = "calls of the same number agree on all ranks, as far as they are recorded";
}

const tt_table_desc tt_table_hang_mismatches = {
    .id = "hang_mismatches",
    .title = "Calls that differ",
    .meaning = "calls of one number whose operation, sizes or types differ between ranks",
    .cols = mismatch_columns,
    .n_cols = COUNT_OF(mismatch_columns),
    .flags = TT_TABLE_ALL_TRACES,
    .note = TT_HANG_NOTE,
    .compute = compute_mismatches,
};
