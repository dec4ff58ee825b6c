#!/usr/bin/env bash
# Random damage to real traces (tests/tools/mutate.py): DAMAGE=1000 files made of five traces of the corpus, or of the
# samples; a new seed every day.
set -u
cd "$(dirname "$0")/../.." || exit 1
files=(assets/sample_gpu/*.json.gz assets/sample_cpu.pt.trace.json.gz)
if [ -n "${TRACETTY_CORPUS:-}" ]; then
    files=()
    for t in hta_trace_diff_test/trace_diff_test.pt.trace.json.gz param_linear/linear_kineto.json.gz \
        resnet50_num_workers_0/worker0.1623143566756.pt.trace.json.gz b200_eager/b200_eager.pt.trace.json.gz \
        hta_nccl_parser/nccl_parser.pt.trace.json.gz; do
        files+=("$TRACETTY_CORPUS/traces/pytorch/$t")
    done
fi
n=200
grep -aq '__asan_init\|__tsan_init' "$BIN" && n=25
exec python3 tests/tools/mutate.py "${DAMAGE:-$n}" "${DAMAGE_SEED:-$(date +%j)}" "${files[@]}"
