/* parser/discover/names.h - what the names of trace files and of their folders say. Private to parser/. */
#ifndef TT_PARSER_DISCOVER_NAMES_H
#define TT_PARSER_DISCOVER_NAMES_H

#include "parser/discover/found.h"
#include "parser/input/walk.h"

/* Kinds of names: the levels of the formats' names (tt_format.names), which hide those that are greater. ARCHIVE:
 * traces may be in it. */
enum { TT_NAMES_ARCHIVE = 1000, TT_NAMES_NONE };
/* The folder in a worker's folder that Ascend's profiler writes to. */
#define TT_NAMES_ASCEND "ASCEND_PROFILER_OUTPUT"

/* The format of the file by its name, if a copy of the same run may lie beside it; then *copy is the copy's name
 * without that of a compression, malloc'ed. Else NULL. */
const struct tt_format *tt_names_copied(const char *file, char **copy);
unsigned tt_names_kind(const char *file);
/* A file without a known name, but of the right sort: *.json, *.pb, compressed or not. */
bool tt_names_may_be_trace(const char *file);
/* Whether a file of this name, in some folder, may be opened. */
bool tt_names_wanted(const char *file);
/* Whether the entry is a link to a folder, or to a file that counts as a trace at least as much as the link, in the
 * same folder: taken as well, it would count twice. */
bool tt_names_again(const tt_walk_entry *e);
/* What directories and archives are searched for, for a person. */
const char *tt_names_looked_for(tt_arena *a);
/* Worker, stamp and rank from the name of the file, of f->path. */
void tt_names_parse(tt_found *f, const char *base);
/* Worker and stamp from the name of a folder, NAME_STAMP_ascend_pt; false when it is called otherwise. */
bool tt_names_owner(tt_found *f, const char *owner);
/* The time that a name says, ns since 1970: of a clock (10 digits of s, 13 of ms, 16 of us, 19 of ns), or of a calendar
 * (2024_05_01_12_30_00, 20240501-123000, local time); the last one that stands there. 0 = none. */
int64_t tt_names_time(const char *name);
/* The format whose names this one is among; NULL = none. */
const struct tt_format *tt_names_format(const char *file);
/* Whether the name is the first one of a format: of a profile, not of what may lie beside one. */
bool tt_names_of_profile(const char *file);
/* The last part of a path. */
const char *tt_names_base(const char *path);
/* A path below a folder, "" = none; malloc'ed. */
char *tt_names_join(const char *dir, const char *base);

#endif
