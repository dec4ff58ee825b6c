/* capture/stacks/unwind.c - unwind information of x86-64. See unwind.h. */
#include "capture/stacks/unwind.h"

#include <string.h>

#include "capture/stacks/peek.h"

/* ---- reading numbers ---- */

typedef struct bytes {
    const unsigned char *at, *end;
    bool good;
} bytes;

static uint64_t fixed(bytes *b, size_t n)
{
    uint64_t v = 0;
    b->good &= (size_t)(b->end - b->at) >= n;
    if (!b->good) return 0;
    memcpy(&v, b->at, n);
    b->at += n;
    return v;
}

static uint64_t leb(bytes *b, bool is_signed)
{
    uint64_t v = 0;
    for (int shift = 0; b->good; shift += 7) {
        uint64_t c = fixed(b, 1);
        if (shift < 64) v |= (c & 127) << shift;
        if (c & 128) continue;
        if (is_signed && c & 64 && shift < 57) v |= ~UINT64_C(0) << (shift + 7);
        break;
    }
    return v;
}

static void skip(bytes *b, uint64_t n)
{
    b->good &= (uint64_t)(b->end - b->at) >= n;
    if (b->good) b->at += n;
}

/* ---- the program of a function ---- */

enum { PCREL_4 = 0x1B, RETURN = 16, ENTRY_MOST = 1024, STATES = 8 };

typedef struct state {
    tt_unwind_rule r;
    bool known, lost; /* known: the CFA is an offset from a register; lost: bp or the return address is elsewhere */
} state;

typedef struct program {
    uint64_t code_align, at; /* at: the instruction whose rule is wanted */
    int64_t data_align;
    uint64_t place; /* instruction that the program has come to */
    state now, first, kept[STATES];
    int n_kept;
} program;

static void save(program *p, uint64_t reg, int64_t offset)
{
    if (reg == TT_REGISTER_BP) {
        p->now.r.saves_bp = true;
        p->now.r.bp_offset = offset;
    }
    if (reg == RETURN) p->now.r.return_offset = offset;
}

static void restore(program *p, uint64_t reg)
{
    if (reg == TT_REGISTER_BP) {
        p->now.r.saves_bp = p->first.r.saves_bp;
        p->now.r.bp_offset = p->first.r.bp_offset;
    }
    if (reg == RETURN) p->now.r.return_offset = p->first.r.return_offset;
}

static void define_cfa(program *p, uint64_t reg, int64_t offset)
{
    p->now.known = reg == TT_REGISTER_BP || reg == TT_REGISTER_SP;
    p->now.r.cfa_register = (uint32_t)reg;
    p->now.r.cfa_offset = offset;
}

/* A register whose place is not an offset from the CFA. */
static void elsewhere(program *p, uint64_t reg) { p->now.lost |= reg == TT_REGISTER_BP || reg == RETURN; }

static void remember(program *p, bytes *b)
{
    b->good &= p->n_kept < STATES;
    if (b->good) p->kept[p->n_kept++] = p->now;
}

static void recall(program *p, bytes *b)
{
    b->good &= p->n_kept > 0;
    if (b->good) p->now = p->kept[--p->n_kept];
}

/* The instructions with a byte of their own (DW_CFA_). */
static void extended(program *p, bytes *b, unsigned op)
{
    uint64_t reg;
    switch (op) {
    case 0x00: break;                                          /* nop */
    case 0x02: p->place += fixed(b, 1) * p->code_align; break; /* advance_loc1 */
    case 0x03: p->place += fixed(b, 2) * p->code_align; break; /* advance_loc2 */
    case 0x04: p->place += fixed(b, 4) * p->code_align; break; /* advance_loc4 */
    case 0x05:                                                 /* offset_extended */
        reg = leb(b, false);
        save(p, reg, (int64_t)leb(b, false) * p->data_align);
        break;
    case 0x06: restore(p, leb(b, false)); break; /* restore_extended */
    case 0x07: /* undefined */ p->now.r.outermost |= leb(b, false) == RETURN; break;
    case 0x08: /* same_value */
        if (leb(b, false) == TT_REGISTER_BP) p->now.r.saves_bp = false;
        break;
    case 0x09: /* register */
        elsewhere(p, leb(b, false));
        leb(b, false);
        break;
    case 0x0A: remember(p, b); break;
    case 0x0B: recall(p, b); break;
    case 0x0C: /* def_cfa */
        reg = leb(b, false);
        define_cfa(p, reg, (int64_t)leb(b, false));
        break;
    case 0x0D: define_cfa(p, leb(b, false), p->now.r.cfa_offset); break; /* def_cfa_register */
    case 0x0E: p->now.r.cfa_offset = (int64_t)leb(b, false); break;      /* def_cfa_offset */
    case 0x0F:                                                           /* def_cfa_expression */
        p->now.known = false;
        skip(b, leb(b, false));
        break;
    case 0x10: /* expression, val_expression */
    case 0x16:
        elsewhere(p, leb(b, false));
        skip(b, leb(b, false));
        break;
    case 0x11: /* offset_extended_sf */
        reg = leb(b, false);
        save(p, reg, (int64_t)leb(b, true) * p->data_align);
        break;
    case 0x12: /* def_cfa_sf */
        reg = leb(b, false);
        define_cfa(p, reg, (int64_t)leb(b, true) * p->data_align);
        break;
    case 0x13: p->now.r.cfa_offset = (int64_t)leb(b, true) * p->data_align; break; /* def_cfa_offset_sf */
    case 0x2E: leb(b, false); break;                                               /* GNU_args_size */
    default: b->good = false;
    }
}

static void execute(program *p, bytes b)
{
    enum { ADVANCE = 1, OFFSET, RESTORE };
    while (b.good && b.at < b.end) {
        unsigned op = (unsigned)fixed(&b, 1), low = op & 63;
        switch (op >> 6) {
        case ADVANCE: p->place += low * p->code_align; break;
        case OFFSET: save(p, low, (int64_t)leb(&b, false) * p->data_align); break;
        case RESTORE: restore(p, low); break;
        default: extended(p, &b, op);
        }
        if (p->place > p->at) return;
    }
    p->now.lost |= !b.good;
}

/* ---- entries ---- */

/* Read an entry of .eh_frame into b, behind its length; false: none. */
static bool read_entry(uint32_t pid, uint64_t at, unsigned char out[ENTRY_MOST], bytes *b)
{
    uint32_t length;
    size_t got = tt_peek_most(pid, at, out, ENTRY_MOST);
    if (got < 8) return false;
    memcpy(&length, out, 4);
    *b = (bytes){out + 4, out + got, length >= 4 && length <= got - 4};
    if (b->good) b->end = b->at + length;
    return b->good;
}

/* Read the common part of functions, up to its instructions. */
static bool read_common(bytes *b, program *p, bool *augmented)
{
    const char *kinds;
    skip(b, 4);
    uint64_t version = fixed(b, 1);
    kinds = (const char *)b->at;
    skip(b, strnlen(kinds, (size_t)(b->end - b->at)) + 1);
    p->code_align = leb(b, false);
    p->data_align = (int64_t)leb(b, true);
    uint64_t ra = version == 1 ? fixed(b, 1) : leb(b, false);
    *augmented = b->good && kinds[0] == 'z';
    if (!b->good || ra != RETURN || (kinds[0] && !*augmented)) return false;
    uint64_t n = *augmented ? leb(b, false) : 0;
    bytes a = *b;
    skip(b, n);
    for (const char *k = kinds + *augmented; *k && a.good; k++) {
        if (*k == 'S') return false; /* frame of a signal: its rule is an expression */
        uint64_t encoding = fixed(&a, 1);
        if (*k == 'R' && encoding != PCREL_4) return false;
        if (*k == 'P') skip(&a, (encoding & 7) == 3 ? 4 : 8);
    }
    return b->good && a.good;
}

static bool rule_of(uint32_t pid, uint64_t entry, uint64_t at, tt_unwind_rule *out)
{
    unsigned char of_function[ENTRY_MOST], of_common[ENTRY_MOST];
    bytes b, c;
    bool augmented;
    program p = {.at = at};
    if (!read_entry(pid, entry, of_function, &b)) return false;
    uint64_t common = entry + 4 - fixed(&b, 4);
    uint64_t begin = entry + 8 + (uint64_t)(int64_t)(int32_t)fixed(&b, 4), size = fixed(&b, 4);
    if (at < begin || at - begin >= size || !read_entry(pid, common, of_common, &c)) return false;
    if (!read_common(&c, &p, &augmented)) return false;
    if (augmented) skip(&b, leb(&b, false));
    execute(&p, c);
    p.first = p.now;
    p.place = begin;
    if (b.good) execute(&p, b);
    *out = p.now.r;
    out->function = begin;
    return b.good && p.now.known && !p.now.lost && (out->return_offset || out->outermost);
}

bool tt_unwind_rule_at(uint32_t pid, uint64_t table, uint64_t at, tt_unwind_rule *out)
{
    /* version, encodings of the pointer to .eh_frame, of the count, of the sorted pairs: those that linkers write */
    static const unsigned char usual[] = {1, PCREL_4, 0x03, 0x3B};
    struct {
        unsigned char form[4];
        int32_t frames;
        uint32_t n;
    } head;
    struct {
        int32_t begin, entry; /* relative to the table */
    } pair = {0};
    if (!tt_peek(pid, table, &head, sizeof head) || memcmp(head.form, usual, sizeof usual) != 0) return false;
    uint32_t lo = 0, hi = head.n;
    while (lo < hi) { /* the first pair behind `at` */
        uint32_t mid = lo + (hi - lo) / 2;
        if (!tt_peek(pid, table + sizeof head + (uint64_t)mid * sizeof pair, &pair, sizeof pair)) return false;
        if (table + (uint64_t)(int64_t)pair.begin <= at) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    if (!lo || !tt_peek(pid, table + sizeof head + (uint64_t)(lo - 1) * sizeof pair, &pair, sizeof pair)) return false;
    return rule_of(pid, table + (uint64_t)(int64_t)pair.entry, at, out);
}
