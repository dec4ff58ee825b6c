/* parser/xplane/decode.h - the second pass: events into builders. Private to parser/xplane. */
#ifndef TT_PARSER_XPLANE_DECODE_H
#define TT_PARSER_XPLANE_DECODE_H

#include "parser/xplane/event.h"

typedef struct tt_xp_memory { /* an allocation or a release, which may not say how much it releases */
    tt_memory_record record;
    bool release;
} tt_xp_memory;

typedef struct tt_xp_decoder { /* one thread's */
    const tt_xp_space *x;
    tt_builder b;
    uint8_t cats[TT_XP_CLASSES_]; /* local category + 1 */
    TT_VEC(uint32_t) tracks;      /* by line: local track + 1 */
    uint32_t plane;               /* whose names are kept below; TT_XP_NONE */
    uint32_t *names;              /* by kind and class of the plane: local name + 1 */
    tt_strings shape_keys;        /* what makes a launch shape -> its number, which is that of ... */
    TT_VEC(uint32_t) shapes;      /* ... the builder's */
    tt_text name, key;            /* scratch */
    TT_VEC(tt_xp_memory) memory;
} tt_xp_decoder;

void tt_xp_decoder_init(tt_xp_decoder *d, const tt_xp_space *x);
void tt_xp_decoder_free(tt_xp_decoder *d); /* without the builder */
/* The events of a piece, whose bytes lie at `at` in the text. */
void tt_xp_decode(tt_xp_decoder *d, const tt_xp_line *l, uint32_t line, const char *bytes, size_t len, uint64_t at);
/* The local track of a line. */
uint32_t tt_xp_decoder_track(tt_xp_decoder *d, uint32_t line);
/* When all is read: the records of memory of all n decoders, with the sizes of releases, into the first builder. */
void tt_xp_give_memory(tt_xp_decoder *all, uint32_t n);

#endif
