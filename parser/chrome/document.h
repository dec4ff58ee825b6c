/* parser/chrome/document.h - turns the index of a window of text into events in a builder.
 *
 * A window begins at the start of the document or at an element of the event list, and ends at the end of the document
 * or behind an element. All state belongs to one thread. A window that the vector indexer refuses, and an event that is
 * no valid JSON, go through the tolerant indexer: one bad event costs one event. */
#ifndef TT_PARSER_CHROME_DOCUMENT_H
#define TT_PARSER_CHROME_DOCUMENT_H

#include "model/build/builder.h"
#include "parser/json/index_simd.h"

typedef enum tt_chrome_state {
    TT_AT_START,  /* before the document */
    TT_IN_TOP,    /* inside the top-level object, before a member */
    TT_IN_EVENTS, /* inside the event list, before an element */
    TT_AT_END,    /* behind the document */
} tt_chrome_state;

enum {
#define X(id, key) TT_ARG_##id,
#define ALIAS(id, key)
#include "parser/chrome/args.def"
#undef ALIAS
#undef X
    TT_ARG_COUNT_
};

typedef struct tt_span { /* a value in the window: strings without their quotes */
    const char *p;
    uint32_t len;
    char type; /* first byte: '"' '{' '[' digit ...; 0 = absent */
} tt_span;

typedef struct tt_chrome_event { /* one event, undecoded */
    tt_span ignored, ph, cat, name, pid, tid, ts, dur, id, id2, bp, scope, args_text;
    uint64_t have; /* bit per argument: present */
    tt_span arg[TT_ARG_COUNT_];
    uint32_t args_at; /* index of the opening brace of args, 0 = none */
    uint64_t offset;  /* offset of the event in the text */
    bool twice;       /* a key occurs twice */
} tt_chrome_event;

typedef struct tt_dialect { /* writer of the document, found at its beginning; equal in all threads that read it */
    bool paddle;
    bool ascend, numbered; /* from Ascend's profilers; from MindInsight, whose processes have only numbers */
    int64_t zero_ns;       /* Paddle: absolute time of start_time 0; TT_UNKNOWN = not known */
} tt_dialect;

typedef struct tt_top { /* a top-level member in file order */
    tt_sid key, value;  /* in the parser's header strings */
    uint64_t offset;
} tt_top;

enum { TT_LAYOUT_MOST = 12 };

typedef struct tt_chrome_parser {
    tt_builder *b;
    tt_chrome_state state;
    bool array_form; /* the document is a bare list */
    bool saw_list;   /* an event list was found */
    bool ended;      /* this parser has read the end of the text, at end_place */
    uint64_t end_place;
    bool lines;           /* one event per line, without a list */
    uint64_t kineto_like; /* number of events with a category that only Kineto writes */
    /* top-level members, and device properties read from them */
    tt_strings strings;
    TT_VEC(tt_top) top;
    uint64_t top_bytes; /* approximate bytes of the top-level members */
    TT_VEC(tt_device_props) devices;
    int64_t base_ns, rank, world_size;
    bool kineto; /* written by Kineto, by the type of schemaVersion or by deviceProperties */
    tt_dialect dialect;
    const struct tt_chrome_folder *folder; /* the folder's knowledge of the events; NULL = none */
    int64_t npu;                           /* device number used as pid; -1 = none */
    int64_t jitter_ns;                     /* uncertainty of the starts read so far, for dialects with inexact starts */

    /* ---- state of the window ---- */
    const char *text;
    uint64_t base; /* offset of text[0] */
    const uint32_t *at;
    uint32_t n, i;
    TT_VEC(uint32_t) tolerant; /* index from the tolerant indexer */
    tt_simd *simd;
    /* Offset at which a new index must begin: behind an event whose quotes put the index out of step; 0 = none. */
    size_t resync;
    uint64_t noted;   /* problems of strings before this offset have been counted */
    bool index_exact; /* index from the vector indexer, which has seen no damaged string */
    struct {
        /* Called for every event (key NULL) and every top-level member that was understood; NULL = no sink. */
        void (*call)(void *arg, const tt_span *key, const char *text, size_t len);
        void *arg;
    } sink;
    bool scalar;  /* use only the tolerant indexer, for comparisons */
    bool mending; /* the event being read was mended: further faults in it are reported */
    bool doubt;   /* set for an event without a time: mending may find one */

    /* memos, as neighbours in a file are alike */
    struct tt_chrome_track {
        char ids[56]; /* spelling of pid, then tid */
        uint32_t pid_len, tid_len, track;
    } tracks[16];                    /* by hash of the spelling; pid_len UINT32_MAX = empty */
    tt_sid last_text[TT_ARG_COUNT_]; /* last value of each argument kept as text; 0 = none */
    struct tt_chrome_cat {
        char text[32]; /* zero-padded */
        uint32_t len;
        tt_kind kind;
        bool launch_flow; /* flows from launches to their work */
        bool work_flow;   /* flows from operators to their work */
        bool mtia;        /* MTIA's command processor, which also copies */
        uint8_t of[3];    /* local category: plain, module, copy */
    } cats[32];           /* by hash of the spelling; len UINT32_MAX = empty */
    struct tt_chrome_layout {
        uint32_t n; /* number of members before args or the end; 0 = nothing learned */
        bool args;  /* args follow as the last member */
        struct tt_chrome_key {
            uint64_t word, mask; /* key with quotes and colon: the first bytes of the member */
            uint32_t offset;     /* offset of the span in tt_chrome_event */
            char behind;         /* byte behind the value: comma or brace */
        } m[TT_LAYOUT_MOST];
    } layouts[8]; /* by the first byte of the first value, which is the phase in nearly all files */
    struct tt_chrome_slot {
        uint32_t key, offset; /* key's first four bytes; offset of its span in tt_chrome_event */
    } slots[16];              /* by a perfect hash of the key */
    struct tt_chrome_arg_slot {
        uint64_t word; /* first eight bytes of the key, zero-padded */
        uint32_t len;  /* 0 = empty */
        uint8_t key;   /* index into the keys of args.def */
        uint8_t id;    /* TT_ARG_... */
    } arg_slots[256];  /* by hash of word and length */
} tt_chrome_parser;

void tt_chrome_parser_init(tt_chrome_parser *w, tt_builder *b);
void tt_chrome_parser_begin(tt_chrome_parser *w);  /* forget the position: the next window belongs to another text */
void tt_chrome_parser_free(tt_chrome_parser *w);   /* frees all but the builder */
void tt_chrome_parser_forget(tt_chrome_parser *w); /* forget all ids of the builder, which is a new one */

/* Read the window [text, text + len), restored afterwards; `base` is the offset of its first byte. TT_SIMD_PADDING zero
 * bytes must follow it, and 8 bytes in front of it must be readable. last: the text ends here. Returns the number of
 * bytes used: less than len when the window ends inside an element; the caller passes the rest again with more text
 * behind it. With last set everything is used, and incomplete elements are reported. */
size_t tt_chrome(tt_chrome_parser *w, char *text, size_t len, uint64_t base, bool last);

/* After the last window, for every parser of the text: report what is missing at the end. Only the parser of the
 * beginning knows the form of the document: array_form and lines are true if true for any of them. */
void tt_chrome_end(tt_chrome_parser *w, bool array_form, bool lines);

/* Kind of a category (categories.def); paddle: in a trace of Paddle's. */
tt_kind tt_category_kind(const char *cat, size_t len, bool paddle);

/* Private to the parser's files. Read the event object at index i; false: malformed or incomplete. */
bool tt_chrome_read_event(tt_chrome_parser *w, uint32_t i, uint32_t *next);
void tt_chrome_args_init(tt_chrome_parser *w);
void tt_chrome_slots_init(tt_chrome_parser *w);
/* members.c: read the members of the object at index i. False: malformed or incomplete. */
bool tt_chrome_members(tt_chrome_parser *w, tt_chrome_event *e, uint32_t i, uint32_t *next);
bool tt_chrome_args(tt_chrome_parser *w, tt_chrome_event *e, uint32_t i, uint32_t *next);
/* Arguments that a slice keeps: an index of tt_build_op_args(), and the members of device slices. */
uint32_t tt_args_op(tt_chrome_parser *w, const tt_chrome_event *e);
/* The name of the kernel that a launch says it launches; 0. */
uint32_t tt_args_kernel(tt_chrome_parser *w, const tt_chrome_event *e);
tt_device_in tt_args_device(tt_chrome_parser *w, const tt_chrome_event *e);

#endif
