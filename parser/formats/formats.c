/* parser/formats/formats.c - the table of formats. A new format is a folder with its reader and a line here. */
#include "parser/formats/formats.h"

#include <string.h>

#include "model/summary/tts.h"
#include "parser/ascend/reader.h"
#include "parser/chrome/reader.h"
#include "parser/flight/reader.h"
#include "parser/mindinsight/reader.h"
#include "parser/paddle_pb/event_text_pb.h"
#include "parser/paddle_pb/reader.h"
#include "parser/recording/reader.h"
#include "parser/snapshot/reader.h"
#include "parser/summary/reader.h"
#include "parser/xplane/reader.h"
#ifdef TT_HAVE_SQLITE
#include "parser/databases/reader.h"
#endif

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The order decides which of a folder's names hide others, and in which order contents are recognised. The last line
 * accepts everything. */
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
     .brings_tables = true,
     .many_forms = true},
    {.info = {"msprof", "msprof profile (folder)"},
     .looked_for = "PROF_*",
     .parts = tt_msprof_parts,
     .read = tt_read_msprof,
     .brings_tables = true,
     .many_forms = true},
    {.info = {"mindinsight", "MindInsight profile (folder)"},
     .looked_for = "folders of MindSpore's profiler",
     .parts = tt_mindinsight_parts,
     .read = tt_read_mindinsight,
     .brings_tables = true,
     .many_forms = true},
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
    {.info = {"flight_recorder", "flight recorder dump of PyTorch"},
     .looked_for = "dumps of a flight recorder, whatever their names",
     .recognise = tt_flight_sniff,
     .read = tt_read_flight},
    /* snapshot names are in the last name list of the next line: among profiles a snapshot is read only on request */
    {.info = {"snapshot", "memory snapshot of PyTorch (pickle)"},
     .looked_for = "*.pickle[.gz]",
     .recognise = tt_snapshot_sniff,
     .read = tt_read_snapshot},
    {.info = {"chrome", "Chrome trace (JSON)"},
     /* the last name list belongs to others: among profiles a snapshot or summary is read only on request, and files
      * that need their own tool's export get a hint (or --nsys-export) */
     .names = NAMES("*.trace.json|*trace*.json|rank*.json|onnxruntime_profile_*.json", "*.pickle", "*.nsys-rep|*.qdrep",
                    "*.tts"),
     .looked_for = "*trace*.json[.gz], rank*.json[.gz]",
     .recognise = tt_chrome_recognise,
     .framework = tt_chrome_framework,
     .span = tt_paddle_json_span,
     .read = tt_read_chrome},
};
const unsigned tt_n_formats = sizeof tt_formats / sizeof tt_formats[0];

const tt_format *tt_format_recognise(const char *head, size_t len)
{
    const tt_format *f = tt_formats, *last = &tt_formats[tt_n_formats - 1];
    while (f < last && !(f->recognise && f->recognise(head, len))) f++;
    return f;
}

bool tt_format_many_forms(const char *id)
{
    for (unsigned i = 0; i < tt_n_formats && id; i++)
        if (tt_formats[i].many_forms && !strcmp(tt_formats[i].info.id, id)) return true;
    return false;
}

const tt_format_info *tt_format_dialect(tt_read_fn *read, const char *id)
{
    for (unsigned i = 0; i < tt_n_formats; i++) {
        if (tt_formats[i].read == read && !strcmp(tt_formats[i].info.id, id)) return &tt_formats[i].info;
    }
    return NULL;
}
