/* parser/ascend/kernels.c - indexes the rows of kernel_details.csv by start and name. */
#include "parser/ascend/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "parser/ascend/kernel_rows.h"

/* ---- the index ---- */

typedef struct task {
    int64_t start;
    tt_sid name;
    uint32_t what;
} task;

typedef struct what { /* facts that many kernels share */
    tt_sid core, type, block, shapes;
} what;

struct tt_ascend_kernels {
    struct tt_ascend_groups groups;
    tt_groups of_name; /* keys: core | type, name */
    tt_groups combinations;
    TT_VEC(what) whats;
    TT_VEC(task) tasks;
    uint32_t *slot; /* hash table by start and name, with open addressing: index of task + 1 */
    uint64_t mask;
    atomic_bool asked;
};

static uint64_t place_of(int64_t start, uint64_t name_hash)
{
    return tt_hash_mix_((uint64_t)start ^ UINT64_C(0xA0761D6478BD642F), name_hash ^ UINT64_C(0xE7037ED1A0B428DB));
}

static tt_sid intern_text(tt_ascend_kernels *k, tt_csv_text t) { return tt_strings_put(&k->groups.text, t.at, t.n); }

static void differ(tt_sid *kept, tt_sid now)
{
    if (*kept != now) *kept = TT_ASCEND_SEVERAL;
}

static void group(tt_ascend_kernels *k, const tt_ascend_row *r, const what *w, tt_sid name)
{
    tt_sid stream = intern_text(k, r->stream);
    uint32_t at = tt_groups_put(&k->of_name, (tt_group_key){(uint64_t)w->core << 32 | w->type, name, 0});
    if (at == k->groups.list.n)
        *tt_vec_push(&k->groups.list) = (tt_ascend_group){w->core, w->type, name, stream, w->block, w->shapes, {0}};
    tt_ascend_group *g = &k->groups.list.at[at];
    differ(&g->stream, stream);
    differ(&g->block_dim, w->block);
    differ(&g->shapes, w->shapes);
    tt_stat_add(&g->ns, r->dur);
}

static void add(tt_ascend_kernels *k, const tt_ascend_row *r, bool find)
{
    const what w = {intern_text(k, r->core), intern_text(k, r->type), intern_text(k, r->block),
                    intern_text(k, r->shapes)};
    tt_sid name = intern_text(k, r->name);
    if (!r->collective) group(k, r, &w, name);
    if (!find || k->tasks.n == UINT32_MAX - 1) return;
    uint32_t at = tt_groups_put(&k->combinations,
                                (tt_group_key){(uint64_t)w.core << 32 | w.type, (uint64_t)w.block << 32 | w.shapes, 0});
    if (at == k->whats.n) *tt_vec_push(&k->whats) = w;
    *tt_vec_push(&k->tasks) = (task){r->start, name, at};
}

static void make_index(tt_ascend_kernels *k)
{
    uint64_t slots = 16;
    const tt_strings *text = &k->groups.text;
    while (slots < 2 * (uint64_t)k->tasks.n) slots *= 2;
    k->slot = tt_calloc(slots, sizeof *k->slot);
    k->mask = slots - 1;
    uint64_t *hash = tt_malloc(text->text.n * sizeof *hash); /* hash of each name */
    for (size_t i = 0; i < text->text.n; i++) hash[i] = tt_hash(text->text.at[i], text->len.at[i]);
    for (uint32_t i = 0; i < k->tasks.n; i++) {
        uint64_t at = place_of(k->tasks.at[i].start, hash[k->tasks.at[i].name]) & k->mask;
        while (k->slot[at]) at = (at + 1) & k->mask;
        k->slot[at] = i + 1;
    }
    free(hash);
}

tt_ascend_kernels *tt_ascend_kernels_read(tt_ascend *a, bool find)
{
    tt_ascend_row r;
    tt_ascend_kernels *k = tt_calloc(1, sizeof *k);
    tt_strings_init(&k->groups.text);
    tt_groups_init(&k->of_name);
    tt_groups_init(&k->combinations);
    tt_ascend_rows *rows = tt_ascend_rows_open(a);
    while (tt_ascend_rows_next(rows, &r)) {
        add(k, &r, find);
        if (a->device < 0 && r.device >= 0 && r.device < INT16_MAX) a->device = r.device;
    }
    tt_ascend_rows_close(rows);
    make_index(k);
    return k;
}

void tt_ascend_kernels_free(tt_ascend_kernels *k)
{
    if (!k) return;
    tt_strings_free(&k->groups.text);
    tt_groups_free(&k->of_name);
    tt_groups_free(&k->combinations);
    tt_vec_free(&k->groups.list);
    tt_vec_free(&k->whats);
    tt_vec_free(&k->tasks);
    free(k->slot);
    free(k);
}

static tt_task_text text_of(const tt_ascend_kernels *k, tt_sid id)
{
    return (tt_task_text){tt_str(&k->groups.text, id), k->groups.text.len.at[id]};
}

bool tt_ascend_kernels_find(tt_ascend_kernels *k, int64_t ts, const char *name, size_t len, tt_chrome_task *out)
{
    if (!atomic_load_explicit(&k->asked, memory_order_relaxed)) atomic_store(&k->asked, true);
    for (uint64_t at = place_of(ts, tt_hash(name, len)) & k->mask; k->slot[at]; at = (at + 1) & k->mask) {
        const task *t = &k->tasks.at[k->slot[at] - 1];
        tt_task_text own = text_of(k, t->name);
        if (t->start != ts || own.len != len || memcmp(own.at, name, len) != 0) continue;
        const what *w = &k->whats.at[t->what];
        out->core = text_of(k, w->core);
        out->type = text_of(k, w->type);
        out->block_dim = text_of(k, w->block);
        return true;
    }
    return false;
}

bool tt_ascend_kernels_asked(const tt_ascend_kernels *k) { return atomic_load(&k->asked); }
const struct tt_ascend_groups *tt_ascend_kernel_groups(const tt_ascend_kernels *k) { return &k->groups; }
