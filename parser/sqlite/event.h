/* parser/sqlite/event.h - an event as a row of a database tells it. Two things are made of it: a record of the builder
 * while the database is read, and JSON text on request. A format's reader gives only the meaning of rows
 * (tt_db_format), so the two cannot differ. Private to parser/. */
#ifndef TT_PARSER_SQLITE_EVENT_H
#define TT_PARSER_SQLITE_EVENT_H

#include "model/text/range_text.h"
#include "parser/json/write.h"
#include "parser/sqlite/rows.h"

typedef enum tt_db_place {
    TT_DB_THREAD, /* a host thread */
    TT_DB_PAIRS,  /* ranges of a thread that do not nest, as their ends are independent */
    TT_DB_STREAM, /* a stream of a device */
    TT_DB_WAITS,  /* waits for a stream, which overlap its work */
    TT_DB_DEVICE, /* counters of a device */
} tt_db_place;

typedef struct tt_db_track { /* key of a track, compared as bytes: no padding */
    int64_t place;           /* tt_db_place */
    int64_t process;         /* the format's number; for a stream its user, if that matters */
    int64_t device, id;      /* device of a stream or counter; id: thread or stream */
} tt_db_track;

typedef struct tt_db_track_text { /* texts of a track in the trace */
    char pid[64], tid[64];
    char process[160], labels[64], thread[160]; /* names; "" = none */
    int64_t sort;                               /* place of the process in the order of display */
} tt_db_track_text;

typedef struct tt_db_launch { /* launch of a kernel, compared as bytes: no padding; TT_UNKNOWN = not known */
    int64_t grid[3], block[3], registers, shared_bytes;
} tt_db_launch;

typedef enum tt_db_phase {
    TT_DB_NOTHING, /* the row is no event */
    TT_DB_COUNTED, /* counted only: an event without a place in tables */
    TT_DB_SLICE,
    TT_DB_OPEN, /* a slice without an end: lasts until the trace's end, and is reported */
    TT_DB_INSTANT,
    TT_DB_SAMPLE, /* a counter's value */
    TT_DB_MEMORY, /* an allocation or a free */
    TT_DB_NODE,   /* the making of a node of a graph */
} tt_db_phase;

typedef struct tt_db_event {
    tt_db_phase phase;
    uint8_t cat; /* index into the format's categories */
    tt_db_track track;
    /* Name of the event: the format's number for it (tt_db_format.name), or TT_NONE and the text. */
    uint32_t name_id;
    const char *name;
    size_t name_len;
    const char *prefix; /* text before the name, joined by ":"; NULL = none */
    char made[160];     /* buffer for a composed name */
    int64_t start, end;
    uint64_t correlation; /* id of the call, unique in the file; 0 = none */
    int64_t bytes;
    bool is_kernel; /* launch is filled in */
    tt_db_launch launch;
    uint64_t node;        /* node of a graph, with the graph in the upper half; 0 = none */
    uint64_t original;    /* NODE: the node that it is a copy of; 0 = none */
    uint64_t wait_record; /* for a wait for an event: correlation of the call that recorded the event; 0 = unknown */
    int64_t wait_stream;
    double value;         /* value of a sample */
    const char *series;   /* name of the counter's line */
    const char *recorded; /* spelling of the name in the file, if it differs; NULL */
    uint64_t address;     /* address of memory; bytes < 0: a free */
} tt_db_event;

typedef struct tt_db_category {
    const char *name;
    tt_kind kind;
    /* Names can carry arguments (range_text.h): category of those that name an operator. NULL = names are whole. */
    const struct tt_db_category *operators;
} tt_db_category;
extern const tt_db_category tt_db_operators; /* for category.operators */

struct tt_db_format;
typedef struct tt_db_spec { /* a kind of table with events */
    const char *table;      /* name of the table */
    const tt_db_column *columns;
    /* Fills *e, which says "nothing known", with the meaning of the row. Any thread. */
    void (*event)(const void *of, const tt_db_row *row, tt_db_event *e);
    bool on_request; /* read only when all events are asked for */
} tt_db_spec;

typedef struct tt_db_format { /* a format's functions; self: the reader's data */
    const tt_db_category *categories;
    uint32_t n_categories;
    /* Texts of a track. Any thread. */
    void (*track)(const void *self, const tt_db_track *t, tt_db_track_text *out);
    const char *(*name)(const void *self, uint32_t id, size_t *len);
} tt_db_format;

/* Set *e to "nothing known". */
void tt_db_event_init(tt_db_event *e);

typedef struct tt_db_name { /* name of an event; its texts live as long as the row and `room` */
    const char *text;
    size_t len, whole; /* length of the name, and of the text with the arguments behind it */
    tt_range_text args;
    const tt_db_category *cat; /* the name may decide it */
} tt_db_name;
/* Read the name; room: buffer for a name with a prefix. */
tt_db_name tt_db_event_name(const tt_db_format *f, const void *self, const tt_db_event *e, tt_text *room);

/* ---- into a builder ---- */

typedef struct tt_db_known { /* what the builder has of a name */
    uint32_t name;           /* number + 1; 0 = nothing yet */
    uint32_t coll, args;
    uint8_t of, cat;   /* index of the row's category; category in the builder, which the name may decide */
    const char *whole; /* the text with its arguments, NULL = it has none */
} tt_db_known;

typedef struct tt_db_spelling { /* text of an event whose name is only its beginning */
    uint64_t offset;
    const char *text;
} tt_db_spelling;

typedef struct tt_db_sink { /* one thread's sink; zero it, then call tt_db_sink_init() */
    const tt_db_format *format;
    const void *self;
    tt_builder b;
    tt_strings track_keys, launch_keys;
    TT_VEC(uint32_t) tracks, launches; /* builder's number + 1, by key number */
    TT_VEC(tt_db_known) names;         /* by name_id */
    TT_VEC(tt_db_spelling) spellings;  /* names that carry arguments */
    tt_arena spelt;                    /* their texts */
    uint8_t cats[64];
    uint32_t operators; /* the builder's category of operators + 1; 0 = there are none so far */
    TT_VEC(tt_db_event) open;
    TT_VEC(uint64_t) open_at;
    tt_text room; /* buffer for composed names */
} tt_db_sink;

void tt_db_sink_init(tt_db_sink *s, const tt_db_format *f, const void *self);
void tt_db_sink_put(tt_db_sink *s, const tt_db_event *e, uint64_t offset);
/* End the ranges that were never closed here. */
void tt_db_sink_close(tt_db_sink *s, int64_t end);
void tt_db_sink_label(tt_db_sink *s); /* name the sink's tracks in the builder */
/* Free the sink but not its builder: the caller calls tt_builder_free() unless the trace took its content. */
void tt_db_sink_free(tt_db_sink *s);

/* ---- as JSON ---- */

#endif
