/* tests/unit/model/test_builder.c - what readers give a builder: equal combinations are one, whatever memory they
 * lie in. */
#include "model/build/builder.h"
#include "tests/unit/check.h"

static void set(tt_collective_args *c, uint32_t ranks)
{
    c->name = 1;
    c->dtype = 2;
    c->group = 3;
    c->group_desc = 4;
    c->ranks = ranks;
    c->in_nelems = c->out_nelems = 1024;
    c->group_size = 8;
    c->seq = TT_UNKNOWN;
}

static void test_combinations(void)
{
    tt_builder b;
    tt_collective_args c[3];
    tt_builder_init(&b);
    memset(&c[0], 0x55, sizeof c[0]);
    memset(&c[1], 0xAA, sizeof c[1]);
    memset(&c[2], 0xAA, sizeof c[2]);
    set(&c[0], 5);
    set(&c[1], 5);
    set(&c[2], 6);
    uint32_t first = tt_build_coll(&b, &c[0]);
    CHECK_INT(tt_build_coll(&b, &c[1]), first);
    CHECK_INT(tt_build_coll(&b, &c[2]), first + 1);
    CHECK_INT(b.colls.n, first + 2);
    CHECK_INT(b.colls.at[first].zero, 0);
    tt_launch_shape s = {.grid = 1, .block = 2, .registers = 32, .shared_bytes = 0, .blocks_per_sm = __builtin_nan("")};
    uint32_t shape = tt_build_shape(&b, &s);
    CHECK_INT(tt_build_shape(&b, &s), shape);
    s.registers++;
    CHECK_INT(tt_build_shape(&b, &s), shape + 1);
    tt_builder_free(&b);
}

int main(void)
{
    test_combinations();
    return check_done();
}
