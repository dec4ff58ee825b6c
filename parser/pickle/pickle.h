/* parser/pickle/pickle.h - the data of a Python pickle, protocols 0 to 5, without anything that could run.
 *
 * The opcodes that are read stand in opcodes.def; those that name or run code are refused with their offset, whatever
 * stands around them. Nothing is recursive. Values are nodes of 32 bits: what is memoised in the file is one node
 * however often the file refers to it, equal strings and equal short lists are kept once, and nothing is ever
 * expanded. Lengths, memo numbers and nesting are checked against what was really read before memory is taken.
 *
 * A dictionary may become a record: its reader looks at its members when it is filled for the first time and keeps
 * what it needs in a form of its own; the members are not kept then. A file of 10 million dictionaries takes no more
 * than 10 million such records and 16 bytes beside each. */
#ifndef TT_PARSER_PICKLE_PICKLE_H
#define TT_PARSER_PICKLE_PICKLE_H

#include "model/text/strings.h"
#include "parser/input/reader.h"

/* A value. The upper four bits say what it is, the lower 28 which one, or the value itself. */
typedef uint32_t tt_pickle_node;
enum {
    TT_PICKLE_NONE,  /* None, True, False: 0, 1, 2; 3: a number too large for 64 bits */
    TT_PICKLE_INT,   /* below 2^27 in size: the value */
    TT_PICKLE_WIDE,  /* any other integer, of 64 bits or unsigned in them */
    TT_PICKLE_REAL,  /* a float */
    TT_PICKLE_TEXT,  /* a string or bytes: its tt_sid */
    TT_PICKLE_LIST,  /* list */
    TT_PICKLE_TUPLE, /* tuple */
    TT_PICKLE_DICT,  /* dict that is no record */
    TT_PICKLE_RECORD /* and up to 15: a record of one of eight kinds, with its number */
};
#define TT_PICKLE_NUMBER ((uint32_t)0x0FFFFFFF)
static inline unsigned tt_pickle_tag(tt_pickle_node n) { return n >> 28; }
static inline tt_pickle_node tt_pickle_make(unsigned tag, uint32_t number) { return (uint32_t)tag << 28 | number; }
static inline bool tt_pickle_is_record(tt_pickle_node n, unsigned kind)
{
    return tt_pickle_tag(n) == TT_PICKLE_RECORD + kind;
}

/* A value on its way: that of a WIDE or REAL is here as long as nothing keeps it. */
typedef struct tt_pickle_cell {
    tt_pickle_node node;
    int64_t bits; /* INT, WIDE: the value; REAL: its bits */
} tt_pickle_cell;

typedef struct tt_pickle tt_pickle;

/* The members of a dictionary that is filled for the first time, with more than one: key, value, key, value. The record
 * that stands for it, tt_pickle_make(TT_PICKLE_RECORD + kind, number); 0 = it stays a dictionary. */
typedef tt_pickle_node tt_pickle_record_fn(void *arg, tt_pickle *p, const tt_pickle_cell *members, size_t n);

/* Reads the source; hooks: told of progress. Owned by the caller; tt_pickle_free(). */
tt_pickle *tt_pickle_new(tt_source *source, tt_reader_progress *progress, const tt_reader_hooks *hooks,
                         tt_pickle_record_fn *record, void *arg);
void tt_pickle_free(tt_pickle *p); /* NULL is fine */
/* A string that the reader asks for: its number is the same as that of an equal one in the file. Before reading, the
 * first gets 1. */
tt_sid tt_pickle_known(tt_pickle *p, const char *text);

typedef enum tt_pickle_end {
    TT_PICKLE_WHOLE,     /* up to STOP */
    TT_PICKLE_CUT,       /* the file ends before */
    TT_PICKLE_DAMAGED,   /* something that is no pickle, at tt_pickle_offset() */
    TT_PICKLE_CANCELLED, /* the person did */
} tt_pickle_end;

/* Read everything. *root: the value; where the reading ended early, what was open then is closed with what it had,
 * and *root is the outermost value. TT_ERR_INPUT for an opcode that is refused (the message names it and its offset),
 * nesting that no data has, a failing read, and a file that has no value at all; TT_ERR_LIMIT for more values than can
 * be counted. */
tt_status tt_pickle_read(tt_pickle *p, const char *path, tt_pickle_end *end, tt_pickle_node *root, tt_err *err);
uint64_t tt_pickle_offset(const tt_pickle *p); /* up to where it was read */

/* ---- values ---- */

/* The record of a dictionary that became one; any other node as it is. */
tt_pickle_node tt_pickle_resolve(const tt_pickle *p, tt_pickle_node n);
/* A dictionary whose members came one by one is this record from now on, wherever the file refers to it. */
void tt_pickle_become(tt_pickle *p, tt_pickle_node dict, tt_pickle_node record);
/* The cell of a node that something keeps. */
tt_pickle_cell tt_pickle_value(const tt_pickle *p, tt_pickle_node n);
/* An integer, or a truth value. False: it is none. */
bool tt_pickle_integer(const tt_pickle_cell *c, int64_t *v);
/* The bytes of a string, NUL-terminated (a NUL in it is C0 80); NULL: it is none. */
const char *tt_pickle_text(const tt_pickle *p, tt_pickle_node n);
const tt_strings *tt_pickle_strings(const tt_pickle *p);
/* The items of a list or tuple, or the members of a dictionary (key, value, ...): how many, and where, until more is
 * read. Nothing for any other node. */
uint32_t tt_pickle_items(const tt_pickle *p, tt_pickle_node n, const tt_pickle_node **at);
/* The number that equal short lists and tuples share; TT_NONE: the node is a long list, or no list. */
uint32_t tt_pickle_sequence(const tt_pickle *p, tt_pickle_node n);

#endif
