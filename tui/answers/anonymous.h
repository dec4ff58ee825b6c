/* tui/answers/anonymous.h - a session whose traces have no names of a person's own: what is made of it (a database,
 * stacks, a summary) has none either, for it has seen no others.
 *
 * The selection is written as anonymous traces (tui/anonymise) to a private temporary folder of $TMPDIR, and loaded
 * again. Tables that a format brings beside its events are not in it. */
#ifndef TT_TUI_ANSWERS_ANONYMOUS_H
#define TT_TUI_ANSWERS_ANONYMOUS_H

#include "tui/args/open_session.h"
#include "tui/files/outfile_part.h"

typedef struct tt_anonymous {
    tt_session *session;
    tt_part part;     /* the folder, gone with the program however that ends */
    int under;        /* the folder that it lies in; -1 = none */
    char folder[240]; /* its path */
    TT_VEC(char *) files;
} tt_anonymous;

/* what: of export_trace.h. After an error, too, tt_anonymous_free(). */
tt_status tt_anonymous_make(const tt_cli *cli, const tt_session *s, const tt_scope *scope, unsigned what,
                            tt_anonymous *out, tt_err *err);
void tt_anonymous_free(tt_anonymous *a); /* the session, the files and their folder */

#endif
