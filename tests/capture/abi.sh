#!/usr/bin/env bash
# Compares the declarations in capture/cuda/cupti_abi.h with the real cupti.h, where one exists. A header of an older
# CUPTI lacks the newer structures and numbers: what a header must have is told by its CUPTI_API_VERSION.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
inc=''
for d in "${CUDA_HOME:-/none}/include" "${CUDA_HOME:-/none}/extras/CUPTI/include" /usr/local/cuda*/include /usr/local/cuda*/extras/CUPTI/include; do
    [ -e "$d/cupti.h" ] && inc=$d && break
done

# from_version: lines "VERSION TEXT" become TEXT for headers of that version and later
from_version() {
    while read -r version text; do printf '#if CUPTI_API_VERSION >= %s\n%s\n#endif\n' "$version" "$text"; done
}
# Version with which a structure came: layouts.def knows all but those that CUDA 11.0 has.
since() { sed -n "s/^LAYOUT([a-z]*, [0-9]*, ${1#CUpti_Activity}, \([0-9]*\), .*/\1/p" tests/doubles/layouts.def | grep . || echo 13; }
# Calls that the header knows: a call of the driver may be newer. From 13.0 on all must be there.
calls() {
    sed -n 's/^X(\([A-Za-z0-9_]*\), \([0-9]*\)).*/\1 \2/p' capture/cuda/driver_calls.def | while read -r name number; do
        version=130000
        [ -n "$inc" ] && grep -qw "CUPTI_DRIVER_TRACE_CBID_$name" "$inc"/cupti_driver_cbid.h && version=13
        echo "$version _Static_assert(CUPTI_DRIVER_TRACE_CBID_$name == $number, \"$name\");"
    done
}
{
    echo '#include <cupti.h>'
    echo '#include "capture/cuda/cupti_calls.h"'
    echo '#define OFF(mine, theirs, m) _Static_assert(offsetof(mine, m) == offsetof(theirs, m) && sizeof(((mine *)0)->m) == sizeof(((theirs *)0)->m), #m);'
    while read -r mine theirs members; do
        for m in $members; do echo "$(since "$theirs") OFF($mine, $theirs, $m)"; done
    done <<'END' | from_version
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
    echo '17 POOL(poolType, memoryPoolType) POOL(poolAddress, address) POOL(poolThreshold, releaseThreshold) POOL(poolSize, pool.size) POOL(poolUsed, utilizedSize)' | from_version
    grep '^ *X([A-Z0-9_]*, [0-9]*)' capture/cuda/cupti_abi.h | tr -dc 'A-Z0-9_,\n' | sed 's/^X//' | while IFS=, read -r id number; do
        case $id in
        MEMORY2 | MEMORY_POOL) version=15 ;;
        GRAPH_TRACE) version=18 ;; # 17 is 11.6, which lacks it, and 11.7
        *) version=13 ;;
        esac
        echo "$version _Static_assert(CUPTI_ACTIVITY_KIND_$id == $number, \"$id\");"
    done | from_version
    echo '#define X(id, bit, text) _Static_assert(CUPTI_CLOCKS_THROTTLE_REASON_##id == bit, #id);'
    echo 'CU_THROTTLES(X)'
    echo '#undef X'
    echo '#define X(id, number, name, row) _Static_assert(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_##id == number, #id);'
    sed -n 's/^ *\(X([A-Z_]*, [1-8], "[A-Za-z ]*", "[A-Za-z ]*")\).*/\1/p' capture/format/spool_device.h |
        sed 's/X(HTOD/X(BYTES_TRANSFER_HTOD/; s/X(DTOH/X(BYTES_TRANSFER_DTOH/; s/X(DTOD/X(BYTES_TRANSFER_DTOD/; s/CPU_FAULT/CPU_PAGE_FAULT_COUNT/; s/GPU_FAULT/GPU_PAGE_FAULT/'
    calls | from_version
    from_version <<'END'
13 _Static_assert(CUPTI_ERROR_MAX_LIMIT_REACHED == CU_ERROR_MAX_LIMIT && CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED == CU_ERROR_BUSY, "errors");
13 _Static_assert(CUPTI_CB_DOMAIN_DRIVER_API == CU_DOMAIN_DRIVER && CUPTI_DRIVER_TRACE_CBID_cuProfilerStart == CU_CBID_PROFILER_START, "callbacks");
13 _Static_assert(CUPTI_DRIVER_TRACE_CBID_cuProfilerStop == CU_CBID_PROFILER_STOP && offsetof(CUpti_CallbackData, callbackSite) == 0 && CUPTI_API_ENTER == 0, "callbacks");
13 _Static_assert(CUPTI_CB_DOMAIN_RESOURCE == CU_DOMAIN_RESOURCE && CUPTI_CBID_RESOURCE_CONTEXT_CREATED == CU_CBID_CONTEXT_CREATED, "contexts");
13 _Static_assert(CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATE_STARTING == CU_CBID_GRAPHEXEC_STARTING && CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED == CU_CBID_GRAPHEXEC_CREATED, "graphs");
13 _Static_assert(CUPTI_DRIVER_TRACE_CBID_cuDriverGetVersion == CU_CBID_DRIVER_VERSION, "watch");
21 _Static_assert(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER == CU_ATTR_PER_THREAD, "threads");
13 _Static_assert(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED == CU_FLUSH_FORCED && CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM == CU_THREAD_ID_SYSTEM, "flags");
13 _Static_assert(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE == CU_ATTR_DEVICE_BUFFER_SIZE && CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT == CU_ATTR_DEVICE_BUFFER_POOL_LIMIT, "attributes");
15 _Static_assert(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE == CU_ATTR_DEVICE_BUFFER_PRE_ALLOCATE, "attributes");
13 _Static_assert(CUPTI_ACTIVITY_ENVIRONMENT_SPEED == CU_ENVIRONMENT_SPEED && CUPTI_ACTIVITY_ENVIRONMENT_COOLING == CU_ENVIRONMENT_COOLING, "environment");
13 _Static_assert(CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE == CU_UNIFIED_SCOPE, "unified memory");
13 _Static_assert(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0 == CU_EXTERNAL_CUSTOM0 && CUPTI_ACTIVITY_OBJECT_THREAD == CU_OBJECT_THREAD, "kinds");
13 _Static_assert(CUPTI_CB_DOMAIN_DRIVER_API == CU_DOMAIN_DRIVER && CUPTI_CB_DOMAIN_RUNTIME_API == CU_DOMAIN_RUNTIME, "domains");
15 _Static_assert(CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION == CU_MEMORY_ALLOCATION && CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE == CU_MEMORY_RELEASE && CUPTI_ACTIVITY_MEMORY_KIND_DEVICE == CU_MEMORY_DEVICE, "memory");
15 _Static_assert(CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL == CU_POOL_LOCAL && CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED == 1 && CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_DESTROYED == 2 && CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED == 3, "pools");
13 _Static_assert(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel == 307 && CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch == 514, "launches");
18 _Static_assert(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx == 652, "launches");
13 _Static_assert(CUPTI_DRIVER_TRACE_CBID_cuMemAddressReserve == 547 && CUPTI_DRIVER_TRACE_CBID_cuMemSetAccess == 553, "virtual memory");
13 _Static_assert(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020 == 17 && CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020 == 138 && CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000 == 317, "noisy calls");
END
    # the last member came with 13.2; a library older than that is given the size of the first four
    echo '#ifdef CUpti_SubscriberParams_STRUCT_SIZE'
    echo '_Static_assert(offsetof(cu_subscriber, holder) == offsetof(CUpti_SubscriberParams, oldSubscriberName) && CU_HOLDER >= CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN, "subscriber");'
    from_version <<'END'
130200 _Static_assert(sizeof(cu_subscriber) <= CUpti_SubscriberParams_STRUCT_SIZE, "subscriber");
END
    echo '#endif'
} >"$tmp/abi.c"

# Layouts that the double replays: length of every version's record, and offset of each member.
{
    echo '#include <cupti.h>'
    echo '#include "tests/doubles/layouts.h"'
    awk -F'[(,) ]+' '
        /^LAYOUT/ { family[++n] = $2; kind[n] = $3; name[n] = $4; from[n] = $5; size[n] = $6 }
        /^MEMBER/ { of[++k] = $2; mine[k] = $3; theirs[k] = $4; since[k] = $5 }
        END {
            for (i = 1; i <= n; i++) {
                printf "%s _Static_assert(sizeof(CUpti_Activity%s) == %s, \"%s\");\n", from[i], name[i], size[i], name[i]
                # the last version with this structure is the one before the next of the family
                last = 1e9
                for (j = 1; j <= n; j++) if (family[j] == family[i] && from[j] + 0 > from[i] + 0 && from[j] - 1 < last) last = from[j] - 1
                for (m = 1; m <= k; m++) if (of[m] == family[i] && since[m] + 0 <= last)
                    printf "%s _Static_assert(offsetof(rec_%s, %s) == offsetof(CUpti_Activity%s, %s) && sizeof((rec_%s){0}.%s) == sizeof((CUpti_Activity%s){0}.%s), \"%s.%s\");\n",
                        (since[m] + 0 > from[i] + 0 ? since[m] : from[i]),
                        family[i], mine[m], name[i], theirs[m], family[i], mine[m], name[i], theirs[m], name[i], theirs[m]
            }
        }' tests/doubles/layouts.def | from_version
} >"$tmp/layouts.c"

# A header of each version is asked for the structures that it has, and for those alone.
for version in 13 15 20 24 26 130000 130300; do
    mkdir "$tmp/$version"
    echo "#define CUPTI_API_VERSION $version" >"$tmp/$version/cupti.h"
    got=$(for f in abi layouts; do ${CC:-gcc} -E -I. -I"$tmp/$version" "$tmp/$f.c"; done | grep -o 'CUpti_Activity[A-Za-z]*[0-9]*' | sort -u)
    want=$(awk -F'[(,) ]+' -v v=$version '/^LAYOUT/ && $5 + 0 <= v { print "CUpti_Activity" $4 } END { print "CUpti_ActivityUnifiedMemoryCounterConfig" }' tests/doubles/layouts.def | sort -u)
    if [ "$got" = "$want" ]; then echo "ok a header of version $version is asked for its $(wc -l <<<"$want") structures"; else
        echo "FAIL what a header of version $version is asked for: $(diff <(echo "$got") <(echo "$want") | grep '^[<>]' | tr '\n' ' ')"; fi
done
[ -n "$inc" ] || { echo "skip CUPTI's structures: no cupti.h here"; exit 0; }

number=$(sed -n 's/^#define CUPTI_API_VERSION *//p' "$inc/cupti_version.h")
if ${CC:-gcc} -std=c11 -D_GNU_SOURCE -I. -I"$inc" -fsyntax-only "$tmp/abi.c" 2>"$tmp/err"; then
    echo "ok CUPTI's structures and numbers are those of $number"
else
    echo "FAIL CUPTI's structures differ from those of $number: $(grep error "$tmp/err" | head -5)"
fi
if ${CC:-gcc} -std=gnu11 -I. -I"$inc" -fsyntax-only "$tmp/layouts.c" 2>"$tmp/err"; then
    echo "ok the records of the tests' libcupti are those of $number and before"
else
    echo "FAIL the layouts of the tests' libcupti: $(grep error "$tmp/err" | head -5)"
fi
