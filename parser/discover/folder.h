/* parser/discover/folder.h - folders that are one input: which of their files have a role in a format
 * (tt_format.parts). Private to parser/. */
#ifndef TT_PARSER_INPUT_FOLDER_H
#define TT_PARSER_INPUT_FOLDER_H

#include "parser/input/format.h"
#include "parser/input/walk.h"

typedef struct tt_folder_file {
    const tt_format *format;
    uint32_t part;  /* index into format->parts */
    char *folder;   /* of the archive, "" = its root; of a directory always "" */
    char *name;     /* below the folder */
    int64_t number; /* that the name has at '#', -1 */
    size_t at;      /* of the archive's members */
} tt_folder_file;
typedef TT_VEC(tt_folder_file) tt_folder_files;

/* Whether the name is what the glob says ('*', '#' as in tt_folder_part; no '/' in either); *number = the digits at
 * '#', else it stays. */
bool tt_folder_match(const char *glob, const char *name, size_t n, int64_t *number);
/* Find the first format that accepts this directory and append the files it names, sorted. tree: the walk that the
 * directory comes from. */
void tt_folder_of_directory(const tt_format *formats, unsigned n, const tt_walk_folder *dir, tt_walk *tree,
                            tt_folder_files *out);
/* Whether a file of this name can have a role in a format. */
bool tt_folder_is_part(const tt_format *formats, unsigned n, const char *name);
/* Whether a folder of this name is where the parts of a format lie, so that the folder above may be the input. */
bool tt_folder_is_inner(const tt_format *formats, unsigned n, const char *name);
/* Add the member of an archive for each role that it may have. */
void tt_folder_of_member(const tt_format *formats, unsigned n, const char *name, size_t at, tt_folder_files *out);
/* By folder, format, part, and names with numbers by value. Of several formats in one folder the first one stays that
 * it is an input of, and of folders within folders the outer one. */
void tt_folder_sort(tt_folder_files *l);
void tt_folder_free(tt_folder_files *l);

#endif
