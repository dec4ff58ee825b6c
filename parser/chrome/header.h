/* parser/chrome/header.h - the header of a trace out of what its parsers met outside the events. Private to the
 * reader. */
#ifndef TT_PARSER_CHROME_HEADER_H
#define TT_PARSER_CHROME_HEADER_H

#include "parser/chrome/document.h"
#include "parser/chrome/reader.h"

/* Fill *h from n parsers of the same texts; folder: NULL, or what it says of format and rules. The parsers stay as they
 * are, for a preview asks for a header, too. */
void tt_chrome_header(tt_build_header *h, const tt_chrome_parser *const *parsers, unsigned n,
                      const tt_chrome_folder *folder, const tt_reader_names *names);

/* How strings and values of JSON are spelt. */
extern const tt_build_codec tt_chrome_codec;

#endif
