/* parser/snapshot/internal.h - state of reading a snapshot. Private to parser/snapshot. */
#ifndef TT_PARSER_SNAPSHOT_INTERNAL_H
#define TT_PARSER_SNAPSHOT_INTERNAL_H

#include "model/base/group_by.h"
#include "model/trace/snapshot.h"
#include "parser/pickle/frames.h"

/* Kinds of records (pickle.h). */
enum { TT_SN_EVENT, TT_SN_FRAME, TT_SN_SEGMENT, TT_SN_BLOCK, TT_SN_MARK };

enum { TT_SN_NO_DEVICE = 255 }; /* device of an event that no list has assigned; c10 has at most 128 */

typedef struct tt_sn_block {
    tt_snapshot_block b; /* requested: TT_UNKNOWN in older files */
    bool has_addr, used;
} tt_sn_block;

typedef struct tt_sn_segment {
    tt_snapshot_segment s; /* first, n: set later */
    tt_pickle_node blocks;
    bool used;
} tt_sn_segment;

typedef struct tt_sn_mark { /* one end of an annotation */
    tt_sid name;            /* string of the pickle */
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

    TT_VEC(tt_snapshot_event) events; /* by record number; times as in the file */
    TT_VEC(tt_sn_block) blocks;
    TT_VEC(tt_sn_segment) segments;
    TT_VEC(tt_sn_mark) marks;
    tt_pickle_frames frames;
    tt_groups stream_ids;
    TT_VEC(uint32_t) makers; /* innermost frame as a name + 1, by stack; 0 = not looked up yet */
    int64_t sizes;           /* sum of all accepted sizes */
    tt_groups lists;         /* lists of blocks and events already taken, as each counts once */
} tt_sn;

/* records.c: announce the strings to look for, before reading; make the record of a dictionary. */
void tt_sn_know(tt_pickle *p);
tt_pickle_node tt_sn_record(void *arg, tt_pickle *p, const tt_pickle_cell *members, size_t n);
/* Record of a value, even of a dictionary that was filled piece by piece. */
tt_pickle_node tt_sn_record_of(tt_sn *s, tt_pickle_node n);

/* state.c: take segments with their blocks from the list of segments. */
void tt_sn_take_segments(tt_sn *s, tt_pickle_node list);
/* state.c: take the events of each device, and the annotations. */
void tt_sn_take_traces(tt_sn *s, tt_pickle_node list);
void tt_sn_take_marks(tt_sn *s, tt_pickle_node list);
/* totals.c: put everything into the builder, with the totals after each event. */
void tt_sn_build(tt_sn *s);

/* event_json.c: the generated text of the trace's events. */
tt_text_source *tt_sn_text(const tt_trace *trace);

#endif
