/* From paths to a session, in the background: see load.h. One coordinator thread takes the files in their order, and
 * each reader has its own threads; if there are many files, one thread reads each, ahead of the coordinator. */
#include "parser/load.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "model/base/run/ahead.h"
#include "model/base/run/background.h"
#include "model/base/run/parallel.h"
#include "model/keys/graph_capture.h"
#include "parser/discover/discover.h"
#include "parser/discover/file_name.h"
#include "parser/discover/inputs.h"
#include "parser/discover/key_files.h"
#include "parser/discover/tool.h"
#include "parser/formats.h"
#include "parser/limits.h"
#include "parser/run_session.h"
#include "parser/twins.h"
#include "parser/workers.h"

typedef struct reading { /* reading of one file */
    tt_load *load;
    tt_input *input; /* guarded by the load's lock; NULL = not begun, or done */
    tt_trace *trace; /* trace read from the file, until it is taken */
    tt_err err;
    bool beside;   /* other files are read at the same time */
    uint64_t size; /* stored size with all parts; 0 = unknown */
    bool plain;    /* a regular file outside of archives */
} reading;

struct tt_load {
    pthread_t thread;
    bool started;
    tt_load_options options;
    char *worker, *span, *wanted_run;
    bool worker_inside; /* options.worker names one of several workers in a file, not the file's worker */
    char **paths;
    uint32_t n_paths;
    tt_reader_progress progress;
    tt_watch watch;
    _Atomic(const reading *) refused; /* the file whose reading met a limit */
    atomic_bool done, cancelled;      /* cancelled: by the caller; progress.cancel is set by a limit, too */
    struct timespec t0;
    pthread_mutex_t lock; /* guards the members below */
    reading *readings;    /* one for each input found */
    size_t n_readings;
    uint64_t bytes_before; /* stored bytes of the files done */
    uint64_t bytes_all;    /* stored bytes of all files; 0 = unknown */
    uint32_t file, n_files;
    char path[256];
    double seconds;            /* final duration */
    tt_file_ids inputs;        /* complete before the first trace exists */
    TT_VEC(tt_trace *) traces; /* traces of the files done */
    TT_VEC(size_t) found_at;   /* index of each trace's input in the list found */
    tt_strings spans;          /* WORKER/SPAN of each loaded trace, to detect duplicates */
    tt_trace *preview;         /* the file being read, not taken yet */
    bool more;                 /* files done that no preview contains; only if several are read at once */
    char *run;
    /* belongs to the coordinator, then to tt_load_finish() */
    tt_session *session;
    tt_err err;
    TT_VEC(char) warnings;
    bool reducing;       /* the traces do not fit into memory together: each is reduced after it is read */
    tt_arena ceiling;    /* texts for the memory ceiling */
    tt_ahead *ahead;     /* reads files ahead; NULL = one file after another */
    size_t *files;       /* indices of the wanted inputs in the list found */
    double next_preview; /* in seconds since the start */
};

static double seconds_since(const struct timespec *t0)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)(t.tv_sec - t0->tv_sec) + (double)(t.tv_nsec - t0->tv_nsec) * 1e-9;
}

static void warn(tt_load *l, const char *text)
{
    size_t n = strlen(text);
    tt_vec_reserve(&l->warnings, l->warnings.n + n + 2);
    memcpy(l->warnings.at + l->warnings.n, text, n);
    l->warnings.n += n;
    l->warnings.at[l->warnings.n++] = '\n';
    l->warnings.at[l->warnings.n] = 0;
}

static void notify(const tt_load *l)
{
    if (l->options.notify) l->options.notify(l->options.notify_arg);
}

/* The reading of this file met a limit: end all readings. */
static void refuse(const reading *r)
{
    const reading *none = NULL;
    (void)atomic_compare_exchange_strong(&r->load->refused, &none, r);
    atomic_store(&r->load->progress.cancel, true);
}

static void on_notify(void *arg)
{
    reading *r = arg;
    tt_load *l = r->load;
    uint64_t events = atomic_load_explicit(&l->progress.events, memory_order_relaxed);
    uint64_t text = atomic_load_explicit(&l->progress.text_bytes, memory_order_relaxed);
    if (!tt_watch_look(&l->watch, events, text)) refuse(r);
    notify(l);
}

static void on_too_long(void *arg, uint64_t offset, bool header)
{
    reading *r = arg;
    tt_watch_too_long(&r->load->watch, offset, header);
    refuse(r);
}

static void on_preview(void *arg, tt_trace *trace)
{
    reading *r = arg;
    tt_load *l = r->load;
    pthread_mutex_lock(&l->lock);
    tt_trace *old = l->preview;
    l->preview = trace;
    pthread_mutex_unlock(&l->lock);
    tt_trace_free(old);
    on_notify(r);
}

/* Open the file itself, or the database that its own tool exported. */
static tt_input *input_of(tt_load *l, const tt_found_list *found, const tt_found *f, const tt_exported *exported)
{
    if (!*exported->path) return tt_found_input(found, f, &l->progress.cancel);
    tt_input *in = tt_input_new(f->path, &l->progress.cancel);
    tt_input_add(in, TT_INPUT_FILE, exported->path, NULL, "");
    return in;
}

/* Read one file. If it cannot be read this is an error if it was the only input, else a warning. */
static void read_file(tt_load *l, const tt_found_list *found, size_t i, unsigned threads)
{
    const tt_found *f = &found->at[i];
    reading *r = &l->readings[i];
    tt_exported exported = {0};
    r->err = (tt_err){.offset = -1};
    if (l->options.nsys_export && !f->archive && !f->parts.n && tt_is_nsys_report(f->path)) {
        atomic_store(&l->progress.phase, TT_PHASE_EXPORT);
        on_notify(r); /* the export takes minutes */
        if (tt_nsys_export(f->path, &l->progress.cancel, &exported, &r->err) != TT_OK) return;
    }
    tt_input *in = input_of(l, found, f, &exported);
    pthread_mutex_lock(&l->lock);
    snprintf(l->path, sizeof l->path, "%s", f->path);
    r->input = in;
    pthread_mutex_unlock(&l->lock);
    const tt_reader_names names = {.path = f->path, .worker = f->worker, .span = f->span, .rank = f->rank};
    const tt_reader_hooks hooks = {.notify = on_notify,
                                   .preview = l->options.preview && !r->beside ? on_preview : NULL,
                                   .preview_after = l->options.preview_after,
                                   .too_long = on_too_long,
                                   .element_most = l->watch.limits.element,
                                   .all_events = l->options.all_events,
                                   .past = l->options.past,
                                   .arg = r};
    if (tt_read_trace(in, f->format, &names, threads, &l->progress, &hooks, &r->trace, &r->err) != TT_OK) {
        pthread_mutex_lock(&l->lock);
        r->input = NULL; /* hide the input from progress */
        pthread_mutex_unlock(&l->lock);
        tt_input_free(in);
    }
    tt_exported_remove(&exported); /* an open database stays readable after removal */
}

/* ---- several at once ---- */

/* If there are fewer files for each thread than this, all threads read one file after another, unless all files
 * together are small. */
enum { FILES_EACH = 2, SMALL_BYTES = 1 << 21 };

typedef struct ahead_arg {
    tt_load *l;
    const tt_found_list *found;
} ahead_arg;

static void read_ahead(void *arg, size_t k)
{
    const ahead_arg *a = arg;
    size_t i = a->l->files[k];
    a->l->readings[i].beside = true;
    if (!atomic_load(&a->l->progress.cancel)) read_file(a->l, a->found, i, 1);
}

static bool worth_reading_ahead(const tt_load *l, const tt_found_list *found)
{
    bool small = l->bytes_all && l->bytes_all <= SMALL_BYTES && l->n_files > 1; /* threads would wait for each other */
    bool many = l->n_files >= FILES_EACH * l->options.threads;
    if (l->options.threads < 2 || !(many || (small && l->n_files >= l->options.threads)) || l->reducing) return false;
    for (uint32_t k = 0; k < l->n_files; k++) { /* files of an archive share it, a pipe waits for its writer */
        const tt_found *f = &found->at[l->files[k]];
        if (!l->readings[l->files[k]].plain && (f->archive || !f->parts.n)) return false;
    }
    return !l->options.nsys_export; /* nsys uses the whole machine */
}

static void begin_ceiling(tt_load *l, const char *path)
{
    tt_mem_ceiling(l->watch.limits.memory, tt_limits_words(&l->watch.limits, path, &l->ceiling));
}

static void end_ceiling(tt_load *l)
{
    tt_mem_ceiling(0, NULL);
    tt_arena_free(&l->ceiling);
    l->ceiling = (tt_arena){0};
}

/* Stop reading ahead. Traces that were read but not taken are freed; their files can be read again. */
static void end_ahead(tt_load *l)
{
    tt_ahead_end(l->ahead);
    if (!l->ahead) return;
    l->ahead = NULL;
    end_ceiling(l);
    for (size_t i = 0; i < l->n_readings; i++) {
        reading *r = &l->readings[i];
        r->beside = false;
        pthread_mutex_lock(&l->lock);
        tt_input *in = r->input;
        r->input = NULL;
        pthread_mutex_unlock(&l->lock);
        tt_trace_free(r->trace);
        r->trace = NULL;
        tt_input_free(in);
    }
}

/* The trace of the k-th file; NULL = none, err says why. */
static tt_trace *load_file(tt_load *l, const tt_found_list *found, size_t k, tt_err *err)
{
    reading *r = &l->readings[l->files[k]];
    if (l->ahead)
        tt_ahead_wait(l->ahead, k);
    else
        read_file(l, found, l->files[k], l->options.threads);
    tt_trace *trace = r->trace;
    r->trace = NULL;
    *err = r->err;
    return trace;
}

typedef struct parts { /* traces made from one file */
    tt_trace **at;
    uint32_t n;
} parts;

static void parts_free(parts *p)
{
    for (uint32_t i = 0; i < p->n; i++) tt_trace_free(p->at[i]);
    free(p->at);
    *p = (parts){0};
}

/* Whether a preview is due: after one second, then whenever the time since the start has doubled. */
static bool time_for_preview(tt_load *l)
{
    if (!l->ahead || !l->options.preview) return false;
    double t = seconds_since(&l->t0);
    if (t < (l->next_preview > 0 ? l->next_preview : l->options.preview_after)) return false;
    l->next_preview = 2 * t;
    return true;
}

/* The input was read: hide it from progress and take over its traces. */
static void forget_input(tt_load *l, size_t i, uint64_t bytes, parts *done)
{
    bool more = time_for_preview(l);
    pthread_mutex_lock(&l->lock);
    tt_input *in = l->readings[i].input;
    l->readings[i].input = NULL;
    for (uint32_t k = 0; k < done->n; k++) *tt_vec_push(&l->traces) = done->at[k];
    free(done->at);
    *done = (parts){0};
    tt_trace *old = l->preview;
    l->preview = NULL;
    l->more |= more;
    l->bytes_before += bytes;
    l->file++;
    pthread_mutex_unlock(&l->lock);
    tt_input_free(in);
    tt_trace_free(old);
    if (more) notify(l);
}

static bool wanted(const tt_load *l, const tt_found_list *found, const tt_found *f, const char *run)
{
    return !strcmp(f->run, run) && (!l->worker || l->worker_inside || !strcmp(l->worker, f->worker)) &&
           (!l->span || !strcmp(l->span, f->span)) && !tt_key_files_name(found, f->path);
}

/* The worker asked for may be one of several inside the only file, since no file has its name. */
static bool may_be_inside(const tt_load *l, const tt_found_list *found, const char *run)
{
    size_t files = 0;
    for (size_t i = 0; i < found->n; i++) {
        if (strcmp(found->at[i].run, run) != 0) continue;
        files++;
        if (l->worker && !strcmp(l->worker, found->at[i].worker)) return false;
    }
    return l->worker && files == 1;
}

/* Keep only the worker that was asked for. An error names the workers in the file. */
static void choose_inside(tt_load *l, parts *p, const char *path, tt_err *err)
{
    uint32_t kept = 0;
    tt_arena a = {0};
    const char *list = "";
    for (uint32_t i = 0; i < p->n; i++) {
        bool mine = !strcmp(p->at[i]->worker, l->worker);
        if (!mine && strlen(list) < 600)
            list = tt_arena_printf(&a, "%s%s%s", list, *list ? ", " : "", p->at[i]->worker);
        if (mine)
            p->at[kept++] = p->at[i];
        else
            tt_trace_free(p->at[i]);
    }
    p->n = kept;
    if (!kept) tt_fail(err, TT_ERR_USAGE, -1, "no worker '%s' in %s; there are: %s", l->worker, path, list);
    tt_arena_free(&a);
}

static void nothing_wanted(tt_load *l, const tt_found_list *found, const char *run)
{
    TT_VEC(char) list = {0};
    for (size_t i = 0; i < found->n; i++) {
        char one[300];
        if (strcmp(found->at[i].run, run) != 0) continue;
        int n = snprintf(one, sizeof one, "%s%s/%s", list.n ? ", " : "", found->at[i].worker, found->at[i].span);
        size_t len = n < (int)sizeof one ? (size_t)n : sizeof one - 1;
        if (list.n + len > 600) break;
        tt_vec_reserve(&list, list.n + len + 1);
        memcpy(list.at + list.n, one, len + 1);
        list.n += len;
    }
    tt_fail(&l->err, TT_ERR_USAGE, -1, "no worker '%s' with span '%s'; there are (worker/span): %s",
            l->worker ? l->worker : "*", l->span ? l->span : "*", list.n ? list.at : "none");
    tt_vec_free(&list);
}

/* Two files of one worker may name their spans alike: the later one adds its stamp, or else its path. */
static void distinguish_span(tt_load *l, tt_trace *s, const tt_found *f)
{
    tt_arena a = {0};
    const char *key = tt_arena_printf(&a, "%s/%s", s->worker, s->span);
    uint32_t known = (uint32_t)l->spans.text.n;
    if (tt_strings_put(&l->spans, key, strlen(key)) < known) {
        const char *span = tt_arena_printf(&a, "%s (%s)", s->span, *f->stamp ? f->stamp : f->path);
        free(s->span);
        s->span = tt_strdup(span);
    }
    tt_arena_free(&a);
}

/* A file under two names would count twice: argument of the search for such twins. */
struct twin_arg {
    tt_load *l;
    const tt_found_list *found;
};

static tt_status open_again(void *arg, size_t i, tt_source **out, tt_err *err)
{
    const struct twin_arg *t = arg;
    if (atomic_load(&t->l->progress.cancel)) return TT_ERR_CANCELLED;
    if (!t->l->traces.at[i]->text_bytes) return TT_ERR_USAGE; /* another worker of the same file */
    if (t->found->at[t->l->found_at.at[i]].parts.n) return TT_ERR_USAGE;
    const tt_found *f = &t->found->at[t->l->found_at.at[i]];
    if (!f->archive) return tt_source_open_stop(f->path, &t->l->progress.cancel, out, err);
    return tt_source_open_member(t->found->archives.at[f->archive - 1].archive, f->member, out, err);
}

static void tell_twins(void *arg, const tt_trace *one, const tt_trace *other, bool sure)
{
    const struct twin_arg *t = arg;
    tt_arena a = {0};
    warn(t->l,
         tt_arena_printf(&a,
                         sure ? "%s and %s have the same content; what is in them counts twice"
                              : "%s and %s may have the same content: their numbers of events and bytes and their "
                                "times are the same, they are too large to be compared; then what is in them "
                                "counts twice",
                         one->path, other->path));
    tt_arena_free(&a);
}

static void warn_twins(tt_load *l, const tt_found_list *found)
{
    struct twin_arg t = {l, found};
    const tt_twin_hooks hooks = {open_again, tell_twins, &t};
    tt_twins_find(l->traces.at, l->traces.n, &hooks);
}

/* A refused load leaves no trace. */
static void forget_traces(tt_load *l)
{
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < l->traces.n; i++) tt_trace_free(l->traces.at[i]);
    l->traces.n = 0;
    pthread_mutex_unlock(&l->lock);
}

/* The first file read from an archive carries the archive's problems. */
static void tell_archive(tt_found_list *found, const tt_found *f, tt_trace *s)
{
    if (!f->archive) return;
    tt_problems *p = &found->archives.at[f->archive - 1].problems;
    tt_problems_merge(&s->problems, p);
    *p = (tt_problems){0};
}

/* ---- more files than fit into memory ---- */

/* Estimate: a trace takes a quarter of its text, text unpacks to nine times its stored size, and each trace has tables
 * of names. */
enum { OF_TEXT = 4, PACKED = 9, EACH = 128 << 10 };

static uint64_t needs(const tt_found *f, uint64_t size)
{
    const char *name = strrchr(f->path, '/');
    name = name ? name + 1 : f->path;
    bool packed = name[tt_discover_uncompressed(name)] != 0;
    return size * (packed ? PACKED : 1) / OF_TEXT + EACH;
}

static void start_reducing(tt_load *l, const char *why)
{
    tt_arena a = {0};
    warn(l, tt_arena_printf(&a,
                            "the %u traces do not fit into memory together (%s): each was summarised when it was read; "
                            "open one of them to see its events",
                            l->n_files, why));
    tt_arena_free(&a);
    l->reducing = true;
}

/* Estimate from the sizes of the files, before any is read, whether traces must be reduced. */
static void foresee(tt_load *l, const tt_found_list *found)
{
    uint64_t sum = 0;
    if (!l->options.reduce || l->n_files < 2) return;
    for (uint32_t k = 0; k < l->n_files; k++) sum += needs(&found->at[l->files[k]], l->readings[l->files[k]].size);
    if (sum <= l->watch.limits.memory) return;
    tt_arena a = {0};
    start_reducing(l, tt_arena_printf(&a, "about %llu MiB, of %llu MiB that they may take",
                                      (unsigned long long)sum >> 20, (unsigned long long)l->watch.limits.memory >> 20));
    tt_arena_free(&a);
}

/* A file was refused because the other traces take the memory: reduce them and read the file again. False = that does
 * not help. */
static bool make_room(tt_load *l)
{
    if (!l->options.reduce || l->reducing || !l->traces.n || l->n_files < 2 || !tt_watch_forgive(&l->watch))
        return false;
    start_reducing(l, "less than the sizes of the files said is free");
    for (size_t i = 0; i < l->traces.n; i++) {
        tt_trace *reduced = l->options.reduce(tt_trace_ref(l->traces.at[i]));
        pthread_mutex_lock(&l->lock);
        tt_trace *was = l->traces.at[i];
        l->traces.at[i] = reduced;
        pthread_mutex_unlock(&l->lock);
        tt_trace_free(was);
    }
    atomic_store(&l->refused, NULL);
    atomic_store(&l->progress.cancel, atomic_load(&l->cancelled));
    return true;
}

static void measure(const tt_found *f, reading *r)
{
    struct stat st;
    for (size_t i = 0; i < f->parts.n; i++)
        if (!stat(f->parts.at[i].path, &st)) r->size += (uint64_t)st.st_size;
    if (f->parts.n || stat(f->path, &st) || !S_ISREG(st.st_mode)) return;
    r->size = (uint64_t)st.st_size;
    r->plain = !f->archive;
}

/* Choose the files of the run to open, and make a reading for each. */
static void choose_files(tt_load *l, const tt_found_list *found, const char *run)
{
    uint32_t files = 0;
    uint64_t bytes = 0;
    bool known = true;
    reading *all = tt_calloc(found->n, sizeof *all);
    l->files = tt_calloc(found->n, sizeof *l->files);
    for (size_t i = 0; i < found->n; i++) {
        all[i].load = l;
        if (!wanted(l, found, &found->at[i], run)) continue;
        l->files[files++] = i;
        measure(&found->at[i], &all[i]);
        bytes += all[i].size;
        known &= all[i].plain;
    }
    pthread_mutex_lock(&l->lock);
    l->bytes_all = known ? bytes : 0;
    l->readings = all;
    l->n_readings = found->n;
    l->n_files = files;
    pthread_mutex_unlock(&l->lock);
}

typedef enum taken { TAKEN, NOTHING, AGAIN, REFUSED } taken;

/* Load the k-th file and take its traces; NOTHING = none, err says why. */
static taken take_file(tt_load *l, tt_found_list *found, size_t k, tt_err *err)
{
    size_t i = l->files[k];
    const tt_found *f = &found->at[i];
    parts all = {0};
    tt_watch_file(&l->watch);
    if (!l->ahead) begin_ceiling(l, f->path);
    tt_trace *s = load_file(l, found, k, err);
    if (s) tell_archive(found, f, s);
    if (s) all.at = tt_workers_of(s, &all.n);
    if (!l->ahead) end_ceiling(l);
    uint64_t done = 0, total = 0;
    if (all.n && l->readings[i].input) tt_input_position(l->readings[i].input, &done, &total);
    if (all.n && l->worker_inside) choose_inside(l, &all, f->path, err);
    for (uint32_t n = 0; n < all.n; n++) distinguish_span(l, all.at[n], f);
    const reading *by = atomic_load(&l->refused);
    const char *path = by ? found->at[by - l->readings].path : f->path;
    bool refused = tt_watch_status(&l->watch, path, &l->err) != TT_OK;
    if (refused) parts_free(&all);
    if (refused) end_ahead(l);
    bool again = refused && make_room(l);
    for (uint32_t n = 0; l->reducing && n < all.n; n++) all.at[n] = l->options.reduce(all.at[n]);
    for (uint32_t n = 0; n < all.n; n++) *tt_vec_push(&l->found_at) = i;
    bool any = all.n > 0, left = !s && err->code == TT_OK; /* left: cancelled before it began */
    forget_input(l, i, done, &all);
    return again ? AGAIN : refused ? REFUSED : any || left ? TAKEN : NOTHING;
}

/* False = a limit refused the load. */
static bool take_files(tt_load *l, tt_found_list *found)
{
    /* keep the files read ahead before the cancelling */
    for (size_t k = 0; k < l->n_files && (l->ahead || !atomic_load(&l->progress.cancel)); k++) {
        tt_err err = {.offset = -1};
        switch (take_file(l, found, k, &err)) {
        case TAKEN: break;
        case AGAIN:
            l->err = (tt_err){.offset = -1};
            k--;
            break;
        case REFUSED: forget_traces(l); return false;
        case NOTHING:
            if (err.code == TT_ERR_CANCELLED) break;
            if (l->n_files > 1) warn(l, err.message);
            if (l->err.code == TT_OK) l->err = err;
        }
    }
    return true;
}

static void name_run(tt_load *l, const char *run)
{
    pthread_mutex_lock(&l->lock);
    free(l->run);
    l->run = tt_strdup(run);
    pthread_mutex_unlock(&l->lock);
}

/* Read a key as if the user had named it alone. A trace whose path alone made it a key must hold captures. */
static tt_trace *load_key(tt_key_loader *self, const char *path)
{
    (void)self;
    tt_err err;
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &(tt_load_options){.background = true}), NULL, &err);
    tt_trace *trace = NULL;
    for (uint32_t i = 0; s && i < s->n_traces && !trace; i++)
        if (!tt_key_path(path, NULL) || tt_trace_is_key(s->traces[i])) trace = tt_trace_ref(s->traces[i]);
    tt_session_free(s);
    return trace;
}

static void load_run(tt_load *l, tt_found_list *found, const char *run)
{
    name_run(l, run);
    l->worker_inside = may_be_inside(l, found, run);
    choose_files(l, found, run);
    foresee(l, found);
    ahead_arg arg = {l, found};
    if (worth_reading_ahead(l, found)) {
        begin_ceiling(l, l->paths[0]);
        l->ahead = tt_ahead_start(l->options.threads, l->n_files, read_ahead, &arg);
    }
    bool all = take_files(l, found);
    end_ahead(l);
    if (!all) return;
    warn_twins(l, found);
    if (!*run) tt_twins_ranks(l->traces.at, l->traces.n);
    if (l->traces.n) {
        l->session = tt_session_of_run(l->traces.at, &l->traces.n, found, run, l->options.steps, load_key);
        tt_session_set_inputs(l->session, &l->inputs);
    } else if (!l->n_files) {
        nothing_wanted(l, found, run);
    } else if (l->cancelled) {
        tt_fail(&l->err, TT_ERR_CANCELLED, -1, "reading was cancelled before anything was read");
    }
}

/* No file of the run could be read: prepare for another run. */
static void forget_run(tt_load *l)
{
    pthread_mutex_lock(&l->lock);
    free(l->files);
    free(l->readings);
    l->files = NULL;
    l->readings = NULL;
    l->n_readings = 0;
    l->file = l->n_files = 0;
    l->bytes_before = l->bytes_all = 0;
    pthread_mutex_unlock(&l->lock);
    l->err = (tt_err){.code = TT_OK, .offset = -1};
}

/* Load the newest run that can be read. */
static void load_newest(tt_load *l, tt_found_list *found)
{
    tt_err first = {.offset = -1};
    tt_arena a = {0};
    size_t at = 0;
    for (size_t i = 0; i < found->runs.n && !l->session; i++) {
        at = i;
        if (i) forget_run(l);
        load_run(l, found, found->runs.at[i].name);
        if (!i) first = l->err;
        if (l->session || l->err.code != TT_ERR_INPUT || atomic_load(&l->progress.cancel)) break;
        if (i + 1 < found->runs.n)
            warn(l, tt_arena_printf(&a, "run '%s' is newer and cannot be read: %s", found->runs.at[i].name,
                                    l->err.message));
    }
    if (l->session && found->runs.n > 1) warn(l, tt_found_words(found, l->paths[0], at, &a));
    if (!l->session && l->err.code == TT_ERR_INPUT) l->err = first;
    tt_arena_free(&a);
}

static void load_found(tt_load *l, tt_found_list *found, bool chosen, size_t run)
{
    if (l->span) tt_found_name_spans(found);
    if (tt_found_name_keys(found, l->options.graph_keys, l->options.n_graph_keys, &l->err) != TT_OK) return;
    tt_inputs_found(&l->inputs, (const char *const *)l->paths, l->n_paths, found);
    if (chosen)
        load_run(l, found, found->runs.at[run].name);
    else
        load_newest(l, found);
}

static void look_and_load(tt_load *l)
{
    const tt_discover_how how = {.run = l->wanted_run, .stop = &l->progress.cancel};
    tt_found_list found = {0};
    size_t run = 0;
    if (tt_discover_as((const char *const *)l->paths, l->n_paths, &how, &found, &l->err) == TT_OK) {
        bool choose = l->wanted_run && l->n_paths == 1;
        *tt_vec_push(&found.warnings) = 0;
        for (char *save = NULL, *w = strtok_r(found.warnings.at, "\n", &save); w; w = strtok_r(NULL, "\n", &save))
            warn(l, w);
        if (!choose || tt_found_choose(&found, l->paths[0], l->wanted_run, &run, &l->err) == TT_OK)
            load_found(l, &found, choose, run);
    }
    tt_found_free(&found);
}

static void *coordinate(void *arg)
{
    tt_load *l = arg;
    if (l->options.found)
        load_found(l, l->options.found, true, l->options.found_run);
    else
        look_and_load(l);
    pthread_mutex_lock(&l->lock);
    l->seconds = seconds_since(&l->t0);
    pthread_mutex_unlock(&l->lock);
    atomic_store(&l->progress.phase, "done");
    atomic_store(&l->done, true);
    notify(l);
    return NULL;
}

static void *coordinate_thread(void *arg)
{
    tt_load *l = arg;
    if (l->options.background) tt_background();
    return coordinate(l);
}

tt_load *tt_load_start(const char *const *paths, uint32_t n, const tt_load_options *o)
{
    tt_load *l = tt_calloc(1, sizeof *l);
    if (o) l->options = *o;
    if (!l->options.threads) l->options.threads = tt_threads();
    l->worker = o && o->worker ? tt_strdup(o->worker) : NULL;
    l->span = o && o->span ? tt_strdup(o->span) : NULL;
    l->wanted_run = o && o->run ? tt_strdup(o->run) : NULL;
    l->paths = tt_calloc(n, sizeof *l->paths);
    l->n_paths = n;
    for (uint32_t i = 0; i < n; i++) l->paths[i] = tt_strdup(paths[i]);
    l->err.offset = -1;
    tt_strings_init(&l->spans);
    tt_limits_init(&l->watch.limits, l->options.max_memory, l->options.max_events);
    clock_gettime(CLOCK_MONOTONIC, &l->t0);
    pthread_mutex_init(&l->lock, NULL);
    atomic_store(&l->progress.phase, "looking for traces");
    l->started = !pthread_create(&l->thread, NULL, coordinate_thread, l);
    if (!l->started) coordinate(l); /* no thread could be started: load in the foreground */
    return l;
}

void tt_load_progress(const tt_load *cl, tt_progress *out)
{
    tt_load *l = (tt_load *)(uintptr_t)cl; /* the lock is not part of the value */
    *out = (tt_progress){.done = atomic_load(&l->done),
                         .events = atomic_load(&l->progress.events),
                         .text_bytes = atomic_load(&l->progress.text_bytes),
                         .phase = atomic_load(&l->progress.phase)};
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < l->n_readings; i++) {
        uint64_t done, total;
        if (!l->readings[i].input) continue;
        tt_input_position(l->readings[i].input, &done, &total);
        out->bytes_done += done;
        out->bytes_total += total;
    }
    if (out->bytes_total) out->bytes_total += l->bytes_before;
    out->bytes_done += l->bytes_before;
    if (out->bytes_total && out->bytes_total < l->bytes_all) out->bytes_total = l->bytes_all;
    out->file = l->file;
    out->n_files = l->n_files;
    memcpy(out->path, l->path, sizeof out->path);
    out->seconds = out->done ? l->seconds : seconds_since(&l->t0);
    pthread_mutex_unlock(&l->lock);
}

tt_session *tt_load_preview(tt_load *l)
{
    tt_session *s = NULL;
    pthread_mutex_lock(&l->lock);
    if (l->preview || (l->more && l->traces.n)) {
        size_t n = l->traces.n, extra = l->preview != NULL;
        tt_trace **all = tt_malloc((n + extra) * sizeof *all);
        for (size_t i = 0; i < n; i++) all[i] = tt_trace_ref(l->traces.at[i]);
        if (extra) all[n] = l->preview;
        l->preview = NULL;
        l->more = false;
        s = tt_session_new(all, (uint32_t)(n + extra), l->run);
        tt_session_set_inputs(s, &l->inputs);
        free(all);
    }
    pthread_mutex_unlock(&l->lock);
    return s;
}

void tt_load_cancel(tt_load *l)
{
    atomic_store(&l->cancelled, true);
    atomic_store(&l->progress.cancel, true);
}

tt_session *tt_load_finish(tt_load *l, char **warnings, tt_err *err)
{
    if (l->started) pthread_join(l->thread, NULL);
    tt_session *s = l->session;
    if (!s && err) *err = l->err;
    if (warnings) {
        *warnings = l->warnings.at;
    } else {
        tt_vec_free(&l->warnings);
    }
    for (uint32_t i = 0; i < l->n_paths; i++) free(l->paths[i]);
    tt_vec_free(&l->traces);
    tt_vec_free(&l->inputs);
    tt_vec_free(&l->found_at);
    tt_strings_free(&l->spans);
    free(l->run);
    free(l->files);
    free(l->readings);
    free(l->paths);
    free(l->worker);
    free(l->span);
    free(l->wanted_run);
    pthread_mutex_destroy(&l->lock);
    free(l);
    return s;
}
