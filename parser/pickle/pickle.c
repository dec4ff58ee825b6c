/* parser/pickle/pickle.c - the pickle machine: a stack of values with marks, and a memo. See pickle.h.
 *
 * A value on the stack is a cell of 16 bytes, so that integers of a dictionary that becomes a record are never stored
 * elsewhere. Lists and tuples of up to SHORT items are interned; a longer list has items of its own. */
#include "parser/pickle/pickle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parser/json/number.h"

enum {
    SHORT = 512,      /* most items of an interned list */
    LINE_MOST = 4096, /* most bytes of a line: a number, or a short text */
    AHEAD = 16,       /* most bytes of an opcode with its argument, texts excluded */
    MARKS_MOST = 4096,
};
#define CHUNK ((size_t)1 << 20)
#define STACK_MOST ((size_t)1 << 24) /* most cells */
#define TEXT_MOST ((uint64_t)256 << 20)

typedef struct container { /* a list, tuple or dictionary; its node has the tag */
    uint32_t of;           /* sequence, or index into grown; for a dictionary that became a record: the record's node */
    uint32_t kind;
} container;
enum { SEQUENCE, GROWN, RECORD };
typedef TT_VEC(tt_pickle_node) node_list;

struct tt_pickle {
    tt_source *source;
    tt_reader_progress *progress;
    const tt_reader_hooks *hooks;
    tt_pickle_record_fn *record;
    void *arg;
    const char *path;
    char *buf;
    size_t cap, n, at; /* buf[at .. n) is read but not used yet */
    uint64_t base;     /* offset of buf[0] in the file */
    bool eof;
    bool closing;     /* reading ended early, and what was open is closed */
    uint64_t stopped; /* offset where reading ended early; UINT64_MAX = it did not */
    tt_status status; /* error of reading the source */
    tt_err err;
    tt_strings text;
    tt_strings sequences; /* items of short lists; id 0 is the empty list */
    TT_VEC(container) containers;
    TT_VEC(node_list) grown;
    TT_VEC(int64_t) wide;
    node_list memo, scratch;
    TT_VEC(tt_pickle_cell) stack;
    TT_VEC(size_t) marks; /* heights of the stack at the marks */
};

enum argument { NONE, ONE, TWO, FOUR, EIGHT, LINE, TEXT1, TEXT4, TEXT8, LONG1, LONG4 };
static const uint8_t argument_bytes[] = {0, 1, 2, 4, 8, 0, 1, 4, 8, 1, 4};

enum action {
    NOT_ONE,
    REFUSED,
    DO_PROTOCOL,
    DO_NOTHING,
    DO_STOP,
    DO_MARK,
    DO_POP,
    DO_NONE,
    DO_TRUE,
    DO_FALSE,
    DO_NUMBER_LINE,
    DO_SIGNED,
    DO_UNSIGNED,
    DO_LONG,
    DO_REAL_LINE,
    DO_REAL,
    DO_TEXT,
    DO_EMPTY_LIST,
    DO_EMPTY_DICT,
    DO_EMPTY_TUPLE,
    DO_LIST,
    DO_DICT,
    DO_TUPLE,
    DO_TUPLE1,
    DO_TUPLE2,
    DO_TUPLE3,
    DO_APPEND,
    DO_APPENDS,
    DO_SETITEM,
    DO_SETITEMS,
    DO_PUT_LINE,
    DO_PUT,
    DO_MEMOIZE,
    DO_GET_LINE,
    DO_GET,
};

static const struct opcode {
    uint8_t action, argument;
    const char *refused; /* name of a refused opcode, else NULL */
} opcodes[256] = {
#define X(code, name, arg, act) [code] = {DO_##act, arg, NULL},
#define R(code, name) [code] = {REFUSED, NONE, name},
#include "parser/pickle/opcodes.def"
};

tt_pickle *tt_pickle_new(tt_source *source, tt_reader_progress *progress, const tt_reader_hooks *hooks,
                         tt_pickle_record_fn *record, void *arg)
{
    tt_pickle *p = tt_calloc(1, sizeof *p);
    p->source = source;
    p->progress = progress;
    p->hooks = hooks;
    p->record = record;
    p->arg = arg;
    p->cap = CHUNK;
    p->stopped = UINT64_MAX;
    p->buf = tt_malloc(p->cap);
    tt_strings_init(&p->text);
    tt_strings_init(&p->sequences);
    return p;
}

void tt_pickle_free(tt_pickle *p)
{
    if (!p) return;
    for (size_t i = 0; i < p->grown.n; i++) tt_vec_free(&p->grown.at[i]);
    tt_vec_free(&p->grown);
    tt_vec_free(&p->containers);
    tt_vec_free(&p->wide);
    tt_vec_free(&p->memo);
    tt_vec_free(&p->scratch);
    tt_vec_free(&p->stack);
    tt_vec_free(&p->marks);
    tt_strings_free(&p->text);
    tt_strings_free(&p->sequences);
    free(p->buf);
    free(p);
}

tt_sid tt_pickle_known(tt_pickle *p, const char *text) { return tt_strings_put(&p->text, text, strlen(text)); }
uint64_t tt_pickle_offset(const tt_pickle *p) { return p->stopped != UINT64_MAX ? p->stopped : p->base + p->at; }

/* ---- the stream ---- */

/* Read until `want` bytes lie at p->at. False where the file ends before. The buffer grows only by bytes that
 * arrive. */
static bool feed(tt_pickle *p, size_t want)
{
    if (p->n - p->at >= want) return true;
    memmove(p->buf, p->buf + p->at, p->n - p->at);
    p->base += p->at;
    p->n -= p->at;
    p->at = 0;
    while (p->n < want && !p->eof) {
        if (p->n == p->cap) {
            p->cap *= 2;
            p->buf = tt_realloc(p->buf, p->cap, 1);
        }
        size_t got = 0;
        p->status = tt_source_read(p->source, p->buf + p->n, p->cap - p->n, &got, &p->err);
        if (p->status == TT_ERR_CANCELLED) p->status = TT_OK; /* keep what was read */
        p->eof = p->status != TT_OK || !got;
        p->n += got;
        atomic_fetch_add_explicit(&p->progress->text_bytes, got, memory_order_relaxed);
        if (p->hooks->notify) p->hooks->notify(p->hooks->arg);
    }
    return p->n >= want;
}

static bool cancelled(const tt_pickle *p) { return atomic_load_explicit(&p->progress->cancel, memory_order_relaxed); }

/* ---- values ---- */

/* The node of a cell, stored so that containers can keep it. */
static tt_pickle_node kept(tt_pickle *p, const tt_pickle_cell *c)
{
    unsigned tag = tt_pickle_tag(c->node);
    if (tag != TT_PICKLE_WIDE && tag != TT_PICKLE_REAL) return c->node;
    if (p->wide.n > TT_PICKLE_NUMBER) return tt_pickle_make(TT_PICKLE_NONE, 3);
    *tt_vec_push(&p->wide) = c->bits;
    return tt_pickle_make(tag, (uint32_t)(p->wide.n - 1));
}

tt_pickle_cell tt_pickle_value(const tt_pickle *p, tt_pickle_node n)
{
    unsigned tag = tt_pickle_tag(n);
    if (tag == TT_PICKLE_WIDE || tag == TT_PICKLE_REAL) return (tt_pickle_cell){n, p->wide.at[n & TT_PICKLE_NUMBER]};
    if (tag == TT_PICKLE_INT) return (tt_pickle_cell){n, (int64_t)((int32_t)(n << 4) >> 4)};
    return (tt_pickle_cell){n, 0};
}

bool tt_pickle_integer(const tt_pickle_cell *c, int64_t *v)
{
    unsigned tag = tt_pickle_tag(c->node);
    if (tag == TT_PICKLE_NONE && (c->node == 1 || c->node == 2)) {
        *v = c->node == 1;
        return true;
    }
    if (tag != TT_PICKLE_INT && tag != TT_PICKLE_WIDE) return false;
    *v = c->bits;
    return true;
}

const char *tt_pickle_text(const tt_pickle *p, tt_pickle_node n)
{
    return tt_pickle_tag(n) == TT_PICKLE_TEXT ? tt_str(&p->text, n & TT_PICKLE_NUMBER) : NULL;
}

const tt_strings *tt_pickle_strings(const tt_pickle *p) { return &p->text; }

static bool is_container(tt_pickle_node n)
{
    unsigned tag = tt_pickle_tag(n);
    return tag == TT_PICKLE_LIST || tag == TT_PICKLE_TUPLE || tag == TT_PICKLE_DICT;
}

tt_pickle_node tt_pickle_resolve(const tt_pickle *p, tt_pickle_node n)
{
    if (tt_pickle_tag(n) != TT_PICKLE_DICT) return n;
    const container *c = &p->containers.at[n & TT_PICKLE_NUMBER];
    return c->kind == RECORD ? c->of : n;
}

void tt_pickle_become(tt_pickle *p, tt_pickle_node dict, tt_pickle_node record)
{
    if (tt_pickle_tag(dict) == TT_PICKLE_DICT) p->containers.at[dict & TT_PICKLE_NUMBER] = (container){record, RECORD};
}

uint32_t tt_pickle_items(const tt_pickle *p, tt_pickle_node n, const tt_pickle_node **at)
{
    *at = NULL;
    if (!is_container(n)) return 0;
    const container *c = &p->containers.at[n & TT_PICKLE_NUMBER];
    if (c->kind == GROWN) {
        *at = p->grown.at[c->of].at;
        return (uint32_t)p->grown.at[c->of].n;
    }
    if (c->kind == RECORD) return 0;
    *at = (const tt_pickle_node *)(const void *)tt_str(&p->sequences, c->of);
    return p->sequences.len.at[c->of] / (uint32_t)sizeof **at;
}

uint32_t tt_pickle_sequence(const tt_pickle *p, tt_pickle_node n)
{
    if (!is_container(n)) return TT_NONE;
    const container *c = &p->containers.at[n & TT_PICKLE_NUMBER];
    return c->kind == SEQUENCE ? c->of : TT_NONE;
}

/* ---- the stack ---- */

static tt_status limit(tt_pickle *p, const char *what)
{
    return tt_fail(&p->err, TT_ERR_LIMIT, (int64_t)tt_pickle_offset(p),
                   "%s: a pickle with %s at byte %llu, which no profiler writes; nothing of it is read", p->path, what,
                   (unsigned long long)tt_pickle_offset(p));
}

/* Fail for nesting that no profiler writes; no other limit would help. */
static tt_status too_deep(tt_pickle *p, const char *what)
{
    return tt_fail(
        &p->err, TT_ERR_INPUT, (int64_t)tt_pickle_offset(p),
        "%s: is a Python pickle with %s at byte %llu, which no profiler writes; a memory snapshot of PyTorch "
        "is written with torch.cuda.memory._dump_snapshot(FILE)",
        p->path, what, (unsigned long long)tt_pickle_offset(p));
}

static bool push(tt_pickle *p, tt_pickle_cell c)
{
    if (p->stack.n == STACK_MOST) {
        p->status = too_deep(p, "more than 16,777,216 values that are not complete");
        return false;
    }
    *tt_vec_push(&p->stack) = c;
    return true;
}

static bool push_node(tt_pickle *p, tt_pickle_node n) { return push(p, (tt_pickle_cell){n, 0}); }

static bool push_integer(tt_pickle *p, int64_t v)
{
    const int64_t most = (int64_t)1 << 27;
    bool small = v >= -most && v < most;
    return push(p, (tt_pickle_cell){small ? tt_pickle_make(TT_PICKLE_INT, (uint32_t)v & TT_PICKLE_NUMBER)
                                          : tt_pickle_make(TT_PICKLE_WIDE, 0),
                                    v});
}

static bool push_real(tt_pickle *p, double v)
{
    tt_pickle_cell c = {tt_pickle_make(TT_PICKLE_REAL, 0), 0};
    memcpy(&c.bits, &v, sizeof v);
    return push(p, c);
}

static bool push_container(tt_pickle *p, unsigned tag)
{
    if (p->containers.n > TT_PICKLE_NUMBER) {
        p->status = limit(p, "more than 268,435,456 lists and dictionaries");
        return false;
    }
    *tt_vec_push(&p->containers) = (container){0, SEQUENCE};
    return push_node(p, tt_pickle_make(tag, (uint32_t)(p->containers.n - 1)));
}

/* Push a string in the trace's form: NUL is C0 80. */
static bool push_text(tt_pickle *p, const char *bytes, size_t n)
{
    tt_sid id;
    if (!memchr(bytes, 0, n)) {
        id = tt_strings_put(&p->text, bytes, n);
    } else {
        tt_text t = {0};
        for (size_t i = 0; i < n; i++) tt_text_put(&t, bytes[i] ? bytes + i : "\xC0\x80", bytes[i] ? 1 : 2);
        id = tt_strings_put(&p->text, t.at, t.n);
        tt_vec_free(&t);
    }
    if (id > TT_PICKLE_NUMBER) {
        p->status = limit(p, "more than 268,435,456 different strings");
        return false;
    }
    return push_node(p, tt_pickle_make(TT_PICKLE_TEXT, id));
}

/* Height of the stack at the last mark, or 0. */
static size_t floor_of(const tt_pickle *p) { return p->marks.n ? p->marks.at[p->marks.n - 1] : 0; }

/* ---- lists and dictionaries ---- */

/* Append cells to a container's items. */
static void add_items(tt_pickle *p, container *c, const tt_pickle_cell *cells, size_t n)
{
    if (c->kind == RECORD || !n) return;
    if (c->kind == SEQUENCE && !c->of && n <= SHORT) {
        tt_pickle_node items[SHORT];
        for (size_t i = 0; i < n; i++) items[i] = kept(p, &cells[i]);
        c->of = tt_strings_put(&p->sequences, (const char *)items, n * sizeof *items);
        return;
    }
    if (c->kind == SEQUENCE) {
        node_list own = {0};
        uint32_t had = p->sequences.len.at[c->of] / (uint32_t)sizeof *own.at;
        tt_vec_reserve(&own, had + n);
        memcpy(own.at, tt_str(&p->sequences, c->of), had * sizeof *own.at);
        own.n = had;
        *tt_vec_push(&p->grown) = own;
        *c = (container){(uint32_t)(p->grown.n - 1), GROWN};
    }
    node_list *to = &p->grown.at[c->of];
    for (size_t i = 0; i < n; i++) *tt_vec_push(to) = kept(p, &cells[i]);
}

/* Add members or items to the dictionary or list in cell `at`; false: it is another value. */
static bool fill(tt_pickle *p, size_t at, bool dict, const tt_pickle_cell *cells, size_t n)
{
    tt_pickle_cell *to = &p->stack.at[at];
    if (tt_pickle_tag(to->node) >= TT_PICKLE_RECORD) return dict; /* further members of a record are ignored */
    if (tt_pickle_tag(to->node) != (dict ? TT_PICKLE_DICT : TT_PICKLE_LIST)) return false;
    if (dict && n % 2) return false;
    container *c = &p->containers.at[to->node & TT_PICKLE_NUMBER];
    if (dict && c->kind == SEQUENCE && !c->of && n > 2) { /* a single member may be the first of many */
        tt_pickle_node r = p->record(p->arg, p, cells, n);
        if (r) {
            *c = (container){r, RECORD};
            to->node = r;
            return true;
        }
    }
    add_items(p, c, cells, n);
    return true;
}

/* Move the cells above the mark into the container below it. */
static bool fill_from_mark(tt_pickle *p, bool dict)
{
    if (!p->marks.n) return false;
    size_t mark = floor_of(p);
    p->marks.n--;
    if (mark <= floor_of(p) || !fill(p, mark - 1, dict, p->stack.at + mark, p->stack.n - mark)) return false;
    p->stack.n = mark;
    return true;
}

/* Move the last `n` cells into the container below them. */
static bool fill_last(tt_pickle *p, bool dict, size_t n)
{
    if (p->stack.n < floor_of(p) + n + 1) return false;
    if (!fill(p, p->stack.n - n - 1, dict, p->stack.at + p->stack.n - n, n)) return false;
    p->stack.n -= n;
    return true;
}

/* Replace the cells from `from` on with a new container of them. */
static bool gather(tt_pickle *p, size_t from, unsigned tag)
{
    size_t n = p->stack.n - from;
    if (!push_container(p, tag)) return true; /* p->status has the reason */
    tt_pickle_cell made = p->stack.at[p->stack.n - 1];
    bool ok = true;
    if (tag == TT_PICKLE_DICT) {
        ok = fill(p, from + n, true, p->stack.at + from, n);
        made = p->stack.at[from + n];
    } else {
        add_items(p, &p->containers.at[p->containers.n - 1], p->stack.at + from, n);
    }
    p->stack.n = from;
    return push(p, made) && ok;
}

static bool gather_from_mark(tt_pickle *p, unsigned tag)
{
    if (!p->marks.n) return false;
    size_t mark = floor_of(p);
    p->marks.n--;
    return gather(p, mark, tag);
}

static bool gather_last(tt_pickle *p, size_t n)
{
    return p->stack.n >= floor_of(p) + n && gather(p, p->stack.n - n, TT_PICKLE_TUPLE);
}

/* ---- the memo ---- */

static bool put_memo(tt_pickle *p, uint64_t number)
{
    /* each memo takes 2 bytes of the file at least */
    if (p->stack.n <= floor_of(p) || number > p->base + p->at) return false;
    while (p->memo.n <= number) *tt_vec_push(&p->memo) = TT_NONE;
    p->memo.at[number] = kept(p, &p->stack.at[p->stack.n - 1]);
    return true;
}

static bool get_memo(tt_pickle *p, uint64_t number)
{
    if (number >= p->memo.n || p->memo.at[number] == TT_NONE) return false;
    return push(p, tt_pickle_value(p, tt_pickle_resolve(p, p->memo.at[number])));
}

/* ---- opcodes ---- */

typedef struct argument_of {
    uint64_t value;
    const char *bytes; /* bytes of texts, lines and long numbers */
    size_t n;
} argument_of;

static uint64_t little(const char *b, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) v |= (uint64_t)(unsigned char)b[i] << 8 * i;
    return v;
}

/* Read the bytes up to a line end, and the line end. */
static bool take_line(tt_pickle *p, argument_of *a)
{
    for (size_t n = 0;; n++) {
        if (n > LINE_MOST || !feed(p, n + 1)) return false;
        if (p->buf[p->at + n] != '\n') continue;
        a->bytes = p->buf + p->at;
        a->n = n;
        p->at += n + 1;
        return true;
    }
}

/* Read an opcode's argument. False: the file ends before, or the argument is invalid. */
static bool take_argument(tt_pickle *p, enum argument kind, argument_of *a)
{
    unsigned n = argument_bytes[kind];
    if (kind == LINE) return take_line(p, a);
    if (p->n - p->at < n) return false; /* AHEAD bytes were requested */
    a->value = little(p->buf + p->at, n);
    p->at += n;
    if (kind < LINE) return true;
    if (a->value > TEXT_MOST || !feed(p, (size_t)a->value)) return false;
    a->bytes = p->buf + p->at;
    a->n = (size_t)a->value;
    p->at += a->n;
    return true;
}

static bool push_long(tt_pickle *p, const argument_of *a)
{
    size_t n = a->n;
    const unsigned char *b = (const unsigned char *)a->bytes;
    if (n == 9 && !b[8]) n = 8; /* an unsigned 64-bit number */
    if (n > 8) return push_node(p, tt_pickle_make(TT_PICKLE_NONE, 3));
    uint64_t v = little(a->bytes, (unsigned)n);
    if (n && n < 8 && b[n - 1] & 0x80) v |= ~UINT64_C(0) << 8 * n;
    return push_integer(p, (int64_t)v);
}

static bool push_number_line(tt_pickle *p, const argument_of *a)
{
    char text[LINE_MOST + 16] = {0}; /* zeros for the number parser, which looks some bytes ahead */
    int64_t v;
    size_t n = a->n && a->bytes[a->n - 1] == 'L' ? a->n - 1 : a->n;
    if (n == 2 && (!memcmp(a->bytes, "00", 2) || !memcmp(a->bytes, "01", 2)))
        return push_node(p, a->bytes[1] == '1' ? 1 : 2);
    memcpy(text + 4, a->bytes, n);
    return tt_parse_int_slow(text + 4, text + 4 + n, &v) && push_integer(p, v);
}

static bool push_real_line(tt_pickle *p, const argument_of *a)
{
    char text[LINE_MOST + 16] = {0};
    memcpy(text, a->bytes, a->n);
    return push_real(p, tt_parse_double(text, text + a->n));
}

static bool push_big_endian(tt_pickle *p, uint64_t little_endian)
{
    double v;
    uint64_t bits = __builtin_bswap64(little_endian);
    memcpy(&v, &bits, sizeof v);
    return push_real(p, v);
}

static bool line_number(const argument_of *a, uint64_t *v)
{
    *v = 0;
    for (size_t i = 0; i < a->n; i++) {
        if (!tt_is_digit(a->bytes[i]) || *v > UINT32_MAX) return false;
        *v = *v * 10 + (uint64_t)(a->bytes[i] - '0');
    }
    return a->n > 0;
}

static bool mark(tt_pickle *p)
{
    if (p->marks.n == MARKS_MOST) {
        p->status = too_deep(p, "more than 4,096 values inside each other");
        return true;
    }
    *tt_vec_push(&p->marks) = p->stack.n;
    return true;
}

static bool pop(tt_pickle *p)
{
    if (p->marks.n && p->stack.n == floor_of(p)) {
        p->marks.n--;
    } else if (p->stack.n) {
        p->stack.n--;
    } else {
        return false;
    }
    return true;
}

/* Run an opcode. False: the stack or memo lacks what it needs. */
static bool run(tt_pickle *p, enum action what, argument_of *a)
{
    uint64_t v;
    switch (what) {
    case DO_MEMOIZE: return put_memo(p, p->memo.n);
    case DO_GET: return get_memo(p, a->value);
    case DO_TEXT: return push_text(p, a->bytes, a->n);
    case DO_UNSIGNED: return push_integer(p, (int64_t)a->value);
    case DO_LONG: return push_long(p, a);
    case DO_SIGNED: return push_integer(p, (int32_t)(uint32_t)a->value);
    case DO_MARK: return mark(p);
    case DO_EMPTY_LIST: return push_container(p, TT_PICKLE_LIST);
    case DO_EMPTY_DICT: return push_container(p, TT_PICKLE_DICT);
    case DO_EMPTY_TUPLE: return push_container(p, TT_PICKLE_TUPLE);
    case DO_SETITEMS: return fill_from_mark(p, true);
    case DO_APPENDS: return fill_from_mark(p, false);
    case DO_SETITEM: return fill_last(p, true, 2);
    case DO_APPEND: return fill_last(p, false, 1);
    case DO_TUPLE1: return gather_last(p, 1);
    case DO_TUPLE2: return gather_last(p, 2);
    case DO_TUPLE3: return gather_last(p, 3);
    case DO_TUPLE: return gather_from_mark(p, TT_PICKLE_TUPLE);
    case DO_LIST: return gather_from_mark(p, TT_PICKLE_LIST);
    case DO_DICT: return gather_from_mark(p, TT_PICKLE_DICT);
    case DO_NONE: return push_node(p, 0);
    case DO_TRUE: return push_node(p, 1);
    case DO_FALSE: return push_node(p, 2);
    case DO_NUMBER_LINE: return push_number_line(p, a);
    case DO_REAL_LINE: return push_real_line(p, a);
    case DO_REAL: return push_big_endian(p, a->value);
    case DO_PUT: return put_memo(p, a->value);
    case DO_PUT_LINE: return line_number(a, &v) && put_memo(p, v);
    case DO_GET_LINE: return line_number(a, &v) && get_memo(p, v);
    case DO_POP: return pop(p);
    case DO_PROTOCOL: return a->value <= 5;
    case DO_NOTHING: return true;
    case DO_STOP:
    case REFUSED:
    case NOT_ONE: break;
    }
    return false;
}

static tt_status refuse(tt_pickle *p, const char *name, uint64_t at)
{
    return tt_fail(
        &p->err, TT_ERR_INPUT, (int64_t)at,
        "%s: is a Python pickle that names or runs code (%s at byte %llu), which is never done here; memory snapshots "
        "and flight recorder dumps of PyTorch hold data alone: write one with torch.cuda.memory._dump_snapshot(FILE)",
        p->path, name, (unsigned long long)at);
}

/* The last value belongs to the list before it: the members of the dictionary around both (below the last mark) would
 * have it as a key otherwise. Where a value could be either, it is one more member: a batch begun with a mark has two
 * members or more, and an item added without a mark is the only one of its list. */
static bool is_item_of_last(const tt_pickle *p)
{
    size_t floor = floor_of(p);
    if (!floor || p->stack.n < floor + 3 || (p->stack.n - floor) % 2 == 0) return false;
    unsigned tag = tt_pickle_tag(p->stack.at[p->stack.n - 1].node);
    return tt_pickle_tag(p->stack.at[floor - 1].node) == TT_PICKLE_DICT &&
           (tag == TT_PICKLE_LIST || tag == TT_PICKLE_DICT || tag >= TT_PICKLE_RECORD);
}

/* Close everything open where the file ends: items go into the container below their mark, complete values into the
 * value around them. */
static void close_open(tt_pickle *p)
{
    p->closing = true;
    while (p->marks.n) {
        size_t from = floor_of(p), n = p->stack.n - from;
        p->marks.n--;
        if (from <= floor_of(p)) {
            p->stack.n = from;
            continue;
        }
        bool dict = tt_pickle_tag(p->stack.at[from - 1].node) != TT_PICKLE_LIST;
        (void)fill(p, from - 1, dict, p->stack.at + from, dict ? n - n % 2 : n);
        p->stack.n = from;
        while (is_item_of_last(p) && fill_last(p, false, 1)) continue;
    }
    while (p->stack.n > 1 && (fill_last(p, false, 1) || (p->stack.n > 2 && fill_last(p, true, 2)))) continue;
}

/* Run opcodes until the pickle ends in some way. */
static tt_pickle_end read_opcodes(tt_pickle *p)
{
    for (;;) {
        if (p->n - p->at < AHEAD) {
            if (cancelled(p)) return TT_PICKLE_CANCELLED;
            (void)feed(p, AHEAD);
            if (p->n == p->at) return TT_PICKLE_CUT;
        }
        uint64_t here = tt_pickle_offset(p);
        const struct opcode *code = &opcodes[(unsigned char)p->buf[p->at]];
        if (code->action == DO_STOP) {
            p->at++;
            return p->stack.n == 1 && !p->marks.n ? TT_PICKLE_WHOLE : TT_PICKLE_DAMAGED;
        }
        if (code->action == REFUSED) p->status = refuse(p, code->refused, here);
        if (code->action == NOT_ONE || code->action == REFUSED) return TT_PICKLE_DAMAGED;
        argument_of a = {0};
        p->at++;
        bool there = p->status == TT_OK && take_argument(p, (enum argument)code->argument, &a);
        if (there && run(p, (enum action)code->action, &a) && p->status == TT_OK) continue;
        p->stopped = here;
        return !there && p->eof ? TT_PICKLE_CUT : TT_PICKLE_DAMAGED;
    }
}

tt_status tt_pickle_read(tt_pickle *p, const char *path, tt_pickle_end *end, tt_pickle_node *root, tt_err *err)
{
    p->path = path;
    *root = 0;
    *end = read_opcodes(p);
    if (p->status == TT_OK && *end != TT_PICKLE_WHOLE) close_open(p);
    if (p->status == TT_OK && !p->stack.n && *end != TT_PICKLE_CANCELLED) {
        p->status = tt_fail(&p->err, TT_ERR_INPUT, (int64_t)tt_pickle_offset(p),
                            "%s: is a Python pickle that is damaged or cut off at byte %llu, before its first value; "
                            "copy it again, or write a snapshot again with torch.cuda.memory._dump_snapshot(FILE)",
                            path, (unsigned long long)tt_pickle_offset(p));
    }
    if (p->status != TT_OK) {
        if (err) *err = p->err;
        return p->status;
    }
    if (p->stack.n) *root = kept(p, &p->stack.at[0]);
    return TT_OK;
}

uint32_t tt_pickle_members(const tt_pickle *p, tt_pickle_node dict, tt_pickle_cell cells[TT_PICKLE_MEMBERS])
{
    const tt_pickle_node *at;
    if (tt_pickle_tag(dict) != TT_PICKLE_DICT) return 0;
    uint32_t n = tt_pickle_items(p, dict, &at);
    if (n > TT_PICKLE_MEMBERS) return 0;
    for (uint32_t i = 0; i < n; i++) cells[i] = tt_pickle_value(p, at[i]);
    return n;
}

bool tt_pickle_member(const tt_pickle *p, tt_pickle_node dict, const char *key, tt_pickle_node *out)
{
    const tt_pickle_node *at;
    bool found = false;
    uint32_t n = tt_pickle_tag(dict) == TT_PICKLE_DICT ? tt_pickle_items(p, dict, &at) : 0;
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        const char *name = tt_pickle_text(p, at[i]);
        if (!name || strcmp(name, key) != 0) continue;
        *out = at[i + 1];
        found = true;
    }
    return found;
}

tt_sid tt_pickle_moved(const tt_pickle *p, tt_sid text, tt_strings *to, uint32_t *memo)
{
    const tt_strings *from = tt_pickle_strings(p);
    if (!memo[text]) memo[text] = 1 + tt_strings_put(to, tt_str(from, text), from->len.at[text]);
    return memo[text] - 1;
}

bool tt_pickle_closing(const tt_pickle *p) { return p->closing; }
