/* model/tables/analysis/names/kernel_class.h - classes of kernels by what they do, judged by their names.
 *
 * Traces do not say what a kernel does; its name does, in cuDNN, cuBLAS, CUTLASS, PyTorch, Triton, rocBLAS, MIOpen,
 * CK, Paddle and CANN alike. kernel_class.c has one list of patterns, comm_names.c the patterns of communication; a
 * new library is one line there. No other code decides whether a kernel communicates, and what it does. Pure
 * functions. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_KERNEL_CLASS_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_KERNEL_CLASS_H

typedef enum tt_kernel_class {
#define X(id, name) TT_KERNEL_##id,
#include "model/tables/analysis/names/kernel_class.def"
#undef X
    TT_KERNEL_CLASS_COUNT_
} tt_kernel_class;

/* Class of a kernel by its name, mangled or not. Rules in order: collectives are communication; a generator's name
 * says the class (triton_poi_..); rotary embeddings are elementwise; convolutions as matrix products are gemm;
 * permutations and writes of a KV cache are copy; embedding tables, sorts and scans are other; attention; matrix
 * products and convolutions are gemm; softmax, normalisations, reductions and pooling are norm; fills, gathers and
 * changes of layout are copy; maps over elements are elementwise. OTHER = no rule applies. */
tt_kernel_class tt_kernel_class_of(const char *name);
const char *tt_kernel_class_name(tt_kernel_class c);
/* Library of a kernel of class communication; NULL for any other kernel. */
const char *tt_comm_kernel_library(const char *name);
/* The word that decides the class of this part of a name: "gemm" for "my_gemm_v2"; NULL: no word does. */
const char *tt_kernel_class_word(const char *identifier);

#endif
