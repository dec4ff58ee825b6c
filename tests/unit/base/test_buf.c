/* test_buf.c - building a text in a buffer of fixed size. */
#include "model/base/buf.h"

#include <string.h>

#include "tests/unit/check.h"

static void test_pieces(void)
{
    char text[8];
    memset(text, 'x', sizeof text);
    tt_buf b = tt_buf_of(text);
    CHECK(!strcmp(text, "") && b.n == 0);
    tt_buf_list(&b, ", ", "%d", 1);
    CHECK(!strcmp(text, "1"));
    tt_buf_list(&b, ", ", "%d", 2);
    CHECK(!strcmp(text, "1, 2") && b.n == 4);
    tt_buf_add(&b, "%s", "abcdef"); /* the NUL takes one byte */
    CHECK(!strcmp(text, "1, 2abc") && b.n == 7);
    tt_buf_add(&b, "more");
    CHECK(!strcmp(text, "1, 2abc") && b.n == 7);
    char one[1];
    tt_buf none = tt_buf_of(one);
    tt_buf_add(&none, "text");
    CHECK(!*one && none.n == 0);
}

int main(void)
{
    test_pieces();
    return check_done();
}
