#!/usr/bin/env bash
# The declarations in capture/cupti_abi.h against the real cupti.h, where there is one.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
inc=''
for d in "${CUDA_HOME:-/none}/include" "${CUDA_HOME:-/none}/extras/CUPTI/include" /usr/local/cuda*/include /usr/local/cuda*/extras/CUPTI/include; do
    [ -e "$d/cupti.h" ] && inc=$d && break
done
[ -n "$inc" ] || { echo "skip CUPTI's structures: no cupti.h here"; exit 0; }
{
    echo '#include <cupti.h>'
    echo '#include "capture/cupti_abi.h"'
    echo '#define OFF(mine, theirs, m) _Static_assert(offsetof(mine, m) == offsetof(theirs, m) && sizeof(((mine *)0)->m) == sizeof(((theirs *)0)->m), #m);'
    while read -r mine theirs members; do
        for m in $members; do echo "OFF($mine, $theirs, $m)"; done
    done <<'END'
cu_kernel CUpti_ActivityKernel9 registersPerThread start end deviceId contextId streamId gridX gridZ blockX blockZ staticSharedMemory dynamicSharedMemory correlationId gridId name queued submitted graphNodeId graphId channelID
cu_memcpy CUpti_ActivityMemcpy5 copyKind srcKind dstKind flags bytes start end deviceId contextId streamId correlationId graphNodeId graphId
cu_memcpy_peer CUpti_ActivityMemcpyPtoP4 copyKind bytes start end deviceId contextId streamId srcDeviceId dstDeviceId correlationId graphNodeId graphId
cu_memset CUpti_ActivityMemset4 value bytes start end deviceId contextId streamId correlationId memoryKind graphNodeId graphId
cu_api CUpti_ActivityAPI cbid start end processId threadId correlationId returnValue
cu_sync CUpti_ActivitySynchronization type start end correlationId contextId streamId cudaEventId
cu_overhead CUpti_ActivityOverhead3 overheadKind objectKind start end correlationId overheadData
cu_memory CUpti_ActivityMemory3 memoryOperationType memoryKind correlationId address bytes timestamp processId deviceId contextId streamId name isAsync
cu_device CUpti_ActivityDevice5 globalMemorySize numThreadsPerWarp numMultiprocessors maxWarpsPerMultiprocessor maxBlocksPerMultiprocessor maxSharedMemoryPerMultiprocessor maxRegistersPerMultiprocessor maxRegistersPerBlock maxSharedMemoryPerBlock maxThreadsPerBlock computeCapabilityMajor computeCapabilityMinor id uuid name
cu_context CUpti_ActivityContext3 contextId deviceId
cu_external CUpti_ActivityExternalCorrelation externalId correlationId
cu_graph CUpti_ActivityGraphTrace correlationId start end deviceId graphId contextId streamId
END
    echo '#define X(id, number) _Static_assert(CUPTI_ACTIVITY_KIND_##id == number, #id);'
    echo 'CU_KINDS(X)'
    cat <<'END'
_Static_assert(CUPTI_ERROR_MAX_LIMIT_REACHED == CU_ERROR_MAX_LIMIT && CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED == CU_ERROR_BUSY, "errors");
_Static_assert(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED == CU_FLUSH_FORCED && CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM == CU_THREAD_ID_SYSTEM, "flags");
_Static_assert(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0 == CU_EXTERNAL_CUSTOM0 && CUPTI_ACTIVITY_OBJECT_THREAD == CU_OBJECT_THREAD, "kinds");
_Static_assert(CUPTI_CB_DOMAIN_DRIVER_API == CU_DOMAIN_DRIVER && CUPTI_CB_DOMAIN_RUNTIME_API == CU_DOMAIN_RUNTIME, "domains");
_Static_assert(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION == CU_MEMORY_ALLOCATION && CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE == CU_MEMORY_RELEASE && CUPTI_ACTIVITY_MEMORY_KIND_DEVICE == CU_MEMORY_DEVICE, "memory");
_Static_assert(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel == 307 && CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx == 652 && CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch == 514, "launches");
_Static_assert(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020 == 17 && CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020 == 138 && CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000 == 317, "noisy calls");
END
} >"$tmp/abi.c"
if ${CC:-gcc} -std=c11 -D_GNU_SOURCE -I. -I"$inc" -fsyntax-only "$tmp/abi.c" 2>"$tmp/err"; then
    echo "ok CUPTI's structures and numbers are those of $(sed -n 's/^#define CUPTI_API_VERSION *//p' "$inc/cupti_version.h")"
else
    echo "FAIL CUPTI's structures differ: $(grep error "$tmp/err" | head -5)"
fi
