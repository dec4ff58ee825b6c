/* parser/flight/internal.h - state of reading a dump. Private to parser/flight.
 *
 * from_pickle.c and from_json.c find the members of the dump and of its entries, and pass them on in one form
 * (tt_fl_value); all meaning is in entries.c, groups.c and settle.c. */
#ifndef TT_PARSER_FLIGHT_INTERNAL_H
#define TT_PARSER_FLIGHT_INTERNAL_H

#include "model/base/group_by.h"
#include "model/trace/flight.h"
#include "parser/input/reader.h"

typedef enum tt_fl_field {
#define X(id, key, kind) TT_FL_##id,
#include "parser/flight/fields.def"
    TT_FL_FIELDS
} tt_fl_field;

typedef enum tt_fl_kind {
    TT_FL_OF_NUMBER,
    TT_FL_OF_TEXT,
    TT_FL_OF_TIME,
    TT_FL_OF_REAL,
    TT_FL_OF_SIZES,
    TT_FL_OF_TYPES,
    TT_FL_OF_PAIR,
    TT_FL_OF_STACK
} tt_fl_kind;

extern const char *const tt_fl_key[TT_FL_FIELDS];
extern const tt_fl_kind tt_fl_kind_of[TT_FL_FIELDS];

typedef struct tt_fl_value { /* a member of an entry, of the kind of its field; the members for other kinds are 0 */
    bool given;              /* false: the entry lacks it, or it is none */
    bool bad;                /* given, but of another type, or a number too large */
    int64_t number;          /* NUMBER, TIME; STACK: index into stacks */
    double real;
    tt_sid text, second; /* TEXT, SIZES, TYPES, PAIR: strings of the header */
} tt_fl_value;

typedef struct tt_fl_name { /* a profiling_name, taken apart */
    tt_sid op, backend;
    int32_t self, peer;
    tt_flight_direction direction;
} tt_fl_name;

typedef struct tt_fl {
    tt_builder b;
    tt_build_header h; /* its strings are those of the dump */
    tt_reader_progress *progress;
    const tt_reader_hooks *hooks;
    const char *path;
    tt_flight *out;
    bool cut; /* the file ended early */
    bool has_entries, has_groups, has_status;
    int64_t item; /* number of the entry being read, for reports */
    TT_VEC(tt_flight_entry) entries;
    TT_VEC(tt_flight_call) calls;
    tt_strings call_keys; /* bytes of each call -> number + 1 */
    TT_VEC(tt_flight_group) groups;
    tt_flight_runs runs;
    TT_VEC(tt_flight_status) status;
    TT_VEC(tt_fl_name) names;
    TT_VEC(uint32_t) name_of;        /* index into names + 1 by string of a profiling_name; 0 = not taken apart yet */
    tt_sid states[TT_FLIGHT_UNSAID]; /* strings of the states */
} tt_fl;

/* entries.c: add an entry to the list. False: it is none (reported). */
bool tt_fl_entry(tt_fl *s, const tt_fl_value v[TT_FL_FIELDS]);
/* Make an entry without adding it, so that it can be added later: for entries that come before their list. */
bool tt_fl_make_entry(tt_fl *s, const tt_fl_value v[TT_FL_FIELDS], tt_flight_entry *out);
void tt_fl_bad_entry(tt_fl *s);
/* Check a number of a dump: a value beyond the range of its field is bad. */
void tt_fl_check(tt_fl_value *v, tt_fl_field field);

/* groups.c: add a group; ranks: the text of its members, "[0, 1]". */
void tt_fl_group(tt_fl *s, const char *name, size_t n, tt_sid desc, const char *ranks, size_t ranks_n);
/* Add the status of a group; an id or number that is none is reported. Texts, as JSON has them, are numbers, too. */
typedef enum tt_fl_last { TT_FL_ENQUEUED, TT_FL_LAST_STARTED, TT_FL_LAST_COMPLETED, TT_FL_LASTS } tt_fl_last;
extern const char *const tt_fl_last_key[TT_FL_LASTS];
void tt_fl_status(tt_fl *s, const char *id, size_t n, const int64_t last[TT_FL_LASTS]);
/* A number as a text of digits, with a sign; TT_UNKNOWN: it is none. */
int64_t tt_fl_number(const char *p, size_t n);
/* rank.c: the rank of the dump; -1 = unknown (reported). */
int64_t tt_fl_rank(tt_fl *s, const char *path);

/* settle.c: after reading: connect entries with groups, number the calls of torchcomms, find what is open. */
void tt_fl_settle(tt_fl *s);

/* slices.c: a slice for each entry; the text of the trace's events. */
void tt_fl_slices(tt_fl *s, int64_t rank);
tt_text_source *tt_fl_text(const tt_trace *trace);

/* from_pickle.c, from_json.c: read the file. TT_ERR_INPUT: it is damaged before anything useful, or refused. */
tt_status tt_fl_read_pickle(tt_fl *s, tt_source *source, tt_err *err);
tt_status tt_fl_read_json(tt_fl *s, tt_source *source, tt_err *err);

#endif
