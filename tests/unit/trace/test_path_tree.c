/* test_path_tree.c - the tree of paths: equal paths are one place, children and depth-first order by first appearance
 * and by weight. */
#include <stdlib.h>

#include "model/index/path_tree.h"
#include "tests/unit/check.h"

enum { A = 10, B = 20, C = 30 };

/* A(0) > B(1) > C(3), A > C(2), B(4) > A(5) */
static tt_path_tree made(void)
{
    tt_path_tree p;
    tt_path_tree_init(&p);
    uint32_t a = tt_path_tree_put(&p, TT_PLACE_ROOT, A, 0), b = tt_path_tree_put(&p, a, B, 0);
    CHECK_INT(tt_path_tree_put(&p, a, C, 0), 2);
    CHECK_INT(tt_path_tree_put(&p, b, C, 0), 3);
    uint32_t other = tt_path_tree_put(&p, TT_PLACE_ROOT, B, 0);
    CHECK_INT(tt_path_tree_put(&p, other, A, 0), 5);
    CHECK_INT(tt_path_tree_put(&p, TT_PLACE_ROOT, A, 0), 0);
    CHECK_INT(tt_path_tree_count(&p), 6);
    return p;
}

static void check_order(const tt_path_tree *p, const int64_t *weight, const uint32_t *want)
{
    static const uint32_t depths[] = {0, 1, 1, 2, 0, 1};
    uint32_t *order, *depth;
    tt_path_tree_order(p, weight, &order, &depth);
    for (uint32_t i = 0; i < tt_path_tree_count(p); i++) {
        CHECK_INT(order[i], want[i]);
        CHECK_INT(depth[i], depths[i]);
    }
    free(order);
    free(depth);
}

static void test_orders(void)
{
    tt_path_tree p = made();
    check_order(&p, NULL, (const uint32_t[]){0, 1, 3, 2, 4, 5});
    check_order(&p, (const int64_t[]){1, 1, 2, 9, 5, 0}, (const uint32_t[]){4, 5, 0, 2, 1, 3});
    tt_path_tree_free(&p);
}

static void test_children(void)
{
    tt_path_tree p = made();
    static const uint32_t n[] = {2, 1, 0, 0, 1, 0};
    uint32_t *children, *first;
    tt_path_tree_children(&p, NULL, &children, &first);
    CHECK(first[0] == 0 && first[1] == 2 && children[0] == 0 && children[1] == 4);
    for (uint32_t i = 0; i < tt_path_tree_count(&p); i++) {
        CHECK_INT(first[i + 2] - first[i + 1], n[i]);
        for (uint32_t k = first[i + 1]; k < first[i + 2]; k++) CHECK_INT(tt_place_parent(&p, children[k]), i);
    }
    free(children);
    free(first);
    tt_path_tree_free(&p);
    tt_path_tree_init(&p);
    tt_path_tree_children(&p, NULL, &children, &first);
    CHECK(!first[0] && !first[1]);
    free(children);
    free(first);
    tt_path_tree_free(&p);
}

int main(void)
{
    test_orders();
    test_children();
    return check_done();
}
