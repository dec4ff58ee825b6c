/* Texts of ranges: the arguments that PyTorch's emit_nvtx writes behind a name, and texts that only look like it. */
#include <stdio.h>
#include <string.h>

#include "model/text/range_text.h"
#include "tests/unit/check.h"

static const struct {
    const char *text, *name, *shapes;
    bool is_operator;
} with[] = {
    {"aten::to, op_id = 7", "aten::to", NULL, true},
    {"aten::mm, seq = 12", "aten::mm", NULL, true},
    {"aten::mm, seq = 12, op_id = 7, sizes = [[2, 3], [3, 4]], input_op_ids = [(6,0), (5,1)]", "aten::mm",
     "[[2, 3], [3, 4]]", true},
    {"aten::mm, seq = -1, op_id = 7, sizes = [[2, 3], []], input_op_ids = [[6,0]]", "aten::mm", "[[2, 3], []]", true},
    {"forward, sizes = [[8], [[2], [3]], []]", "forward", "[[8], [[2], [3]], []]", false},
    {"forward, input_op_ids = [(6,0)]", "forward", NULL, false},
    {"f<int, 3>, op_id = 1, op_id = 2", "f<int, 3>, op_id = 1", NULL, true}, /* one of them belongs to the name */
    {"a, sizes = [], op_id = 2", "a, sizes = []", NULL, true},               /* the order is fixed */
};

static const char *const without[] = {
    "",
    "aten::mm",
    "aten::mm, seq = ",
    "aten::mm, seq = 12 ",
    "aten::mm, seq = 12, op_id = 7, sizes = [[2, 3], [3, 4]", /* cut short */
    "aten::mm, seq = 12, op_id = 7, sizes = [[2, 3], [3, 4]]]",
    "aten::mm, sizes = [(2,3)]",
    "aten::mm, sizes = [[2, ]]",
    "aten::mm, sizes = [[[[[2]]]]]",
    "aten::mm, seq= 12",
    "aten::mm,seq = 12",
    ", seq = 12",
    "[Executor] _forward_step 7: 1 ctx reqs, 30 gen reqs",
    "seq = 12",
    "loss = 3, lr = 1",
};

static void range_text_splits_arguments_off(void)
{
    tt_range_text v;
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        CHECK(tt_range_text_read(with[i].text, strlen(with[i].text), &v));
        char name[80], shapes[80];
        snprintf(name, sizeof name, "%.*s", (int)v.name_len, with[i].text);
        snprintf(shapes, sizeof shapes, "%.*s", (int)v.shapes_len, v.shapes ? v.shapes : "");
        CHECK_STR(name, with[i].name);
        CHECK_STR(shapes, with[i].shapes ? with[i].shapes : "");
        CHECK_INT(v.is_operator, with[i].is_operator);
    }
}

static void range_text_without_arguments_is_a_name(void)
{
    tt_range_text v;
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        if (tt_range_text_read(without[i], strlen(without[i]), &v)) CHECK_STR("arguments", without[i]);
        CHECK_INT(v.name_len, strlen(without[i]));
        CHECK(!v.shapes && !v.is_operator);
    }
}

int main(void)
{
    range_text_splits_arguments_off();
    range_text_without_arguments_is_a_name();
    return check_done();
}
