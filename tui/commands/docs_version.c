/* tui/commands/docs_version.c - what --version prints. The only file that knows the commit (the Makefile passes
 * TT_COMMIT), so that a new commit recompiles nothing else. */
#include "tui/commands/docs.h"

#ifndef TT_COMMIT
#define TT_COMMIT "" /* built from a source archive */
#endif
#ifndef TT_PORTABLE
#define TT_PORTABLE 0
#endif
#ifndef TT_HAVE_ISAL
#define TT_HAVE_ISAL 0
#endif
#ifndef TT_HAVE_ZSTD
#define TT_HAVE_ZSTD 0
#endif
#ifndef TT_HAVE_SQLITE
#define TT_HAVE_SQLITE 0
#endif
#ifndef TT_HAVE_CAIRO
#define TT_HAVE_CAIRO 0
#endif

/* Optional libraries. */
static const struct {
    const char *name, *gives;
    bool here;
} features[] = {
    {"ISA-L", "fast gzip", TT_HAVE_ISAL},
    {"zstd", ".zst files", TT_HAVE_ZSTD},
    {"SQLite", "databases, SQL", TT_HAVE_SQLITE},
    {"cairo", "PNG pictures", TT_HAVE_CAIRO},
};

static void put_features(FILE *f, const char *head, bool here)
{
    const char *before = head;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        if (features[i].here != here) continue;
        fprintf(f, "%s%s (%s)", before, features[i].name, features[i].gives);
        before = ", ";
    }
    if (before != head) fputc('\n', f);
}

void tt_docs_version(FILE *f)
{
    fprintf(f, "tracetty %s\n", TT_VERSION);
    if (*TT_COMMIT) fprintf(f, "commit: %s\n", TT_COMMIT);
    fprintf(f, "build: %s\n", TT_PORTABLE ? "portable (needs only the C library)" : "with the system's libraries");
    put_features(f, "features: ", true);
    put_features(f, "missing: ", false);
    fputs("at run time: CUPTI, NVML, nsys ('tracetty doctor' says what is there)\n", f);
}
