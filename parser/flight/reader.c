/* parser/flight/reader.c - recognises dumps of flight recorders and loads them. See reader.h. */
#include "parser/flight/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/build/finish/finish.h"
#include "model/text/json_text.h"
#include "parser/flight/internal.h"

#define HOW "a dump has 'version', and any of 'pg_config', 'pg_status' and 'entries'"

/* ---- recognition ---- */

static bool is_pickle(const char *head, size_t len)
{
    return len >= 2 && (unsigned char)head[0] == 0x80 && head[1] >= 2 && head[1] <= 5;
}

static bool holds(const char *head, size_t len, const char *word)
{
    return memmem(head, len, word, strlen(word)) != NULL;
}

static bool sniff_pickle(const char *head, size_t len)
{
    static const char *const words[] = {"pg_config", "pg_status", "collective_seq_id", "profiling_name"};
    if (!is_pickle(head, len)) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (holds(head, len, words[i])) return true;
    return holds(head, len, "entries") && holds(head, len, "version");
}

static bool sniff_json(const char *head, size_t len)
{
    const char *end = head + len, *p = tt_json_blanks(head, end);
    bool entries = false, version = false;
    tt_json_member m;
    if (p == end || *p++ != '{') return false;
    while (tt_json_next(&p, end, &m)) {
        if (tt_json_is(&m, "traceEvents") || tt_json_is(&m, "schemaVersion")) return false;
        if (m.value_n && *m.value == '{' && (tt_json_is(&m, "pg_config") || tt_json_is(&m, "pg_status"))) return true;
        entries |= tt_json_is(&m, "entries") && m.value_n && *m.value == '[';
        version |= tt_json_is(&m, "version") && m.value_n && *m.value == '"';
    }
    return entries && (version || holds(head, len, "\"collective_seq_id\""));
}

bool tt_flight_sniff(const char *head, size_t len) { return sniff_pickle(head, len) || sniff_json(head, len); }

/* ---- reading ---- */

static void start(tt_fl *s, const tt_reader_names *names)
{
    tt_builder_init(&s->b);
    tt_build_header_init(&s->h, &tt_rules_flight, names->path, names->worker, names->span, names->rank);
    s->h.format = names->format;
    s->path = names->path;
    s->out = tt_calloc(1, sizeof *s->out);
    tt_strings_init(&s->call_keys);
    for (int i = 0; i < TT_FLIGHT_UNSAID; i++)
        s->states[i] = tt_strings_put(&s->h.strings, tt_flight_state_name[i], strlen(tt_flight_state_name[i]));
}

static void stop(tt_fl *s)
{
    tt_builder_free(&s->b);
    tt_strings_free(&s->call_keys);
    tt_vec_free(&s->names);
    tt_vec_free(&s->name_of);
}

static tt_status read_source(tt_fl *s, tt_source *source, tt_err *err)
{
    char head[2];
    size_t got = 0;
    TT_TRY(tt_source_read(source, head, sizeof head, &got, err));
    TT_TRY(tt_source_rewind(source, err));
    return is_pickle(head, got) ? tt_fl_read_pickle(s, source, err) : tt_fl_read_json(s, source, err);
}

static tt_status complete(const tt_fl *s, tt_err *err)
{
    if (atomic_load(&s->progress->cancel)) return TT_OK;
    if (!s->out->version)
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: looks like a dump of a flight recorder, but it has no version%s; " HOW
                       ", and PyTorch before 2.3 wrote no version: record it again with a later one",
                       s->path, s->cut ? ", as it is cut off before that; copy it again" : "");
    if (!s->has_entries && !s->has_groups && !s->has_status)
        return tt_fail(err, TT_ERR_INPUT, -1,
                       "%s: looks like a dump of a flight recorder, but nothing follows its "
                       "version; " HOW,
                       s->path);
    return TT_OK;
}

static void note_version(tt_fl *s)
{
    enum { NEWEST = 2 };
    const char *v = tt_str(&s->h.strings, s->out->version);
    size_t n = strspn(v, "0123456789");
    if (!n || n > 4 || tt_fl_number(v, n) > NEWEST)
        tt_problem_add(&s->h.problems, TT_PROBLEM_UNKNOWN_VERSION, -1, v, strlen(v));
}

static void keep(tt_fl *s, const char *path)
{
    tt_flight *o = s->out;
    struct stat st;
    bool file = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    o->changed = file ? (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec : TT_UNKNOWN;
#define MOVE(list, count) (o->list = s->list.at, o->count = (uint32_t)s->list.n)
    MOVE(entries, n_entries);
    MOVE(calls, n_calls);
    MOVE(groups, n_groups);
    MOVE(runs, n_runs);
    MOVE(status, n_status);
#undef MOVE
    o->n_all = o->n_entries;
}

static tt_trace *finish(tt_fl *s, tt_source *source, unsigned threads)
{
    tt_builder *builder = &s->b;
    note_version(s);
    tt_fl_settle(s);
    int64_t rank = tt_fl_rank(s, s->path);
    tt_fl_slices(s, rank);
    keep(s, s->path);
    tt_read_note(source, s->progress, s->h.text_bytes, &s->h.problems);
    s->h.rank = rank;
    atomic_store(&s->progress->phase, "sorting and linking");
    tt_trace *t = tt_build_finish(&builder, 1, &s->h, &tt_build_plain, true, threads);
    if (rank >= 0) {
        tt_arena a = {0};
        free(t->worker);
        t->worker = tt_strdup(tt_arena_printf(&a, "rank %" PRId64, rank));
        tt_arena_free(&a);
    }
    t->problems.of[TT_PROBLEM_CROSSING_SLICES] = (tt_problem){.offset = -1}; /* calls of one group overlap by nature */
    t->flight = s->out;
    t->text = tt_fl_text(t);
    return t;
}

tt_status tt_read_flight(tt_input *in, const tt_reader_names *names, unsigned threads, tt_reader_progress *progress,
                         const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    tt_source *source;
    tt_fl s = {.progress = progress, .hooks = hooks};
    *out = NULL;
    TT_TRY(tt_input_open(in, TT_INPUT_FILE, &source, err));
    start(&s, names);
    atomic_store(&progress->phase, "reading");
    tt_status st = read_source(&s, source, err);
    if (st == TT_OK) st = complete(&s, err);
    if (st == TT_OK) {
        *out = finish(&s, source, threads);
    } else {
        keep(&s, s.path);
        tt_flight_free(s.out);
        tt_build_header_free(&s.h);
    }
    stop(&s);
    return st;
}
