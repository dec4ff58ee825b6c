/* Pages that move from one owner to the next: the new owner can write its pages; the pages around them stay
 * untouched. */
#include "model/base/page_pool.h"

#include <unistd.h>

#include "tests/unit/check.h"

#define PAGE ((size_t)sysconf(_SC_PAGESIZE))

enum { PAGES = 64 };

static char *filled(size_t pages, char with)
{
    char *p = tt_pages_alloc(pages * PAGE);
    memset(p, with, pages * PAGE);
    return p;
}

static size_t count(const char *p, size_t bytes, char what)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++) n += p[i] == what;
    return n;
}

static void test_take(void)
{
    tt_page_pool s = {0};
    char *column = tt_pages_alloc(PAGES * PAGE);
    tt_page_pool_give(&s, filled(3, 'a'), 3 * PAGE);
    tt_page_pool_give(&s, filled(5, 'b'), 5 * PAGE - 100);
    tt_page_pool_take(&s, column + PAGE, 2 * PAGE);      /* a part of the last piece of the pool */
    tt_page_pool_take(&s, column + 10 * PAGE, 5 * PAGE); /* the rest of that piece and a part of the other */
    tt_page_pool_take(&s, column + 20 * PAGE, 5 * PAGE); /* more pages than the pool has left */
    CHECK_INT(count(column + PAGE, 2 * PAGE, 'b'), 2 * PAGE);
    CHECK_INT(count(column + 10 * PAGE, 3 * PAGE, 'b'), 3 * PAGE);
    CHECK_INT(count(column + 13 * PAGE, 2 * PAGE, 'a'), 2 * PAGE);
    CHECK_INT(count(column + 20 * PAGE, PAGE, 'a'), PAGE);
    CHECK_INT(count(column, PAGES * PAGE, 0), (PAGES - 8) * PAGE);
    CHECK_INT(s.piece.n, 0);
    memset(column, 'c', PAGES * PAGE);
    CHECK_INT(count(column, PAGES * PAGE, 'c'), PAGES * PAGE);
    tt_page_pool_free(&s);
    tt_pages_free(column, PAGES * PAGE);
}

static void test_move(void)
{
    tt_page_pool a = {0}, b = {0};
    char *column = tt_pages_alloc(4 * PAGE);
    tt_page_pool_give(&a, filled(1, 'a'), PAGE);
    tt_page_pool_give(&b, filled(2, 'b'), 2 * PAGE);
    tt_page_pool_move(&a, &b);
    CHECK_INT(b.piece.n, 0);
    CHECK_INT(a.piece.n, 2);
    tt_page_pool_take(&b, column, PAGE); /* an empty pool gives nothing */
    CHECK_INT(count(column, 4 * PAGE, 0), 4 * PAGE);
    tt_page_pool_take(&a, column, 4 * PAGE);
    CHECK_INT(count(column, 4 * PAGE, 0), PAGE);
    tt_page_pool_free(&a);
    tt_page_pool_free(&b);
    tt_pages_free(column, 4 * PAGE);
}

/* The number of moves is bounded: after the last move the pool keeps its pages. */
static void test_bound(void)
{
    tt_page_pool s = {0};
    char *column = tt_pages_alloc(PAGE);
    for (int i = 0; i < 40000 && !s.piece.n; i++) {
        tt_page_pool_give(&s, filled(1, 'x'), PAGE);
        tt_page_pool_take(&s, column, PAGE);
    }
    CHECK_INT(s.piece.n, 1);
    tt_page_pool_free(&s);
    tt_pages_free(column, PAGE);
}

int main(void)
{
    test_take();
    test_move();
    test_bound();
    return check_done();
}
