/* Self times of the slices of a track add up to the time that its outermost slices cover: on the sample traces, and
 * on the traces of TRACETTY_CORPUS when it is set. Where slices cross, time in two of them counts twice, so the sum
 * may only be larger. */
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "model/base/interval_set.h"
#include "tests/unit/check.h"
#include "tests/unit/made.h"

enum { LARGEST = 3000000 }; /* bytes as stored: larger traces only repeat the smaller ones */

/* One layer of a track: Python frames, or everything else. */
static void check_layer(const tt_trace *s, const tt_track *track, bool python, const int64_t *self, uint64_t *tracks)
{
    tt_ivs top = {0};
    int64_t sum = 0, covered;
    for (tt_row r = track->first; r < track->first + track->n; r++) {
        if (tt_kind_is_python(tt_row_kind(s, r)) != python) continue;
        CHECK(self[r] >= 0 && self[r] <= s->dur[r]);
        sum += self[r];
        if (s->parent[r] == TT_NONE) tt_ivs_add(&top, s->start[r], tt_row_end(s, r));
    }
    tt_ivs_normalise(&top);
    covered = tt_ivs_length(&top);
    if (track->crossing)
        CHECK(sum >= covered);
    else
        CHECK_INT(sum, covered);
    *tracks += sum > 0;
    tt_vec_free(&top);
}

static void check_file(const char *path, uint64_t *tracks)
{
    tt_session *session = load_trace(path);
    if (!session) return;
    for (uint32_t i = 0; i < session->n_traces; i++) {
        const tt_trace *s = session->traces[i];
        int64_t *self = tt_trace_self_ns(s);
        for (uint32_t t = 0; t < s->n_tracks; t++) {
            check_layer(s, &s->tracks[t], false, self, tracks);
            check_layer(s, &s->tracks[t], true, self, tracks);
        }
        free(self);
    }
    tt_session_free(session);
}

static void check_folder(const char *pattern, uint64_t *tracks)
{
    glob_t found;
    struct stat st;
    if (glob(pattern, 0, NULL, &found)) return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (stat(found.gl_pathv[i], &st) == 0 && st.st_size <= LARGEST) check_file(found.gl_pathv[i], tracks);
    globfree(&found);
}

int main(void)
{
    static const char *const kinds[] = {"pytorch", "amd", "paddle"};
    const char *corpus = getenv("TRACETTY_CORPUS");
    char pattern[4096];
    uint64_t tracks = 0;
    check_folder("assets/sample_*/*trace.json*", &tracks);
    check_folder("assets/sample_*/*timeline*.json*", &tracks);
    check_folder("assets/sample_*/*/*/trace_view.json*", &tracks);
    for (size_t i = 0; corpus && i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(pattern, sizeof pattern, "%s/traces/%s/*/*.json*", corpus, kinds[i]);
        check_folder(pattern, &tracks);
    }
    CHECK(tracks > 0);
    return check_done();
}
