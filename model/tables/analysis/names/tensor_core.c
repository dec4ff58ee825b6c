/* model/tables/analysis/names/tensor_core.c - name patterns of matrix-unit kernels and the list of operators that can
 * use them.
 *
 * Volta to Ampere kernels carry the instruction shape (h884, s1688, 16816), later ones the instruction family (gmma,
 * tcgen05) or a library that is built on it alone (nvjet, flash attention). AMD's Tensile names carry the MFMA tile
 * ("_MI16x16x16x1_"), Composable Kernel writes xdl or wmma. */
#include "model/tables/analysis/names/tensor_core.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *const kernel_parts[] = {
    /* Volta, Turing, Ampere */
    "h884",
    "s884",
    "h1688",
    "s1688",
    "c1688",
    "hmma",
    "i8816",
    "16816",
    "dgrad_1x1_stride_2x2",
    "first_layer_wgrad_kernel",
    "conv1x1",
    "conv2d_c1_k1",
    "direct_group",
    "xmma_implicit_gemm",
    "xmma_sparse_conv",
    "xmma_warp_specialized_implicit_gemm",
    "xmma_gemm",
    "xmma_sparse_gemm",
    "tensorop",
    "16832",
    "168256",
    "_imma",
    "_qmma",
    /* Hopper, Blackwell */
    "gmma",
    "nvjet",
    "sm90_xmma",
    "sm100_xmma",
    "sm120_xmma",
    "tcgen05",
    "umma_",
    "cutlass3x_sm90",
    "cutlass3x_sm100",
    "fp8_gemm_kernel",
    "deep_gemm::",
    /* on architectures with matrix units attention kernels use them */
    "flash_fwd",
    "flash_bwd",
    "flash::",
    "fmha_cutlass",
    "pytorch_flash",
    "cudnn_generated_fort_native_sdpa",
    "fmha_v2",
    "fmhasm",
    /* AMD matrix cores */
    "mfma",
    "xdlops",
    "_xdl_",
    "_wmma_",
    "gemm_xdl",
    "wmma_cshuffle",
    /* inductor's matrix templates */
    "triton_tem_",
};

static const char *const eligible_aten[] = {
    /* operators without "aten::", sorted */
    "_convolution",
    "_scaled_dot_product_cudnn_attention",
    "_scaled_dot_product_efficient_attention",
    "_scaled_dot_product_flash_attention",
    "_scaled_mm",
    "_thnn_fused_gru_cell",
    "_thnn_fused_lstm_cell",
    "addbmm",
    "addmm",
    "addmm_",
    "addmv",
    "addr",
    "baddbmm",
    "bmm",
    "chain_matmul",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_tbc",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "convolution",
    "convolution_backward",
    "cudnn_convolution",
    "cudnn_convolution_backward",
    "cudnn_convolution_backward_input",
    "cudnn_convolution_backward_weight",
    "cudnn_convolution_transpose",
    "cudnn_convolution_transpose_backward",
    "cudnn_convolution_transpose_backward_input",
    "cudnn_convolution_transpose_backward_weight",
    "gru_cell",
    "linalg_multi_dot",
    "linear",
    "lstm_cell",
    "matmul",
    "miopen_convolution",
    "mm",
    "mv",
    "prelu",
    "rnn_relu_cell",
    "rnn_tanh_cell",
    "scaled_dot_product_attention",
};

static const char *const eligible_other[] = {
    "AddbmmBackward",
    "AddmmBackward",
    "AddmvBackward",
    "BmmBackward0",
    "CudnnConvolutionBackward",
    "CudnnConvolutionTransposeBackward",
    "MmBackward",
    "MvBackward",
};

/* Whether the MFMA tile in a Tensile name ("_MI16x16x4x1_") has a size; without one the kernel is vector code. */
static bool tensile_matrix(const char *name)
{
    if (strncmp(name, "Cijk_", 5) != 0) return false;
    for (const char *p = name; (p = strstr(p, "_MI")) != NULL; p += 3)
        if (isdigit((unsigned char)p[3]) && p[3] != '0') return true;
    return false;
}

const char *tt_tensor_kernel_word(const char *name)
{
    for (size_t i = 0; i < sizeof kernel_parts / sizeof *kernel_parts; i++)
        if (strstr(name, kernel_parts[i])) return kernel_parts[i];
    return tensile_matrix(name) ? "mfma" : NULL;
}

bool tt_tensor_kernel(const char *name) { return tt_tensor_kernel_word(name) != NULL; }

static int by_name(const void *key, const void *item) { return strcmp(key, *(const char *const *)item); }

bool tt_tensor_eligible(const char *name)
{
    if (strncmp(name, "aten::", 6) == 0)
        return bsearch(name + 6, eligible_aten, sizeof eligible_aten / sizeof *eligible_aten, sizeof *eligible_aten,
                       by_name) != NULL;
    return bsearch(name, eligible_other, sizeof eligible_other / sizeof *eligible_other, sizeof *eligible_other,
                   by_name) != NULL;
}
