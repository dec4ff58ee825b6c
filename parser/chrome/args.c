/* parser/chrome/args.c - the args of an event: finds the members that are kept (args.def), and converts them to the
 * trace's values. */
#include <string.h>

#include "model/text/demangle.h"
#include "parser/chrome/ascend_dialect.h"
#include "parser/chrome/document_inline.h"
#include "parser/chrome/paddle_dialect.h"
#include "parser/json/number.h"

struct arg_key {
    char key[40]; /* zero-padded, so that it can be compared by words */
    uint32_t len;
    int id;
};
static const struct arg_key keys[] = {
#define X(id, key) {key, sizeof key - 1, TT_ARG_##id},
#define ALIAS(id, key) X(id, key)
#include "parser/chrome/args.def"
#undef ALIAS
#undef X
};
enum { N_KEYS = sizeof keys / sizeof *keys };
_Static_assert(TT_ARG_COUNT_ <= 64, "one bit an argument");
_Static_assert(N_KEYS < 255, "one byte a slot");

/* First bytes of the key, up to eight, zero-padded. Seven bytes behind it are readable. */
static inline uint64_t first_word(const char *p, uint32_t len)
{
    uint64_t word;
    memcpy(&word, p, 8);
    return len < 8 ? word & ((UINT64_C(1) << 8 * len) - 1) : word;
}

static inline uint8_t key_hash(uint64_t word, uint32_t len)
{
    return (uint8_t)((word + len) * UINT64_C(0x9E3779B97F4A7C15) >> 56);
}

/* Fill the hash table of keys; keys with equal hashes take the next free slots. */
void tt_chrome_args_init(tt_chrome_parser *w)
{
    for (uint32_t k = 0; k < N_KEYS; k++) {
        uint64_t word = first_word(keys[k].key, keys[k].len);
        uint8_t h = key_hash(word, keys[k].len);
        while (w->arg_slots[h].len) h++;
        w->arg_slots[h] = (struct tt_chrome_arg_slot){word, keys[k].len, (uint8_t)k, (uint8_t)keys[k].id};
    }
}

static inline int find_key(const tt_chrome_parser *w, tt_span key)
{
    uint64_t word = first_word(key.p, key.len);
    for (uint8_t h = key_hash(word, key.len); w->arg_slots[h].len; h++) {
        const struct tt_chrome_arg_slot *s = &w->arg_slots[h];
        if (s->word != word || s->len != key.len) continue;
        if (key.len <= 8 || tt_chrome_same(keys[s->key].key + 8, key.p + 8, key.len - 8)) return s->id;
    }
    return -1;
}

bool tt_chrome_args(tt_chrome_parser *w, tt_chrome_event *e, uint32_t i, uint32_t *next)
{
    const uint32_t *at = w->at;
    const char *text = w->text;
    i++;
    if (text[at[i]] == '}') {
        *next = i + 1;
        return true;
    }
    for (;;) {
        tt_span key;
        if (!tt_chrome_key(text, at, i, &key)) return false;
        uint32_t v = i + 2;
        int class = tt_chrome_class(text[at[v]]), id = find_key(w, key);
        if (class == TT_VALUE_NESTED) {
            if (!tt_chrome_skip(w, v, &i)) return false;
        } else {
            if (class == TT_VALUE_NONE) return false;
            i = v + 1;
        }
        if (id >= 0) {
            tt_span s = class == TT_VALUE_NESTED ? (tt_span){text + at[v], at[i - 1] + 1 - at[v], text[at[v]]}
                                                 : tt_chrome_value(text, at, v, class);
            if (!s.type) return false;
            e->arg[id] = s;
            e->have |= UINT64_C(1) << id;
        }
        char c = text[at[i++]];
        if (c == '}') {
            *next = i;
            return true;
        }
        if (c != ',') return false;
    }
}

static int64_t int_arg(const tt_chrome_event *e, int arg)
{
    int64_t v;
    return tt_args_int(e, arg, &v) ? v : TT_UNKNOWN;
}

/* A size in bytes. A size below 0 is a counter that overflowed in the writer; Paddle's can be restored. */
static int64_t size_arg(tt_chrome_parser *w, const tt_chrome_event *e, int arg)
{
    int64_t v;
    if (!tt_args_has(e, arg) || (e->arg[arg].len == 4 && !memcmp(e->arg[arg].p, "null", 4))) return TT_UNKNOWN;
    if (tt_args_int(e, arg, &v)) {
        if (w->dialect.paddle) v = tt_paddle_bytes(e, v);
        if (v >= 0) return v;
    }
    tt_problem_add(&w->b->problems, TT_PROBLEM_BAD_NUMBER, (int64_t)e->offset, e->arg[arg].p, e->arg[arg].len);
    return TT_UNKNOWN;
}

static double double_arg(tt_chrome_parser *w, const tt_chrome_event *e, int arg)
{
    if (!tt_args_has(e, arg)) return __builtin_nan("");
    double v = tt_parse_double(e->arg[arg].p, e->arg[arg].p + e->arg[arg].len);
    if (v != v)
        tt_problem_add(&w->b->problems, TT_PROBLEM_BAD_NUMBER, (int64_t)e->offset, e->arg[arg].p, e->arg[arg].len);
    return v;
}

/* Intern a text. Call stacks are long and often equal for consecutive operators: compare with the last text first. */
static uint32_t put_text(tt_chrome_parser *w, tt_strings *to, const tt_chrome_event *e, int arg)
{
    const tt_span *s = &e->arg[arg];
    if (!tt_args_has(e, arg)) return 0;
    tt_sid last = w->last_text[arg];
    if (to->len.at[last] != s->len || !tt_same_bytes(to->text.at[last], s->p, s->len))
        w->last_text[arg] = last = tt_strings_put(to, s->p, s->len);
    return last;
}

static uint32_t name_arg(tt_chrome_parser *w, const tt_chrome_event *e, int arg)
{
    return put_text(w, &w->b->names, e, arg);
}

static uint32_t text_arg(tt_chrome_parser *w, const tt_chrome_event *e, int arg)
{
    if (w->dialect.paddle && tt_args_has(e, arg) && e->arg[arg].len == 2 && e->arg[arg].type == '{')
        return 0; /* {}: not recorded */
    return put_text(w, &w->b->texts, e, arg);
}

#define BIT(id) (UINT64_C(1) << TT_ARG_##id)
#define COLL_ARGS                                                                                                      \
    (BIT(COLL_NAME) | BIT(COLL_IN) | BIT(COLL_OUT) | BIT(COLL_SIZE) | BIT(COLL_GROUP) | BIT(COLL_DESC) |               \
     BIT(COLL_RANKS))
#define OP_ARGS (BIT(SHAPES) | BIT(TYPES) | BIT(CONCRETE) | BIT(STRIDES) | BIT(STACK) | BIT(HIERARCHY) | BIT(COLL_NAME))
#define SHAPE_ARGS                                                                                                     \
    (BIT(GRID) | BIT(BLOCK) | BIT(REGISTERS) | BIT(SHARED) | BIT(BLOCKS_PER_SM) | BIT(WARPS_PER_SM) | BIT(OCCUPANCY) | \
     BIT(GRAPH) | BIT(GRAPH_NODE) | BIT(LABEL_NAME))

static uint32_t coll_args(tt_chrome_parser *w, const tt_chrome_event *e)
{
    if (!(e->have & COLL_ARGS)) return 0;
    tt_collective_args c = {.name = name_arg(w, e, TT_ARG_COLL_NAME),
                            .dtype = name_arg(w, e, TT_ARG_COLL_DTYPE),
                            .group = name_arg(w, e, TT_ARG_COLL_GROUP),
                            .group_desc = name_arg(w, e, TT_ARG_COLL_DESC),
                            .ranks = text_arg(w, e, TT_ARG_COLL_RANKS),
                            .in_nelems = int_arg(e, TT_ARG_COLL_IN),
                            .out_nelems = int_arg(e, TT_ARG_COLL_OUT),
                            .group_size = int_arg(e, TT_ARG_COLL_SIZE),
                            .seq = int_arg(e, TT_ARG_COLL_SEQ)};
    return tt_build_coll(w->b, &c);
}

uint32_t tt_args_op(tt_chrome_parser *w, const tt_chrome_event *e)
{
    if (!(e->have & OP_ARGS)) return 0;
    if (w->dialect.ascend) return tt_ascend_op(w, e);
    tt_op_args a = {.shapes = text_arg(w, e, TT_ARG_SHAPES),
                    .types = text_arg(w, e, TT_ARG_TYPES),
                    .concrete = text_arg(w, e, TT_ARG_CONCRETE),
                    .strides = text_arg(w, e, TT_ARG_STRIDES),
                    .stack = name_arg(w, e, TT_ARG_STACK),
                    .hierarchy = name_arg(w, e, TT_ARG_HIERARCHY),
                    .coll = coll_args(w, e)};
    return tt_build_op_args(w->b, &a);
}

/* A count or number that is 0 where nothing is given. */
static int64_t number_arg(const tt_chrome_event *e, int arg)
{
    int64_t v;
    return tt_args_int(e, arg, &v) ? v : 0;
}

/* What the program calls the node of a graph: a text, or the JSON of a list. */
static uint32_t annotation_arg(tt_chrome_parser *w, const tt_chrome_event *e)
{
    char type = tt_args_has(e, TT_ARG_LABEL_NAME) ? e->arg[TT_ARG_LABEL_NAME].type : 0;
    return type == '"' || type == '[' || type == '{' ? name_arg(w, e, TT_ARG_LABEL_NAME) : 0;
}

static uint32_t launch_shape(tt_chrome_parser *w, const tt_chrome_event *e)
{
    if (!(e->have & SHAPE_ARGS)) return 0;
    tt_launch_shape s = {.grid = text_arg(w, e, TT_ARG_GRID),
                         .block = text_arg(w, e, TT_ARG_BLOCK),
                         .registers = int_arg(e, TT_ARG_REGISTERS),
                         .shared_bytes = int_arg(e, TT_ARG_SHARED),
                         .annotation = annotation_arg(w, e),
                         .graph = number_arg(e, TT_ARG_GRAPH),
                         .node = (uint64_t)number_arg(e, TT_ARG_GRAPH_NODE),
                         .blocks_per_sm = double_arg(w, e, TT_ARG_BLOCKS_PER_SM),
                         .warps_per_sm = double_arg(w, e, TT_ARG_WARPS_PER_SM),
                         .occupancy_pct = double_arg(w, e, TT_ARG_OCCUPANCY)};
    return tt_build_shape(w->b, &s);
}

uint32_t tt_args_kernel(tt_chrome_parser *w, const tt_chrome_event *e)
{
    if (!tt_args_has(e, TT_ARG_KERNEL)) return 0;
    tt_span name = e->arg[TT_ARG_KERNEL];
    if (name.type != '"' || !name.len) return 0;
    name.len = (uint32_t)tt_kernel_name_length(name.p, name.len);
    tt_sid last = w->last_text[TT_ARG_KERNEL];
    const tt_strings *names = &w->b->names;
    if (names->len.at[last] != name.len || !tt_same_bytes(names->text.at[last], name.p, name.len))
        w->last_text[TT_ARG_KERNEL] = last = tt_build_name(w->b, name.p, name.len);
    return last;
}

/* Id of the call that recorded the event which a synchronisation waits for; 0 = none. */
static uint32_t wait_record(tt_chrome_parser *w, const tt_chrome_event *e)
{
    int64_t v = int_arg(e, TT_ARG_WAIT_RECORD);
    return v > 0 ? tt_build_id(w->b, (uint64_t)v) : 0;
}

static uint32_t wait_stream(const tt_chrome_event *e)
{
    int64_t v = int_arg(e, TT_ARG_WAIT_STREAM);
    return v >= 0 && v <= INT32_MAX ? (uint32_t)v : TT_NONE;
}

/* Device work has the device's number as pid; larger pids belong to programs, or to merged files. */
enum { MOST_DEVICES = 4096 };

static int64_t device_of(const tt_chrome_event *e)
{
    int64_t device = int_arg(e, TT_ARG_DEVICE);
    if (device != TT_UNKNOWN) return device;
    bool number = e->pid.type && tt_parse_int(e->pid.p, e->pid.p + e->pid.len, &device);
    return number && device < MOST_DEVICES ? device : -1;
}

tt_device_in tt_args_device(tt_chrome_parser *w, const tt_chrome_event *e)
{
    uint32_t shape = launch_shape(w, e), coll = coll_args(w, e);
    return (tt_device_in){.device = device_of(e),
                          .stream = int_arg(e, TT_ARG_STREAM),
                          .bytes = size_arg(w, e, TT_ARG_BYTES),
                          .shape = shape,
                          .coll = coll,
                          .wait_record = wait_record(w, e),
                          .wait_stream = wait_stream(e)};
}
