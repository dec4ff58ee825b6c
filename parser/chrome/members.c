/* parser/chrome/members.c - reads the members of an event object.
 *
 * Writers print the members of every event of a phase in one order, so the order is learned: the next event of the
 * phase is checked against it key by key, four index entries per member (key, colon, value, comma), without looking
 * anything up. An event that does not fit is read the general way, which learns. */
#include <string.h>

#include "parser/chrome/document_inline.h"

/* Hash of a key's first bytes; the multiplier gives the keys below different hashes. */
static uint32_t slot_hash(uint32_t key) { return key * UINT32_C(0xD5F4B3B3) >> 28; }

void tt_chrome_slots_init(tt_chrome_parser *w)
{
    static const struct {
        char key[5];
        size_t offset;
    } all[] = {{"ph", offsetof(tt_chrome_event, ph)},     {"ts", offsetof(tt_chrome_event, ts)},
               {"id", offsetof(tt_chrome_event, id)},     {"bp", offsetof(tt_chrome_event, bp)},
               {"cat", offsetof(tt_chrome_event, cat)},   {"pid", offsetof(tt_chrome_event, pid)},
               {"tid", offsetof(tt_chrome_event, tid)},   {"dur", offsetof(tt_chrome_event, dur)},
               {"id2", offsetof(tt_chrome_event, id2)},   {"s", offsetof(tt_chrome_event, scope)},
               {"name", offsetof(tt_chrome_event, name)}, {"args", offsetof(tt_chrome_event, args_text)}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint32_t key;
        memcpy(&key, all[i].key, 4);
        w->slots[slot_hash(key)] = (struct tt_chrome_slot){key, (uint32_t)all[i].offset};
    }
}

/* Span of tt_chrome_event that a key names; e->ignored for other keys. */
static inline tt_span *slot_of(const tt_chrome_parser *w, tt_chrome_event *e, tt_span key)
{
    uint32_t k; /* first bytes of the key; four are readable: at least a quote, a colon and a value follow */
    if (key.len > 4) return key.len == 5 && !memcmp(key.p, "scope", 5) ? &e->scope : &e->ignored;
    memcpy(&k, key.p, 4);
    k &= (uint32_t)((UINT64_C(1) << 8 * key.len) - 1);
    const struct tt_chrome_slot *s = &w->slots[slot_hash(k)];
    return s->key == k && k ? (tt_span *)(void *)((char *)e + s->offset) : &e->ignored;
}

static struct tt_chrome_layout *layout_of(tt_chrome_parser *w, uint32_t i)
{
    return &w->layouts[w->text[w->at[i + 3] + 1] & 7];
}

/* Add a member to the layout being learned; a member that no layout can hold ends the learning. */
static void learn(struct tt_chrome_layout *l, const tt_chrome_event *e, tt_span key, const tt_span *slot)
{
    if (e->twice || l->n >= TT_LAYOUT_MOST || key.len > 5 || l->args || key.p[key.len + 1] != ':') {
        l->n = TT_LAYOUT_MOST + 1;
        return;
    }
    memcpy(&l->m[l->n].word, key.p - 1, 8);
    l->m[l->n].mask = key.len == 5 ? UINT64_MAX : (UINT64_C(1) << 8 * (key.len + 3)) - 1;
    l->m[l->n].word &= l->m[l->n].mask;
    l->m[l->n].offset = (uint32_t)((const char *)slot - (const char *)e);
    l->m[l->n].behind = ',';
    l->n++;
}

static bool read_members(tt_chrome_parser *w, tt_chrome_event *e, uint32_t i, uint32_t *next)
{
    const uint32_t *at = w->at;
    const char *text = w->text;
    struct tt_chrome_layout learned = {.n = 0};
    uint32_t begin = i++;
    if (text[at[i]] == '}') {
        *next = i + 1;
        return true;
    }
    for (;;) {
        tt_span key;
        if (!tt_chrome_key(text, at, i, &key)) return false;
        uint32_t v = i + 2;
        int class = tt_chrome_class(text[at[v]]);
        tt_span *slot = slot_of(w, e, key);
        e->twice |= slot->type && slot != &e->ignored;
        if (class == TT_VALUE_NESTED) {
            bool args = slot == &e->args_text && text[at[v]] == '{';
            if (args) e->args_at = v;
            if (!(args ? tt_chrome_args(w, e, v, &i) : tt_chrome_skip(w, v, &i))) return false;
            *slot = (tt_span){text + at[v], at[i - 1] + 1 - at[v], text[at[v]]};
            learned.n = args && !learned.args && key.p[key.len + 1] == ':' ? learned.n : TT_LAYOUT_MOST + 1;
            learned.args = true;
        } else {
            if (class == TT_VALUE_NONE) return false;
            *slot = tt_chrome_value(text, at, v, class);
            if (!slot->type) return false;
            learn(&learned, e, key, slot);
            i = v + 1;
        }
        char c = text[at[i++]];
        if (c == '}') break;
        if (c != ',') return false;
    }
    *next = i;
    if (!learned.n || learned.n > TT_LAYOUT_MOST) return true;
    if (!learned.args) learned.m[learned.n - 1].behind = '}';
    *layout_of(w, begin) = learned;
    return true;
}

/* Read an event by its learned layout. False when the object does not fit; the event's spans are then undefined. */
static bool read_learned(tt_chrome_parser *w, tt_chrome_event *e, uint32_t i, uint32_t *next)
{
    if (i + 4 >= w->n) return false;
    const struct tt_chrome_layout *l = layout_of(w, i);
    if (!l->n || i + 4 * l->n + 4 >= w->n) return false;
    const char *text = w->text;
    const uint32_t *k = w->at + i + 1;
    const struct tt_chrome_key *m = l->m, *end = m + l->n;
    uint64_t wrong = 0;
    for (; m < end; m++, k += 4) {
        uint64_t word;
        memcpy(&word, text + k[0], 8);
        const char *p = text + k[2], *q = text + k[3];
        wrong |= ((word & m->mask) ^ m->word) | (uint64_t)(*q ^ m->behind);
        if (__builtin_expect((unsigned char)q[-1] <= ' ', 0)) {
            q = tt_chrome_trim(q);
            wrong |= (uint64_t)(q <= p); /* only control characters */
        }
        tt_span *slot = (tt_span *)(void *)((char *)e + m->offset);
        if (*p == '"') {
            wrong |= (uint64_t)(q[-1] ^ '"') | (uint64_t)(q - p < 2);
            *slot = (tt_span){p + 1, (uint32_t)(q - p - 2), '"'};
        } else {
            *slot = (tt_span){p, (uint32_t)(q - p), *p};
        }
    }
    i += 1 + 4 * l->n;
    if (wrong) return false;
    if (!l->args) {
        *next = i;
        return true;
    }
    if (memcmp(text + k[0], "\"args\":", 7) != 0 || text[k[2]] != '{') return false;
    e->args_at = i + 2;
    if (!tt_chrome_args(w, e, i + 2, &i) || w->text[w->at[i]] != '}') return false;
    *next = i + 1;
    return true;
}

bool tt_chrome_members(tt_chrome_parser *w, tt_chrome_event *e, uint32_t i, uint32_t *next)
{
    if (read_learned(w, e, i, next)) return true;
    uint64_t offset = e->offset;
    tt_chrome_clear(e);
    e->offset = offset;
    return read_members(w, e, i, next);
}
