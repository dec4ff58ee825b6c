/* parser/xplane/decode.h - the second pass: decodes events into builders. Private to parser/xplane. */
#ifndef TT_PARSER_XPLANE_DECODE_H
#define TT_PARSER_XPLANE_DECODE_H

#include "parser/xplane/event.h"

typedef struct tt_xp_memory { /* an allocation or a release; a release may lack its size */
    tt_memory_record record;
    bool release;
} tt_xp_memory;

typedef struct tt_xp_decoder { /* one thread's decoder */
    const tt_xp_space *x;
    tt_builder b;
    uint8_t cats[TT_XP_CLASSES_]; /* local category + 1 by class */
    TT_VEC(uint32_t) tracks;      /* local track + 1 by line */
    uint32_t plane;               /* plane that `names` belongs to; TT_XP_NONE */
    uint32_t *names;              /* local name + 1, by kind and class within the plane */
    tt_strings shape_keys;        /* keys of launch shapes, numbered as `shapes` */
    TT_VEC(uint32_t) shapes;      /* the builder's shape number by key */
    tt_text name, key;            /* scratch buffers */
    TT_VEC(tt_xp_memory) memory;
} tt_xp_decoder;

void tt_xp_decoder_init(tt_xp_decoder *d, const tt_xp_space *x);
void tt_xp_decoder_free(tt_xp_decoder *d); /* frees all but the builder */
/* Decode the events of a piece, whose bytes lie at `at` in the text. */
void tt_xp_decode(tt_xp_decoder *d, const tt_xp_line *l, uint32_t line, const char *bytes, size_t len, uint64_t at);
/* The local track of a line. */
uint32_t tt_xp_decoder_track(tt_xp_decoder *d, uint32_t line);
/* Put the memory records of all n decoders, with the sizes of releases, into the first builder. Call after all
 * events. */
void tt_xp_give_memory(tt_xp_decoder *all, uint32_t n);

#endif
