/* parser/pickle/pickle.h - reads the data of a Python pickle, protocols 0 to 5, and runs no code.
 *
 * opcodes.def lists the opcodes that are read; opcodes that name or run code are refused with their offset, wherever
 * they stand. Nothing is recursive. Values are nodes of 32 bits: a value memoised in the file is one node however often
 * the file refers to it, equal strings and equal short lists are kept once, and nothing is ever expanded. Lengths, memo
 * numbers and nesting are checked against the bytes really read before memory is taken.
 *
 * A dictionary may become a record: the caller looks at its members when it is filled for the first time and keeps them
 * in a form of its own; the members are not stored then. A file of 10 million dictionaries takes no more than 10
 * million such records and 16 bytes beside each. */
#ifndef TT_PARSER_PICKLE_PICKLE_H
#define TT_PARSER_PICKLE_PICKLE_H

#include "model/text/strings.h"
#include "parser/input/reader.h"

/* A value. The upper four bits are its tag, the lower 28 its number, or the value itself. */
typedef uint32_t tt_pickle_node;
enum {
    TT_PICKLE_NONE,  /* None, True, False: 0, 1, 2; 3: a number too large for 64 bits */
    TT_PICKLE_INT,   /* an integer of less than 2^27 in size, stored in the node */
    TT_PICKLE_WIDE,  /* any other integer that fits int64_t or uint64_t */
    TT_PICKLE_REAL,  /* a float */
    TT_PICKLE_TEXT,  /* a string or bytes: tt_sid */
    TT_PICKLE_LIST,  /* list */
    TT_PICKLE_TUPLE, /* tuple */
    TT_PICKLE_DICT,  /* dict that became no record */
    TT_PICKLE_RECORD /* this and tags up to 15: a record of one of eight kinds, with its number */
};
#define TT_PICKLE_NUMBER ((uint32_t)0x0FFFFFFF)
static inline unsigned tt_pickle_tag(tt_pickle_node n) { return n >> 28; }
static inline tt_pickle_node tt_pickle_make(unsigned tag, uint32_t number) { return (uint32_t)tag << 28 | number; }
static inline bool tt_pickle_is_record(tt_pickle_node n, unsigned kind)
{
    return tt_pickle_tag(n) == TT_PICKLE_RECORD + kind;
}

/* A value in transit: `bits` holds a WIDE or REAL until a container keeps it. */
typedef struct tt_pickle_cell {
    tt_pickle_node node;
    int64_t bits; /* INT, WIDE: the value; REAL: its bits */
} tt_pickle_cell;

typedef struct tt_pickle tt_pickle;

/* Makes the record of a dictionary that is filled for the first time with two or more members: key, value, key, value.
 * Returns tt_pickle_make(TT_PICKLE_RECORD + kind, number), or 0 = keep the dictionary. */
typedef tt_pickle_node tt_pickle_record_fn(void *arg, tt_pickle *p, const tt_pickle_cell *members, size_t n);

/* A reader of the source; hooks are notified of progress. Owned by the caller; tt_pickle_free(). */
tt_pickle *tt_pickle_new(tt_source *source, tt_reader_progress *progress, const tt_reader_hooks *hooks,
                         tt_pickle_record_fn *record, void *arg);
void tt_pickle_free(tt_pickle *p); /* NULL is fine */
/* Register a string before reading: equal strings in the file get its number. The first registered gets 1. */
tt_sid tt_pickle_known(tt_pickle *p, const char *text);

typedef enum tt_pickle_end {
    TT_PICKLE_WHOLE,     /* read up to STOP */
    TT_PICKLE_CUT,       /* the file ends early */
    TT_PICKLE_DAMAGED,   /* damaged data at tt_pickle_offset() */
    TT_PICKLE_CANCELLED, /* cancelled by the user */
} tt_pickle_end;

/* Read everything. *root: the value; if reading ended early, open containers are closed with what they had, and *root
 * is the outermost value. TT_ERR_INPUT for a refused opcode (the message names it and its offset), implausible nesting,
 * a failed read, and a file without a value; TT_ERR_LIMIT for more values than nodes can count. */
tt_status tt_pickle_read(tt_pickle *p, const char *path, tt_pickle_end *end, tt_pickle_node *root, tt_err *err);
uint64_t tt_pickle_offset(const tt_pickle *p); /* offset up to which the file was read */
/* Reading ended early: dictionaries that are filled now may lack members. */
bool tt_pickle_closing(const tt_pickle *p);

/* ---- values ---- */

/* The record of a dictionary that became one; other nodes unchanged. */
tt_pickle_node tt_pickle_resolve(const tt_pickle *p, tt_pickle_node n);
/* Make a record of a dictionary whose members came one by one, wherever the file refers to it. */
void tt_pickle_become(tt_pickle *p, tt_pickle_node dict, tt_pickle_node record);
/* The cell of a node in a container. */
tt_pickle_cell tt_pickle_value(const tt_pickle *p, tt_pickle_node n);
/* Value of an integer or truth value. False: another type. */
bool tt_pickle_integer(const tt_pickle_cell *c, int64_t *v);
/* Bytes of a string, NUL-terminated (a NUL in it is C0 80); NULL: another type. */
const char *tt_pickle_text(const tt_pickle *p, tt_pickle_node n);
const tt_strings *tt_pickle_strings(const tt_pickle *p);
/* Number of items of a list or tuple, or of a dictionary's keys and values (key, value, ...); *at is valid until more
 * is read. 0 for other nodes. */
uint32_t tt_pickle_items(const tt_pickle *p, tt_pickle_node n, const tt_pickle_node **at);
/* Number shared by equal short lists and tuples; TT_NONE: a long list, or another type. */
uint32_t tt_pickle_sequence(const tt_pickle *p, tt_pickle_node n);
/* Members of a dictionary that was filled piece by piece: key, value, ... Returns how many cells; 0: no dictionary, or
 * more than fit. */
enum { TT_PICKLE_MEMBERS = 64 };
uint32_t tt_pickle_members(const tt_pickle *p, tt_pickle_node dict, tt_pickle_cell cells[TT_PICKLE_MEMBERS]);
/* Value of a dictionary's member by name, the last one of several; false: no such member. */
bool tt_pickle_member(const tt_pickle *p, tt_pickle_node dict, const char *key, tt_pickle_node *out);
/* Number in `to` of a string of the pickle. memo, by the string's number: result + 1, 0 = not looked up yet; each
 * string is looked up only once, as it may be as long as the file. */
tt_sid tt_pickle_moved(const tt_pickle *p, tt_sid text, tt_strings *to, uint32_t *memo);

#endif
