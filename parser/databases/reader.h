/* parser/databases/reader.h - SQLite databases of profilers; their tables tell the writer. */
#ifndef TT_PARSER_DATABASES_READER_H
#define TT_PARSER_DATABASES_READER_H

#include "parser/input/reader.h"

tt_read_fn tt_read_database;
bool tt_database_sniff(const char *head, size_t len);

#endif
