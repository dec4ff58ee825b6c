/* model/summary/tts.c - the file: header, directory, blocks. See tts.h. */
#include "model/summary/tts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Magic bytes modelled on PNG's: no text file has them, and they reveal a transfer that changes line ends. */
static const char magic[8] = "\x89TTS\r\n\x1a\n";
#define DIRECTORY_MOST ((uint64_t)1 << 28)
#define BLOCK_MOST ((uint64_t)1 << 28)
#define PIECE ((size_t)1 << 18)

bool tt_tts_sniff(const char *head, size_t len) { return len >= sizeof magic && !memcmp(head, magic, sizeof magic); }

/* ---- entries ---- */

static void put_identity(tt_text *out, const tt_tts_source *s)
{
    tt_wire_put_i(out, s->rank);
    tt_wire_put_u(out, s->part);
    tt_wire_put_i(out, s->start);
    tt_wire_put_i(out, s->end);
    tt_wire_put_u(out, s->bytes);
    tt_wire_put_u(out, s->events);
    tt_wire_put_fixed(out, s->head_crc, 4);
    tt_wire_put_fixed(out, s->calls_crc, 4);
}

static void get_identity(tt_wire *in, tt_tts_source *s)
{
    s->rank = tt_wire_i(in);
    s->part = tt_wire_u(in);
    s->start = tt_wire_i(in);
    s->end = tt_wire_i(in);
    s->bytes = tt_wire_u(in);
    s->events = tt_wire_u(in);
    s->head_crc = (uint32_t)tt_wire_fixed(in, 4);
    s->calls_crc = (uint32_t)tt_wire_fixed(in, 4);
}

void tt_tts_add_block(tt_tts_making *m, const char *id, const tt_text *bytes)
{
    size_t at = m->body.n;
    tt_wire_pack(bytes->at, bytes->n, &m->body);
    *tt_vec_push(&m->blocks) = (tt_tts_block){.id = tt_arena_strndup(&m->arena, id, strlen(id)),
                                              .at = at,
                                              .stored = m->body.n - at,
                                              .raw = bytes->n,
                                              .crc = tt_wire_crc(0, m->body.at + at, m->body.n - at)};
}

void tt_tts_close_entry(tt_tts_making *m)
{
    tt_tts_source *s = &m->s;
    tt_text *out = &m->entry;
    s->blocks = m->blocks.at;
    s->n_blocks = (uint32_t)m->blocks.n;
    s->stored = m->body.n;
    put_identity(out, s);
    tt_wire_put_i(out, s->world);
    tt_wire_put_u(out, s->slices);
    const char *const texts[] = {s->path, s->worker, s->span, s->host, s->device, s->tool};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) tt_wire_put_text(out, texts[i]);
    tt_wire_put_u(out, s->n_blocks);
    for (uint32_t i = 0; i < s->n_blocks; i++) {
        tt_wire_put_text(out, s->blocks[i].id);
        tt_wire_put_u(out, s->blocks[i].stored);
        tt_wire_put_u(out, s->blocks[i].raw);
        tt_wire_put_fixed(out, s->blocks[i].crc, 4);
    }
    s->entry = out->at;
    s->entry_n = out->n;
    s->made = m->body.at;
}

void tt_tts_making_free(tt_tts_making *m)
{
    tt_vec_free(&m->blocks);
    tt_vec_free(&m->body);
    tt_vec_free(&m->entry);
    tt_arena_free(&m->arena);
}

/* Parse an entry, whose bytes must outlive the file. */
static bool get_entry(tt_tts *f, const char *bytes, size_t n, tt_tts_source *s)
{
    tt_wire in = {(const unsigned char *)bytes, (const unsigned char *)bytes + n, false};
    *s = (tt_tts_source){.entry = bytes, .entry_n = n, .file = f};
    get_identity(&in, s);
    s->world = tt_wire_i(&in);
    s->slices = tt_wire_u(&in);
    const char **const texts[] = {&s->path, &s->worker, &s->span, &s->host, &s->device, &s->tool};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) *texts[i] = tt_wire_text(&in, &f->arena);
    s->n_blocks = (uint32_t)tt_wire_count(&in, 7);
    s->blocks = tt_arena_alloc(&f->arena, (s->n_blocks + 1u) * sizeof *s->blocks);
    for (uint32_t i = 0; i < s->n_blocks; i++) {
        tt_tts_block *b = &s->blocks[i];
        *b = (tt_tts_block){.id = tt_wire_text(&in, &f->arena), .at = s->stored};
        b->stored = tt_wire_u(&in);
        b->raw = tt_wire_u(&in);
        b->crc = (uint32_t)tt_wire_fixed(&in, 4);
        in.bad |= b->stored > BLOCK_MOST || b->raw > BLOCK_MOST;
        s->stored += b->stored;
        if (in.bad) return false;
    }
    return !in.bad && in.p == in.end;
}

/* ---- orders ---- */

static int order_u(uint64_t a, uint64_t b) { return (a > b) - (a < b); }
static int order_i(int64_t a, int64_t b) { return (a > b) - (a < b); }

int tt_tts_identity_order(const tt_tts_source *a, const tt_tts_source *b)
{
    int c = order_i(a->rank, b->rank);
    if (!c) c = order_i(a->start, b->start);
    if (!c) c = order_u(a->part, b->part);
    if (!c) c = order_i(a->end, b->end);
    if (!c) c = order_u(a->bytes, b->bytes);
    if (!c) c = order_u(a->events, b->events);
    if (!c) c = order_u(a->head_crc, b->head_crc);
    return c ? c : order_u(a->calls_crc, b->calls_crc);
}

int tt_tts_choice_order(const tt_tts_source *a, const tt_tts_source *b)
{
    int c = strcmp(a->path, b->path);
    size_t n = a->entry_n < b->entry_n ? a->entry_n : b->entry_n;
    if (!c) c = memcmp(a->entry, b->entry, n);
    return c ? c : order_u(a->entry_n, b->entry_n);
}

/* ---- the file ---- */

void tt_tts_head(const tt_tts_source *const *sources, uint32_t n, tt_text *out)
{
    tt_text directory = {0}, packed = {0};
    uint64_t body = 0;
    for (uint32_t i = 0; i < n; i++) {
        tt_wire_put_u(&directory, sources[i]->entry_n);
        tt_text_put(&directory, sources[i]->entry, sources[i]->entry_n);
        body += sources[i]->stored;
    }
    tt_wire_pack(directory.at, directory.n, &packed);
    size_t at = out->n;
    tt_text_put(out, magic, sizeof magic);
    tt_wire_put_fixed(out, TT_TTS_VERSION, 4);
    tt_wire_put_fixed(out, n, 4);
    tt_wire_put_fixed(out, directory.n, 8);
    tt_wire_put_fixed(out, packed.n, 8);
    tt_wire_put_fixed(out, body, 8);
    tt_wire_put_fixed(out, tt_wire_crc(0, packed.at, packed.n), 4);
    tt_wire_put_fixed(out, tt_wire_crc(0, out->at + at, out->n - at), 4);
    tt_text_put(out, packed.at, packed.n);
    tt_vec_free(&directory);
    tt_vec_free(&packed);
}

/* Read all n bytes from `at` on. False with errno, which is 0 at the end of the file. */
static bool read_all(tt_text_source *t, uint64_t at, char *out, size_t n)
{
    while (n) {
        int64_t got = t->read(t, at, out, n);
        if (!got) errno = 0;
        if (got <= 0) return false;
        at += (uint64_t)got;
        out += got;
        n -= (size_t)got;
    }
    return true;
}

static const char remedy[] = "summarise the recordings again, or leave it out";

static tt_status damaged(const tt_tts *f, int64_t at, const char *what, tt_err *err)
{
    return tt_fail(err, TT_ERR_INPUT, at, "%s: %s; %s", f->path, what, remedy);
}

/* Error status after a failed read_all(). */
static tt_status unread(const tt_tts *f, int64_t at, const char *what, tt_err *err)
{
    if (!errno) return damaged(f, at, what, err);
    return tt_fail(err, TT_ERR_INPUT, at, "%s: cannot be read: %s", f->path, strerror(errno));
}

typedef struct header {
    uint32_t version, n;
    uint64_t raw, packed, body;
    uint32_t directory_crc;
} header;

static tt_status read_header(const tt_tts *f, header *h, tt_err *err)
{
    char bytes[TT_TTS_HEADER];
    if (!read_all(f->text, 0, bytes, sizeof magic) || !tt_tts_sniff(bytes, sizeof magic))
        return tt_fail(err, TT_ERR_INPUT, 0, "%s: is no summary of tracetty (.tts)", f->path);
    if (!read_all(f->text, 0, bytes, sizeof bytes)) return unread(f, 0, "the summary is cut off in its header", err);
    tt_wire in = {(const unsigned char *)bytes + sizeof magic, (const unsigned char *)bytes + sizeof bytes, false};
    h->version = (uint32_t)tt_wire_fixed(&in, 4);
    h->n = (uint32_t)tt_wire_fixed(&in, 4);
    h->raw = tt_wire_fixed(&in, 8);
    h->packed = tt_wire_fixed(&in, 8);
    h->body = tt_wire_fixed(&in, 8);
    h->directory_crc = (uint32_t)tt_wire_fixed(&in, 4);
    if (h->version != TT_TTS_VERSION)
        return tt_fail(err, TT_ERR_INPUT, sizeof magic,
                       "%s: is a summary of format %" PRIu32
                       ", this tracetty reads format %d; summarise the recordings "
                       "again with one version",
                       f->path, h->version, TT_TTS_VERSION);
    if (tt_wire_fixed(&in, 4) != tt_wire_crc(0, bytes, TT_TTS_HEADER - 4))
        return damaged(f, 0, "the header of the summary is damaged", err);
    if (h->raw > DIRECTORY_MOST || h->packed > DIRECTORY_MOST || h->body > INT64_MAX)
        return damaged(f, 0, "the header of the summary has impossible sizes", err);
    return TT_OK;
}

/* Read the packed directory as far as present: memory is not allocated for a claimed length. */
static bool read_directory(const tt_tts *f, const header *h, tt_text *packed)
{
    uint64_t at = TT_TTS_HEADER;
    while (packed->n < h->packed) {
        uint64_t left = h->packed - packed->n;
        size_t n = left < PIECE ? (size_t)left : PIECE;
        tt_vec_reserve(packed, packed->n + n);
        if (!read_all(f->text, at + packed->n, packed->at + packed->n, n)) return false;
        packed->n += n;
    }
    return true;
}

static bool get_directory(tt_tts *f, const header *h, const tt_text *raw)
{
    tt_wire in = {(const unsigned char *)raw->at, (const unsigned char *)raw->at + raw->n, false};
    uint64_t body = TT_TTS_HEADER + h->packed;
    if (h->n > raw->n) return false;
    const char *kept = tt_arena_strndup(&f->arena, raw->at ? raw->at : "", raw->n);
    f->sources = tt_calloc(h->n + 1u, sizeof *f->sources);
    for (; f->n_sources < h->n; f->n_sources++) {
        tt_tts_source *s = &f->sources[f->n_sources];
        uint64_t n = tt_wire_count(&in, 1);
        size_t at = (size_t)(in.p - (const unsigned char *)raw->at);
        if (in.bad || !get_entry(f, kept + at, (size_t)n, s)) return false;
        in.p += n;
        s->body = body;
        body += s->stored;
        if (f->n_sources && tt_tts_identity_order(s - 1, s) >= 0) return false;
    }
    f->end = body;
    return in.p == in.end && body == TT_TTS_HEADER + h->packed + h->body;
}

static tt_status open_file(tt_tts *f, tt_err *err)
{
    header h = {0};
    tt_text packed = {0}, raw = {0};
    TT_TRY(read_header(f, &h, err));
    tt_status st = TT_OK;
    if (!read_directory(f, &h, &packed))
        st = unread(f, TT_TTS_HEADER, "the summary is cut off in its directory", err);
    else if (tt_wire_crc(0, packed.at, packed.n) != h.directory_crc ||
             tt_wire_unpack(packed.at, packed.n, h.raw, &raw, NULL) != TT_OK || !get_directory(f, &h, &raw))
        st = damaged(f, TT_TTS_HEADER, "the directory of the summary is damaged", err);
    tt_vec_free(&packed);
    tt_vec_free(&raw);
    return st;
}

tt_status tt_tts_open(tt_text_source *text, const char *path, tt_tts **out, tt_err *err)
{
    tt_tts *f = tt_calloc(1, sizeof *f);
    f->text = text;
    f->path = tt_strdup(path);
    tt_status st = open_file(f, err);
    if (st != TT_OK) {
        tt_tts_free(f);
        f = NULL;
    }
    *out = f;
    return st;
}

tt_tts *tt_tts_ref(tt_tts *f)
{
    atomic_fetch_add(&f->more_refs, 1);
    return f;
}

void tt_tts_free(tt_tts *f)
{
    if (!f || atomic_fetch_sub(&f->more_refs, 1)) return;
    if (f->text) f->text->close(f->text);
    free(f->sources);
    free(f->path);
    tt_arena_free(&f->arena);
    free(f);
}

/* ---- blocks ---- */

const tt_tts_block *tt_tts_block_find(const tt_tts_source *s, const char *id)
{
    for (uint32_t i = 0; i < s->n_blocks; i++)
        if (!strcmp(s->blocks[i].id, id)) return &s->blocks[i];
    return NULL;
}

static tt_status block_unread(const tt_tts_source *s, const tt_tts_block *b, tt_err *err)
{
    int cause = errno;
    tt_fail(err, TT_ERR_INPUT, (int64_t)(s->body + b->at), "%s: what it has of %s cannot be read (%s): %s",
            s->file->path, s->path, b->id, strerror(cause));
    if (err) err->cause = cause;
    return TT_ERR_INPUT;
}

static tt_status block_damaged(const tt_tts_source *s, const tt_tts_block *b, tt_err *err)
{
    return tt_fail(err, TT_ERR_INPUT, (int64_t)(s->body + b->at),
                   "%s: what it has of %s is damaged or cut off (%s); summarise that recording again", s->file->path,
                   s->path, b->id);
}

/* Pass on the packed bytes of a block piece by piece. */
static tt_status each_piece(const tt_tts_source *s, const tt_tts_block *b, char *piece, tt_tts_write *write, void *arg,
                            tt_err *err)
{
    uint32_t crc = 0;
    for (uint64_t done = 0; done < b->stored;) {
        size_t n = b->stored - done < PIECE ? (size_t)(b->stored - done) : PIECE;
        if (!read_all(s->file->text, s->body + b->at + done, piece, n))
            return errno ? block_unread(s, b, err) : block_damaged(s, b, err);
        crc = tt_wire_crc(crc, piece, n);
        if (write && !write(arg, piece, n)) return TT_OK; /* the writer reports its error when it is closed */
        done += n;
    }
    return crc == b->crc ? TT_OK : block_damaged(s, b, err);
}

tt_status tt_tts_source_copy(const tt_tts_source *s, tt_tts_write *write, void *arg, tt_err *err)
{
    if (!s->file) {
        if (write) write(arg, s->made, (size_t)s->stored);
        return TT_OK;
    }
    char *piece = tt_malloc(PIECE);
    tt_status st = TT_OK;
    for (uint32_t i = 0; i < s->n_blocks && st == TT_OK; i++) st = each_piece(s, &s->blocks[i], piece, write, arg, err);
    free(piece);
    return st;
}

static bool keep_piece(void *arg, const char *p, size_t n)
{
    tt_text_put(arg, p, n);
    return true;
}

tt_status tt_tts_block_read(const tt_tts_source *s, const tt_tts_block *b, tt_text *out, tt_err *err)
{
    char *piece = tt_malloc(PIECE);
    tt_text packed = {0};
    tt_status st = each_piece(s, b, piece, keep_piece, &packed, err);
    if (st == TT_OK && tt_wire_unpack(packed.at, packed.n, b->raw, out, NULL) != TT_OK) st = block_damaged(s, b, err);
    tt_vec_free(&packed);
    free(piece);
    return st;
}

void tt_tts_report_damage(tt_problems *p, const char *what, const tt_err *why)
{
    char example[256]; /* the reason comes first, because a problem keeps the beginning */
    snprintf(example, sizeof example, "%s%s%s", why->cause ? strerror(why->cause) : "", why->cause ? ": " : "", what);
    tt_problem_add(p, TT_PROBLEM_SUMMARY_DAMAGED, why->offset, example, strlen(example));
}
