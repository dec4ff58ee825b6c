#!/usr/bin/env bash
# alone: it measures time
# Runs the script that proves recording on a GPU on the doubles, to show that its checks find their data.
. "$(dirname "$0")/_lib.sh"
if sanitized; then
    echo "skip the script for a GPU: it loads the recorder into programs that are not built with a sanitizer"
    exit 0
fi
REPEAT=2 DRY=1 OUT=$tmp/gpu tests/gpu/run.sh 2>&1 | grep -E '^(ok|FAIL) '
same "it leaves a sample" "$("$BIN" summary --table memcpy --format csv "$tmp/gpu/cuda_program.json.gz" 2>/dev/null | wc -l)" 3
# programs that it builds where it runs
for f in target cases probe; do
    ${CC:-cc} -std=gnu11 -Wall -Werror -I. -o "$tmp/$f" tests/gpu/$f.c -ldl -pthread && echo "ok $f.c is built" || echo "FAIL $f.c cannot be built"
done
ptxas=$(command -v ptxas || ls /usr/local/cuda*/bin/ptxas 2>/dev/null | tail -n 1)
if [ -n "$ptxas" ]; then
    "$tmp/target" --ptx >"$tmp/target.ptx" && "$ptxas" -arch=sm_90 -o "$tmp/target.cubin" "$tmp/target.ptx" && echo "ok its kernels are PTX" || echo "FAIL its kernels are no PTX"
else echo "skip its kernels are PTX: no ptxas"; fi
nvcc=$(command -v nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | tail -n 1)
if [ -n "$nvcc" ]; then
    "$nvcc" -o "$tmp/target.cu" tests/gpu/target.cu -ldl && echo "ok target.cu is built" || echo "FAIL target.cu cannot be built"
else echo "skip target.cu is built: no nvcc"; fi
