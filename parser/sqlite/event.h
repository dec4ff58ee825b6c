/* parser/sqlite/event.h - what a row of a database stands for, and the two things that are made of it: a record of the
 * builder while the database is read, and the event as JSON when somebody asks for it. A reader of a format says only
 * what a row means (tt_db_format); so the two cannot differ. Private to parser/. */
#ifndef TT_PARSER_SQLITE_EVENT_H
#define TT_PARSER_SQLITE_EVENT_H

#include "parser/json/write.h"
#include "parser/sqlite/rows.h"

typedef enum tt_db_place {
    TT_DB_THREAD, /* of the host */
    TT_DB_PAIRS,  /* ranges of a thread whose ends are independent of each other: they do not nest */
    TT_DB_STREAM, /* of a device */
    TT_DB_WAITS,  /* waits for such a stream, which overlap its work */
    TT_DB_DEVICE, /* counters of a device */
} tt_db_place;

typedef struct tt_db_track { /* no padding: the bytes are a key */
    int64_t place;           /* tt_db_place */
    int64_t process;         /* as the format numbers them; of streams the one that uses it, where that matters */
    int64_t device, id;      /* of streams and counters; thread or stream */
} tt_db_track;

typedef struct tt_db_track_text { /* as the trace spells it */
    char pid[64], tid[64];
    char process[160], labels[64], thread[160]; /* names; "" = none */
    int64_t sort;                               /* of the process */
} tt_db_track_text;

typedef struct tt_db_launch { /* no padding: the bytes are a key; TT_UNKNOWN */
    int64_t grid[3], block[3], registers, shared_bytes;
} tt_db_launch;

typedef enum tt_db_phase {
    TT_DB_NOTHING, /* a row that is no event */
    TT_DB_COUNTED, /* an event that no table holds */
    TT_DB_SLICE,
    TT_DB_OPEN, /* a slice whose end is not known: until the end of the trace, and reported */
    TT_DB_INSTANT,
    TT_DB_SAMPLE, /* of a counter */
    TT_DB_MEMORY, /* an allocation or a free */
} tt_db_phase;

typedef struct tt_db_event {
    tt_db_phase phase;
    uint8_t cat; /* index into the format's categories */
    tt_db_track track;
    /* The name: a number that the format knows it by (tt_db_format.name), or TT_NONE and the text. */
    uint32_t name_id;
    const char *name;
    size_t name_len;
    const char *prefix; /* stands before the name, with a ":" between them; NULL */
    char made[160];     /* room for a name that was made */
    int64_t start, end;
    uint64_t correlation; /* unique in the file, 0 = none */
    int64_t bytes;
    bool is_kernel; /* launch has been filled in */
    tt_db_launch launch;
    uint64_t wait_record; /* of a wait for an event: correlation of the call that recorded it, 0 */
    int64_t wait_stream;
    double value;         /* of a sample */
    const char *series;   /* its line of the counter */
    const char *recorded; /* what the file calls it, where that is no name; NULL */
    uint64_t address;     /* of memory; bytes < 0: a free */
} tt_db_event;

typedef struct tt_db_category {
    const char *name;
    tt_kind kind;
} tt_db_category;

struct tt_db_format;
typedef struct tt_db_spec { /* a table that holds events */
    const char *table;      /* its name */
    const tt_db_column *columns;
    /* What the row means; *e is filled with "nothing known". Any thread. */
    void (*event)(const void *of, const tt_db_row *row, tt_db_event *e);
    bool on_request; /* left out unless all events are asked for */
} tt_db_spec;

typedef struct tt_db_format { /* what a reader knows; self: its own */
    const tt_db_category *categories;
    uint32_t n_categories;
    /* Any thread. */
    void (*track)(const void *self, const tt_db_track *t, tt_db_track_text *out);
    const char *(*name)(const void *self, uint32_t id, size_t *len);
} tt_db_format;

/* Nothing known of it. */
void tt_db_event_init(tt_db_event *e);
/* The text of its name; room: for one with a prefix. */
const char *tt_db_event_name(const tt_db_format *f, const void *self, const tt_db_event *e, size_t *len, tt_text *room);

/* ---- into a builder ---- */

typedef struct tt_db_sink { /* one thread's; zeroed, then tt_db_sink_init() */
    const tt_db_format *format;
    const void *self;
    tt_builder b;
    tt_strings track_keys, launch_keys;
    TT_VEC(uint32_t) tracks, launches; /* by their keys; + 1 */
    TT_VEC(uint32_t) names, colls;     /* by name_id; + 1 */
    uint8_t cats[64];
    TT_VEC(tt_db_event) open;
    TT_VEC(uint64_t) open_at;
    tt_text room; /* for a name */
} tt_db_sink;

void tt_db_sink_init(tt_db_sink *s, const tt_db_format *f, const void *self);
void tt_db_sink_put(tt_db_sink *s, const tt_db_event *e, uint64_t offset);
/* Ranges that were never closed end here. */
void tt_db_sink_close(tt_db_sink *s, int64_t end);
void tt_db_sink_label(tt_db_sink *s); /* the names of its tracks */
/* The builder is left alone when the trace has taken what is in it: tt_builder_free() is the caller's. */
void tt_db_sink_free(tt_db_sink *s);

/* ---- as JSON ---- */

#endif
