/* Short names: kernels of two versions get one name, kernels of two operations keep different names. */
#include <stdbool.h>
#include <string.h>

#include "model/text/short_name.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

static void kernel(const char *name, const char *want)
{
    tt_arena a = {0};
    CHECK_STR(tt_kernel_name(&a, name, TT_KERNEL_BRIEF), want);
    tt_arena_free(&a);
}

static void function(const char *name, const char *want)
{
    tt_arena a = {0};
    CHECK_STR(tt_kernel_name(&a, name, TT_KERNEL_FUNCTION), want);
    tt_arena_free(&a);
}

static void functions(void)
{
    function("void lib::(anonymous namespace)::scale<float, 4>(float*, int)", "scale");
    function("std::enable_if<((8) > (0)) && A<B>::exists, void>::type lib::norm<8>(int)", "norm"); /* a type first */
    function("void gemmSN_TN_kernel_64addr", "gemmSN_TN_kernel_64addr");
    function("_Z5scaleIfEvPT_i", "scale");
    function("ampere_sgemm_32x32_nn", "ampere_sgemm_32x32_nn");
    function("", "");
}

static void cxx_names(void)
{
    kernel("void scale<float, 4>(float*, int)", "scale");
    kernel("scale(float*)", "scale");
    kernel("void lib::(anonymous namespace)::scale<long>(long*)", "lib::scale");
    kernel("std::enable_if<!(true), void>::type inner::gemv<int, (int)2>(int)", "inner::gemv");
    kernel("_Z5scaleIfEvPT_i", "scale");
    kernel("scale.kd", "scale");
    kernel("scale(float*) [clone .kd]", "scale");
    kernel("void lib::scale", "lib::scale"); /* the name was cut off */
    kernel("void lib::scale<float, lib::In", "lib::scale");
    kernel("rocprim::ROCPRIM_300100_NS::detail::scan<int>(int*)", "rocprim::detail::scan");
}

/* Kernels templated on an operation keep the operation in their name, whatever types and lambdas surround it. */
static void operations_stay(void)
{
    kernel("void at::native::vectorized_elementwise_kernel<4, at::native::exp_kernel_cuda(at::TensorIteratorBase&)::"
           "{lambda()#2}::operator()() const::{lambda(float)#1}, std::array<char*, 2ul> >(int, std::array<char*, 2ul>)",
           "at::native::vectorized_elementwise_kernel<exp_kernel_cuda>");
    kernel("void at::native::vectorized_elementwise_kernel<8, at::native::(anonymous namespace)::log_kernel_cuda("
           "at::TensorIterator&)::{lambda()#1}, at::detail::Array<char*, 2> >(int)",
           "at::native::vectorized_elementwise_kernel<log_kernel_cuda>");
    kernel("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::func_wrapper_t<float, "
           "at::native::sum_functor<float, float, float>::operator()(at::TensorIterator&)::{lambda(float)#1}>, int> "
           ">(int)",
           "at::native::reduce_kernel<sum_functor>");
    kernel(
        "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float> > >(int)",
        "at::native::reduce_kernel<MeanOps>");
    kernel("void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl<at::native::BinaryFunctor<float, "
           "float, float, at::native::MulFunctor<float> > >(at::Base&, X const&)::{lambda(int)#1}>(int)",
           "at::native::elementwise_kernel<MulFunctor>");
    kernel("void at::native::multi_tensor_apply_kernel<Meta<1>, at::native::BinaryOpScalarFunctor<float, 1>, "
           "std::multiplies<float>, float>(Meta<1>)",
           "at::native::multi_tensor_apply_kernel<BinaryOpScalarFunctor, multiplies>");
}

static void libraries(void)
{
    kernel("volta_sgemm_128x64_nn", "sgemm_nn");
    kernel("ampere_sgemm_32x32_sliced1x4_nn", "sgemm_nn");
    kernel("ampere_sgemm_32x32_sliced1x4_tn", "sgemm_tn"); /* another layout makes another product */
    kernel("void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_256x128_16x3_nn_align4>(Params)",
           "cutlass_tensorop_s1688gemm_nn");
    kernel("cudnn_infer_volta_scudnn_128x32_sliced1x4_ldg4_relu_exp_small_nhwc_tn_v1", "scudnn_relu_nhwc_tn");
    kernel("sm90_xmma_fprop_implicit_gemm_tf32f32_nhwckrsc_nhwc_tilesize64x32x64_stage5_warpsize2x2x1_g1_"
           "tensor16x8x8_execute_kernel_cudnn",
           "xmma_fprop_implicit_gemm_tf32f32_nhwckrsc_nhwc");
    kernel("nvjet_hsh_192x192_64x4_2x1_v_bz_coopA_TNN", "nvjet_hsh_TNN");
    kernel("Cijk_Ailk_Bljk_BBS_BH_MT16x64x64_MI16x16x1_SN", "Cijk_Ailk_Bljk_BBS_BH");
    kernel("igemm_fwd_gtcx2_nhwc_bf16_bx0_ex1_bt64x64x64", "igemm_fwd_gtcx2_nhwc_bf16");
    kernel("winograd_4x4", "winograd");
    kernel("128x64", "128x64");
}

static void generated(void)
{
    kernel("triton_poi_fused_add_3", "triton_poi_fused_add");
    kernel("triton_red_fused_add_mean_12_0d1d2de3", "triton_red_fused_add_mean");
    kernel("_attention_0d1d2d3de4c", "_attention");
    kernel("fused_1f0c9ab37e", "fused");
    kernel("Default/net/Cast-op73", "Default/net/Cast");
    kernel("layer_2", "layer_2");                 /* the number is part of the name */
    kernel("kernel_deadbeef", "kernel_deadbeef"); /* deadbeef is a word here, no hash */
    kernel("Conv2D", "Conv2D");
}

static void copies_keep_names(void)
{
    kernel("Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Pageable -> Device)");
    kernel("Memset (Device)", "Memset (Device)");
    kernel("MEMCPY_ASYNC", "MEMCPY_ASYNC");
    kernel("my kernel (fp16)", "my kernel (fp16)");
    kernel("", "");
}

static void operators(void)
{
    static const char *const pairs[][2] = {
        {"AddmmBackward0", "AddmmBackward"},
        {"AddmmBackward", "AddmmBackward"},
        {"autograd::engine::evaluate_function: MulBackward1", "autograd::engine::evaluate_function: MulBackward"},
        {"ProfilerStep#12", "ProfilerStep"},
        {"aten::conv2d", "aten::conv2d"},
        {"aten::norm1", "aten::norm1"},
        {"#7", "#7"},
        {"42", "42"},
        {"", ""},
    };
    tt_arena a = {0};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        CHECK_STR(tt_brief_name(&a, pairs[i][0], false), pairs[i][1]);
    tt_arena_free(&a);
}

/* Brackets, colons and cut names in any order: the answer is never longer than the name. */
static void any_bytes(void)
{
    static const char bytes[] = "<>(){}:: _-0x9aF,*&gemm\xff\x01";
    tt_arena a = {0};
    char name[64];
    bool ok = true;
    for (int i = 0; i < 20000; i++) {
        size_t n = random_below(sizeof name - 1);
        for (size_t k = 0; k < n; k++) name[k] = bytes[random_below(sizeof bytes - 1)];
        name[n] = '\0';
        const char *s = tt_kernel_name(&a, name, TT_KERNEL_BRIEF), *o = tt_brief_name(&a, name, false);
        ok = ok && strlen(s) <= n && !*s == !n && strlen(o) <= n && !*o == !n;
    }
    CHECK(ok);
    tt_arena_free(&a);
}

int main(void)
{
    functions();
    cxx_names();
    operations_stay();
    libraries();
    generated();
    copies_keep_names();
    operators();
    any_bytes();
    return check_done();
}
