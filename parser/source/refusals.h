/* parser/source/refusals.h - formats that are known and not read. */
#ifndef TT_PARSER_SOURCE_REFUSALS_H
#define TT_PARSER_SOURCE_REFUSALS_H

#include <stddef.h>

/* Known, but not read: said outright, with what to do instead. To read such a file, its line moves to tt_formats. */
typedef struct tt_refusal {
    size_t n; /* the first bytes of the file; 0 = by its name alone */
    const char *bytes;
    const char *holds;   /* text in the beginning of a JSON object; NULL */
    const char *endings; /* of names, "|" between them: a file of such a name is one too, unless it is text; NULL */
    const char *what;    /* "is %s" */
    const char
        *remedy; /* %s = the path, %o = the path with output_ending instead of one of the endings, quoted for a shell */
    const char *output_ending;
    const char *tool; /* a program that reads it, and the option that runs it; NULL */
    const char *option;
} tt_refusal;
extern const tt_refusal tt_refusals[];
extern const unsigned tt_n_refusals;

#endif
