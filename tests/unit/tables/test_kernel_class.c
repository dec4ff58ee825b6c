/* tests/unit/tables/test_kernel_class.c - kernel names of real traces, classified by hand. */
#include "model/tables/analysis/names/kernel_class.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/text/demangle.h"
#include "tests/unit/check.h"

enum { G = TT_KERNEL_GEMM, A = TT_KERNEL_ATTENTION, N = TT_KERNEL_NORM, E = TT_KERNEL_ELEMENTWISE, C = TT_KERNEL_COPY };
enum { X = TT_KERNEL_COMMUNICATION, O = TT_KERNEL_OTHER };

static const struct {
    int class;
    const char *name;
} known[] = {
    /* NVIDIA: cuBLAS, cuDNN, CUTLASS */
    {G, "ampere_sgemm_128x64_nn"},
    {G, "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_32x6_nn"},
    {G, "nvjet_tst_192x8_64x8_4x1_v_bz_TNT"},
    {G, "sm80_xmma_dgrad_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16_stage4_warpsize2x2x1"},
    {G, "volta_scudnn_128x64_relu_interior_nn_v1"},
    {G, "cudnn_infer_volta_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1"},
    {G, "volta_fp16_s884cudnn_fp16_128x128_ldg8_splitK_relu_f2f_exp_small_nhwc_tn_v1"},
    {G, "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_256x128_64x3_tn_align2>(Params)"},
    {G, "void cutlass_cudnn_train::Kernel<cutlass_tensorop_s1688wgrad_optimized_tf32_256x128_16x3_nhwc_align4>(P)"},
    {G, "void cudnn::cnn::im2col4d_kernel<float, long>(cudnn::cnn::im2col4d_params, cudnnConvolutionStruct, float*)"},
    {G, "void cudnn::cnn::wgrad_alg0_engine<float, 128, 5, 5, 3, 3, 3, false, 512>(int, int, int, float const*)"},
    {G, "void cublasLt::splitKreduce_kernel<32, 16, int, float, float, float, float, true, false, false>(P)"},
    {G,
     "void gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 2, 2, false, false, cublasGemvParams<>>"},
    {G, "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float, float, float, float, false>(P)"},
    {G, "cask_cudnn::computeOffsetsKernel(cask_cudnn::ComputeOffsetsParams)"},
    {G, "bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_et128x16_m128x16x32_cga1x1x1_16dp256b_rM_TN_transOut"},
    {N, "void cudnn::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 0>(cudnn::bn_fw_tr_1C11_args<float>)"},
    {N, "void cudnn::bn_bw_1C11_kernel_new<float, float, float2, 128, true, 1>(float, float, float, float)"},
    {C, "void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true, (cudnnKernelDataType_t)0>(P)"},
    /* PyTorch */
    {A, "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4, false>>(P)"},
    {C, "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::(anonymous "
        "namespace)::masked_fill_kernel(at::TensorIterator&, c10::Scalar const&)::{lambda()#1}>>(int, F)"},
    {E, "void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl<at::native::norm_kernel>>(int, F)"},
    {C, "void at::native::index_elementwise_kernel<128, 4, at::native::gpu_index_kernel<F>>(int, F)"},
    {N, "void (anonymous namespace)::softmax_warp_forward<float, float, float, 1, false, false>(float*, float const*)"},
    {N, "void at::native::(anonymous namespace)::LayerNormForwardCUDAKernel<float, float>(long, float const*)"},
    {N, "void at::native::(anonymous namespace)::RowwiseMomentsCUDAKernel<float, float>(long, float, float const*)"},
    {N, "void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernel<float, float>(long, long, float const*)"},
    {N, "void at::native::batch_norm_transform_input_kernel<c10::BFloat16, c10::BFloat16, float, true, int>(P)"},
    {N, "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float>>>(P)"},
    {N, "void at::native::(anonymous namespace)::max_pool_forward_nchw<c10::BFloat16>(int, c10::BFloat16 const*)"},
    {N, "void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>(float*)"},
    {E,
     "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<>>(P)"},
    {E, "void at::native::unrolled_elementwise_kernel<at::native::AddFunctor<float>, at::detail::Array<char*, 3>>(P)"},
    {C, "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, at::detail::Array<>>(P)"},
    {E, "void at::native::(anonymous namespace)::fused_dropout_kernel_vec<float, float, unsigned int, 1, 4, bool>(P)"},
    {E, "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<TensorListMetadata<1>, BinaryOpScalar>(P)"},
    {E, "void at::native::(anonymous namespace)::distribution_elementwise_grid_stride_kernel<float, 4, "
        "at::native::templates::cuda::normal_and_transform<float>>(P)"},
    {E, "void (anonymous namespace)::elementwise_kernel_with_index<int, arange_cuda_out(c10::Scalar const&)>(int)"},
    {C, "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_"
        "cuda(at::TensorIteratorBase&)::{lambda()#3}>>(int, F)"},
    {C, "void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, unsigned int, 1, 128, 1>(float*, M)"},
    {C,
     "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, unsigned int, 2, 2, -2>(T)"},
    {C, "void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*, int, long, long, long, long, bool)"},
    {C, "void fbgemm_gpu::permute_2D_data_kernel<false, int, int, int>(int, int, int, int const*, int const*)"},
    {O, "void split_embedding_codegen_forward_unweighted_kernel<float, float, float, long, 2ul>(P)"},
    {O, "void cub::DeviceRadixSortOnesweepKernel<cub::DeviceRadixSortPolicy<long, int, int>::Policy800, false>(P)"},
    {O, "void cub::DeviceScanKernel<cub::AgentScanPolicy<128, 15, int>, int*, int*>(int*, int*)"},
    {N, "void cub::DeviceCompactInitKernel<cub::ReduceByKeyScanTileState<int, int, true>, int*>(P)"},
    {O, "void fbgemm_gpu::_offsets_range_cuda_kernel<int>(long, long, int const*, int*)"},
    {O, "void at::native::(anonymous namespace)::searchsorted_cuda_kernel<float, long>(long*, float const*)"},
    /* inference servers */
    {A, "fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausalP16VarSeqQ128Kv128PersistentContext"},
    {A, "void flashinfer::BatchDecodeWithPagedKVCacheKernel<(flashinfer::PosEncodingMode)0, 2u, 4u, 8u>(P)"},
    {C, "void flashinfer::AppendPagedKVCacheKernel<128u, 8u, __nv_bfloat16, int>(P)"},
    {E, "void flashinfer::BatchQKApplyRotaryPosIdsCosSinCacheKernel<true, 128u, 8u, 16u, __nv_bfloat16>(P)"},
    {N, "std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type "
        "vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, c10::BFloat16*)"},
    {E, "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*, c10::BFloat16*, c10::BFloat16*)"},
    {C, "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, unsigned char, (vllm::Fp8KVCacheDataType)1>(P)"},
    {C, "create_flashinfer_kv_indices_triton"},
    /* Triton by torch.compile */
    {E, "triton_poi_fused_all_gather_into_tensor_copy_softmax_1"}, /* named after its operators */
    {E, "triton_poi_fused__unsafe_view_mul_silu_2"},
    {N, "triton_red_fused_add_mean_mul_pow_rsqrt_0"},
    {N, "triton_per_fused_native_layer_norm_3"},
    {G, "triton_tem_fused_addmm_relu_1"},
    /* NCCL */
    {X, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"},
    {X, "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*, unsigned long)"},
    {X, "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<2, __nv_bfloat16, 8>(P)"},
    {X, "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>(vllm::RankData*, vllm::RankSignals, vllm::Signal*)"},
    {X, "void one_shot_all_reduce_kernel<c10::BFloat16, 8, false>(c10::BFloat16**, c10::BFloat16*)"},
    {X, "void deep_ep::intranode::combine<__nv_bfloat16, 8, 768, 4096>(__nv_bfloat16*, float*, float const*)"},
    {O, "void deep_ep::layout::get_dispatch_layout<256, 32, 8>(long const*, int*, int*, int*, bool*, int)"},
    {X, "void mori::moe::EpDispatchIntraNodeKernel<hip_bfloat16>(mori::moe::EpDispatchCombineArgs<hip_bfloat16>)"},
    {E, "void acme::scale<acme::ReduceNccl, float>::add(ncclComm*)"}, /* the name of the function decides .. */
    {X, "void acme::run<acme::ReduceNccl, float>(int)"},              /* .. and without a known one its arguments */
    {X, "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)"},
    /* AMD */
    {G, "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT16x32x512_MI16x16x1_SN_LDSB1_AFC1_AFEM1_AFEM1_ASEM1_CLR1"},
    {G, "igemm_fwd_gtcx2_nhwc_bf16_bx0_ex1_bt128x128x32_wt32x32x8_ws1x1_wr2x2_ta1x8x2x1_1x4x1x64_tb1x8x2x1"},
    {A, "void paged_attention_ll4mi_reduce_kernel<__hip_bfloat16, __hip_bfloat16, 128, 128, 256, 3, false>(P)"},
    {A, "attn_fwd"},
    {N, "_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb0ELb0ELb1ELi1EEEvPT0_PT_PfS4_S4_S4_diiiiiiib"},
    {E, "_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_ES3_S5_EEEEvPS3_PS4_i"},
    {C, "batched_transpose_16x64_pack_1x4_ediv_1x2_half"},
    /* Paddle */
    {E, "void phi::funcs::VectorizedBroadcastKernel<float, float, phi::funcs::AddFunctor>"},
    {E, "void phi::AdamKernelREG<float, float>"},
    {E, "void phi::funcs::VectorizedElementwiseKernel<float, phi::funcs::CudaReluFunctor<float>, 1, 1, 4>(A)"},
    /* Ascend: CANN and MindSpore */
    {G, "aclnnAddmm_MatMulCommon_MatMulV2"},
    {G, "Conv2DBackpropFilter10"},
    {G, "Default/network-TrainStepWrap/network-NetWithLossClass/dense_layer_1-DenseLayer/MatMul-op74"},
    {E, "aclnnMuls_MulAiCore_Mul"},
    {E, "Gradients/Default/network-TrainStepWrap/network-NetWithLossClass/gradReLU/ReluGrad-op131"},
    {E, "aclnnForeachAddListV2_ForeachAddListV2_ForeachAddList"},
    {N, "ReduceSum7"},
    {N, "aclnnLogSoftmaxBackward_LogSoftmaxGrad_LogSoftmaxGrad"},
    {A, "aclnnFlashAttentionScore_FlashAttentionScore_FlashAttentionScore"},
    {C, "trans_TransData_12"},
    {C, "aclnnAdaptiveAvgPool2dBackward_TransposeAiCore_Transpose"},
    {C, "aclnnInplaceCopy_TensorMoveAiCore_TensorMove"},
    {X, "hcom_allReduce__100_0_1"},
    /* names without any hint */
    {O, "kernel_a"},
    {O, "k"},
    {O, ""},
};

static void names_of_real_traces(void)
{
    CHECK(sizeof known / sizeof *known >= 60);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        tt_kernel_class got = tt_kernel_class_of(known[i].name);
        if ((int)got != known[i].class) fprintf(stderr, "    %s\n", known[i].name);
        CHECK_STR(tt_kernel_class_name(got), tt_kernel_class_name((tt_kernel_class)known[i].class));
    }
}

/* A name has the same class whether the profiler demangled it or not. */
static void mangled(void)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        unsigned tries = TT_DEMANGLE_TRIES;
        char *full = tt_demangle(known[i].name, &tries);
        if (full) CHECK_INT(tt_kernel_class_of(full), known[i].class);
        free(full);
    }
}

static void any_bytes(void)
{
    static char long_name[100000];
    for (size_t i = 0; i + 1 < sizeof long_name; i++) long_name[i] = "<(:_a/"[i % 6];
    CHECK(tt_kernel_class_of(long_name) < TT_KERNEL_CLASS_COUNT_);
    CHECK_INT(tt_kernel_class_of("((((<<<<"), TT_KERNEL_OTHER);
    CHECK_INT(tt_kernel_class_of("/"), TT_KERNEL_OTHER);
    CHECK_INT(tt_kernel_class_of("\xff\xfe add \x80"), TT_KERNEL_ELEMENTWISE);
    CHECK_INT(tt_kernel_class_of("padding_kernel"), TT_KERNEL_OTHER);
    CHECK_INT(tt_kernel_class_of("convert_kernel"), TT_KERNEL_OTHER);
}

int main(void)
{
    names_of_real_traces();
    mangled();
    any_bytes();
    return check_done();
}
