/* model/tables/findings/ranking.c - see ranking.h. A trace has tens of findings, one with many devices some for each of
 * them: every finding is compared with the roots that may head others, which are few. */
#include "model/tables/findings/ranking.h"

#include <stdlib.h>
#include <string.h>

typedef struct root {
    int64_t taken[TT_PATH_COUNT_]; /* what the finding has of the path; all 0 for a symptom */
    uint32_t head;                 /* the root that it is a symptom of, itself for a root; TT_NONE: not placed yet */
} root;

typedef struct ranking {
    tt_table *t;
    uint32_t first, n; /* rows of the trace */
    uint32_t id, cause, saving;
    const tt_finding_claim *claims; /* by row from first on */
    root *roots;                    /* the same */
    TT_VEC(uint32_t) heads;         /* roots that may head others, in the order of rows */
    int64_t left[TT_PATH_COUNT_];   /* of the path, that no root has taken */
    bool known;                     /* is the path? */
} ranking;

static tt_cell *cell(tt_table *t, uint32_t row, uint32_t col) { return &t->cells[(size_t)row * t->n_cols + col]; }
static int64_t *saving_of(ranking *k, uint32_t i) { return &cell(k->t, k->first + i, k->saving)->i; }
static const char **cause_of(ranking *k, uint32_t i) { return &cell(k->t, k->first + i, k->cause)->s; }
static const char *id_of(ranking *k, uint32_t i) { return cell(k->t, k->first + i, k->id)->s; }

/* Of the time that finding i speaks of, what root j has taken. */
static int64_t shared(ranking *k, uint32_t i, uint32_t j)
{
    int64_t ns = 0;
    if (!k->known) return k->claims[i].of & k->claims[j].of && *saving_of(k, j) > 0 ? *saving_of(k, j) : 0;
    for (unsigned p = 0; p < TT_PATH_COUNT_; p++) {
        if (k->claims[i].of >> p & 1) ns += k->roots[j].taken[p];
    }
    return ns;
}

static bool heads_others(tt_finding_kind kind) { return kind != TT_FINDING_PIECE && kind != TT_FINDING_FACT; }

/* The root joins those that may head others, at the place of its row. */
static void add_head(ranking *k, uint32_t i)
{
    if (!heads_others(k->claims[i].kind)) return;
    size_t at = k->heads.n;
    (void)tt_vec_push(&k->heads);
    for (; at > 0 && k->heads.at[at - 1] > i; at--) k->heads.at[at] = k->heads.at[at - 1];
    k->heads.at[at] = i;
}

/* May root j head finding i? A finding of several devices or ranks heads those after it. */
static bool may_head(ranking *k, uint32_t j, uint32_t i)
{
    tt_finding_kind over = k->claims[j].kind, under = k->claims[i].kind;
    return over < under || (over == under && !strcmp(id_of(k, i), id_of(k, j)));
}

/* The root that finding i is a symptom of: a share that has all that it speaks of, however little of that the path
 * has; else roots together have most of its time, this one of them most. TT_NONE. */
static uint32_t head_of(ranking *k, uint32_t i)
{
    int64_t most = 0, sum = 0, own = *saving_of(k, i);
    uint32_t head = TT_NONE, of = k->claims[i].of;
    for (size_t h = 0; h < k->heads.n && of; h++) {
        uint32_t j = k->heads.at[h];
        if (k->claims[j].kind == TT_FINDING_SHARE && !(of & ~k->claims[j].of) && may_head(k, j, i)) return j;
    }
    for (size_t h = 0; h < k->heads.n && k->claims[i].kind > TT_FINDING_PIECE; h++) {
        uint32_t j = k->heads.at[h];
        int64_t ns = may_head(k, j, i) ? shared(k, i, j) : 0;
        if (ns > most) most = ns, head = j;
        sum += ns;
    }
    return own == TT_UNKNOWN || sum >= own - sum ? head : TT_NONE;
}

/* A root takes of the path what it speaks of and is still there. */
static void take(ranking *k, uint32_t i)
{
    int64_t *saving = saving_of(k, i), wanted = *saving, got = 0;
    if (!k->known || wanted == TT_UNKNOWN || !k->claims[i].of) return;
    for (unsigned p = 0; p < TT_PATH_COUNT_ && got < wanted; p++) {
        if (!(k->claims[i].of >> p & 1)) continue;
        int64_t ns = k->left[p] < wanted - got ? k->left[p] : wanted - got;
        k->roots[i].taken[p] = ns;
        k->left[p] -= ns;
        got += ns;
    }
    *saving = got;
}

/* The root of this id, which is placed before what names it. */
static uint32_t named(ranking *k, const char *id)
{
    for (uint32_t i = 0; i < k->n; i++) {
        if (k->roots[i].head == i && !strcmp(id_of(k, i), id)) return i;
    }
    return TT_NONE;
}

static void place(ranking *k, uint32_t i)
{
    uint32_t head = k->claims[i].cause ? named(k, k->claims[i].cause) : head_of(k, i);
    k->roots[i].head = head == TT_NONE ? i : head;
    if (head == TT_NONE) {
        take(k, i);
        add_head(k, i);
    } else {
        *cause_of(k, i) = id_of(k, head);
    }
}

static void move_rows(tt_table *t, const uint32_t *from)
{
    size_t width = t->n_cols * sizeof *t->cells;
    tt_cell *cells = tt_malloc(t->n_rows * width);
    tt_drilldown *origins = t->origins ? tt_malloc(t->n_rows * sizeof *origins) : NULL;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        memcpy(cells + (size_t)r * t->n_cols, cell(t, from[r], 0), width);
        if (origins) origins[r] = t->origins[from[r]];
    }
    memcpy(t->cells, cells, t->n_rows * width);
    if (origins) memcpy(t->origins, origins, t->n_rows * sizeof *origins);
    free(cells);
    free(origins);
}

/* Symptoms behind their roots. */
static void gather(ranking *k)
{
    uint32_t *from = tt_malloc(k->t->n_rows * sizeof *from), n = k->first;
    uint32_t *place =
        tt_calloc(k->n, sizeof *place); /* of a root: how many rows it has, then where the next one goes */
    for (uint32_t i = 0; i < k->first; i++) from[i] = i;
    for (uint32_t i = 0; i < k->n; i++) place[k->roots[i].head]++;
    for (uint32_t i = 0; i < k->n; i++) {
        uint32_t rows = place[i];
        place[i] = n + 1;
        if (rows) from[n] = k->first + i;
        n += rows;
    }
    for (uint32_t i = 0; i < k->n; i++)
        if (k->roots[i].head != i) from[place[k->roots[i].head]++] = k->first + i;
    move_rows(k->t, from);
    free(from);
    free(place);
}

typedef struct turn { /* of a finding to be placed */
    tt_finding_kind kind;
    int64_t saving;
    uint32_t i;
} turn;

/* By kind, of a kind the largest first, of equal ones the first. */
static int by_turn(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->saving != y->saving) return x->saving > y->saving ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

void tt_findings_relate(tt_table *t, uint32_t first, const tt_finding_claims *claims,
                        const int64_t path_ns[TT_PATH_COUNT_])
{
    ranking k = {.t = t, .first = first, .n = t->n_rows - first, .claims = claims->at};
    if (!k.n) return;
    k.id = (uint32_t)tt_table_column(t, "id");
    k.cause = (uint32_t)tt_table_column(t, "cause");
    k.saving = (uint32_t)tt_table_column(t, "saving_ns");
    k.roots = tt_calloc(k.n, sizeof *k.roots);
    for (uint32_t i = 0; i < k.n; i++) k.roots[i].head = TT_NONE;
    for (unsigned p = 0; p < TT_PATH_COUNT_; p++) k.left[p] = path_ns[p], k.known |= path_ns[p] > 0;
    turn *turns = tt_malloc(k.n * sizeof *turns);
    for (uint32_t i = 0; i < k.n; i++) turns[i] = (turn){claims->at[i].kind, *saving_of(&k, i), i};
    qsort(turns, k.n, sizeof *turns, by_turn);
    for (uint32_t i = 0; i < k.n; i++) place(&k, turns[i].i);
    free(turns);
    gather(&k);
    tt_vec_free(&k.heads);
    free(k.roots);
}

/* ---- order ---- */

typedef struct block { /* a root and its symptoms: rows from `first` on */
    uint32_t first, n;
    bool doubt;
    int64_t saving;
} block;

static int by_saving(const void *a, const void *b)
{
    const block *x = a, *y = b;
    if (x->doubt != y->doubt) return x->doubt ? -1 : 1;
    if (x->saving != y->saving) return x->saving > y->saving ? -1 : 1; /* unknown is the least of all */
    return x->first < y->first ? -1 : x->first > y->first;
}

/* What makes all other findings doubtful. */
static bool doubts(const tt_table *t, uint32_t row)
{
    const char *id = tt_table_cell(t, row, (uint32_t)tt_table_column(t, "id")).s;
    const char *severity = tt_table_cell(t, row, (uint32_t)tt_table_column(t, "severity")).s;
    return !strcmp(id, "events_lost") && !strcmp(severity, "high");
}

void tt_findings_order(tt_table *t)
{
    uint32_t cause = (uint32_t)tt_table_column(t, "cause"), saving = (uint32_t)tt_table_column(t, "saving_ns");
    TT_VEC(block) blocks = {0};
    uint32_t *from = tt_malloc((t->n_rows + 1) * sizeof *from), n = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (cell(t, r, cause)->s && blocks.n)
            blocks.at[blocks.n - 1].n++;
        else
            *tt_vec_push(&blocks) = (block){r, 1, doubts(t, r), cell(t, r, saving)->i};
    }
    if (blocks.n) qsort(blocks.at, blocks.n, sizeof *blocks.at, by_saving);
    for (size_t b = 0; b < blocks.n; b++) {
        for (uint32_t i = 0; i < blocks.at[b].n; i++) from[n++] = blocks.at[b].first + i;
    }
    if (n) move_rows(t, from);
    tt_vec_free(&blocks);
    free(from);
}
