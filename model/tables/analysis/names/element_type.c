/* model/tables/analysis/names/element_type.c - the one list of element types, as operators ("long int", "c10::Half",
 * "float32") and collectives ("Long", "BFloat16") spell them. */
#include "model/tables/analysis/names/element_type.h"

#include <string.h>
#include <strings.h>

const char *const tt_data_type_name[TT_DATA_COUNT_] = {
    [TT_DATA_FP64] = "fp64",   [TT_DATA_FP32] = "fp32",   [TT_DATA_TF32] = "tf32", [TT_DATA_FP16] = "fp16",
    [TT_DATA_BF16] = "bf16",   [TT_DATA_FP8] = "fp8",     [TT_DATA_INT8] = "int8", [TT_DATA_INT16] = "int16",
    [TT_DATA_INT32] = "int32", [TT_DATA_INT64] = "int64",
};

typedef struct element_type {
    const char *name;
    int bytes;
    tt_data_type type;
} element_type;

static const element_type types[] = {
    {"float", 4, TT_DATA_FP32},
    {"double", 8, TT_DATA_FP64},
    {"half", 2, TT_DATA_FP16},
    {"bfloat16", 2, TT_DATA_BF16},
    {"int", 4, TT_DATA_INT32},
    {"long", 8, TT_DATA_INT64},
    {"long int", 8, TT_DATA_INT64},
    {"short", 2, TT_DATA_INT16},
    {"short int", 2, TT_DATA_INT16},
    {"byte", 1, TT_DATA_INT8},
    {"char", 1, TT_DATA_INT8},
    {"signed char", 1, TT_DATA_INT8},
    {"unsigned char", 1, TT_DATA_INT8},
    {"float64", 8, TT_DATA_FP64},
    {"float32", 4, TT_DATA_FP32},
    {"float16", 2, TT_DATA_FP16},
    {"int64", 8, TT_DATA_INT64},
    {"int32", 4, TT_DATA_INT32},
    {"int16", 2, TT_DATA_INT16},
    {"int8", 1, TT_DATA_INT8},
    {"uint8", 1, TT_DATA_INT8},
    {"bool", 1, TT_DATA_OTHER},
    {"complexfloat", 8, TT_DATA_OTHER},
    {"complex<float>", 8, TT_DATA_OTHER},
    {"complexdouble", 16, TT_DATA_OTHER},
    {"complex<double>", 16, TT_DATA_OTHER},
};

/* Entry of the name; NULL: not listed. 8-bit types have many endings: float8_e4m3fn, float8_e5m2fnuz. */
static const element_type *type_of(const char *name, size_t n)
{
    static const element_type fp8 = {"float8", 1, TT_DATA_FP8};
    if (n >= 5 && strncasecmp(name, "c10::", 5) == 0) {
        name += 5;
        n -= 5;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == n && strncasecmp(types[i].name, name, n) == 0) return &types[i];
    return n >= strlen(fp8.name) && strncasecmp(name, fp8.name, strlen(fp8.name)) == 0 ? &fp8 : NULL;
}

int tt_element_bytes(const char *name, size_t n)
{
    const element_type *t = type_of(name, n);
    return t ? t->bytes : 0;
}

tt_data_type tt_element_type(const char *name, size_t n)
{
    const element_type *t = type_of(name, n);
    return t ? t->type : TT_DATA_OTHER;
}
