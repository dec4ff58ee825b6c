/* parser/sqlite/text.c - makes the JSON text of an event from its row. See text.h. */
#include "parser/sqlite/text.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"

typedef struct text_source {
    tt_text_source base; /* first: a pointer to it is one to the source */
    tt_db_image *image;
    tt_db_places places;
    const tt_db_format *format;
    void *self;
    void (*free_self)(void *self);
    tt_arena arena; /* arena of the plan */
    tt_db_spellings spellings;
    pthread_mutex_t lock; /* guards the next two members */
    tt_db *db;            /* NULL until first needed */
    tt_db_rows *rows;     /* one per place */
    tt_db_event event;
} text_source;

/* ---- as an event ---- */

static void put_id(tt_json *j, const char *key, const char *id)
{
    size_t n = strlen(id);
    tt_json_key(j, key);
    if (n && n < 16 && strspn(id, "0123456789") == n && (*id != '0' || n == 1))
        tt_json_raw(j, id, n);
    else
        tt_json_text(j, id);
}

static void put_device(tt_json *j, const tt_db_event *e)
{
    tt_json_key_int(j, "device", e->track.device);
    tt_json_key_int(j, "stream", e->track.id);
    if (e->is_kernel) {
        tt_json_key_known3(j, "grid", e->launch.grid);
        tt_json_key_known3(j, "block", e->launch.block);
        tt_json_key_known(j, "registers per thread", e->launch.registers);
        tt_json_key_known(j, "shared memory", e->launch.shared_bytes);
    }
    if (e->node) tt_json_key_uint(j, "graph node id", e->node);
    if (e->wait_record) {
        tt_json_key_uint(j, "wait_on_cuda_event_record_corr_id", e->wait_record);
        tt_json_key_known(j, "wait_on_stream", e->wait_stream);
    }
}

static void put_args(const tt_db_format *f, const tt_db_event *e, const tt_db_name *name, tt_json *j)
{
    tt_json_key(j, "args");
    tt_json_open(j, '{', true);
    if (e->phase == TT_DB_SAMPLE) {
        tt_json_key(j, e->series);
        tt_json_exact(j, e->value);
    } else if (e->phase == TT_DB_MEMORY) {
        tt_json_key_uint(j, "Addr", e->address);
        tt_json_key_int(j, "Bytes", e->bytes);
        tt_json_key_int(j, "Device Type", 1);
        tt_json_key_int(j, "Device Id", e->track.device);
    } else {
        if (tt_kind_is_device(f->categories[e->cat].kind)) put_device(j, e);
        tt_json_key_known(j, "bytes", e->bytes);
        if (name->args.shapes) {
            tt_json_key(j, "Input Dims");
            tt_json_raw(j, name->args.shapes, name->args.shapes_len);
        }
        if (name->whole > name->len) {
            tt_json_key(j, "recorded as");
            tt_json_string(j, name->text, name->whole);
        }
        if (e->recorded) tt_json_key_text(j, "recorded as", e->recorded);
        if (e->correlation) tt_json_key_uint(j, "correlation", e->correlation);
    }
    tt_json_close(j, '}');
}

/* Write the event, with the row's other numbers as arguments; end: the end of ranges that are still open. False: the
 * row is no event. */
static bool db_event_json(const tt_db_format *f, const void *self, const tt_db_event *e, int64_t end, tt_json *j)
{
    static const char *const phases[] = {
        [TT_DB_SLICE] = "X", [TT_DB_OPEN] = "X", [TT_DB_INSTANT] = "i", [TT_DB_SAMPLE] = "C", [TT_DB_MEMORY] = "i"};
    tt_text room = {0};
    if (e->phase < TT_DB_SLICE) return false;
    tt_db_name name = tt_db_event_name(f, self, e, &room);
    tt_db_track_text track = {0};
    f->track(self, &e->track, &track);
    tt_json_open(j, '{', true);
    tt_json_key_text(j, "ph", phases[e->phase]);
    tt_json_key_text(j, "cat", name.cat->name);
    tt_json_key(j, "name");
    tt_json_string(j, name.text, name.len);
    put_id(j, "pid", track.pid);
    put_id(j, "tid", track.tid);
    tt_json_key_us(j, "ts", e->start);
    if (e->phase == TT_DB_INSTANT || e->phase == TT_DB_MEMORY) tt_json_key_text(j, "s", "t");
    int64_t to = e->phase == TT_DB_OPEN ? end : e->end;
    if (e->phase <= TT_DB_OPEN) tt_json_key_us(j, "dur", to > e->start ? to - e->start : 0);
    put_args(f, e, &name, j);
    tt_json_close(j, '}');
    tt_vec_free(&room);
    return true;
}

/* ---- the source ---- */

static bool reach(text_source *x, size_t place)
{
    tt_err err;
    if (!tt_db_image_is_same(x->image)) return false;
    if (!x->db && tt_db_open(x->image, 0, NULL, &x->db, &err) != TT_OK) return false;
    if (x->rows[place].statement) return true;
    const tt_db_source *s = &x->places.at.at[place].source;
    const tt_db_table *t = tt_db_find(x->db, s->table);
    return t && tt_db_rows_open(x->db, t, s->spec->columns, &x->rows[place]);
}

static bool put_row(text_source *x, size_t place, uint64_t offset, tt_text *out)
{
    const tt_db_place_of *p = &x->places.at.at[place];
    int64_t id = (int64_t)((uint64_t)p->first + (offset - p->at));
    tt_db_rows *r = &x->rows[place];
    tt_json j;
    int rc;
    tt_db_rows_from(r, id, id);
    bool found = tt_db_rows_next(r, &rc);
    if (found) {
        tt_db_event_init(&x->event);
        p->source.spec->event(p->source.of, &r->row, &x->event);
        tt_json_init_text(&j, out);
        found = db_event_json(x->format, x->self, &x->event, x->places.end, &j);
    }
    sqlite3_reset(r->statement);
    return found;
}

static int64_t read_text(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    text_source *x = (text_source *)(void *)self;
    size_t lo = 0, hi = x->places.at.n;
    tt_text text = {0};
    TT_BISECT(lo, hi, i, x->places.at.at[i].at + x->places.at.at[i].span <= offset);
    if (lo == x->places.at.n) return 0;
    pthread_mutex_lock(&x->lock);
    bool can = reach(x, lo), made = can && put_row(x, lo, offset, &text);
    pthread_mutex_unlock(&x->lock);
    size_t n = made ? text.n < cap ? text.n : cap : 0;
    if (n) memcpy(out, text.at, n);
    tt_vec_free(&text);
    return can ? (int64_t)n : -1;
}

static const char *whole_name(const tt_text_source *self, uint64_t offset)
{
    const tt_db_spellings *x = &((const text_source *)(const void *)self)->spellings;
    size_t lo = 0, hi = x->n;
    TT_BISECT(lo, hi, i, x->at[i].offset < offset);
    return lo < x->n && x->at[lo].offset == offset ? x->at[lo].text : NULL;
}

static void close_text(tt_text_source *self)
{
    text_source *x = (text_source *)(void *)self;
    for (size_t i = 0; i < x->places.at.n; i++) tt_db_rows_close(&x->rows[i]);
    tt_db_close(x->db);
    tt_db_image_free(x->image);
    if (x->free_self) x->free_self(x->self);
    tt_vec_free(&x->places.at);
    tt_arena_free(&x->arena);
    for (unsigned i = 0; i < x->spellings.n_texts; i++) tt_arena_free(&x->spellings.texts[i]);
    free(x->spellings.texts);
    free(x->spellings.at);
    pthread_mutex_destroy(&x->lock);
    free(x->rows);
    free(x);
}

tt_text_source *tt_db_text_new(tt_db_image *image, tt_db_places *places, tt_db_plan *plan,
                               const tt_db_spellings *spellings)
{
    text_source *x = tt_calloc(1, sizeof *x);
    *x = (text_source){.base = {.read = read_text,
                                .close = close_text,
                                .single = true,
                                .whole_name = spellings->n ? whole_name : NULL},
                       .image = image,
                       .places = *places,
                       .format = plan->format,
                       .self = plan->self,
                       .free_self = plan->free_self,
                       .arena = plan->arena,
                       .spellings = *spellings,
                       .rows = tt_calloc(places->at.n + 1, sizeof *x->rows)};
    pthread_mutex_init(&x->lock, NULL);
    return &x->base;
}
