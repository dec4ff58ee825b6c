/* parser/xplane/space.c - the first pass. See space.h. Depth is limited by the definition of the messages; of a plane's
 * names only what was read is kept. */
#include "parser/xplane/space.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"

#define NAME_MOST ((size_t)1 << 20) /* bytes; longer names are dropped */
#define TEXT_MOST 256               /* bytes of a kind's text stat; longer ones mean nothing here */
#define PIECE ((uint64_t)1 << 18)
#define ENTRY_MOST ((uint64_t)16 << 20)

/* ---- ids ---- */

/* Sort ids; of equal ids the last entry counts, as in every map of protocol buffers. */
static void ids_done(tt_xp_ids *ids)
{
    size_t n = 0;
    if (!ids->at.n) return;
    TT_SORT_BY(ids->at.at, ids->at.n, TT_ASC(tt_xp_id, id), TT_ASC(tt_xp_id, index));
    for (size_t i = 0; i < ids->at.n; i++) {
        if (n && ids->at.at[n - 1].id == ids->at.at[i].id) n--;
        ids->at.at[n++] = ids->at.at[i];
    }
    ids->at.n = n;
    int64_t most = ids->at.at[n - 1].id;
    if (ids->at.at[0].id < 0 || most > 4 * (int64_t)n + 1024) return;
    ids->n_direct = (size_t)most + 1;
    ids->direct = tt_calloc(ids->n_direct, sizeof *ids->direct);
    for (size_t i = 0; i < n; i++) ids->direct[ids->at.at[i].id] = ids->at.at[i].index + 1;
}

uint32_t tt_xp_find(const tt_xp_ids *ids, int64_t id)
{
    if (ids->direct) return id >= 0 && (size_t)id < ids->n_direct ? ids->direct[id] - 1 : TT_XP_NONE;
    size_t lo = 0, hi = ids->at.n;
    TT_BISECT(lo, hi, i, ids->at.at[i].id < id);
    return lo < ids->at.n && ids->at.at[lo].id == id ? ids->at.at[lo].index : TT_XP_NONE;
}

/* ---- stats ---- */

tt_xp_role tt_xp_role_of(const tt_xp_plane *p, int64_t metadata)
{
    uint32_t i = tt_xp_find(&p->stat_ids, metadata);
    return i == TT_XP_NONE ? TT_XP_OTHER : p->stats.at[i].role;
}

/* Value of a stat; a reference is not resolved. */
static tt_xp_value value_of(const tt_pb_field *stat)
{
    tt_xp_value v = {0};
    tt_pb m = tt_pb_inside(stat);
    tt_pb_field f;
    while (tt_pb_next(&m, &f)) {
        if (f.number == TT_XSTAT_METADATA) v.metadata = (int64_t)f.value;
        if (f.number < TT_XSTAT_DOUBLE || f.number > TT_XSTAT_REF) continue;
        v.type = (uint8_t)f.number;
        v.value = f.value;
        v.text = f.bytes;
        v.len = f.len;
    }
    return v;
}

static void resolve(const tt_xp_space *x, const tt_xp_plane *p, tt_xp_value *v)
{
    if (v->type != TT_XSTAT_REF) return;
    uint32_t i = tt_xp_find(&p->stat_ids, (int64_t)v->value);
    v->text = i == TT_XP_NONE ? NULL : tt_str(&x->text, p->stats.at[i].name);
    v->len = v->text ? strlen(v->text) : 0;
}

tt_xp_value tt_xp_value_of(const tt_xp_space *x, const tt_xp_plane *p, const tt_pb_field *stat)
{
    tt_xp_value v = value_of(stat);
    resolve(x, p, &v);
    return v;
}

double tt_xp_double(const tt_xp_value *v)
{
    double d;
    memcpy(&d, &v->value, sizeof d);
    return d;
}

/* A number written as text, as some writers do: "5368709120". */
static int64_t number_in(const char *text, size_t len)
{
    char digits[24], *end;
    if (!len || len >= sizeof digits) return TT_UNKNOWN;
    memcpy(digits, text, len);
    digits[len] = 0;
    if (digits[0] != '-' && (digits[0] < '0' || digits[0] > '9')) return TT_UNKNOWN;
    long long n = strtoll(digits, &end, 10);
    return *end ? TT_UNKNOWN : n;
}

int64_t tt_xp_number(const tt_xp_value *v)
{
    switch (v->type) {
    case TT_XSTAT_UINT: return v->value <= (uint64_t)INT64_MAX ? (int64_t)v->value : TT_UNKNOWN;
    case TT_XSTAT_INT: return (int64_t)v->value;
    case TT_XSTAT_DOUBLE: {
        double d = tt_xp_double(v);
        return d > -9e18 && d < 9e18 ? (int64_t)d : TT_UNKNOWN;
    }
    case TT_XSTAT_STRING:
    case TT_XSTAT_REF: return v->text ? number_in(v->text, v->len) : TT_UNKNOWN;
    default: return TT_UNKNOWN;
    }
}

/* ---- reading ---- */

typedef struct reading {
    tt_xp_space *x;
    tt_pb_stream *s;
    tt_xp_plane p;            /* plane being read */
    TT_VEC(tt_xp_stat) kept;  /* stats of the plane's kinds, whose names may follow */
    TT_VEC(uint32_t) kept_of; /* index of the kind of each stat in kept */
} reading;

static tt_sid intern_text(reading *r, const char *text, size_t len)
{
    if (!text) return 0;
    if (!memchr(text, 0, len)) return tt_strings_put(&r->x->text, text, len);
    char *whole = tt_strndup(text, len); /* copied, as strings cannot hold a NUL */
    for (size_t i = 0; i < len; i++) whole[i] = whole[i] ? whole[i] : ' ';
    tt_sid id = tt_strings_put(&r->x->text, whole, len);
    free(whole);
    return id;
}

/* Read a text field of a streamed message. */
static tt_sid take_text(reading *r, uint64_t *left, tt_pb_field *f)
{
    if (f->type != TT_PB_BYTES || f->len > NAME_MOST) {
        (void)tt_pb_stream_skip(r->s, left, f);
        return 0;
    }
    return tt_pb_stream_take(r->s, left, f) ? intern_text(r, f->bytes, f->len) : 0;
}

static tt_xp_stat keep(reading *r, const tt_pb_field *stat)
{
    tt_xp_value v = value_of(stat);
    tt_xp_stat k = {.metadata = v.metadata, .type = v.type, .value = v.value};
    if (v.type == TT_XSTAT_STRING && v.len <= TEXT_MOST) k.text = intern_text(r, v.text, v.len);
    return k;
}

static tt_xp_value kept_value(const reading *r, const tt_xp_stat *k)
{
    tt_xp_value v = {.metadata = k->metadata, .type = k->type, .value = k->value};
    if (k->type == TT_XSTAT_STRING) v.text = tt_str(&r->x->text, k->text), v.len = strlen(v.text);
    resolve(r->x, &r->p, &v);
    return v;
}

/* Read an XEventMetadata: names, and numbers per execution. Other fields, such as programs, are skipped. */
static void read_metadata(reading *r, uint64_t left, tt_xp_kind *k, uint32_t index)
{
    tt_pb_field f;
    tt_sid name = 0, display = 0;
    while (tt_pb_stream_next(r->s, &left, &f)) {
        if (f.number == TT_XMETADATA_NAME) {
            name = take_text(r, &left, &f);
        } else if (f.number == TT_XMETADATA_DISPLAY_NAME) {
            display = take_text(r, &left, &f);
        } else if (f.number == TT_XMETADATA_STAT && f.type == TT_PB_BYTES && f.len <= NAME_MOST) {
            if (!tt_pb_stream_take(r->s, &left, &f)) break;
            *tt_vec_push(&r->kept) = keep(r, &f);
            *tt_vec_push(&r->kept_of) = index;
        } else {
            (void)tt_pb_stream_skip(r->s, &left, &f);
        }
    }
    k->name = display ? display : name;
}

/* Read an entry of the map of kinds; `at`: place of its tag. */
static void read_kind(reading *r, uint64_t left, uint64_t at)
{
    uint64_t from = tt_pb_stream_at(r->s), end = from + left;
    uint32_t index = (uint32_t)r->p.kinds.n;
    tt_pb_field f;
    int64_t key = 0;
    tt_xp_kind k = {.at = at, .flops = TT_UNKNOWN, .bytes = TT_UNKNOWN};
    if (end - at <= ENTRY_MOST) k.len = (uint32_t)(end - at);
    while (tt_pb_stream_next(r->s, &left, &f)) {
        if (f.number == TT_XENTRY_KEY) key = (int64_t)f.value;
        if (f.number == TT_XENTRY_VALUE && f.type == TT_PB_BYTES) {
            left -= f.len;
            read_metadata(r, f.len, &k, index);
        } else {
            (void)tt_pb_stream_skip(r->s, &left, &f);
        }
    }
    *tt_vec_push(&r->p.kinds) = k;
    *tt_vec_push(&r->p.kind_ids.at) = (tt_xp_id){key, index};
}

static tt_xp_role role_of(const char *name)
{
    static const char *const names[] = {
        "",
#define X(id, name) name,
#include "parser/xplane/stats.def"
#undef X
    };
    for (unsigned i = 1; i < TT_XP_ROLES_; i++) {
        if (!strcmp(name, names[i])) return (tt_xp_role)i;
    }
    return TT_XP_OTHER;
}

static void read_stat_name(reading *r, const tt_pb_field *entry)
{
    tt_pb_fields e, m;
    (void)tt_pb_collect(tt_pb_inside(entry), &e);
    (void)tt_pb_collect(tt_pb_inside(&e.at[TT_XENTRY_VALUE]), &m);
    tt_sid name = intern_text(r, m.at[TT_XMETADATA_NAME].bytes, m.at[TT_XMETADATA_NAME].len);
    *tt_vec_push(&r->p.stat_ids.at) = (tt_xp_id){(int64_t)e.at[TT_XENTRY_KEY].value, (uint32_t)r->p.stats.n};
    *tt_vec_push(&r->p.stats) = (tt_xp_stat_name){name, role_of(tt_str(&r->x->text, name))};
}

/* End the piece at `to`, up to which the line's fields are complete. */
static void end_piece(reading *r, tt_xp_piece *piece, uint64_t to)
{
    if (to > piece->from) *tt_vec_push(&r->x->pieces) = (tt_xp_piece){piece->line, piece->from, to};
    piece->from = to;
}

static void measure(tt_xp_space *x, const tt_pb_field *f, uint64_t at)
{
    if (f->type != TT_PB_BYTES || f->len <= x->longest) return;
    x->longest = f->len;
    x->longest_at = at;
}

static void read_line(reading *r, uint64_t left)
{
    tt_pb_field f;
    tt_xp_line l = {.plane = (uint32_t)r->x->planes.n, .from = tt_pb_stream_at(r->s), .stream = TT_UNKNOWN};
    tt_sid name = 0, display = 0;
    tt_xp_piece piece = {(uint32_t)r->x->lines.n, l.from, l.from};
    l.to = l.from;
    while (tt_pb_stream_next(r->s, &left, &f)) {
        if (f.number == TT_XLINE_ID) l.id = (int64_t)f.value;
        if (f.number == TT_XLINE_TIMESTAMP) l.timestamp_ns = (int64_t)f.value;
        if (f.number == TT_XLINE_NAME) {
            name = take_text(r, &left, &f);
        } else if (f.number == TT_XLINE_DISPLAY_NAME) {
            display = take_text(r, &left, &f);
        } else if (!tt_pb_stream_skip(r->s, &left, &f)) {
            break;
        }
        if (f.number == TT_XLINE_EVENT) measure(r->x, &f, l.to);
        l.events += f.number == TT_XLINE_EVENT;
        r->x->events += f.number == TT_XLINE_EVENT;
        l.to = tt_pb_stream_at(r->s);
        if (l.to - piece.from >= PIECE) end_piece(r, &piece, l.to);
    }
    end_piece(r, &piece, l.to);
    l.name = display ? display : name;
    *tt_vec_push(&r->x->lines) = l;
}

/* Interpret the stats of the plane's kinds once all names are known. */
static void resolve_kinds(reading *r)
{
    for (size_t i = 0; i < r->kept.n; i++) {
        tt_xp_kind *k = &r->p.kinds.at[r->kept_of.at[i]];
        tt_xp_value v = kept_value(r, &r->kept.at[i]);
        tt_sid *text = NULL;
        switch (tt_xp_role_of(&r->p, v.metadata)) {
        case TT_XP_FLOPS: k->flops = tt_xp_number(&v); break;
        case TT_XP_BYTES_ACCESSED: k->bytes = tt_xp_number(&v); break;
        case TT_XP_PROGRAM_ID: k->program = v.value; break;
        case TT_XP_HLO_OP: text = &k->op; break;
        case TT_XP_HLO_MODULE: text = &k->module; break;
        case TT_XP_HLO_CATEGORY: text = &k->category; break;
        default: break;
        }
        if (text && v.text) *text = intern_text(r, v.text, v.len);
    }
    r->kept.n = r->kept_of.n = 0;
}

/* ---- programs ---- */

typedef struct program {
    uint64_t id;
    tt_sid name;
} program;

/* The number in "jit_step(2433868464432466958)"; 0 = none. */
static uint64_t number_behind(const char *name)
{
    const char *open = strrchr(name, '(');
    size_t digits = open ? strspn(open + 1, "0123456789") : 0;
    return digits && digits <= 20 && !strcmp(open + 1 + digits, ")") ? strtoull(open + 1, NULL, 10) : 0;
}

/* Give TPU operators the name of their program: they have its number, which programs have in their names. */
static void name_programs(reading *r)
{
    TT_VEC(program) all = {0};
    for (size_t i = 0; i < r->p.kinds.n; i++) {
        tt_sid name = r->p.kinds.at[i].name;
        uint64_t id = number_behind(tt_str(&r->x->text, name));
        if (id) *tt_vec_push(&all) = (program){id, name};
    }
    TT_SORT_BY(all.at, all.n, TT_ASC(program, id), TT_ASC(program, name));
    for (size_t i = 0; all.n && i < r->p.kinds.n; i++) {
        tt_xp_kind *k = &r->p.kinds.at[i];
        if (k->module || !k->program) continue;
        size_t lo = 0, hi = all.n;
        TT_BISECT(lo, hi, m, all.at[m].id < k->program);
        if (lo < all.n && all.at[lo].id == k->program) k->module = all.at[lo].name;
    }
    tt_vec_free(&all);
}

static void read_plane(reading *r, uint64_t left)
{
    tt_pb_field f;
    r->p = (tt_xp_plane){.device = -1};
    for (uint64_t at = tt_pb_stream_at(r->s); tt_pb_stream_next(r->s, &left, &f); at = tt_pb_stream_at(r->s)) {
        bool message = f.type == TT_PB_BYTES;
        if (message && (f.number == TT_XPLANE_LINE || f.number == TT_XPLANE_EVENT)) {
            left -= f.len;
            if (f.number == TT_XPLANE_LINE) {
                read_line(r, f.len);
            } else {
                read_kind(r, f.len, at);
            }
        } else if (f.number == TT_XPLANE_NAME) {
            r->p.name = take_text(r, &left, &f);
        } else if (message && f.len <= NAME_MOST && (f.number == TT_XPLANE_STAT_NAME || f.number == TT_XPLANE_STAT)) {
            if (!tt_pb_stream_take(r->s, &left, &f)) break;
            if (f.number == TT_XPLANE_STAT_NAME) {
                read_stat_name(r, &f);
            } else {
                *tt_vec_push(&r->p.facts) = keep(r, &f);
            }
        } else {
            (void)tt_pb_stream_skip(r->s, &left, &f);
        }
    }
    r->p.whole = !left;
    ids_done(&r->p.kind_ids);
    ids_done(&r->p.stat_ids);
    resolve_kinds(r);
    name_programs(r);
    *tt_vec_push(&r->x->planes) = r->p;
}

void tt_xp_space_read(tt_xp_space *x, tt_pb_stream *s)
{
    reading r = {.x = x, .s = s};
    uint64_t left = TT_PB_WHOLE;
    tt_pb_field f;
    while (tt_pb_stream_next(s, &left, &f)) {
        if (f.number == TT_XSPACE_PLANE && f.type == TT_PB_BYTES) {
            read_plane(&r, f.len);
        } else {
            (void)tt_pb_stream_skip(s, &left, &f);
        }
    }
    tt_vec_free(&r.kept);
    tt_vec_free(&r.kept_of);
}

void tt_xp_space_init(tt_xp_space *x)
{
    *x = (tt_xp_space){0};
    tt_strings_init(&x->text);
}

void tt_xp_space_free(tt_xp_space *x)
{
    for (size_t i = 0; i < x->planes.n; i++) {
        tt_xp_plane *p = &x->planes.at[i];
        tt_vec_free(&p->kind_ids.at);
        tt_vec_free(&p->stat_ids.at);
        free(p->kind_ids.direct);
        free(p->stat_ids.direct);
        tt_vec_free(&p->kinds);
        tt_vec_free(&p->stats);
        tt_vec_free(&p->facts);
    }
    tt_vec_free(&x->planes);
    tt_vec_free(&x->lines);
    tt_vec_free(&x->pieces);
    tt_strings_free(&x->text);
}

const tt_xp_line *tt_xp_line_at(const tt_xp_space *x, uint64_t at)
{
    size_t lo = 0, hi = x->lines.n; /* find the first line that ends behind the place */
    TT_BISECT(lo, hi, i, x->lines.at[i].to <= at);
    return lo < x->lines.n && x->lines.at[lo].from <= at ? &x->lines.at[lo] : NULL;
}
