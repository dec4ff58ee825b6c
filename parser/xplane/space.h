/* parser/xplane/space.h - planes, lines and names of an XSpace, without its events. Private to parser/xplane.
 *
 * XSpace{1 planes}. XPlane{1 id, 2 name, 3 lines, 4 map of XEventMetadata, 5 map of XStatMetadata{1 id, 2 name}, 6
 * stats}. XLine{1 id, 2 name, 3 timestamp_ns, 4 events, 11 display_name}. XEvent{1 metadata_id, 2 offset_ps, 3
 * duration_ps, 4 stats, 5 num_occurrences instead of 2}. XEventMetadata{1 id, 2 name, 3 bytes, 4 display_name, 5
 * stats}. XStat{1 metadata_id, 2 double, 3 uint64, 4 int64, 5 string, 6 bytes, 7 ref: the value is the name of that
 * stat}. A map entry is {1 key, 2 value}. Measured on files of JAX 0.4 to 0.8 on GPUs and TPUs; fields may be in any
 * order. */
#ifndef TT_PARSER_XPLANE_SPACE_H
#define TT_PARSER_XPLANE_SPACE_H

#include "parser/protobuf/stream.h"

enum { /* field numbers */
       TT_XSPACE_PLANE = 1,
       TT_XPLANE_ID = 1,
       TT_XPLANE_NAME = 2,
       TT_XPLANE_LINE = 3,
       TT_XPLANE_EVENT = 4,
       TT_XPLANE_STAT_NAME = 5,
       TT_XPLANE_STAT = 6,
       TT_XENTRY_KEY = 1,
       TT_XENTRY_VALUE = 2,
       TT_XLINE_ID = 1,
       TT_XLINE_NAME = 2,
       TT_XLINE_TIMESTAMP = 3,
       TT_XLINE_EVENT = 4,
       TT_XLINE_DISPLAY_NAME = 11,
       TT_XEVENT_METADATA = 1,
       TT_XEVENT_OFFSET = 2,
       TT_XEVENT_DURATION = 3,
       TT_XEVENT_STAT = 4,
       TT_XEVENT_OCCURRENCES = 5,
       TT_XMETADATA_NAME = 2,
       TT_XMETADATA_DISPLAY_NAME = 4,
       TT_XMETADATA_STAT = 5,
       TT_XSTAT_METADATA = 1,
       TT_XSTAT_DOUBLE = 2,
       TT_XSTAT_UINT = 3,
       TT_XSTAT_INT = 4,
       TT_XSTAT_STRING = 5,
       TT_XSTAT_BYTES = 6,
       TT_XSTAT_REF = 7,
};

typedef enum tt_xp_role { /* meaning of a stat, by its name */
                          TT_XP_OTHER,
#define X(id, name) TT_XP_##id,
#include "parser/xplane/stats.def"
#undef X
                          TT_XP_ROLES_
} tt_xp_role;

/* Maps ids, which may be any numbers, to indices. */
typedef struct tt_xp_id {
    int64_t id;
    uint32_t index;
} tt_xp_id;
typedef struct tt_xp_ids {
    TT_VEC(tt_xp_id) at; /* sorted by id once complete */
    uint32_t *direct;    /* index + 1 by id where ids are small numbers; else NULL */
    size_t n_direct;
} tt_xp_ids;
#define TT_XP_NONE UINT32_MAX
uint32_t tt_xp_find(const tt_xp_ids *ids, int64_t id); /* TT_XP_NONE = no such id */

typedef struct tt_xp_stat_name {
    tt_sid name;
    tt_xp_role role;
} tt_xp_stat_name;

typedef struct tt_xp_kind { /* kind of event: an XEventMetadata */
    uint64_t at;            /* place of the map entry in the text */
    uint32_t len;           /* bytes of the map entry; 0 = too long to be read again */
    tt_sid name;            /* display_name, else name */
    tt_sid op, module, category;
    int64_t flops, bytes; /* per execution; TT_UNKNOWN */
    uint64_t program;     /* program_id; 0 = none */
} tt_xp_kind;

typedef enum tt_xp_what { TT_XP_HOST, TT_XP_GPU, TT_XP_TPU } tt_xp_what;

typedef struct tt_xp_stat { /* a stat whose value is kept */
    int64_t metadata;
    uint8_t type; /* TT_XSTAT_DOUBLE ... REF */
    uint64_t value;
    tt_sid text;
} tt_xp_stat;

typedef struct tt_xp_plane {
    tt_sid name, pid; /* pid: the name, with a number appended where planes share it */
    tt_xp_what what;
    int32_t device; /* device number, -1 = none */
    bool whole;     /* read to its end: all names are known */
    tt_xp_ids kind_ids, stat_ids;
    TT_VEC(tt_xp_kind) kinds;
    TT_VEC(tt_xp_stat_name) stats;
    TT_VEC(tt_xp_stat) facts; /* stats of the plane itself */
} tt_xp_plane;

typedef enum tt_xp_track {                /* content of a line */
                           TT_XP_THREAD,  /* thread of the host */
                           TT_XP_STREAM,  /* kernels, copies and memory sets of a GPU */
                           TT_XP_OPS,     /* operators of a TPU */
                           TT_XP_STEPS,   /* steps of the run */
                           TT_XP_MODULES, /* shown, but not counted: repeats other lines, or occupies nothing */
                           TT_XP_ASYNC,   /* not counted: copies and collectives in flight while operators run */
                           TT_XP_DERIVED  /* not counted: other lines of a device */
} tt_xp_track;

typedef struct tt_xp_line {
    uint32_t plane;
    tt_sid name, tid; /* tid: the id, with a number appended where lines of the plane share it */
    int64_t id, timestamp_ns;
    uint64_t from, to; /* its fields in the text; to: end of the complete ones */
    uint64_t events;
    tt_xp_track track;
    int64_t stream; /* stream number; TT_UNKNOWN */
} tt_xp_line;

typedef struct tt_xp_piece { /* complete fields of a line, enough for one task */
    uint32_t line;
    uint64_t from, to;
} tt_xp_piece;

typedef struct tt_xp_space {
    tt_strings text; /* all names */
    TT_VEC(tt_xp_plane) planes;
    TT_VEC(tt_xp_line) lines;     /* sorted by place in the text */
    TT_VEC(tt_xp_piece) pieces;   /* sorted by place; together they cover all lines */
    uint64_t events;              /* number of events in all lines; grows during the first pass */
    uint64_t longest, longest_at; /* bytes and place of the longest event */
    bool steps;                   /* some line is TT_XP_STEPS */
    bool tpu;                     /* some plane belongs to a TPU */
    int64_t base_ns;              /* ns added to times of lines; 0 for epoch times or an unknown start */
} tt_xp_space;

void tt_xp_space_init(tt_xp_space *x);
void tt_xp_space_free(tt_xp_space *x);
/* First pass: read everything but the events, which are counted. Damage is noted in s. */
void tt_xp_space_read(tt_xp_space *x, tt_pb_stream *s);
/* After the first pass: classify planes and lines. */
void tt_xp_space_classify(tt_xp_space *x);
/* The line whose events lie around a place of the text; NULL = none. */
const tt_xp_line *tt_xp_line_at(const tt_xp_space *x, uint64_t at);

/* ---- stats ---- */

typedef struct tt_xp_value { /* value of an XStat */
    int64_t metadata;
    uint8_t type; /* 0 = no value */
    uint64_t value;
    const char *text; /* for strings, bytes, and resolved references */
    size_t len;
} tt_xp_value;
/* Value of a plane's stat; a reference to an unknown name has no text. */
tt_xp_value tt_xp_value_of(const tt_xp_space *x, const tt_xp_plane *p, const tt_pb_field *stat);
tt_xp_role tt_xp_role_of(const tt_xp_plane *p, int64_t metadata);
int64_t tt_xp_number(const tt_xp_value *v); /* TT_UNKNOWN when it is no number */
double tt_xp_double(const tt_xp_value *v);

#endif
