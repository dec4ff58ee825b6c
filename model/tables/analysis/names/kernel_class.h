/* model/tables/analysis/names/kernel_class.h - what a kernel does, judged by its name.
 *
 * Traces do not say it; names do, those of cuDNN, cuBLAS, CUTLASS, PyTorch, Triton, rocBLAS, MIOpen, CK, Paddle and
 * CANN alike. One list of patterns in kernel_class.c, that of communication in comm_names.c; adding a library is one
 * line there. Whatever asks whether a kernel communicates or what it does asks here. Pure functions. */
#ifndef TT_MODEL_TABLES_ANALYSIS_KERNEL_CLASS_H
#define TT_MODEL_TABLES_ANALYSIS_KERNEL_CLASS_H

typedef enum tt_kernel_class {
#define X(id, name) TT_KERNEL_##id,
#include "model/tables/analysis/names/kernel_class.def"
#undef X
    TT_KERNEL_CLASS_COUNT_
} tt_kernel_class;

/* The class of a kernel by its name, mangled or not. In order: collectives are communication; then what a generator
 * says (triton_poi_..); rotary embeddings are elementwise; convolutions as matrix products gemm; permutations and what
 * writes a KV cache copy; embedding tables, sorts and scans other; attention; matrix products and convolutions gemm;
 * softmax, normalisations, reductions and pooling norm; fills, gathers and changes of layout copy; maps over elements
 * elementwise. OTHER = nothing of these, or the name does not tell. */
tt_kernel_class tt_kernel_class_of(const char *name);
const char *tt_kernel_class_name(tt_kernel_class c);
/* The library of a kernel of class communication, NULL of any other. */
const char *tt_comm_kernel_library(const char *name);
/* The word that decides the class of this part of a name: "gemm" for "my_gemm_v2". NULL: none does. */
const char *tt_kernel_class_word(const char *identifier);

#endif
