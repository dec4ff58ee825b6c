/* parser/snapshot/internal.h - a snapshot while it is read. Private to parser/snapshot. */
#ifndef TT_PARSER_SNAPSHOT_INTERNAL_H
#define TT_PARSER_SNAPSHOT_INTERNAL_H

#include "model/base/group_by.h"
#include "model/trace/snapshot.h"
#include "parser/pickle/pickle.h"

/* Kinds of records (pickle.h). */
enum { TT_SN_EVENT, TT_SN_FRAME, TT_SN_SEGMENT, TT_SN_BLOCK, TT_SN_MARK };

enum { TT_SN_NO_DEVICE = 255 }; /* of an event that no list has given a device; c10 has at most 128 */

typedef struct tt_sn_block {
    tt_snapshot_block b; /* requested: TT_UNKNOWN in older files */
    bool has_addr, used;
} tt_sn_block;

typedef struct tt_sn_segment {
    tt_snapshot_segment s; /* first, n: not yet */
    tt_pickle_node blocks;
    bool used;
} tt_sn_segment;

typedef struct tt_sn_mark { /* one end of an annotation */
    tt_sid name;            /* of the pickle */
    int64_t ts;
    uint8_t device;
    bool start, used;
} tt_sn_mark;

typedef struct tt_sn {
    tt_pickle *p;
    tt_reader_progress *progress;
    const tt_reader_hooks *hooks;
    tt_builder b;
    tt_build_header h;
    tt_snapshot *out;
    bool cut; /* the file ended early */

    TT_VEC(tt_snapshot_event) events; /* by number of the record; times: of the file */
    TT_VEC(tt_sn_block) blocks;
    TT_VEC(tt_sn_segment) segments;
    TT_VEC(tt_sn_mark) marks;
    TT_VEC(tt_snapshot_frame) frames; /* strings of the pickle */
    tt_groups frame_ids, stream_ids;
    tt_strings stacks;            /* numbers of frames; 0 = none */
    TT_VEC(uint32_t) sequence_of; /* by sequence of the pickle: its stack + 1, 0 = not looked at */
    TT_VEC(uint32_t) makers;      /* by stack: its innermost frame as a name + 1, 0 = not looked at */
    int64_t sizes;                /* sum of all sizes that were believed */
    tt_groups lists;              /* of blocks and of events that were taken: each counts once */
} tt_sn;

/* records.c: the strings that are looked for, before anything is read; and the record of a dictionary. */
void tt_sn_know(tt_pickle *p);
tt_pickle_node tt_sn_record(void *arg, tt_pickle *p, const tt_pickle_cell *members, size_t n);
/* The record of a value, also of a dictionary that was filled piece by piece. */
tt_pickle_node tt_sn_record_of(tt_sn *s, tt_pickle_node n);
/* The value of a member by its name; false: the dictionary has none. */
bool tt_sn_member(const tt_sn *s, tt_pickle_node dict, const char *key, tt_pickle_node *out);

/* state.c: segments with their blocks, from the list of segments. */
void tt_sn_take_segments(tt_sn *s, tt_pickle_node list);
/* history.c: what happened on each device, and the annotations. */
void tt_sn_take_traces(tt_sn *s, tt_pickle_node list);
void tt_sn_take_marks(tt_sn *s, tt_pickle_node list);
/* totals.c: everything into the builder, with the totals that hold after each event. */
void tt_sn_build(tt_sn *s);

/* The number that a string of the pickle has in `to`; memo, by its own: that + 1, 0 = not looked up yet. It is
 * looked up once, for it may be as long as the file. */
tt_sid tt_sn_moved(const tt_sn *s, tt_sid text, tt_strings *to, uint32_t *memo);

/* event_json.c: the text of the trace's events, made up. */
tt_text_source *tt_sn_text(const tt_trace *trace);

#endif
