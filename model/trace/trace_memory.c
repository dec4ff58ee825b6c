/* model/trace/trace_memory.c - the memory of a trace: its columns and lists, references, freeing. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/trace/ancestors.h"
#include "model/trace/flight.h"
#include "model/trace/imported.h"
#include "model/trace/session.h"
#include "model/trace/snapshot.h"
#include "model/trace/trace_lists.h"

/* All columns, for allocating, counting and freeing. */
struct column {
    size_t offset, item;
};
#define ITEM(member) sizeof(*((tt_trace *)0)->member)
#define C(member)                                                                                                      \
    {                                                                                                                  \
        offsetof(tt_trace, member), ITEM(member)                                                                       \
    }
static const struct column columns[] = {C(start),  C(dur),    C(name),  C(cat),     C(correlation), C(external_id),
                                        C(parent), C(detail), C(depth), C(text_lo), C(text_hi)};
#undef C
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void **column_at(tt_trace *s, int i) { return (void **)(void *)((char *)s + columns[i].offset); }

void tt_trace_columns_alloc(tt_trace *s)
{
    s->column_bytes = 0;
    for (int i = 0; i < N_COLUMNS; i++) {
        *column_at(s, i) = tt_pages_alloc(s->n * columns[i].item);
        s->column_bytes += s->n * columns[i].item;
    }
}

void tt_trace_columns_take(tt_trace *s, tt_row from, tt_row to, tt_page_pool *stock)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        size_t a = tt_pages_around(from * columns[i].item), b = tt_pages_within(to * columns[i].item);
        if (a < b) tt_page_pool_take(stock, (char *)*column_at(s, i) + a, b - a);
    }
}

void tt_trace_columns_copy(tt_trace *to, tt_row row, const tt_trace *from, tt_row first, size_t n)
{
    for (int i = 0; i < N_COLUMNS; i++) {
        size_t item = columns[i].item;
        const char *column = *(char *const *)(const void *)((const char *)from + columns[i].offset);
        memcpy((char *)*column_at(to, i) + row * item, column + first * item, n * item);
    }
}

/* ---- lists ---- */

enum memory { HEAP, PAGES };
static const struct {
    size_t at, count, item; /* at, count: offsets in tt_trace */
    enum memory memory;
} lists[TT_LIST_COUNT_] = {
#define X(list, count, memory) {offsetof(tt_trace, list), offsetof(tt_trace, count), ITEM(list), memory},
#include "model/trace/lists.def"
#undef X
};

void **tt_trace_list_at(tt_trace *s, tt_trace_list list) { return (void **)(void *)((char *)s + lists[list].at); }
uint32_t *tt_trace_list_n(tt_trace *s, tt_trace_list list)
{
    return (uint32_t *)(void *)((char *)s + lists[list].count);
}
size_t tt_trace_list_item(tt_trace_list list) { return lists[list].item; }

void tt_trace_list_alloc(tt_trace *s, tt_trace_list list, uint32_t n)
{
    size_t bytes = n * lists[list].item;
    *tt_trace_list_at(s, list) = lists[list].memory == PAGES ? tt_pages_alloc(bytes) : tt_malloc(bytes);
}

void tt_trace_list_shrink(tt_trace *s, tt_trace_list list)
{
    void **at = tt_trace_list_at(s, list);
    *at = tt_realloc(*at, *tt_trace_list_n(s, list) + 1u, lists[list].item);
}

static size_t list_bytes(const tt_trace *s, int i)
{
    return *(const uint32_t *)(const void *)((const char *)s + lists[i].count) * lists[i].item;
}

static void free_list(tt_trace *s, int i)
{
    void *at = *tt_trace_list_at(s, (tt_trace_list)i);
    if (lists[i].memory == PAGES)
        tt_pages_free(at, list_bytes(s, i));
    else
        free(at);
}

/* ---- the whole trace ---- */

tt_trace *tt_trace_ref(tt_trace *s)
{
    atomic_fetch_add(&s->more_refs, 1);
    return s;
}

void tt_trace_free(tt_trace *s)
{
    if (!s || atomic_fetch_sub(&s->more_refs, 1)) return; /* more_refs was 0: this is the last reference */
    tt_ancestors_free(s);
    for (int i = 0; i < N_COLUMNS; i++) tt_pages_free(*column_at(s, i), s->n * columns[i].item);
    for (int i = 0; i < TT_LIST_COUNT_; i++) free_list(s, i);
    free(s->path);
    free(s->worker);
    free(s->span);
    for (uint32_t i = 0; i < s->n_imported; i++) tt_imported_free(s->imported[i]);
    free(s->imported);
    tt_snapshot_free(s->snapshot);
    tt_flight_free(s->flight);
    tt_flight_free(s->calls);
    if (s->summary) s->summary->free(s->summary);
    tt_strings_free(&s->strings);
    if (s->text) s->text->close(s->text);
    free(s);
}

size_t tt_trace_memory(const tt_trace *s)
{
    size_t bytes = sizeof *s + s->column_bytes + tt_strings_bytes(&s->strings);
    for (int i = 0; i < TT_LIST_COUNT_; i++) bytes += list_bytes(s, i);
    return bytes + (s->snapshot ? tt_snapshot_bytes(s->snapshot) : 0) + (s->flight ? tt_flight_bytes(s->flight) : 0) +
           (s->calls ? tt_flight_bytes(s->calls) : 0);
}
