/* parser/archive_tar.c - the members of a tar archive: ustar, GNU's long names, pax headers.
 *
 * Headers are read one after another from the text of the archive, which may be compressed: what lies between them is passed over. The
 * walk ends at the first block that is no header.                                                                       */
#include "parser/archive_impl.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 512u
#define NAME_MOST 65536u /* of a long name or a pax header; longer ones are not taken */

typedef struct field {
    size_t at, n;
} field;
static const field NAME = {0, 100}, SIZE = {124, 12}, SUM = {148, 8}, TYPE = {156, 1}, MAGIC = {257, 6},
                   PREFIX = {345, 155};

bool tt_is_tar(const char *head, size_t n) { return n >= BLOCK && memcmp(head + MAGIC.at, "ustar", 5) == 0; }

/* Octal digits, or binary when the first bit is set. False when it is neither. */
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

static bool is_header(const unsigned char *h)
{
    uint64_t want, sum = 0;

    for (size_t i = 0; i < BLOCK; i++) sum += i >= SUM.at && i < SUM.at + SUM.n ? ' ' : h[i];
    return memcmp(h + MAGIC.at, "ustar", 5) == 0 && number(h, SUM, &want) && want == sum;
}

/* The name in the header itself. */
static char *plain_name(const unsigned char *h)
{
    const char *name = (const char *)h + NAME.at, *prefix = (const char *)h + PREFIX.at;
    size_t n = strnlen(name, NAME.n), p = h[MAGIC.at + 5] == 0 ? strnlen(prefix, PREFIX.n) : 0;
    char *out = tt_calloc(n + p + 2, 1);

    memcpy(out, prefix, p);
    if (p) out[p++] = '/';
    memcpy(out + p, name, n);
    return out;
}

/* The data of a member, with a zero behind it; NULL when it is too long or not there. */
static char *data_of(tt_source *archive, uint64_t at, uint64_t size)
{
    char *data;

    if (size > NAME_MOST) return NULL;
    data = tt_calloc((size_t)size + 1, 1);
    if (tt_source_read_at(archive, at, data, (size_t)size) == (int64_t)size) return data;
    free(data);
    return NULL;
}

/* Records "LENGTH KEY=VALUE\n" of a pax header: the path and the size of the member behind it. */
static void take_pax(const char *p, char **name, uint64_t *size)
{
    while (*p) {
        char *end;
        unsigned long n = strtoul(p, &end, 10);
        size_t left = strlen(p), head = (size_t)(end - p) + 1;

        if (end == p || *end != ' ' || n > left || n <= head) return;
        if (n > head + 5 && memcmp(p + head, "path=", 5) == 0) {
            free(*name);
            *name = tt_strndup(p + head + 5, n - head - 6);
        }
        if (n > head + 5 && memcmp(p + head, "size=", 5) == 0) {
            unsigned long long v = strtoull(p + head + 5, NULL, 10);
            if (v < (uint64_t)1 << 62) *size = v;
        }
        p += n;
    }
}

void tt_tar_walk(tt_source *archive, tt_member_fn *member, void *arg)
{
    unsigned char h[BLOCK];
    char *name = NULL; /* from a member of its own, for the next one */
    uint64_t at = 0, size, pax_size = UINT64_MAX;
    bool on = true;

    while (on && tt_source_read_at(archive, at, (char *)h, BLOCK) == BLOCK && is_header(h) && number(h, SIZE, &size)) {
        char type = (char)h[TYPE.at];
        bool about_next = type == 'L' || type == 'x';

        at += BLOCK;
        if (about_next) {
            char *data = data_of(archive, at, size);

            if (data && type == 'L') {
                free(name);
                name = data;
                data = NULL;
            } else if (data) {
                take_pax(data, &name, &pax_size);
            }
            free(data);
        } else if (type != 'g') {
            bool file = type == '0' || type == '7' || type == 0;
            tt_member m = {.name = name ? name : plain_name(h), .at = at};

            if (pax_size != UINT64_MAX) size = pax_size;
            m.size = size;
            if (!file && *m.name) m.name[0] = '\0';
            /* a folder is nothing that is left out */
            if (type != '5') on = member(arg, &m);
            free(m.name);
            name = NULL;
            pax_size = UINT64_MAX;
        }
        at += (size + BLOCK - 1) / BLOCK * BLOCK;
    }
    free(name);
}
