/* parser/discover/folder.h - folders that are one input, and the roles of their files in a format (tt_format.parts).
 * Private to parser/. */
#ifndef TT_PARSER_DISCOVER_FOLDER_H
#define TT_PARSER_DISCOVER_FOLDER_H

#include "parser/input/format.h"
#include "parser/input/walk.h"

typedef struct tt_folder_file {
    const tt_format *format;
    uint32_t part;  /* index into format->parts */
    char *folder;   /* folder inside the archive, "" = its root; "" for directories, too */
    char *name;     /* name below the folder */
    int64_t number; /* number in the name at '#', -1 = none */
    size_t at;      /* index among the archive's entries */
} tt_folder_file;
typedef TT_VEC(tt_folder_file) tt_folder_files;

/* Whether the name matches the glob ('*' and '#' as in tt_folder_part; no '/' in either). *number = the digits at '#',
 * unchanged without '#'. */
bool tt_folder_match(const char *glob, const char *name, size_t n, int64_t *number);
/* Find the first format that accepts this directory and append the files it names, sorted. tree: the walk that the
 * directory comes from. */
void tt_folder_of_directory(const tt_format *formats, unsigned n, const tt_walk_folder *dir, tt_walk *tree,
                            tt_folder_files *out);
/* Whether a file with this name can have a role in a format. */
bool tt_folder_is_part(const tt_format *formats, unsigned n, const char *name);
/* Whether a format puts its parts into folders with this name, so that the folder above may be the input. */
bool tt_folder_is_inner(const tt_format *formats, unsigned n, const char *name);
/* Add the archive entry once for each role that its name can have. */
void tt_folder_of_member(const tt_format *formats, unsigned n, const char *name, size_t at, tt_folder_files *out);
/* Sort by folder, format, part, and name with numbers by value. In a folder that suits several formats only the first
 * remains; of nested folders the outer one. */
void tt_folder_sort(tt_folder_files *l);
void tt_folder_free(tt_folder_files *l);

#endif
