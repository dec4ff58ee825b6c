/* tui/answers/anonymous.h - a session without names that a person chose. A database, stacks or a summary made from
 * it cannot contain such names.
 *
 * The selection is written as anonymous traces (tui/anonymise) to a private temporary folder below $TMPDIR, then
 * loaded again. Tables that a format brings beside its events are left out. */
#ifndef TT_TUI_ANSWERS_ANONYMOUS_H
#define TT_TUI_ANSWERS_ANONYMOUS_H

#include "tui/args/open_session.h"
#include "tui/files/outfile_part.h"

typedef struct tt_anonymous {
    tt_session *session;
    tt_part part;     /* the temporary folder; removed when the program ends, however it ends */
    int under;        /* descriptor of the folder around it; -1 = none */
    char folder[240]; /* path of the temporary folder */
    TT_VEC(char *) files;
} tt_anonymous;

/* Make an anonymous session. what: flags of export_trace.h. Call tt_anonymous_free() also after an error. */
tt_status tt_anonymous_make(const tt_cli *cli, const tt_session *s, const tt_scope *scope, unsigned what,
                            tt_anonymous *out, tt_err *err);
void tt_anonymous_free(tt_anonymous *a); /* free the session, remove the files and their folder */

#endif
