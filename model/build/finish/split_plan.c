/* model/build/finish/split_plan.c - which parts a trace is split into, and the part of every process. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/build/finish/split.h"
#include "model/build/finish/split_internal.h"

int64_t tt_rank_in_name(const char *name)
{
    for (const char *p = strcasestr(name, "rank"); p; p = strcasestr(p + 1, "rank")) {
        if (p > name && isalpha((unsigned char)p[-1])) continue;
        const char *d = p + 4;
        while (*d && strchr(" _-:#=", *d)) d++;
        char *end;
        int64_t v = isdigit((unsigned char)*d) ? strtoll(d, &end, 10) : -1;
        if (v >= 0 && v < 1000000000) return v;
    }
    return -1;
}

static const char *process_name(const tt_trace *s, uint32_t p) { return tt_str(&s->strings, s->processes[p].name); }

/* The longest entry that prefixes a process name, as its index + 1; 0 = none. */
static uint32_t entry_of(const tt_strings *entries, const char *name)
{
    size_t n = strlen(name);
    for (;;) {
        tt_sid id = tt_strings_find(entries, name, n);
        if (id != UINT32_MAX && id) return id;
        do {
            if (!n) return 0;
            n--;
        } while (name[n] != ':' || name[n + 1] != ' ');
    }
}

/* Plan parts by the list of a merge, numbered in the order of its entries. */
static void plan_by_entry(tt_split *x, const tt_split_entry *list, uint32_t n_list)
{
    tt_strings entries;
    TT_VEC(uint32_t) first = {0}; /* by name: its entry in the list */
    tt_strings_init(&entries);
    *tt_vec_push(&first) = 0;
    for (uint32_t i = 0; i < n_list; i++)
        if (tt_strings_put(&entries, list[i].name, strlen(list[i].name)) == first.n) *tt_vec_push(&first) = i;
    uint32_t n = (uint32_t)entries.text.n, *entry = tt_malloc(x->s->n_processes * sizeof *entry);
    uint32_t *part = tt_calloc(n, sizeof *part);
    for (uint32_t p = 0; p < x->s->n_processes; p++) {
        entry[p] = entry_of(&entries, process_name(x->s, p));
        if (entry[p]) part[entry[p]] = 1;
    }
    x->name = tt_calloc(n, sizeof *x->name);
    for (uint32_t i = 1; i < n; i++) {
        if (!part[i]) continue;
        const tt_split_entry *e = &list[first.at[i]];
        x->name[x->n] = (tt_split_name){.worker = tt_strdup(e->worker),
                                        .span = e->span ? tt_strdup(e->span) : NULL,
                                        .rank = tt_rank_in_name(e->worker),
                                        .prefix = tt_strdup(e->name)};
        part[i] = x->n++;
    }
    for (uint32_t p = 0; p < x->s->n_processes; p++) x->of_process[p] = entry[p] ? part[entry[p]] : TT_NONE;
    x->by_entry = true;
    tt_vec_free(&first);
    free(part);
    free(entry);
    tt_strings_free(&entries);
}

/* By process: whether it has steps on its threads, or a rank, so stands for itself. */
static bool *with_steps_or_rank(const tt_trace *s)
{
    bool *is = tt_calloc(s->n_processes + 1u, sizeof *is);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        if (s->steps[i].row == TT_NONE) continue;
        const tt_track *t = &s->tracks[tt_row_track(s, s->steps[i].row)];
        if (t->kind != TT_TRACK_STREAM) is[t->process] = true;
    }
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        if (s->tracks[t].kind != TT_TRACK_THREAD || !s->tracks[t].n) continue;
        uint32_t p = s->tracks[t].process;
        if (!is[p]) is[p] = tt_rank_in_name(process_name(s, p)) >= 0;
    }
    return is;
}

static void plan_by_process(tt_split *x)
{
    tt_trace *s = x->s;
    bool *is = with_steps_or_rank(s);
    tt_strings names;
    TT_VEC(uint32_t) taken = {0}; /* by name: number of parts that want it */
    tt_strings_init(&names);
    *tt_vec_push(&taken) = 2; /* reserve the empty name */
    for (uint32_t p = 0; p < s->n_processes; p++) {
        if (!is[p]) continue;
        tt_sid id = tt_strings_put(&names, process_name(s, p), strlen(process_name(s, p)));
        if (id == taken.n) *tt_vec_push(&taken) = 0;
        taken.at[id]++;
    }
    x->name = tt_calloc(s->n_processes + 1u, sizeof *x->name);
    for (uint32_t p = 0; p < s->n_processes; p++) {
        x->of_process[p] = TT_NONE;
        if (!is[p]) continue;
        tt_arena a = {0};
        const char *name = process_name(s, p), *pid = tt_str(&s->strings, s->processes[p].pid);
        int64_t rank = tt_rank_in_name(name);
        if (taken.at[tt_strings_find(&names, name, strlen(name))] > 1) {
            name = rank >= 0 ? tt_arena_printf(&a, "rank %lld", (long long)rank) : tt_arena_printf(&a, "pid %s", pid);
        }
        x->name[x->n] = (tt_split_name){.worker = tt_strdup(name), .rank = rank};
        x->of_process[p] = x->n++;
        tt_arena_free(&a);
    }
    tt_vec_free(&taken);
    tt_strings_free(&names);
    free(is);
}

void tt_split_forget_names(tt_split *x)
{
    for (uint32_t p = 0; p < x->n; p++) {
        free(x->name[p].worker);
        free(x->name[p].span);
        free(x->name[p].prefix);
    }
    free(x->name);
    x->name = NULL;
    x->n = 0;
    x->by_entry = false;
}

void tt_split_plan(tt_split *x, const tt_split_entry *entries, uint32_t n_entries)
{
    x->of_process = tt_malloc((x->s->n_processes + 1u) * sizeof *x->of_process);
    if (x->s->n_processes > 1 && n_entries > 1) plan_by_entry(x, entries, n_entries);
    if (x->n >= 2) return;
    tt_split_forget_names(x);
    if (x->s->n_processes > 1) plan_by_process(x);
}
