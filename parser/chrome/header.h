/* parser/chrome/header.h - builds a trace's header from the members that parsers met outside the events. Private to the
 * reader. */
#ifndef TT_PARSER_CHROME_HEADER_H
#define TT_PARSER_CHROME_HEADER_H

#include "parser/chrome/document.h"
#include "parser/chrome/reader.h"

/* Fill *h from n parsers of a text; folder: NULL, or its format and rules. The parsers are not changed, as a preview
 * asks for a header, too. */
void tt_chrome_header(tt_build_header *h, const tt_chrome_parser *const *parsers, unsigned n,
                      const tt_chrome_folder *folder, const tt_reader_names *names);

/* Spelling of strings and values in JSON. */
extern const tt_build_codec tt_chrome_codec;

#endif
