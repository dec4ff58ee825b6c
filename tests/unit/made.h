// Load a trace file for a test, or write one from the test's events and load it.
#ifndef TT_TESTS_UNIT_MADE_H
#define TT_TESTS_UNIT_MADE_H
#include <stdio.h>
#include <stdlib.h>

#include "parser/load.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

// Load with two threads; NULL counts as a failed check.
static inline tt_session *load_trace(const char *path)
{
    tt_load_options o = {.threads = 2};
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(&path, 1, &o), NULL, &err);
    CHECK(s != NULL);
    if (!s) fprintf(stderr, "    %s: %s\n", path, err.message);
    return s;
}

typedef struct made_trace {
    FILE *f; // the test prints events here, each followed by a comma and a line end
    char *text;
    size_t len;
} made_trace;

static inline void made_begin(made_trace *m)
{
    m->f = open_memstream(&m->text, &m->len);
    fputs("{\"schemaVersion\":1,\"traceEvents\":[\n", m->f);
}

// Write the trace into the folder of temp_begin() and load it.
static inline tt_session *made_load(made_trace *m)
{
    fputs("{}]}\n", m->f);
    fclose(m->f);
    tt_session *s = load_trace(temp_file("made.pt.trace.json", m->text, m->len));
    free(m->text);
    return s;
}

#endif
