#!/usr/bin/env bash
# Another library of the program exports the names of the recorder's entry points, and comes first in the search for
# symbols: the recorder's own calls and addresses stay its own.
. "$(dirname "$0")/_lib.sh"
sanitized && { echo "skip names in another library: a sanitizer must be loaded first"; exit 0; }
export TRACETTY_CUPTI=$B/tests/doubles/libfakecupti.so FAKE_CUPTI=$tmp/script
printf '%s\n' "version 130001" device context "launch 5" flush >"$FAKE_CUPTI"
export LD_PRELOAD=$B/tests/doubles/libnamesakes.so
launches() { LD_PRELOAD='' cell runtime_api calls cudaLaunchKernel; }
quiet() { same "$1: the other library is not called" "$(grep -h namesake "$tmp/out" "$tmp/err" | sort -u | tr '\n' ' ')" ""; }

record "$target" cuda-script
quiet "CUDA"
same "... and the launches are there" "$status $(launches)" "0 5"
for entry in InitializeInjectionNvtx InitializeInjectionNvtx2; do
    NVTX_ENTRY=$entry record "$B/tests/doubles/domains" ladder
    quiet "NVTX by $entry"
    same "... and its ranges are there" "$status $(LD_PRELOAD='' cell user_ranges calls A:a)" "0 5001"
done
dir=$tmp/own
OWN_DIR=$dir "$target" cuda-script >"$tmp/out" 2>"$tmp/err"
quiet "a program that records itself"
same "... CUDA is told of the recorder's library" "$? $(launches)" "0 5"
python3 - "$TRACETTY_CAPTURE_LIB" "$tmp/api" >"$tmp/out" 2>"$tmp/err" <<'PY'
import ctypes, os, sys
lib = ctypes.CDLL(sys.argv[1])
lib.tracetty_init(sys.argv[2].encode())
lib.tracetty_range_push(b"a range")
lib.tracetty_range_pop()
get = ctypes.CDLL(None).getenv
get.restype = ctypes.c_char_p
for name in (b"CUDA_INJECTION64_PATH", b"NVTX_INJECTION64_PATH"): print(os.path.realpath(get(name).decode()))
PY
quiet "a call of the interface that makes another"
same "... both injections name the recorder" "$(sort -u "$tmp/out")" "$(realpath "$TRACETTY_CAPTURE_LIB")"
exit 0
