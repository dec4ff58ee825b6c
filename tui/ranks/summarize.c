/* tui/ranks/summarize.c - see summarize.h. */
#include "tui/ranks/summarize.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/base/sort_by.h"
#include "model/keys/keys.h"
#include "model/summary/stub.h"
#include "model/tables/summary/make.h"
#include "parser/discover/discover.h"
#include "parser/discover/inputs.h"
#include "tui/files/outfile.h"

/* ---- which files are whose ---- */

typedef struct piece { /* one input of the run */
    const tt_found *found;
    uint64_t bytes;
    size_t at;  /* index in the list of inputs found */
    bool alone; /* its path holds no other input */
} piece;

static uint64_t bytes_at(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

static uint64_t bytes_of(const tt_found *f)
{
    uint64_t sum = f->parts.n ? 0 : bytes_at(f->path);
    for (size_t i = 0; i < f->parts.n; i++) sum += bytes_at(f->parts.at[i].path);
    return sum;
}

static int by_size(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    int c = strcmp(x->found->path, y->found->path);
    return c ? c : (x->at > y->at) - (x->at < y->at);
}

typedef TT_VEC(piece) pieces;

/* Divide the inputs: the largest first, each to the part with the least bytes so far. Every task of a job computes
 * the same division. */
static void keep_part(pieces *l, uint64_t part, uint64_t parts)
{
    size_t kept = 0;
    uint64_t n = parts < l->n ? parts : l->n; /* if there are more parts than files, the last parts stay empty */
    uint64_t *load = tt_calloc((size_t)n + 1, sizeof *load);
    qsort(l->at, l->n, sizeof *l->at, by_size);
    for (size_t i = 0; i < l->n; i++) {
        uint64_t least = 0;
        for (uint64_t k = 1; k < n; k++)
            if (load[k] < load[least]) least = k;
        load[least] += l->at[i].bytes + 1;
        if (least == part) l->at[kept++] = l->at[i];
    }
    l->n = kept;
    free(load);
    TT_SORT_BY(l->at, l->n, TT_ASC(piece, at));
}

/* The inputs of the run. */
static pieces pieces_of(const tt_found_list *found, const char *run)
{
    pieces l = {0};
    for (size_t i = 0; i < found->n; i++) {
        const tt_found *f = &found->at[i];
        if (strcmp(f->run, run) != 0) continue;
        *tt_vec_push(&l) = (piece){f, bytes_of(f), i, true};
    }
    tt_strings seen;
    TT_VEC(size_t) first = {0};
    tt_strings_init(&seen);
    *tt_vec_push(&first) = 0;
    for (size_t i = 0; i < l.n; i++) {
        tt_sid id = tt_strings_put(&seen, l.at[i].found->path, strlen(l.at[i].found->path));
        if (id < first.n)
            l.at[i].alone = l.at[first.at[id]].alone = false;
        else
            *tt_vec_push(&first) = i;
    }
    tt_vec_free(&first);
    tt_strings_free(&seen);
    return l;
}

/* ---- one file ---- */

static void add_trace(const tt_session *session, uint32_t part, tt_tts_union *out)
{
    tt_trace *s = session->traces[part];
    const tt_summary *x = tt_summary_of(s);
    if (x && part) return; /* the first trace of a summary file added the whole file */
    if (x) {
        tt_tts_union_file(out, tt_tts_ref(tt_summary_source(x)->file));
        return;
    }
    char *full = s->path ? realpath(s->path, NULL) : NULL;
    tt_tts_making *m = tt_calloc(1, sizeof *m);
    tt_summary_make(s, tt_session_keys(session), full ? full : s->path ? s->path : "", part, m);
    free(full);
    tt_tts_union_made(out, m);
}

static void warn_lines(const tt_summarize_spec *spec, char *lines)
{
    for (char *save = NULL, *l = lines ? strtok_r(lines, "\n", &save) : NULL; l; l = strtok_r(NULL, "\n", &save))
        spec->warn(spec->arg, l);
    free(lines);
}

/* The summary of one file, computed while the next file is read. */
typedef struct making {
    pthread_t thread;
    bool started;
    tt_session *s; /* NULL: no summary is being computed */
    tt_tts_union *out;
} making;

static void *make_all(void *arg)
{
    const making *m = arg;
    for (uint32_t i = 0; i < m->s->n_traces; i++) add_trace(m->s, i, m->out);
    return NULL;
}

static void making_end(making *m)
{
    if (m->s && m->started) pthread_join(m->thread, NULL);
    tt_session_free(m->s);
    m->s = NULL;
}

static void making_begin(making *m, tt_session *s, tt_tts_union *out)
{
    making_end(m);
    m->s = s;
    m->out = out;
    m->started = !pthread_create(&m->thread, NULL, make_all, m);
    if (!m->started) make_all(m);
}

static bool add_file(const tt_summarize_spec *spec, tt_found_list *found, size_t run, const piece *p, making *m,
                     tt_tts_union *out, tt_err *err)
{
    tt_load_options o = *spec->load;
    char *warnings = NULL;
    const char *path = p->found->path;
    o.run = NULL;
    /* the path holds further inputs, or keys of the run lie elsewhere: read this input only */
    if (!p->alone || p->found->parts.n || found->keys.n) {
        o.worker = p->found->worker;
        o.span = p->found->span;
        o.found = found;
        o.found_run = run;
    }
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), &warnings, err);
    warn_lines(spec, warnings);
    if (!s) return false;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        char text[600];
        if (!tt_problems_matter(&s->traces[i]->problems)) continue;
        snprintf(text, sizeof text, "%s: summarised with repairs; 'tracetty check' explains", s->traces[i]->path);
        spec->warn(spec->arg, text);
    }
    making_begin(m, s, out);
    return true;
}

static tt_status add_all(const tt_summarize_spec *spec, tt_found_list *found, size_t run, tt_tts_union *out,
                         uint32_t *failed, tt_err *err)
{
    pieces l = pieces_of(found, found->runs.at[run].name);
    if (spec->parts > 1) keep_part(&l, spec->part, spec->parts);
    tt_status st = TT_OK;
    tt_err first = {.code = TT_OK};
    making m = {0};
    for (size_t i = 0; i < l.n && st == TT_OK; i++) {
        tt_err one;
        if (spec->progress && !spec->progress(spec->arg, (uint32_t)i, (uint32_t)l.n))
            st = tt_fail(err, TT_ERR_CANCELLED, -1, "cancelled");
        if (st != TT_OK || add_file(spec, found, run, &l.at[i], &m, out, &one)) continue;
        ++*failed;
        if (first.code == TT_OK) first = one;
        if (l.n > 1) spec->warn(spec->arg, one.message);
    }
    making_end(&m);
    if (st == TT_OK && l.n && *failed == l.n) {
        *err = first;
        st = first.code;
    }
    tt_vec_free(&l);
    return st;
}

/* Choose the run asked for, else the newest, with a warning that names it. */
static tt_status choose(const tt_summarize_spec *spec, const tt_found_list *found, size_t *run, tt_err *err)
{
    tt_arena a = {0};
    TT_TRY(tt_found_choose(found, spec->paths[0], spec->n_paths == 1 ? spec->load->run : NULL, run, err));
    if (!spec->load->run && found->runs.n > 1) spec->warn(spec->arg, tt_found_words(found, spec->paths[0], *run, &a));
    tt_arena_free(&a);
    return TT_OK;
}

tt_status tt_summarize(const tt_summarize_spec *spec, tt_tts_union *out, uint32_t *failed, tt_file_ids *inputs,
                       tt_err *err)
{
    const tt_discover_how how = {.run = spec->load->run};
    tt_found_list found = {0};
    size_t run;
    *failed = 0;
    TT_TRY(tt_discover_as(spec->paths, spec->n_paths, &how, &found, err));
    *tt_vec_push(&found.warnings) = 0;
    if (*found.warnings.at) warn_lines(spec, tt_strdup(found.warnings.at));
    if (inputs) tt_inputs_found(inputs, spec->paths, spec->n_paths, &found);
    tt_status st = choose(spec, &found, &run, err);
    if (st == TT_OK) st = add_all(spec, &found, run, out, failed, err);
    tt_found_free(&found);
    tt_tts_union_settle(out);
    return st;
}

void tt_summarize_session(const tt_session *s, tt_tts_union *out)
{
    for (uint32_t i = 0; i < s->n_traces; i++) add_trace(s, i, out);
    tt_tts_union_settle(out);
}

tt_status tt_summarize_write(const tt_tts_union *u, const char *to, const tt_file_ids *inputs, tt_err *err)
{
    tt_outfile *o = tt_outfile_open(to, 0, inputs, err);
    if (!o) return err->code;
    tt_status st = tt_tts_union_write(u, tt_outfile_write, o, err);
    tt_status end = tt_outfile_close(o, st == TT_OK, st == TT_OK ? err : NULL);
    return st != TT_OK ? st : end;
}
