/* parser/xplane/text.h - the JSON text of an event, made from its bytes and its kind. Private to parser/xplane. */
#ifndef TT_PARSER_XPLANE_TEXT_H
#define TT_PARSER_XPLANE_TEXT_H

#include "parser/xplane/space.h"

/* Text source of a trace whose events have their places in raw; takes both over and empties x. */
tt_text_source *tt_xp_text_new(tt_text_source *raw, tt_xp_space *x);

#endif
