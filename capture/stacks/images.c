/* capture/stacks/images.c - mappings and ELF symbols of a process. See images.h. */
#include "capture/stacks/images.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/stacks/peek.h"

/* ---- mappings ---- */

/* "7f5e1000-7f5e2000 r-xp 00001000 fe:01 1234   /usr/lib/libc.so.6"; the line is terminated. */
static bool parse_map(char *line, tt_map *out)
{
    char *p;
    *out = (tt_map){.start = strtoull(line, &p, 16)};
    if (*p++ != '-') return false;
    out->end = strtoull(p, &p, 16);
    if (strlen(p) < 6) return false;
    out->readable = p[1] == 'r';
    out->executable = p[3] == 'x';
    out->offset = strtoull(p + 6, &p, 16);
    for (int words = 0; words < 2; words++) { /* device, inode */
        p += strspn(p, " ");
        p += strcspn(p, " ");
    }
    out->path = p + strspn(p, " ");
    return true;
}

int tt_maps_each(uint32_t pid, bool (*each)(void *arg, const tt_map *m), void *arg)
{
    char path[40], text[8192];
    size_t n = 0;
    bool more = true;
    snprintf(path, sizeof path, "/proc/%u/maps", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    while (more) {
        ssize_t got = read(fd, text + n, sizeof text - 1 - n);
        int error = errno;
        if (got <= 0) {
            close(fd);
            return got ? error : 0;
        }
        n += (size_t)got;
        char *line = text, *end;
        for (; more && (end = memchr(line, '\n', n - (size_t)(line - text))) != NULL; line = end + 1) {
            tt_map m;
            *end = 0;
            if (parse_map(line, &m)) more = each(arg, &m);
        }
        n -= (size_t)(line - text);
        memmove(text, line, n);
        if (n == sizeof text - 1) n = 0; /* no path is so long */
    }
    close(fd);
    return 0;
}

/* ---- ELF ---- */

enum { HEADERS_MOST = 64, DYNAMIC_MOST = 256 };

/* Address that a tag of the dynamic section holds: the loader of glibc has added the bias in place, others have not. */
static uint64_t address(const tt_image *m, uint64_t value) { return value < m->bias ? value + m->bias : value; }

static bool read_dynamic(tt_image *m, uint64_t at, uint64_t bytes)
{
    Elf64_Dyn d[DYNAMIC_MOST];
    size_t n = bytes / sizeof *d < DYNAMIC_MOST ? bytes / sizeof *d : DYNAMIC_MOST;
    if (!tt_peek(m->pid, at, d, n * sizeof *d)) return false;
    for (size_t i = 0; i < n && d[i].d_tag != DT_NULL; i++) {
        if (d[i].d_tag == DT_SYMTAB) m->symbols = address(m, d[i].d_un.d_ptr);
        if (d[i].d_tag == DT_STRTAB) m->names = address(m, d[i].d_un.d_ptr);
        if (d[i].d_tag == DT_STRSZ) m->names_size = d[i].d_un.d_val;
        if (d[i].d_tag == DT_GNU_HASH) m->gnu_hash = address(m, d[i].d_un.d_ptr);
    }
    return m->symbols && m->names && m->gnu_hash;
}

bool tt_image_open(tt_image *m, uint32_t pid, uint64_t start)
{
    Elf64_Ehdr e;
    Elf64_Phdr p[HEADERS_MOST];
    const Elf64_Phdr *dynamic = NULL;
    bool based = false;
    uint64_t unwind = 0;
    *m = (tt_image){.pid = pid};
    if (!tt_peek(pid, start, &e, sizeof e) || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0) return false;
    if (e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_phentsize != sizeof *p || e.e_phnum > HEADERS_MOST) return false;
    if (!tt_peek(pid, start + e.e_phoff, p, e.e_phnum * sizeof *p)) return false;
    for (int i = 0; i < e.e_phnum; i++) {
        if (p[i].p_type == PT_DYNAMIC) dynamic = &p[i];
        if (p[i].p_type == PT_GNU_EH_FRAME) unwind = p[i].p_vaddr;
        if (p[i].p_type != PT_LOAD || p[i].p_offset || based) continue;
        m->bias = start - p[i].p_vaddr;
        based = true;
    }
    if (unwind) m->unwind = m->bias + unwind;
    return based && dynamic && read_dynamic(m, m->bias + dynamic->p_vaddr, dynamic->p_memsz);
}

typedef struct gnu_hash { /* head of a DT_GNU_HASH table; filter words, buckets and chains follow it */
    uint32_t buckets, first, words, shift;
} gnu_hash;

static uint64_t buckets_at(const tt_image *m, const gnu_hash *h)
{
    return m->gnu_hash + sizeof *h + (uint64_t)h->words * 8;
}

static bool is_named(const tt_image *m, const Elf64_Sym *s, const char *name)
{
    char text[64];
    size_t n = strlen(name) + 1;
    return n <= sizeof text && tt_peek(m->pid, m->names + s->st_name, text, n) && !memcmp(text, name, n);
}

uint64_t tt_image_symbol(const tt_image *m, const char *name)
{
    gnu_hash h;
    Elf64_Sym s;
    uint64_t filter;
    uint32_t hash = 5381, at, chain = 0;
    for (const char *c = name; *c; c++) hash = hash * 33 + (unsigned char)*c;
    if (!tt_peek(m->pid, m->gnu_hash, &h, sizeof h) || !h.buckets || !h.words) return 0;
    if (!tt_peek_u64(m->pid, m->gnu_hash + sizeof h + (uint64_t)(hash / 64 % h.words) * 8, &filter)) return 0;
    if (!(filter >> hash % 64 & 1) || !(filter >> (hash >> h.shift % 32) % 64 & 1)) return 0;
    if (!tt_peek(m->pid, buckets_at(m, &h) + hash % h.buckets * 4, &at, sizeof at) || at < h.first) return 0;
    uint64_t chains = buckets_at(m, &h) + (uint64_t)h.buckets * 4;
    for (; !(chain & 1); at++) { /* the last of a chain has bit 0 set */
        if (!tt_peek(m->pid, chains + (uint64_t)(at - h.first) * 4, &chain, sizeof chain)) return 0;
        if ((chain | 1) != (hash | 1)) continue;
        if (!tt_peek(m->pid, m->symbols + (uint64_t)at * sizeof s, &s, sizeof s)) return 0;
        if (s.st_shndx != SHN_UNDEF && is_named(m, &s, name)) return m->bias + s.st_value;
    }
    return 0;
}

/* Number of symbols: the end of the chain of the last bucket. */
static uint32_t count_symbols(const tt_image *m)
{
    gnu_hash h;
    uint32_t part[1024], last = 0, chain = 0;
    if (!tt_peek(m->pid, m->gnu_hash, &h, sizeof h)) return 0;
    for (uint32_t i = 0, n; i < h.buckets; i += n) {
        n = h.buckets - i < 1024 ? h.buckets - i : 1024;
        if (!tt_peek(m->pid, buckets_at(m, &h) + (uint64_t)i * 4, part, n * sizeof *part)) return 0;
        for (uint32_t k = 0; k < n; k++) last = part[k] > last ? part[k] : last;
    }
    if (last < h.first) return 0;
    uint64_t chains = buckets_at(m, &h) + (uint64_t)h.buckets * 4;
    while (!(chain & 1)) {
        if (!tt_peek(m->pid, chains + (uint64_t)(last - h.first) * 4, &chain, sizeof chain)) return 0;
        last++;
    }
    return last;
}

static void take(const tt_image *m, const Elf64_Sym *s, tt_place *p)
{
    uint64_t begin = m->bias + s->st_value;
    if (begin > p->at || begin < p->begin || s->st_name >= m->names_size) return;
    p->begin = begin;
    p->size = s->st_size;
    p->name = s->st_name;
}

void tt_image_find(const tt_image *m, tt_place *at, size_t n_places)
{
    Elf64_Sym part[512];
    uint32_t n = count_symbols(m);
    for (uint32_t i = 0, k; i < n; i += k) {
        k = n - i < 512 ? n - i : 512;
        if (!tt_peek(m->pid, m->symbols + (uint64_t)i * sizeof *part, part, k * sizeof *part)) break;
        for (uint32_t j = 0; j < k; j++) {
            int type = ELF64_ST_TYPE(part[j].st_info);
            if ((type != STT_FUNC && type != STT_GNU_IFUNC) || part[j].st_shndx == SHN_UNDEF) continue;
            for (size_t p = 0; p < n_places; p++) take(m, &part[j], &at[p]);
        }
    }
    /* functions without a symbol lie behind others: only inside its size is a name true */
    for (size_t p = 0; p < n_places; p++)
        if (at[p].begin && at[p].size && at[p].at >= at[p].begin + at[p].size) at[p].begin = 0;
}

void tt_image_name(const tt_image *m, const tt_place *p, char *out, size_t cap)
{
    out[tt_peek_most(m->pid, m->names + p->name, out, cap - 1)] = 0;
}
