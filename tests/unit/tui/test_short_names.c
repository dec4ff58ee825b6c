// Names of a list that look alike if each is cut alone, and mangled names.
#include "model/text/demangle.h"
#include "tests/unit/check.h"
#include "tui/widgets/short_names.h"

#include <stdlib.h>

enum { MOST = 64 };

static void shorten(const char *const *names, size_t n, int w, char (*out)[TT_SHORT_CAP])
{
    tt_short_names(names, n, w, false, out);
    for (size_t i = 0; i < n; i++) {
        CHECK((int)tt_text_width(out[i], strlen(out[i])) <= w);
        for (size_t k = 0; k < i; k++) {
            bool same_text = !strcmp(out[i], out[k]), same_name = !strcmp(names[i], names[k]);
            CHECK(same_text == same_name);
            if (same_text != same_name) fprintf(stderr, "    %s | %s | %s\n", names[i], names[k], out[i]);
        }
    }
}

static void instances_of_a_kernel(void)
{
    static const char *const names[] = {
        "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> "
        ">(int, "
        "at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)",
        "void at::native::vectorized_elementwise_kernel<2, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> "
        ">(int, "
        "at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)",
        "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<double>, std::array<char*, 3ul> "
        ">(int, at::native::CUDAFunctor_add<double>, std::array<char*, 3ul>)",
        "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_64x3_tn_align8>(Params)",
        "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align8>(Params)",
        "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align8>(Params)",
        "void f<int>(float*)",
        "void f<int>(double*)",
    };
    char out[MOST][TT_SHORT_CAP];
    for (int w = 16; w < 120; w += 8) shorten(names, sizeof names / sizeof *names, w, out);
    shorten(names, sizeof names / sizeof *names, 1000, out);
}

// Template instances that differ in one argument, at any place.
static void one_argument(void)
{
    char text[MOST][400], out[MOST][TT_SHORT_CAP];
    const char *names[MOST];
    for (int i = 0; i < MOST; i++) {
        int n = snprintf(text[i], sizeof text[i], "void library::some_kernel_with_a_long_name<");
        for (int k = 0; k < 12; k++)
            n += snprintf(text[i] + n, sizeof text[i] - (size_t)n, "%slibrary::type_%d<float>", k ? ", " : "",
                          k == i % 12 ? 100 + i : k);
        snprintf(text[i] + n, sizeof text[i] - (size_t)n, ">(int)");
        names[i] = text[i];
    }
    shorten(names, MOST, 60, out);
}

static void mangled(const char *raw, const char *want)
{
    char *got = tt_demangle_shown(raw);
    CHECK(got && !strcmp(got, want));
    if (!got || strcmp(got, want) != 0) fprintf(stderr, "    %s: %s\n", raw, got ? got : "NULL");
    free(got);
}

static void mangled_names(void)
{
    char text[128];
    mangled("_Z6vecaddPfS_i", "vecadd(float*, float*, int)");
    mangled("_ZN5aiter4normIDF16bLi256EEEvPT_", "void aiter::norm<bfloat16, 256>(bfloat16*)");
    mangled(
        "_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_ES3_S5_EEEEvPS3_PS4_i",
        "sgl_hip::activation::act_and_mul_kernel<...>");
    CHECK(!tt_demangle_shown("volta_sgemm_64x64_nt") && !tt_demangle_shown("_Z") && !tt_demangle_shown(""));
    CHECK(!tt_demangle_shown("_Z99999999999999999999x") && !tt_demangle_shown("_ZN9short"));
    tt_text_cut(text, sizeof text, "_Z6vecaddPfS_i", 40, TT_CUT_KERNEL, false);
    CHECK(!strcmp(text, "vecadd(float*, float*, int)"));
}

static void place(const char *frame, int w, const char *want)
{
    char text[128];
    tt_text_cut(text, sizeof text, frame, w, TT_CUT_PLACE, true);
    CHECK(!strcmp(text, want));
    if (strcmp(text, want) != 0) fprintf(stderr, "    %s in %d: %s\n", frame, w, text);
}

static void places(void)
{
    const char *frame = "transformers/models/bert/modeling_bert.py(364): forward";
    place(frame, 60, frame);
    place(frame, 40, "~/bert/modeling_bert.py(364): forward");
    place(frame, 31, "modeling_bert.py(364): forward");
    place(frame, 28, "modeling_bert.py(364)");
    place(frame, 12, "~ert.py(364)");
    place("train.py(7): main", 17, "train.py(7): main");
}

static void devices(void)
{
    static const char *const names[][2] = {{"NVIDIA H100 80GB HBM3", "H100 80GB"},
                                           {"Tesla V100-DGXS-32GB", "V100-DGXS-32GB"},
                                           {"AMD Instinct MI210", "MI210"},
                                           {"Ascend910B", "Ascend910B"},
                                           {"", ""}};
    char text[32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tt_short_device(names[i][0], text, sizeof text);
        CHECK(!strcmp(text, names[i][1]));
    }
}

int main(void)
{
    devices();
    instances_of_a_kernel();
    one_argument();
    mangled_names();
    places();
    return check_done();
}
