/* parser/source/refusals.c - see refusals.h. */
#include "parser/source/refusals.h"

/* Python's cProfile: a marshalled dict whose first key is a tuple of three. */
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
