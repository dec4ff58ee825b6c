/* model/tables/analysis/kernel_class.h - what a kernel does, judged by its name.
 *
 * Traces do not say it; names do, those of cuDNN, cuBLAS, CUTLASS, PyTorch, Triton, rocBLAS, MIOpen, CK, Paddle and
 * CANN alike. One table of patterns in kernel_class.c; adding a library is one line there. Pure functions. */
#ifndef TT_MODEL_TABLES_ANALYSIS_KERNEL_CLASS_H
#define TT_MODEL_TABLES_ANALYSIS_KERNEL_CLASS_H

typedef enum tt_kernel_class {
#define X(id, name) TT_KERNEL_##id,
#include "model/tables/analysis/kernel_class.def"
#undef X
    TT_KERNEL_CLASS_COUNT_
} tt_kernel_class;

/* The class of a kernel by its name, mangled or not: matrix products and convolutions are gemm; softmax,
 * normalisations and reductions norm; fills, gathers and changes of layout copy. OTHER = the name does not tell. */
tt_kernel_class tt_kernel_class_of(const char *name);
const char *tt_kernel_class_name(tt_kernel_class c);
/* The word that decides the class of this part of a name: "gemm" for "my_gemm_v2". NULL: none does. */
const char *tt_kernel_class_word(const char *identifier);

#endif
