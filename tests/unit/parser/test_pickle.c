/* tests/unit/parser/test_pickle.c - the pickle machine: the value of every opcode, computed by hand; equal values
 * stored once; the place and reason of a stop; and a snapshot whose load is cancelled. */
#include "parser/load.h"
#include "parser/pickle/pickle.h"
#include "tests/unit/check.h"
#include "tests/unit/tempdir.h"

#include <stdlib.h>

typedef struct reading {
    tt_source *source;
    tt_pickle *p;
    tt_reader_progress progress;
    tt_reader_hooks hooks;
    tt_pickle_end end;
    tt_pickle_node root;
    tt_status status;
    tt_err err;
    size_t records, members;
} reading;

/* Make a dictionary with the key "r" a record of kind 1, numbered in order of appearance. */
static tt_pickle_node record(void *arg, tt_pickle *p, const tt_pickle_cell *members, size_t n)
{
    reading *r = arg;
    const char *key = n ? tt_pickle_text(p, members[0].node) : NULL;
    r->members = n;
    if (!key || strcmp(key, "r") != 0) return 0;
    return tt_pickle_make(TT_PICKLE_RECORD + 1, (uint32_t)r->records++);
}

static void begin(reading *r, const char *bytes, size_t n)
{
    memset(r, 0, sizeof *r);
    CHECK(tt_source_open(temp_file("a.pickle", bytes, n), &r->source, &r->err) == TT_OK);
    r->p = tt_pickle_new(r->source, &r->progress, &r->hooks, record, r);
    r->status = tt_pickle_read(r->p, "a.pickle", &r->end, &r->root, &r->err);
}
#define BEGIN(r, text) begin(r, text, sizeof(text) - 1)

static void finish(reading *r)
{
    tt_pickle_free(r->p);
    tt_source_close(r->source);
}

static int64_t number(const reading *r, tt_pickle_node n)
{
    int64_t v = -999;
    tt_pickle_cell c = tt_pickle_value(r->p, n);
    return tt_pickle_integer(&c, &v) ? v : -999;
}

static void test_numbers(void)
{
    static const int64_t want[] = {7, 255, 300,  -2,   2147483647,     0, -1, 128, 1099511627776, INT64_MIN, 12, 1,
                                   0, 5,   -999, -999, 140737488355328};
    reading r;
    const tt_pickle_node *at;
    BEGIN(&r, "\x80\x04("
              "K\x07"
              "K\xff"
              "M\x2c\x01"
              "J\xfe\xff\xff\xff"
              "J\xff\xff\xff\x7f"
              "\x8a\x00"
              "\x8a\x01\xff"
              "\x8a\x02\x80\x00"
              "\x8a\x06\x00\x00\x00\x00\x00\x01"
              "\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80"
              "I12\n"
              "I01\n"
              "I00\n"
              "L5L\n"
              "\x8a\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"
              "G\x3f\xf8\x00\x00\x00\x00\x00\x00"
              "\x8a\x07\x00\x00\x00\x00\x00\x80\x00"
              "l.");
    CHECK_INT(r.status, TT_OK);
    CHECK_INT(r.end, TT_PICKLE_WHOLE);
    CHECK_INT(tt_pickle_items(r.p, r.root, &at), sizeof want / sizeof *want);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) CHECK_INT(number(&r, at[i]), want[i]);
    CHECK_INT(tt_pickle_tag(at[14]), TT_PICKLE_NONE);
    CHECK_INT(tt_pickle_tag(at[15]), TT_PICKLE_REAL);
    finish(&r);
}

static void test_texts_and_memo(void)
{
    reading r;
    const tt_pickle_node *at, *inner;
    BEGIN(&r, "\x80\x04]\x94("
              "\x8c\x02"
              "ab\x94"
              "X\x02\x00\x00\x00"
              "ab"
              "h\x01"
              "\x8c\x03"
              "a\0b"
              "]\x94(K\x01K\x02"
              "e"
              "]\x94(K\x01K\x02"
              "e"
              "h\x02"
              "N\x85"
              "e.");
    CHECK_INT(r.end, TT_PICKLE_WHOLE);
    CHECK_INT(tt_pickle_items(r.p, r.root, &at), 8);
    CHECK(at[0] == at[1] && at[1] == at[2]); /* equal texts are stored once */
    CHECK_STR(tt_pickle_text(r.p, at[3]), "a\xC0\x80"
                                          "b");
    CHECK(at[4] != at[5] && at[4] == at[6]); /* two lists; the memo returns the first again */
    CHECK_INT(tt_pickle_sequence(r.p, at[4]), tt_pickle_sequence(r.p, at[5]));
    CHECK_INT(tt_pickle_items(r.p, at[4], &inner), 2);
    CHECK_INT(number(&r, inner[1]), 2);
    CHECK_INT(tt_pickle_tag(at[7]), TT_PICKLE_TUPLE);
    finish(&r);
}

static void test_records(void)
{
    reading r;
    const tt_pickle_node *at, *members;
    /* [{"r": 1, "y": 1}, the same again, {"x": 2}, {"r": 2, "x": 3}], the last one filled member by member */
    BEGIN(&r, "\x80\x04]("
              "}\x94(\x8c\x01rK\x01\x8c\x01yK\x01u"
              "h\x00"
              "}(\x8c\x01xK\x02u"
              "}\x8c\x01rK\x02s\x8c\x01xK\x03s"
              "e.");
    CHECK_INT(tt_pickle_items(r.p, r.root, &at), 4);
    CHECK_INT(r.records, 1);
    CHECK(tt_pickle_is_record(at[0], 1) && at[1] == at[0]);
    CHECK_INT(tt_pickle_items(r.p, at[2], &members), 2);
    CHECK_INT(tt_pickle_items(r.p, at[3], &members), 4);
    CHECK_INT(number(&r, members[3]), 3);
    tt_pickle_become(r.p, at[3], at[0]);
    CHECK(tt_pickle_resolve(r.p, at[3]) == at[0]);
    finish(&r);
}

static void test_ends(void)
{
    reading r;
    const tt_pickle_node *at, *inner;
    BEGIN(&r, "\x80\x04}\x94(\x8c\x01"
              "a](K\x01K\x02"); /* cut inside a list in a dictionary */
    CHECK_INT(r.status, TT_OK);
    CHECK_INT(r.end, TT_PICKLE_CUT);
    CHECK_INT(tt_pickle_items(r.p, r.root, &at), 2);
    CHECK_INT(tt_pickle_items(r.p, at[1], &inner), 2);
    finish(&r);
    BEGIN(&r, "\x80\x04}(\x8c\x01"
              "a}(\x8c\x01rK\x01\x8c\x01yK\x01u"
              "\x8c\x01"
              "b}(\x8c\x01rK\x02\x8c\x01yK\x02u"
              "}(\x8c\x01"); /* cut in the key of a dictionary that follows two whole ones */
    CHECK_INT(r.end, TT_PICKLE_CUT);
    CHECK_INT(tt_pickle_items(r.p, r.root, &at), 4);
    CHECK(tt_pickle_is_record(at[1], 1) && tt_pickle_is_record(at[3], 1));
    finish(&r);
    BEGIN(&r, "\x80\x04}(\x8c\x01"
              "a}\x8c\x01xK\x01s"
              "\x8c\x01"
              "b](}(\x8c\x01rK\x01\x8c\x01yK\x01u"
              "}(\x8c\x01rK\x02\x8c\x01yK\x02u"
              "}(\x8c\x01r"); /* cut in the third of a list of dictionaries after one that is whole */
    CHECK_INT(r.end, TT_PICKLE_CUT);
    CHECK_INT(tt_pickle_items(r.p, r.root, &at), 4);
    CHECK_INT(tt_pickle_items(r.p, at[1], &inner), 2);
    CHECK_INT(tt_pickle_items(r.p, at[3], &inner), 3);
    CHECK(tt_pickle_is_record(inner[0], 1) && tt_pickle_is_record(inner[1], 1));
    finish(&r);
    BEGIN(&r, "\x80\x04}(\x8c\x01"
              "aN\x8c\x01"
              "b]](K\x01K\x02"); /* cut inside the only list of a list */
    CHECK_INT(tt_pickle_items(r.p, r.root, &at), 4);
    CHECK_INT(tt_pickle_items(r.p, at[3], &inner), 1);
    CHECK_INT(tt_pickle_items(r.p, inner[0], &at), 2);
    finish(&r);
    BEGIN(&r, "\x80\x04]K\x01\xff");
    CHECK_INT(r.end, TT_PICKLE_DAMAGED);
    CHECK_INT(tt_pickle_offset(r.p), 5);
    finish(&r);
    BEGIN(&r, "\x80\x04](K\x01"
              "cos\nsystem\ne.");
    CHECK_INT(r.status, TT_ERR_INPUT);
    CHECK_INT(r.err.offset, 6);
    CHECK(strstr(r.err.message, "GLOBAL at byte 6") != NULL);
    finish(&r);
    BEGIN(&r, "\x80\x04");
    CHECK_INT(r.status, TT_ERR_INPUT); /* the pickle has no value */
    finish(&r);
}

/* Cancel at any moment: the load keeps the part read so far, or returns an error. */
static void test_cancelled(void)
{
    const char *path = "assets/sample_snapshot/memory_snapshot.pickle";
    for (int i = 0; i < 40; i++) {
        tt_load_options o = {.threads = 1};
        tt_err err = {0};
        tt_load *l = tt_load_start(&path, 1, &o);
        for (volatile int wait = 0; wait < i * 20000;) wait = wait + 1;
        tt_load_cancel(l);
        tt_session *s = tt_load_finish(l, NULL, &err);
        CHECK(s != NULL || err.code == TT_ERR_CANCELLED || err.code == TT_ERR_INPUT);
        tt_session_free(s);
    }
}

int main(void)
{
    temp_begin();
    test_numbers();
    test_texts_and_memo();
    test_records();
    test_ends();
    test_cancelled();
    temp_end();
    return check_done();
}
