/* capture/stacks/images.h - the ELF files that a process has mapped, and their dynamic symbols, read from its memory:
 * no file is opened but /proc/PID/maps, so the files may have been removed or lie in a container. Private to the
 * folder. */
#ifndef TT_CAPTURE_STACKS_IMAGES_H
#define TT_CAPTURE_STACKS_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tt_map { /* a line of /proc/PID/maps */
    uint64_t start, end, offset;
    bool readable, executable;
    const char *path; /* "" for memory without a file */
} tt_map;

/* Call each() with the mappings in the order of addresses, until it returns false. 0 or errno. */
int tt_maps_each(uint32_t pid, bool (*each)(void *arg, const tt_map *m), void *arg);

typedef struct tt_image {
    uint32_t pid;
    uint64_t bias;                                 /* address of a symbol minus its value */
    uint64_t symbols, names, names_size, gnu_hash; /* addresses of the tables */
    uint64_t unwind;                               /* address of .eh_frame_hdr, 0: none */
} tt_image;

/* Read the tables of the ELF file that is mapped at `start` from its beginning. False: there is none. */
bool tt_image_open(tt_image *m, uint32_t pid, uint64_t start);
/* Address of a defined dynamic symbol; 0: none of this name. */
uint64_t tt_image_symbol(const tt_image *m, const char *name);
typedef struct tt_place { /* an address, and the function around it */
    uint64_t at;
    uint64_t begin; /* 0: none with a symbol */
    uint64_t size, name;
} tt_place;

/* Find the functions around n addresses of the file: one pass over its symbols. */
void tt_image_find(const tt_image *m, tt_place *at, size_t n);
/* Read the name of a function that was found, cut at cap. */
void tt_image_name(const tt_image *m, const tt_place *p, char *out, size_t cap);

#endif
