/* parser/run_session.c - see run_session.h. */
#include "parser/run_session.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "model/build/finish/finish.h"
#include "model/hang/hang.h"
#include "model/keys/graph_capture.h"
#include "parser/discover/key_files.h"
#include "parser/formats.h"

void tt_found_name_spans(tt_found_list *found)
{
    for (size_t i = 0; i < found->n; i++) {
        struct stat st;
        char span[32];
        tt_found *f = &found->at[i];
        if (stat(f->path, &st) || !S_ISREG(st.st_mode) || !tt_format_span(f->path, span, sizeof span)) continue;
        free(f->span);
        f->span = tt_strdup(span);
    }
}

tt_status tt_found_name_keys(tt_found_list *found, const char *const *paths, uint32_t n, tt_err *err)
{
    for (uint32_t i = 0; i < n; i++) {
        tt_found_list named = {0};
        TT_TRY(tt_discover(&paths[i], 1, &named, err));
        tt_key_files_named(found, &named);
        tt_found_free(&named);
    }
    return TT_OK;
}

static void free_loader(tt_key_loader *self) { free(self); }

static struct tt_keys *new_keys(const tt_found_key *const *found, uint32_t n,
                                tt_trace *(*load)(tt_key_loader *self, const char *path))
{
    tt_key_loader *loader = tt_malloc(sizeof *loader);
    const char **paths = tt_calloc(n + (size_t)1, sizeof *paths);
    *loader = (tt_key_loader){load, free_loader};
    for (uint32_t i = 0; i < n; i++) paths[i] = found[i]->path;
    tt_keys *keys = tt_keys_new(paths, n, loader);
    for (uint32_t i = 0; i < n; i++) tt_keys_say(keys, i, found[i]->batch);
    free(paths);
    return keys;
}

tt_session *tt_session_of_run(tt_trace **traces, size_t *n, const tt_found_list *found, const char *run,
                              tt_steps_source steps, tt_trace *(*load)(tt_key_loader *self, const char *path))
{
    uint32_t n_paths;
    size_t n_keys = 0, kept = 0;
    bool *is_key = tt_calloc(*n + 1, sizeof *is_key);
    const tt_found_key **by_path = tt_key_files_of_run(found, run, &n_paths);
    for (size_t i = 0; i < *n; i++) n_keys += is_key[i] = tt_trace_is_key(traces[i]);
    if (n_keys == *n) n_keys = 0;
    struct tt_keys *keys = n_keys || n_paths ? new_keys(by_path, n_paths, load) : NULL;
    for (size_t i = 0; i < *n; i++) {
        if (n_keys && is_key[i])
            tt_keys_add(keys, traces[i]);
        else
            traces[kept++] = traces[i];
    }
    *n = kept;
    for (size_t i = 0; i < kept && steps != TT_STEPS_NONE; i++)
        if (!traces[i]->summary) tt_trace_choose_steps(traces[i], steps);
    free(is_key);
    free(by_path);
    tt_hang_settle(traces, n);
    tt_session *s = tt_session_new(traces, (uint32_t)*n, run);
    tt_hang_note(s);
    tt_session_set_path(s, tt_found_run_path(found, run));
    tt_session_set_keys(s, keys);
    return s;
}
