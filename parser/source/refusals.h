/* parser/source/refusals.h - formats that are recognised but not read. */
#ifndef TT_PARSER_SOURCE_REFUSALS_H
#define TT_PARSER_SOURCE_REFUSALS_H

#include <stddef.h>

/* A format that is recognised but not read: the error says so and what to do instead. To support the format, move its
 * line to tt_formats. */
typedef struct tt_refusal {
    size_t n; /* number of first bytes; 0 = recognised by name only */
    const char *bytes;
    const char *holds;   /* text near the beginning of a JSON object; NULL = none */
    const char *endings; /* endings of names, separated by "|": a file with such a name that is no text is of this
                            format, too; NULL = none */
    const char *what;    /* completes "is %s" */
    const char
        *remedy; /* %s = the path, %o = the path with output_ending in place of its ending, both quoted for a shell */
    const char *output_ending;
    const char *tool; /* a program that reads the format, and the option that runs it; NULL = none */
    const char *option;
} tt_refusal;
extern const tt_refusal tt_refusals[];
extern const unsigned tt_n_refusals;

#endif
