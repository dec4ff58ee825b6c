/* parser/discover/names.h - facts in the names of trace files and of their folders. Private to parser/. */
#ifndef TT_PARSER_DISCOVER_NAMES_H
#define TT_PARSER_DISCOVER_NAMES_H

#include "parser/discover/found.h"
#include "parser/input/walk.h"

/* Kinds of names: the levels of the formats' names (tt_format.names); a lower kind hides higher ones. ARCHIVE: a file
 * that may hold traces. */
enum { TT_NAMES_ARCHIVE = 1000, TT_NAMES_NONE };
/* Name of the folder inside a worker's folder that Ascend's profiler writes to. */
#define TT_NAMES_ASCEND "ASCEND_PROFILER_OUTPUT"

/* The format of the file by its name, if a copy of the same run may lie beside it: then *copy is the copy's name
 * without a compression's ending, malloc'ed. Otherwise NULL. */
const struct tt_format *tt_names_copied(const char *file, char **copy);
unsigned tt_names_kind(const char *file);
/* Whether the file has no known name but a suitable ending: *.json, *.pb, compressed or not. */
bool tt_names_may_be_trace(const char *file);
/* Whether a file with this name may be opened in some folder. */
bool tt_names_wanted(const char *file);
/* Whether the entry is a link to a folder, or to a file in the same folder that counts as a trace at least as much as
 * the link. Taking the link as well would count its target twice. */
bool tt_names_again(const tt_walk_entry *e);
/* The names that directories and archives are searched for, for people. */
const char *tt_names_looked_for(tt_arena *a);
/* Set worker, stamp and rank from the file name of f->path, and the span if the name has a stage. */
void tt_names_parse(tt_found *f, const char *base);
/* Set worker and stamp from a folder named NAME_STAMP_ascend_pt; false = the folder has another name. */
bool tt_names_owner(tt_found *f, const char *owner);
/* The last time in a name, ns since 1970: a clock's digits (10 for s, 13 for ms, 16 for us, 19 for ns), or a
 * calendar's (2024_05_01_12_30_00, 20240501-123000, local time). 0 = none. */
int64_t tt_names_time(const char *name);
/* The format that has this name among its names; NULL = none. */
const struct tt_format *tt_names_format(const char *file);
/* Length of the name without the ending of a trace's name and of a compression. */
size_t tt_names_stem(const char *file);
/* Whether the name is a format's first name: the name of a profile, not of a file beside one. */
bool tt_names_of_profile(const char *file);
/* The last part of a path. */
const char *tt_names_base(const char *path);
/* A path below a folder, "" = no folder; malloc'ed. */
char *tt_names_join(const char *dir, const char *base);

#endif
