#!/usr/bin/env bash
# Compares the declarations in capture/cuda/cupti_abi.h with the real cupti.h, where one exists.
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
    echo '#include "capture/cuda/cupti_calls.h"'
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
cu_sync CUpti_ActivitySynchronization2 cudaEventSyncId
cu_event CUpti_ActivityCudaEvent2 correlationId contextId streamId eventId deviceId deviceTimestamp cudaEventSyncId
cu_overhead CUpti_ActivityOverhead3 overheadKind objectKind start end correlationId overheadData
cu_memory CUpti_ActivityMemory3 memoryOperationType memoryKind correlationId address bytes timestamp processId deviceId contextId streamId name isAsync
cu_pool CUpti_ActivityMemoryPool3 memoryPoolOperationType memoryPoolType correlationId processId deviceId minBytesToKeep address size releaseThreshold timestamp utilizedSize
cu_device CUpti_ActivityDevice5 globalMemorySize numThreadsPerWarp numMultiprocessors maxWarpsPerMultiprocessor maxBlocksPerMultiprocessor maxSharedMemoryPerMultiprocessor maxRegistersPerMultiprocessor maxRegistersPerBlock maxSharedMemoryPerBlock maxThreadsPerBlock computeCapabilityMajor computeCapabilityMinor id uuid name isMigEnabled migUuid
cu_context CUpti_ActivityContext3 contextId deviceId
cu_external CUpti_ActivityExternalCorrelation externalId correlationId
cu_unified CUpti_ActivityUnifiedMemoryCounter3 counterKind value start end address srcId dstId flags
cu_unified_config CUpti_ActivityUnifiedMemoryCounterConfig scope kind deviceId enable
cu_environment CUpti_ActivityEnvironment deviceId timestamp environmentKind data.speed.smClock data.speed.memoryClock data.speed.pcieLinkGen data.speed.pcieLinkWidth data.speed.clocksThrottleReasons data.temperature.gpuTemperature data.power.power data.power.powerLimit data.cooling.fanSpeed
cu_graph CUpti_ActivityGraphTrace correlationId start end deviceId graphId contextId streamId
END
    echo '#define POOL(m, n) _Static_assert(offsetof(cu_memory, m) == offsetof(CUpti_ActivityMemory3, memoryPoolConfig.n), #m);'
    echo 'POOL(poolType, memoryPoolType) POOL(poolAddress, address) POOL(poolThreshold, releaseThreshold) POOL(poolSize, pool.size) POOL(poolUsed, utilizedSize)'
    echo '#define X(id, number) _Static_assert(CUPTI_ACTIVITY_KIND_##id == number, #id);'
    echo 'CU_KINDS(X)'
    echo '#undef X'
    echo '#define X(id, bit, text) _Static_assert(CUPTI_CLOCKS_THROTTLE_REASON_##id == bit, #id);'
    echo 'CU_THROTTLES(X)'
    echo '#undef X'
    echo '#define X(id, number, name, row) _Static_assert(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_##id == number, #id);'
    sed -n 's/^ *\(X([A-Z_]*, [1-8], "[A-Za-z ]*", "[A-Za-z ]*")\).*/\1/p' capture/format/spool_device.h |
        sed 's/X(HTOD/X(BYTES_TRANSFER_HTOD/; s/X(DTOH/X(BYTES_TRANSFER_DTOH/; s/X(DTOD/X(BYTES_TRANSFER_DTOD/; s/CPU_FAULT/CPU_PAGE_FAULT_COUNT/; s/GPU_FAULT/GPU_PAGE_FAULT/'
    sed -n 's/^X(\([A-Za-z0-9_]*\), \([0-9]*\)).*/_Static_assert(CUPTI_DRIVER_TRACE_CBID_\1 == \2, "\1");/p' capture/cuda/driver_calls.def
    cat <<'END'
_Static_assert(CUPTI_ERROR_MAX_LIMIT_REACHED == CU_ERROR_MAX_LIMIT && CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED == CU_ERROR_BUSY, "errors");
_Static_assert(CUPTI_CB_DOMAIN_DRIVER_API == CU_DOMAIN_DRIVER && CUPTI_DRIVER_TRACE_CBID_cuProfilerStart == CU_CBID_PROFILER_START &&
               CUPTI_DRIVER_TRACE_CBID_cuProfilerStop == CU_CBID_PROFILER_STOP && offsetof(CUpti_CallbackData, callbackSite) == 0 &&
               CUPTI_API_ENTER == 0, "callbacks");
_Static_assert(CUPTI_CB_DOMAIN_RESOURCE == CU_DOMAIN_RESOURCE && CUPTI_CBID_RESOURCE_CONTEXT_CREATED == CU_CBID_CONTEXT_CREATED, "contexts");
_Static_assert(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING == CU_CBID_GRAPHEXEC_STARTING && CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED == CU_CBID_GRAPHEXEC_CREATED, "graphs");
_Static_assert(CUPTI_DRIVER_TRACE_CBID_cuDriverGetVersion == CU_CBID_DRIVER_VERSION && CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER == CU_ATTR_PER_THREAD, "watch, threads");
_Static_assert(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED == CU_FLUSH_FORCED && CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM == CU_THREAD_ID_SYSTEM, "flags");
_Static_assert(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE == CU_ATTR_DEVICE_BUFFER_SIZE && CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT == CU_ATTR_DEVICE_BUFFER_POOL_LIMIT &&
               CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE == CU_ATTR_DEVICE_BUFFER_PRE_ALLOCATE, "attributes");
_Static_assert(sizeof(cu_subscriber) == CUpti_SubscriberParams_STRUCT_SIZE && offsetof(cu_subscriber, holder) == offsetof(CUpti_SubscriberParams, oldSubscriberName) &&
               CU_HOLDER >= CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN, "subscriber");
_Static_assert(CUPTI_ACTIVITY_ENVIRONMENT_SPEED == CU_ENVIRONMENT_SPEED && CUPTI_ACTIVITY_ENVIRONMENT_COOLING == CU_ENVIRONMENT_COOLING && CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE == CU_UNIFIED_SCOPE, "environment");
_Static_assert(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0 == CU_EXTERNAL_CUSTOM0 && CUPTI_ACTIVITY_OBJECT_THREAD == CU_OBJECT_THREAD, "kinds");
_Static_assert(CUPTI_CB_DOMAIN_DRIVER_API == CU_DOMAIN_DRIVER && CUPTI_CB_DOMAIN_RUNTIME_API == CU_DOMAIN_RUNTIME, "domains");
_Static_assert(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION == CU_MEMORY_ALLOCATION && CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE == CU_MEMORY_RELEASE && CUPTI_ACTIVITY_MEMORY_KIND_DEVICE == CU_MEMORY_DEVICE, "memory");
_Static_assert(CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL == CU_POOL_LOCAL && CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED == 1 && CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_DESTROYED == 2 && CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED == 3, "pools");
_Static_assert(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel == 307 && CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx == 652 && CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch == 514, "launches");
_Static_assert(CUPTI_DRIVER_TRACE_CBID_cuMemAddressReserve == 547 && CUPTI_DRIVER_TRACE_CBID_cuMemSetAccess == 553, "virtual memory");
_Static_assert(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020 == 17 && CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020 == 138 && CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000 == 317, "noisy calls");
END
} >"$tmp/abi.c"
if ${CC:-gcc} -std=c11 -D_GNU_SOURCE -I. -I"$inc" -fsyntax-only "$tmp/abi.c" 2>"$tmp/err"; then
    echo "ok CUPTI's structures and numbers are those of $(sed -n 's/^#define CUPTI_API_VERSION *//p' "$inc/cupti_version.h")"
else
    echo "FAIL CUPTI's structures differ: $(grep error "$tmp/err" | head -5)"
fi

# Layouts that the double replays: length of every version's record, and offset of each member.
{
    echo '#include <cupti.h>'
    echo '#include "tests/doubles/layouts.h"'
    awk -F'[(,) ]+' '
        /^LAYOUT/ { family[++n] = $2; kind[n] = $3; name[n] = $4; from[n] = $5; size[n] = $6 }
        /^MEMBER/ { of[++k] = $2; mine[k] = $3; theirs[k] = $4; since[k] = $5 }
        END {
            for (i = 1; i <= n; i++) {
                printf "_Static_assert(sizeof(CUpti_Activity%s) == %s, \"%s\");\n", name[i], size[i], name[i]
                # the last version with this structure is the one before the next of the family
                last = 1e9
                for (j = 1; j <= n; j++) if (family[j] == family[i] && from[j] + 0 > from[i] + 0 && from[j] - 1 < last) last = from[j] - 1
                for (m = 1; m <= k; m++) if (of[m] == family[i] && since[m] + 0 <= last)
                    printf "_Static_assert(offsetof(rec_%s, %s) == offsetof(CUpti_Activity%s, %s) && sizeof((rec_%s){0}.%s) == sizeof((CUpti_Activity%s){0}.%s), \"%s.%s\");\n",
                        family[i], mine[m], name[i], theirs[m], family[i], mine[m], name[i], theirs[m], name[i], theirs[m]
            }
        }' tests/doubles/layouts.def
} >"$tmp/layouts.c"
if ${CC:-gcc} -std=gnu11 -I. -I"$inc" -fsyntax-only "$tmp/layouts.c" 2>"$tmp/err"; then
    echo "ok the records of the tests' libcupti are those of its versions: $(grep -c offsetof "$tmp/layouts.c") members of $(grep -c 'sizeof(CUpti' "$tmp/layouts.c") layouts"
else
    echo "FAIL the layouts of the tests' libcupti: $(grep error "$tmp/err" | head -5)"
fi
