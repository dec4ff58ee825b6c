/* parser/source/archive_tar.c - the members of a tar archive: V7, ustar, GNU's long names and sparse files, pax
 * headers.
 *
 * Headers are read one after another from the archive's text, which may be compressed; the data between them is
 * skipped. Blocks of zeros end an archive; an archive without them was cut off. If another text stands in place of a
 * header the next header is searched. Sparse files are read if they have no holes; tar writes such files for a file
 * that a compressing file system calls sparse. */
#include "parser/source/archive_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 512u
#define DATA_MOST ((uint64_t)1 << 20)  /* limit of a long name or a pax header; longer ones are ignored */
#define ZEROS_MOST ((uint64_t)1 << 20) /* bytes searched for another archive after the end of one */

typedef struct field {
    size_t at, n;
} field;
static const field NAME = {0, 100}, SIZE = {124, 12}, SUM = {148, 8}, TYPE = {156, 1}, MAGIC = {257, 6},
                   PREFIX = {345, 155};
/* GNU's sparse files: pairs of offset and length, whether more pairs follow, the size with holes */
static const field PIECES = {386, 96}, MORE = {482, 1}, WHOLE = {483, 12};
#define MORE_IN_BLOCK 504

/* Facts about a member from the headers before it. */
typedef struct about {
    char *name;    /* NULL = not given */
    uint64_t size; /* UINT64_MAX = not given */
    bool sparse;
    bool map_in_data; /* the map of pieces comes before the data */
    char *sparse_name;
    uint64_t whole, pieces; /* size with holes; number of non-empty pieces */
    uint64_t piece_at, piece_n;
} about;

static void about_clear(about *a)
{
    free(a->name);
    free(a->sparse_name);
    *a = (about){.size = UINT64_MAX};
}

/* Parse octal digits, or a binary number if the first bit is set. False = neither. */
static bool number(const unsigned char *h, field f, uint64_t *out)
{
    size_t i = f.at, end = f.at + f.n;

    *out = 0;
    if (h[i] & 0x80) {
        for (size_t k = end - 8; k < end; k++) *out = *out << 8 | h[k];
        return *out < (uint64_t)1 << 62;
    }
    while (i < end && h[i] == ' ') i++;
    for (; i < end && h[i] >= '0' && h[i] <= '7'; i++) *out = *out << 3 | (uint64_t)(h[i] - '0');
    return i == end || h[i] == ' ' || h[i] == 0;
}

/* The checksum tells a header, because the oldest kind (V7) has no magic number. */
static bool is_header(const unsigned char *h)
{
    uint64_t want, size, sum = 0;

    for (size_t i = 0; i < BLOCK; i++) sum += i >= SUM.at && i < SUM.at + SUM.n ? ' ' : h[i];
    return h[0] && number(h, SUM, &want) && want == sum && number(h, SIZE, &size);
}

bool tt_is_tar(const char *head, size_t n)
{
    return n >= BLOCK && (memcmp(head + MAGIC.at, "ustar", 5) == 0 || is_header((const unsigned char *)head));
}

static bool is_zero(const unsigned char *h)
{
    for (size_t i = 0; i < BLOCK; i++) {
        if (h[i]) return false;
    }
    return true;
}

/* The name stored in the header itself. */
static char *plain_name(const unsigned char *h)
{
    const char *name = (const char *)h + NAME.at, *prefix = (const char *)h + PREFIX.at;
    bool posix = memcmp(h + MAGIC.at, "ustar", 6) == 0; /* with the NUL, where GNU writes a blank */
    size_t n = strnlen(name, NAME.n), p = posix ? strnlen(prefix, PREFIX.n) : 0;
    char *out = tt_calloc(n + p + 2, 1);

    memcpy(out, prefix, p);
    if (p) out[p++] = '/';
    memcpy(out + p, name, n);
    return out;
}

/* The data of a member with a NUL added; NULL = too long or missing. */
static char *data_of(tt_source *archive, uint64_t at, uint64_t size)
{
    char *data;

    if (size > DATA_MOST) return NULL;
    data = tt_calloc((size_t)size + 1, 1);
    if (tt_source_read_at(archive, at, data, (size_t)size) == (int64_t)size) return data;
    free(data);
    return NULL;
}

/* ---- sparse files */

static void add_piece(about *a, uint64_t at, uint64_t n)
{
    if (!n) return; /* the last piece only marks the end of the file */
    if (a->pieces++ == 0) {
        a->piece_at = at;
        a->piece_n = n;
    }
}

static bool without_holes(const about *a)
{
    return a->whole == 0 || (a->pieces == 1 && a->piece_at == 0 && a->piece_n == a->whole);
}

/* Parse the map "OFFSET,LENGTH,OFFSET,LENGTH". */
static void take_map(about *a, const char *p)
{
    while (*p >= '0' && *p <= '9') {
        char *end;
        uint64_t at = strtoull(p, &end, 10), n = *end == ',' ? strtoull(end + 1, &end, 10) : 0;

        add_piece(a, at, n);
        p = end + (*end == ',');
    }
}

/* Parse the map before the data: numbers, one a line, padded to whole blocks. Returns the offset of the data. */
static uint64_t take_map_of_data(tt_source *archive, about *a, uint64_t at, uint64_t size)
{
    char *text = data_of(archive, at, size < BLOCK ? size : BLOCK), *p = text, *end = text;
    uint64_t n = text ? strtoull(text, &end, 10) : 0;

    a->pieces = n > 2 ? 2 : 0; /* two pieces prove that there are holes */
    for (p = end; p && n <= 2 && n-- > 0;) {
        uint64_t piece_at = strtoull(p, &end, 10), piece_n = strtoull(end, &p, 10);

        add_piece(a, piece_at, piece_n);
    }
    free(text);
    return at + BLOCK;
}

/* GNU's own kind: the map lies in the header and in blocks after it; move *at past them. */
static void take_gnu_sparse(tt_source *archive, const unsigned char *h, about *a, uint64_t *at)
{
    unsigned char block[BLOCK];
    bool more = h[MORE.at] != 0;

    a->sparse = true;
    if (!number(h, WHOLE, &a->whole)) a->whole = UINT64_MAX;
    for (size_t i = PIECES.at; i < PIECES.at + PIECES.n; i += 24) {
        uint64_t piece_at, n;

        if (h[i] && number(h, (field){i, 12}, &piece_at) && number(h, (field){i + 12, 12}, &n))
            add_piece(a, piece_at, n);
    }
    while (more && tt_source_read_at(archive, *at, (char *)block, BLOCK) == BLOCK) {
        *at += BLOCK;
        a->pieces += 2;
        more = block[MORE_IN_BLOCK] != 0;
    }
}

/* ---- headers about the next member */

/* Use one "KEY=VALUE" of a pax header. */
static void take_record(about *a, const char *key, const char *value)
{
    uint64_t v = strtoull(value, NULL, 10);
    bool has_number = *value >= '0' && *value <= '9' && v < (uint64_t)1 << 62;

    if (strcmp(key, "path") == 0) {
        free(a->name);
        a->name = tt_strdup(value);
    }
    if (strcmp(key, "size") == 0 && has_number) a->size = v;
    if (strncmp(key, "GNU.sparse.", 11) != 0) return;
    key += 11;
    a->sparse = true;
    if (strcmp(key, "name") == 0) {
        free(a->sparse_name);
        a->sparse_name = tt_strdup(value);
    }
    if ((strcmp(key, "size") == 0 || strcmp(key, "realsize") == 0) && has_number) a->whole = v;
    if (strcmp(key, "major") == 0) a->map_in_data = v == 1;
    if (strcmp(key, "map") == 0) take_map(a, value);
    if (strcmp(key, "offset") == 0 && !a->pieces) a->piece_at = v;
    if (strcmp(key, "numbytes") == 0 && v && a->pieces++ == 0) a->piece_n = v;
}

/* Use the records "LENGTH KEY=VALUE\n" of a pax header. */
static void take_pax(char *p, about *a)
{
    while (*p) {
        char *end, *key, *value;
        unsigned long n = strtoul(p, &end, 10);
        size_t left = strlen(p), head = (size_t)(end - p) + 1;

        if (end == p || *end != ' ' || n > left || n <= head) return;
        key = p + head;
        p[n - 1] = '\0'; /* overwrites the line break */
        value = strchr(key, '=');
        if (value) {
            *value = '\0';
            take_record(a, key, value + 1);
        }
        p += n;
    }
}

/* Read a member that describes the next member and is no file. */
static void take_about(tt_source *archive, char type, uint64_t at, uint64_t size, about *a)
{
    char *data = type == 'L' || type == 'x' ? data_of(archive, at, size) : NULL;

    if (data && type == 'L') {
        free(a->name);
        a->name = data;
        return;
    }
    if (data) take_pax(data, a);
    free(data);
}

/* ---- members */

/* Whether the member is a link or a device. POSIX wants unknown types read as files. */
static bool is_special(char type) { return type >= '1' && type <= '6' && type != '5'; }

/* Add the member with the header h and its data at *at, and move *at past the data. False = no more members. */
static bool take_member(tt_source *archive, const unsigned char *h, about *a, uint64_t *at, uint64_t size,
                        tt_members *out)
{
    char type = (char)h[TYPE.at];
    tt_member m = {.offset = *at - BLOCK, .left_out = TT_MEMBER_TAKEN};
    bool folder;

    if (a->size != UINT64_MAX) size = a->size;
    if (type == 'S') take_gnu_sparse(archive, h, a, at);
    m.at = *at;
    m.size = size;
    *at += (size + BLOCK - 1) / BLOCK * BLOCK;
    m.name = a->sparse_name ? a->sparse_name : a->name;
    if (m.name == a->sparse_name) a->sparse_name = NULL;
    if (m.name == a->name) a->name = NULL;
    if (!m.name) m.name = plain_name(h);
    if (a->sparse) {
        if (a->map_in_data) m.at = take_map_of_data(archive, a, m.at, size);
        m.size = a->whole;
        if (!without_holes(a)) m.left_out = TT_PROBLEM_MEMBER_PACKED;
    }
    if (is_special(type)) m.left_out = TT_PROBLEM_MEMBER_LINK;
    if (type == 'M') m.left_out = TT_PROBLEM_MEMBER_PACKED; /* the member began in an earlier volume */
    folder = type == '5' || type == 'D' || type == 'V' || (*m.name && m.name[strlen(m.name) - 1] == '/');
    about_clear(a);
    if (!folder) return tt_members_add(out, &m);
    free(m.name);
    return true;
}

/* Search the next header from *at on. False = there is none, or another end. */
static bool next_header(tt_source *archive, uint64_t *at, unsigned char *h, uint64_t most)
{
    for (uint64_t end = most < UINT64_MAX - *at ? *at + most : UINT64_MAX; *at < end; *at += BLOCK) {
        if (tt_source_read_at(archive, *at, (char *)h, BLOCK) != BLOCK) return false;
        if (is_header(h)) return true;
    }
    return false;
}

/* Tell why there is no header at *at; h holds n bytes of the text there. False = the archive ends here; otherwise *at
 * moves to the next header. */
static bool behind_members(tt_source *archive, uint64_t *at, int64_t n, unsigned char *h, tt_members *out)
{
    uint64_t offset = *at;

    if (n < BLOCK) {
        uint64_t end = archive->ops->direct ? archive->raw.size : archive->at;

        if (end < offset) {
            tt_members_cut(out, end, "the archive ends inside a file, at byte %llu", (unsigned long long)end);
        } else if (n > 0) {
            tt_members_cut(out, offset, "the archive ends inside the header at byte %llu", (unsigned long long)offset);
        } else {
            tt_members_cut(out, offset, "the archive ends at byte %llu without its end mark",
                           (unsigned long long)offset);
        }
        return false;
    }
    if (is_zero(h)) return next_header(archive, at, h, ZEROS_MOST); /* another archive may follow the zeros */
    tt_members_cut(out, offset, "what should be a header at byte %llu is none", (unsigned long long)offset);
    return next_header(archive, at, h, UINT64_MAX);
}

void tt_tar_walk(tt_source *archive, tt_members *out)
{
    unsigned char h[BLOCK];
    about next = {.size = UINT64_MAX};
    uint64_t at = 0, size;
    bool on = true;

    while (on) {
        int64_t n = tt_source_read_at(archive, at, (char *)h, BLOCK);
        char type;

        if ((n < BLOCK || !is_header(h)) && !behind_members(archive, &at, n, h, out)) break;
        (void)number(h, SIZE, &size); /* a header always has a size */
        type = (char)h[TYPE.at];
        at += BLOCK;
        if (type == 'L' || type == 'x' || type == 'K' || type == 'g') {
            take_about(archive, type, at, size, &next);
            at += (size + BLOCK - 1) / BLOCK * BLOCK;
        } else {
            on = take_member(archive, h, &next, &at, size, out);
        }
    }
    about_clear(&next);
}
