/* The table of formats, and what is decided by it: see formats.h. A new format is a folder with its reader and a
 * line here. */
#include "parser/formats.h"

#include <string.h>
#include <sys/stat.h>

#include "model/summary/tts.h"

#include "parser/ascend/reader.h"
#include "parser/chrome/reader.h"
#ifdef TT_HAVE_SQLITE
#include "parser/databases/reader.h"
#endif
#include "parser/mindinsight/reader.h"
#include "parser/paddle_pb/event_text_pb.h"
#include "parser/paddle_pb/reader.h"
#include "parser/recording/reader.h"
#include "parser/snapshot/reader.h"
#include "parser/source/archive.h"
#include "parser/summary/reader.h"
#include "parser/xplane/reader.h"

#define HEAD ((size_t)64 << 10)
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* In the order in which names hide each other in a folder and contents are recognised. The last one takes
 * everything. */
const tt_format tt_formats[] = {
    {.info = {"tracetty", "recording of tracetty"},
     .names = NAMES("*.ttspool"),
     .looked_for = "*.ttspool",
     .recognise = tt_spool_sniff,
     .read = tt_read_spool},
    {.info = {"summary", "summary of tracetty"},
     .looked_for = "*.tts",
     .recognise = tt_tts_sniff,
     .read = tt_read_summary,
     .brings_tables = true},
    {.info = {"pytorch", "PyTorch profile (JSON)"},
     .names = NAMES("*.pt.trace.json"),
     .looked_for = "*.pt.trace.json[.gz]",
     .read = tt_read_chrome},
    {.info = {"paddle", "Paddle profile (JSON)"},
     .names = NAMES("*.paddle_trace.json"),
     .looked_for = "*.paddle_trace.json",
     .read = tt_read_chrome},
    {.info = {"paddle", "Paddle profile (protobuf)"},
     .names = NAMES("*.paddle_trace.pb"),
     .looked_for = "*.paddle_trace.pb",
     .recognise = tt_paddle_pb_sniff,
     .span = tt_paddle_pb_span,
     .read = tt_read_paddle_pb,
     .members = tt_pb_members,
     .json = tt_event_of_dump},
    {.info = {"xplane", "XLA profile (XSpace)"},
     .names = NAMES("*.xplane.pb"),
     .copied_as = ".trace.json",
     .copy_lacks = "XLA cuts it at 1 million events",
     .looked_for = "*.xplane.pb",
     .recognise = tt_xplane_sniff,
     .read = tt_read_xplane},
    {.info = {"ascend", "Ascend profile (folder)"},
     .looked_for = "*_ascend_pt, *_ascend_ms",
     .parts = tt_ascend_parts,
     .read = tt_read_ascend,
     .brings_tables = true},
    {.info = {"msprof", "msprof profile (folder)"},
     .looked_for = "PROF_*",
     .parts = tt_msprof_parts,
     .read = tt_read_msprof,
     .brings_tables = true},
    {.info = {"mindinsight", "MindInsight profile (folder)"},
     .looked_for = "folders of MindSpore's profiler",
     .parts = tt_mindinsight_parts,
     .read = tt_read_mindinsight,
     .brings_tables = true},
    {.info = {"ascend", "Ascend profile of torch_npu (JSON)"},
     .names = NAMES("trace_view.json"),
     .looked_for = "trace_view.json",
     .read = tt_read_chrome},
    {.info = {"mindinsight", "MindSpore timeline of MindInsight (JSON)"},
     .names = NAMES("*timeline_display_*.json"),
     .looked_for = "*timeline_display_*.json",
     .read = tt_read_chrome},
    {.info = {"msprof", "Ascend profile of msprof (JSON)"},
     .names = NAMES("msprof_*.json"),
     .looked_for = "msprof_*.json",
     .read = tt_read_chrome},
#ifdef TT_HAVE_SQLITE
    {.info = {"nsys", "Nsight Systems export (SQLite)"},
     .names = NAMES("*.sqlite"),
     .looked_for = "*.sqlite",
     .read = tt_read_database},
    {.info = {"rpd", "rocmProfileData (SQLite)"},
     .names = NAMES("*.rpd"),
     .looked_for = "*.rpd",
     .read = tt_read_database},
    {.info = {"rocpd", "rocprofv3 database (SQLite)"},
     .names = NAMES("*_results.db"),
     .looked_for = "*_results.db",
     .recognise = tt_database_sniff,
     .read = tt_read_database},
#endif
    /* its names come after all others, as the last of the next line: beside profiles a snapshot is asked for */
    {.info = {"snapshot", "memory snapshot of PyTorch (pickle)"},
     .looked_for = "*.pickle[.gz]",
     .recognise = tt_snapshot_sniff,
     .read = tt_read_snapshot},
    {.info = {"chrome", "Chrome trace (JSON)"},
     /* the last ones are not its own: beside profiles a snapshot or a summary is asked for, and what its own tool has
      * to export first says how, or --nsys-export does it */
     .names = NAMES("*.trace.json|*trace*.json|rank*.json|onnxruntime_profile_*.json", "*.pickle", "*.nsys-rep|*.qdrep",
                    "*.tts"),
     .looked_for = "*trace*.json[.gz], rank*.json[.gz]",
     .recognise = tt_chrome_recognise,
     .framework = tt_chrome_framework,
     .span = tt_paddle_json_span,
     .read = tt_read_chrome},
};
const unsigned tt_n_formats = sizeof tt_formats / sizeof tt_formats[0];

/* Python's cProfile: a marshalled dict, whose first key is a tuple of three. */
#define PSTATS(magic)                                                                                                  \
    {                                                                                                                  \
        .n = sizeof magic - 1, .bytes = magic,                                                                         \
        .what = "a profile of Python's cProfile, which holds sums and no trace",                                       \
        .remedy = "view it with: python3 -m pstats %s"                                                                 \
    }

const tt_refusal tt_refusals[] = {
    {.n = 8,
     .bytes = "PERFILE2",
     .what = "a recording of Linux perf, which holds samples and no trace",
     .remedy = "view it with: perf report -i %s"},
    {.n = 4,
     .bytes = "NVR\0",
     .endings = ".ncu-rep",
     .what = "a report of Nsight Compute, which holds counters of single kernels and no trace",
     .remedy = "view it with: ncu --import %s"},
    PSTATS("{)\3"),
    PSTATS("\xFB)\3"),
    PSTATS("{\xA9\3"),
    PSTATS("\xFB\xA9\3"),
    PSTATS("{(\3\0\0\0"),
    PSTATS("\xFB(\3\0\0\0"),
    PSTATS("{\xA8\3\0\0\0"),
    PSTATS("\xFB\xA8\3\0\0\0"),
    {.holds = "\"https://www.speedscope.app/file-format-schema.json\"",
     .what = "a profile for speedscope, which holds stacks and no trace",
     .remedy = "view it in https://www.speedscope.app, or open the trace that it was made from"},
    {.n = 29,
     .bytes = "NVIDIA Tegra Profiler Report ",
     .endings = ".nsys-rep|.qdrep",
     .what = "a report of Nsight Systems, which only its own tool can read",
     .remedy = "export it: nsys export --type sqlite --output %o %s",
     .output_ending = ".sqlite",
     .tool = "nsys",
     .option = "--nsys-export"},
#ifndef TT_HAVE_SQLITE
    {.n = 16,
     .bytes = "SQLite format 3\0",
     .what = "an SQLite database, and this tracetty was built without libsqlite3",
     .remedy = "install libsqlite3-dev, build it again, and open the database of Nsight Systems, rocprofv3 or rpd"},
#endif
};
const unsigned tt_n_refusals = sizeof tt_refusals / sizeof tt_refusals[0];

/* The beginning of the text; the source stands at its start again afterwards. */
static tt_status peek(tt_source *source, char *head, size_t *len, tt_err *err)
{
    *len = 0;
    for (size_t got = 1; got && *len < HEAD; *len += got) {
        tt_status st = tt_source_read(source, head + *len, HEAD - *len, &got, err);
        if (st == TT_ERR_CANCELLED && *len + got) break; /* what was read is kept */
        TT_TRY(st);
    }
    return tt_source_rewind(source, err);
}

static const tt_format *format_of(const char *head, size_t len)
{
    const tt_format *f = tt_formats, *last = &tt_formats[tt_n_formats - 1];
    while (f < last && !(f->recognise && f->recognise(head, len))) f++;
    return f;
}

const tt_format_info *tt_format_dialect(tt_read_fn *read, const char *id)
{
    for (unsigned i = 0; i < tt_n_formats; i++) {
        if (tt_formats[i].read == read && !strcmp(tt_formats[i].info.id, id)) return &tt_formats[i].info;
    }
    return NULL;
}

static tt_status read_trace(tt_input *in, const tt_format *format, const tt_reader_names *names, unsigned threads,
                            tt_reader_progress *progress, const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    tt_reader_names with = *names;
    if (!format) {
        char head[HEAD];
        size_t len;
        tt_source *source;
        TT_TRY(tt_input_open_part(in, 0, &source, err));
        TT_TRY(peek(source, head, &len, err));
        format = format_of(head, len);
    }
    with.format = &format->info;
    return format->read(in, &with, threads, progress, hooks, out, err);
}

/* The reading was cancelled. The text ended where the reader stopped, not where the file ends, so neither the reader's
 * error nor its problems about an end or about missing parts say anything about the file. */
static tt_status cancelled(const char *path, tt_trace **out, tt_err *err)
{
    static const tt_problem_kind of_the_end[] = {
        TT_PROBLEM_MALFORMED_EVENT, TT_PROBLEM_TRUNCATED,       TT_PROBLEM_UNCLOSED_LIST,
        TT_PROBLEM_BAD_COMPRESSION, TT_PROBLEM_BAD_ROW,         TT_PROBLEM_BAD_TABLE,
        TT_PROBLEM_MISSING_FILE,    TT_PROBLEM_UNMATCHED_BEGIN, TT_PROBLEM_UNLINKED_DEVICE_WORK,
        TT_PROBLEM_UNCLEAN_END,     TT_PROBLEM_SUMMARY_DAMAGED, TT_PROBLEM_NO_TIMESTAMP};
    tt_trace *t = *out;
    if (t && (t->n_events || t->n_imported)) {
        for (size_t i = 0; i < sizeof of_the_end / sizeof *of_the_end; i++)
            t->problems.of[of_the_end[i]] = (tt_problem){.offset = -1};
        return TT_OK;
    }
    tt_trace_free(t);
    *out = NULL;
    return tt_fail(err, TT_ERR_CANCELLED, -1, "%s: reading was cancelled before an event was read", path);
}

tt_status tt_read_trace(tt_input *in, const tt_format *format, const tt_reader_names *names, unsigned threads,
                        tt_reader_progress *progress, const tt_reader_hooks *hooks, tt_trace **out, tt_err *err)
{
    *out = NULL;
    tt_status st = read_trace(in, format, names, threads, progress, hooks, out, err);
    return atomic_load(&progress->cancel) ? cancelled(names->path, out, err) : st;
}

tt_input *tt_found_input(const tt_found_list *list, const tt_found *f, const _Atomic bool *stop)
{
    tt_input *in = tt_input_new(f->path, stop);
    struct tt_archive *archive = f->archive ? list->archives.at[f->archive - 1].archive : NULL;
    if (!f->parts.n) tt_input_add(in, TT_INPUT_FILE, f->path, archive, f->member);
    for (size_t i = 0; i < f->parts.n; i++)
        tt_input_add(in, f->parts.at[i].role, f->parts.at[i].path, archive, f->parts.at[i].member);
    return in;
}

/* The format of the file at path, which begins with head; NULL when it cannot be read. */
static const tt_format *look(const char *path, char *head, size_t *len)
{
    tt_source *source;
    tt_err err;
    if (tt_source_open(path, &source, &err) != TT_OK) return NULL;
    const tt_format *f = peek(source, head, len, &err) == TT_OK ? format_of(head, *len) : NULL;
    tt_source_close(source);
    return f;
}

bool tt_format_span(const char *path, char *out, size_t cap)
{
    char head[HEAD];
    size_t len;
    const tt_format *f = look(path, head, &len);
    return f && f->span && f->span(head, len, out, cap);
}

static bool may_bring(const tt_found *f)
{
    char head[HEAD];
    size_t len;
    struct stat st;
    if (f->format) return f->format->brings_tables;
    if (!f->archive && (stat(f->path, &st) != 0 || !S_ISREG(st.st_mode))) return true;
    const tt_format *format = look(f->path, head, &len);
    return format && format->brings_tables;
}

bool tt_formats_bring_tables(const char *const *paths, uint32_t n)
{
    bool any = false;
    tt_err err;
    for (unsigned i = 0; i < tt_n_formats; i++) any = any || tt_formats[i].brings_tables;
    tt_found_list found = {0};
    if (!any || tt_discover(paths, n, &found, &err) != TT_OK) return false;
    any = false;
    for (size_t i = 0; i < found.n && !any; i++) any = may_bring(&found.at[i]);
    tt_found_free(&found);
    return any;
}
