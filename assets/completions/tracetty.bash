# bash completion of tracetty; written by 'tracetty help --completions bash'
_tracetty_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_tracetty_list() { # the word behind the last comma, without a sign
    local last=${cur##*,}
    [[ $last == [+-]* ]] && last=${last:1}
    COMPREPLY=($(compgen -P "${cur%"$last"}" -W "$1" -- "$last"))
}
_tracetty_columns() {
    local line=" $* " table=
    case $line in
        *' --table = '*) table=${line#* --table = } ;;
        *' --table '*) table=${line#* --table } ;;
        *' --table='*) table=${line#* --table=} ;;
    esac
    case ${table%%[ ,]*} in
        run) echo 'key value' ;;
        runs) echo 'run path workers format verdict busy_pct account_ns steps' ;;
        overview) echo 'what name device time_ns pct count text source' ;;
        devices) echo 'device name memory_bytes compute_capability utilization_pct sm_efficiency_pct achieved_occupancy_pct tensor_core_pct' ;;
        gpu_time) echo 'step device total_ns computation_ns communication_exposed_ns copy_exposed_ns idle_ns computation_pct communication_exposed_pct copy_exposed_pct idle_pct busy_ns communication_ns overlap_ns overlap_pct copy_ns' ;;
        idle_causes) echo 'step device name cause gaps idle_ns pct mean_ns longest_ns' ;;
        gpu_gaps) echo 'device start_at_ns duration_ns cause host_ns launch_ns queue_ns unknown_ns next operator step' ;;
        stream_idle) echo 'device stream cause gaps idle_ns pct mean_ns longest_ns' ;;
        step_breakdown) echo 'step start_at_ns total_ns kernel_ns memcpy_ns memset_ns communication_ns runtime_ns dataloader_ns cpu_exec_ns other_ns' ;;
        engine_steps) echo 'step iteration engine phase name start_at_ns host_ns device_start_at_ns device_end_at_ns busy_ns gap_ns time_ns requests context_requests generation_requests context_tokens generation_tokens batch context_k_sum context_qq_sum context_qk_sum generation_k_sum generation_qq_sum generation_qk_sum graph_launches complete' ;;
        serving) echo 'phase steps incomplete requests_mean context_tokens generation_tokens time_ns time_p50_ns time_p90_ns time_p99_ns tokens_per_s busy_ns busy_pct gap_ns gap_p50_ns communication_ns copy_ns host_ns graph_pct top top_pct' ;;
        step_compare) echo 'name a_ns b_ns delta_ns delta_pct a_calls b_calls a_step b_step' ;;
        diff_summary) echo 'metric base_steps new_steps base_ns new_ns delta_ns delta_pct low_ns high_ns base_bytes new_bytes delta_bytes low_bytes high_bytes p_value verdict' ;;
        diff_causes) echo 'cause base_ns new_ns delta_ns share_pct' ;;
        step_trace) echo 'step start_at_ns total_ns gap_ns forward_backward_ns tail_ns collectives_ns' ;;
        step_trace_summary) echo 'part mean_ns pct' ;;
        step_collectives) echo 'step stream index name offset_ns duration_ns' ;;
        execution_summary) echo 'category mean_ns pct' ;;
        critical_path) echo 'start_at_ns end_at_ns duration_ns category name track step inferred total_ns pct segments longest_ns' ;;
        what_if) echo 'kind name total_ns path_ns saving_ns saving_pct' ;;
        findings) echo 'id severity title detail cause device time_ns count longest_ns line value_pct saving_ns start_at_ns end_at_ns' ;;
        evidence) echo 'worker span finding id device start_at_ns end_at_ns duration_ns cause thread track line longest' ;;
        operators) echo 'name input_shapes stack calls replayed_calls host_self_ns host_total_ns host_mean_ns host_max_ns host_min_ns device_self_ns device_total_ns device_mean_ns device_max_ns device_min_ns tensor_core_eligible tensor_core_self_pct tensor_core_total_pct flops tflops_per_s gb_per_s' ;;
        operator_tree) echo 'path depth name calls host_self_ns host_total_ns host_mean_ns host_max_ns host_min_ns device_total_ns device_mean_ns device_max_ns device_min_ns is_device' ;;
        key_averages) echo 'side name input_shapes stack calls cpu_self_ns cpu_total_ns cpu_mean_ns cpu_self_pct cpu_total_pct cuda_self_ns cuda_total_ns cuda_mean_ns cuda_self_pct cpu_memory_bytes cpu_memory_self_bytes cuda_memory_bytes cuda_memory_self_bytes flops' ;;
        kernels) echo 'name core type class operator program grid block registers shared_memory_bytes tensor_core calls total_ns mean_ns max_ns min_ns ratio_pct mean_blocks_per_sm mean_occupancy_pct flops tflops_per_s accessed_bytes gb_per_s' ;;
        op_types) echo 'core type calls total_ns mean_ns max_ns min_ns ratio_pct' ;;
        op_details) echo 'core name type calls mean_ns total_ns stream block_dim input_shapes flops tflops' ;;
        roofline) echo 'name input_shapes kind dtype calls device_ns flops bytes intensity tflops_per_s gb_per_s peak_tflops peak_gb_per_s roof_ns bound of_roof_pct' ;;
        runtime_api) echo 'level name calls total_ns mean_ns max_ns min_ns ratio_pct' ;;
        memcpy) echo 'kind name calls bytes gb_per_s max_gb_per_s host_total_ns host_mean_ns host_max_ns host_min_ns host_ratio_pct device_total_ns device_mean_ns device_max_ns device_min_ns device_ratio_pct' ;;
        copy_curve) echo 'device kind at_ns gb_per_s' ;;
        launches) echo 'name api stream correlation call_at_ns device_at_ns works launches device_total_ns call_total_ns call_mean_ns call_max_ns delay_total_ns delay_mean_ns delay_median_ns delay_min_ns delay_max_ns short slow delayed' ;;
        unfinished) echo 'order device stream name launched_at_ns running_ns call correlation thread operator range' ;;
        queue) echo 'device stream launches max_length mean_length empty_ns empty_pct full_ns' ;;
        queue_curve) echo 'device stream at_ns length' ;;
        graph_ownership) echo 'graph source capture batch replays kernels device_ns owned_pct' ;;
        kernel_sequences) echo 'name kernels calls device_total_ns host_total_ns' ;;
        user_ranges) echo 'name calls host_total_ns host_mean_ns host_max_ns host_min_ns host_ratio_pct device_total_ns device_mean_ns device_max_ns device_min_ns device_ratio_pct' ;;
        modules) echo 'path depth name occurrences replayed_calls operators host_total_ns host_self_ns device_total_ns device_self_ns' ;;
        memory_devices) echo 'device peak_allocated_bytes peak_allocated_at_ns peak_reserved_bytes end_allocated_bytes' ;;
        memory_curve) echo 'device at_ns allocated_bytes reserved_bytes' ;;
        memory_alive) echo 'device name size_bytes share_pct allocations allocated_at_ns freed_at_ns duration_ns at_ns' ;;
        memory_operators) echo 'device name calls size_increase_bytes self_size_increase_bytes allocation_count self_allocation_count allocation_bytes self_allocation_bytes' ;;
        memory_names) echo 'device name kind allocation_count free_count allocation_bytes free_bytes increase_bytes' ;;
        memory_events) echo 'device kind operator size_bytes allocated_at_ns freed_at_ns duration_ns' ;;
        memory_fragmentation) echo 'device segments blocks reserved_bytes allocated_bytes requested_bytes rounding_bytes pending_bytes free_bytes free_blocks largest_free_bytes fragmentation_pct' ;;
        memory_segments) echo 'device stream type expandable address segments reserved_bytes allocated_bytes free_bytes largest_free_bytes' ;;
        memory_peak) echo 'device stack blocks bytes pct' ;;
        memory_stacks) echo 'device stack allocations allocated_bytes alive_blocks alive_bytes' ;;
        comm_steps) echo 'worker step computation_ns overlap_ns communication_ns other_ns' ;;
        comm_wait) echo 'worker step data_transfer_ns synchronizing_ns' ;;
        comm_ops) echo 'worker name calls size_bytes latency_ns data_transfer_ns' ;;
        comm_calls) echo 'name step last_worker wait_ns waits_ns together_ns size_bytes workers group start_at_ns kernel_at_ns conclusive' ;;
        comm_waits) echo 'worker call name step waited_ns came_last start_at_ns kernel_at_ns' ;;
        comm_ranks) echo 'worker calls last_calls last_pct waited_ns caused_ns together_ns inconclusive_calls' ;;
        rank_times) echo 'rank host steps step_ns computation_ns communication_ns waited_ns calls late_calls late_pct late_ns late_since late_until passed_calls' ;;
        comm_groups) echo 'group kind name workers calls size_bytes transfer_median_ns transfer_p90_ns transfer_p99_ns wait_median_ns wait_p99_ns busbw_gb_per_s inconclusive_calls' ;;
        comm_sizes) echo 'operation dtype group group_size in_bytes out_bytes calls total_ns mean_ns min_ns algbw_gb_per_s busbw_gb_per_s' ;;
        comm_clock) echo 'worker calls offset_ns spread_ns trusted' ;;
        cluster_steps) echo 'type index step computing_ns not_overlapped_ns overlapped_ns communication_ns free_ns stage_ns bubble_ns not_overlapped_exclude_receive_ns preparing_ns collective_ns' ;;
        cluster_communication) echo 'rank step kind group name elapse_ns transit_ns wait_ns synchronization_ns idle_ns wait_ratio_pct synchronization_ratio_pct size_bytes' ;;
        cluster_links) echo 'rank step kind op group src dst transport size_bytes transit_ns bandwidth_gbps' ;;
        data_queues) echo 'queue samples empty full capacity mean_size empty_pct get_mean_ns push_mean_ns batch_mean_ns' ;;
        data_stages) echo 'stage bottleneck' ;;
        data_pipeline) echo 'op_id name type workers parent_id samples queue_mean queue_capacity queue_usage_pct suspect' ;;
        data_cpu) echo 'scope op_id user_pct sys_pct io_pct idle_pct' ;;
        data_queue_curve) echo 'queue sample size' ;;
        stages) echo 'stage calls host_total_ns host_mean_ns host_max_ns host_min_ns host_ratio_pct device_total_ns device_mean_ns device_max_ns device_min_ns device_ratio_pct' ;;
        stages_by_step) echo 'step stage host_ns device_ns' ;;
        interval) echo 'name calls total_ns self_ns busy_ns idle_ns share_pct longest_idle_ns max_ns' ;;
        throughput) echo 'name mean max min unit reader_ratio_pct' ;;
        distribution) echo 'name total_ns ratio_pct' ;;
        event_types) echo 'type side calls time_ns ratio_pct' ;;
        stacks) echo 'pid tid thread kind frame at_ns stack' ;;
        diff_operator_tree) echo 'path depth name base_name match change base_calls new_calls base_host_total_ns new_host_total_ns delta_host_total_ns base_host_self_ns new_host_self_ns delta_host_self_ns base_device_total_ns new_device_total_ns delta_device_total_ns ratio accumulated_delta_ns is_device' ;;
        diff_operators) echo 'name input_shapes stack base_calls new_calls base_replayed_calls new_replayed_calls delta_replayed_calls base_host_self_ns new_host_self_ns delta_host_self_ns base_host_total_ns new_host_total_ns delta_host_total_ns base_host_mean_ns new_host_mean_ns delta_host_mean_ns base_host_max_ns new_host_max_ns delta_host_max_ns base_host_min_ns new_host_min_ns delta_host_min_ns base_device_self_ns new_device_self_ns delta_device_self_ns base_device_total_ns new_device_total_ns delta_device_total_ns base_device_mean_ns new_device_mean_ns delta_device_mean_ns base_device_max_ns new_device_max_ns delta_device_max_ns base_device_min_ns new_device_min_ns delta_device_min_ns base_flops new_flops delta_flops base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change' ;;
        diff_key_averages) echo 'side name input_shapes stack base_calls new_calls base_cpu_self_ns new_cpu_self_ns delta_cpu_self_ns base_cpu_total_ns new_cpu_total_ns delta_cpu_total_ns base_cpu_mean_ns new_cpu_mean_ns delta_cpu_mean_ns base_cuda_self_ns new_cuda_self_ns delta_cuda_self_ns base_cuda_total_ns new_cuda_total_ns delta_cuda_total_ns base_cuda_mean_ns new_cuda_mean_ns delta_cuda_mean_ns base_cpu_memory_bytes new_cpu_memory_bytes delta_cpu_memory_bytes base_cpu_memory_self_bytes new_cpu_memory_self_bytes delta_cpu_memory_self_bytes base_cuda_memory_bytes new_cuda_memory_bytes delta_cuda_memory_bytes base_cuda_memory_self_bytes new_cuda_memory_self_bytes delta_cuda_memory_self_bytes base_flops new_flops delta_flops base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change' ;;
        diff_kernels) echo 'name operator grid block registers shared_memory_bytes base_calls new_calls base_total_ns new_total_ns delta_total_ns base_mean_ns new_mean_ns delta_mean_ns base_max_ns new_max_ns delta_max_ns base_min_ns new_min_ns delta_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change' ;;
        diff_runtime_api) echo 'level name base_calls new_calls base_total_ns new_total_ns delta_total_ns base_mean_ns new_mean_ns delta_mean_ns base_max_ns new_max_ns delta_max_ns base_min_ns new_min_ns delta_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change' ;;
        diff_memcpy) echo 'kind name base_calls new_calls base_bytes new_bytes delta_bytes base_host_total_ns new_host_total_ns delta_host_total_ns base_host_mean_ns new_host_mean_ns delta_host_mean_ns base_host_max_ns new_host_max_ns delta_host_max_ns base_host_min_ns new_host_min_ns delta_host_min_ns base_device_total_ns new_device_total_ns delta_device_total_ns base_device_mean_ns new_device_mean_ns delta_device_mean_ns base_device_max_ns new_device_max_ns delta_device_max_ns base_device_min_ns new_device_min_ns delta_device_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change' ;;
        diff_user_ranges) echo 'name base_calls new_calls base_host_total_ns new_host_total_ns delta_host_total_ns base_host_mean_ns new_host_mean_ns delta_host_mean_ns base_host_max_ns new_host_max_ns delta_host_max_ns base_host_min_ns new_host_min_ns delta_host_min_ns base_device_total_ns new_device_total_ns delta_device_total_ns base_device_mean_ns new_device_mean_ns delta_device_mean_ns base_device_max_ns new_device_max_ns delta_device_max_ns base_device_min_ns new_device_min_ns delta_device_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change' ;;
        diff_modules) echo 'path depth name base_calls new_calls base_replayed_calls new_replayed_calls delta_replayed_calls base_operators new_operators delta_operators base_host_total_ns new_host_total_ns delta_host_total_ns base_host_self_ns new_host_self_ns delta_host_self_ns base_device_total_ns new_device_total_ns delta_device_total_ns base_device_self_ns new_device_self_ns delta_device_self_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change' ;;
        diff_comm_sizes) echo 'operation dtype group group_size in_bytes out_bytes base_calls new_calls base_total_ns new_total_ns delta_total_ns base_mean_ns new_mean_ns delta_mean_ns base_min_ns new_min_ns delta_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change' ;;
        diff_stages) echo 'stage base_calls new_calls base_host_total_ns new_host_total_ns delta_host_total_ns base_host_mean_ns new_host_mean_ns delta_host_mean_ns base_host_max_ns new_host_max_ns delta_host_max_ns base_host_min_ns new_host_min_ns delta_host_min_ns base_device_total_ns new_device_total_ns delta_device_total_ns base_device_mean_ns new_device_mean_ns delta_device_mean_ns base_device_max_ns new_device_max_ns delta_device_max_ns base_device_min_ns new_device_min_ns delta_device_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change' ;;
        diff_memory) echo 'device name base_peak_bytes new_peak_bytes delta_bytes base_allocations new_allocations change' ;;
        hang_faults) echo 'fault kind side certainty ranks group group_desc group_size group_ranks op seq p2p dtype in_sizes out_sizes waiting since_at_ns since_unix_ns frame last_frame' ;;
        hang_ranks) echo 'rank dump state fault waits_for group group_desc op seq open entries since_at_ns last_at_ns version file' ;;
        hang_mismatches) echo 'group group_desc seq kind rank known op expected_op in_sizes out_sizes expected_in_sizes expected_out_sizes dtype expected_dtype swapped open frame expected_frame' ;;
        hang_collectives) echo 'group group_desc size seq op called not_called no_dump completed in_sizes out_sizes dtype first_at_ns last_at_ns timeout_ns frame' ;;
        hang_groups) echo 'group group_desc size ranks p2p dumps enqueued_min enqueued_max completed_min completed_max behind open first_open_seq' ;;
        hang_wall) echo 'rank group group_desc enqueued started completed behind_enqueued behind_completed' ;;
        hang_entries) echo 'rank record_id group group_desc seq p2p op_id op peer state open retired created_at_ns started_at_ns completed_at_ns duration_ns in_sizes out_sizes in_dtypes out_dtypes timeout_ns frame stack' ;;
        trust) echo 'check verdict evidence affects' ;;
        problems) echo 'kind count offset example level meaning' ;;
    esac
}
_tracetty() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= n=0 w
    COMPREPLY=()
    [[ $cur == = ]] && cur=
    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}
    for w in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ -n $cmd && $w != -* ]] && ((++n))
        [[ -z $cmd ]] && case $w in
            demo|summary|tables|check|diff|summarize|merge|sql|export|repair|cluster|record|ctl|doctor|help) cmd=$w ;;
        esac
    done
    case "$cmd $prev" in
        *' --table') _tracetty_list 'all run runs overview devices gpu_time idle_causes gpu_gaps stream_idle step_breakdown engine_steps serving step_compare diff_summary diff_causes step_trace step_trace_summary step_collectives execution_summary critical_path what_if findings evidence operators operator_tree key_averages kernels op_types op_details roofline runtime_api memcpy copy_curve launches unfinished queue queue_curve graph_ownership kernel_sequences user_ranges modules memory_devices memory_curve memory_alive memory_operators memory_names memory_events memory_fragmentation memory_segments memory_peak memory_stacks comm_steps comm_wait comm_ops comm_calls comm_waits comm_ranks rank_times comm_groups comm_sizes comm_clock cluster_steps cluster_communication cluster_links data_queues data_stages data_pipeline data_cpu data_queue_curve stages stages_by_step interval throughput distribution event_types stacks diff_operator_tree diff_operators diff_key_averages diff_kernels diff_runtime_api diff_memcpy diff_user_ranges diff_modules diff_comm_sizes diff_stages diff_memory hang_faults hang_ranks hang_mismatches hang_collectives hang_groups hang_wall hang_entries trust problems'; return ;;
        'summary --format'|'tables --format'|'diff --format'|'sql --format'|'cluster --format') _tracetty_words 'text csv json markdown svg png'; return ;;
        *' --style') _tracetty_words 'auto tables paddle'; return ;;
        *' --op-detail') _tracetty_words 'on off'; return ;;
        *' --group-by') _tracetty_words 'device step operator category kernel name segment finding shape stack shape,stack launch class api allocation line kind'; return ;;
        *' --per') _tracetty_words 'step run'; return ;;
        *' --match') _tracetty_words 'exact short'; return ;;
        *' --unit') _tracetty_words 'auto ns us ms s'; return ;;
        *' --phase') _tracetty_words 'prefill mixed decode draft diffusion idle warmup unknown all'; return ;;
        *' --step-source') _tracetty_words 'profiler engine inferred none'; return ;;
        *' --window') _tracetty_words 'account device'; return ;;
        *' --color') _tracetty_words 'auto always never 8 256 truecolor'; return ;;
        *' --unicode') _tracetty_words 'auto always never block ascii braille'; return ;;
        *' --theme') _tracetty_words 'dark light colour-blind mono'; return ;;
        *' --screen') _tracetty_words 'overview operators kernels hang timeline memory distributed steps data modules api idle roofline compare problems'; return ;;
        *' --anonymise') _tracetty_words 'shapes'; return ;;
        *' --stacks') _tracetty_words 'time device'; return ;;
        *' --via') _tracetty_words 'cupti kineto'; return ;;
        *' --ops') _tracetty_words 'shapes'; return ;;
        'export --format') _tracetty_words 'trace dump'; return ;;
        'record --format') _tracetty_list 'spool json json.gz'; return ;;
        *' --at-end') _tracetty_words 'open summary nothing'; return ;;
        *' --clock') _tracetty_words 'process cuda'; return ;;
        *' --trace') _tracetty_list 'kernel memcpy memset runtime driver sync overhead nvtx cpu memory mempool event graph external nvml um env latency nccl shapes stack flops modules'; return ;;
        *' --children') _tracetty_words 'all exec none'; return ;;
        *' --engine') _tracetty_words 'auto srun sbatch mpirun local'; return ;;
        *' --completions') _tracetty_words 'bash zsh fish'; return ;;
        *' --sort') _tracetty_words "$(_tracetty_columns "${COMP_WORDS[@]}")"; return ;;
    esac
    if [[ $cur == -* ]]; then
        case $cmd in
            '') w='--steps --follow --range --run --worker --span --graph-key --step-source --color --unicode --theme --screen --keys --no-mouse --dump --threads --max-memory --max-events --all-events --nsys-export --help --version' ;;
            'demo') w='--steps --range --worker --span --color --unicode --theme --screen --keys --no-mouse --dump --threads --max-memory --help' ;;
            'summary') w='--table --format --style --op-detail --group-by --sort --limit --filter --filter-regex --steps --range --run --worker --span --graph-key --fail-on --unit --phase --step-source --window --thread-sep --samples-per-step --peak-tflops --peak-gb-per-s --what-if --stack-depth --color --unicode --theme --screen --size --keys --threads --max-memory --max-events --all-events --nsys-export --require-all --help' ;;
            'tables') w='--format --help' ;;
            'check') w='--run --worker --span --threads --max-memory --max-events --all-events --nsys-export --help' ;;
            'diff') w='--table --format --group-by --sort --limit --filter --filter-regex --steps --range --run --worker --span --graph-key --base-steps --new-steps --base-range --new-range --base-run --new-run --base-worker --new-worker --base-span --new-span --per --skip --match --confidence --min-effect --fail-on --unit --phase --color --unicode --theme --screen --size --keys --threads --max-memory --max-events --all-events --nsys-export --help' ;;
            'summarize') w='--run --graph-key --threads --output --max-memory --max-events --all-events --nsys-export --part --require-all --help' ;;
            'merge') w='--output --require-all --help' ;;
            'sql') w='--query --timeout --format --limit --run --worker --span --graph-key --unit --color --threads --max-memory --max-events --all-events --nsys-export --help' ;;
            'export') w='--steps --range --run --worker --span --rank --merge --threads --output --anonymise --args --stacks --all-events --nsys-export --format --help' ;;
            'repair') w='--output --help' ;;
            'cluster') w='--table --format --run --threads --output --max-memory --max-events --all-events --nsys-export --require-all --quiet --at-end --dry-run --engine --tasks --cpus-per-task --nodes --partition --account --time --pass --fresh --keep --help' ;;
            'record') w='--steps --live --output --force --attach --via --ops --yield-cupti --format --summarize --fsync --quiet --at-end --delay --clock --duration --kill --step-marker --on-cycle --cycle-limit --step-info --capture-range --start-paused --trace --memory --noisy-api --cpu-util --gpu-util --buffers --buffer-size --device-buffer-limit --device-buffer-size --keep --max-spool --slow-step --stall --on-exit --dump-signal --children --only-rank --cupti --linger --status-ok --dry-run --help' ;;
            'ctl') w='--help' ;;
            'doctor') w='--help' ;;
            'help') w='--help --completions --man' ;;
        esac
        _tracetty_words "$w"
        return
    fi
    case $cmd in
        demo) _tracetty_words 'gpu compare ranks serving hang snapshot ascend mindspore xla' ;;
        tables) _tracetty_list 'run runs overview devices gpu_time idle_causes gpu_gaps stream_idle step_breakdown engine_steps serving step_compare diff_summary diff_causes step_trace step_trace_summary step_collectives execution_summary critical_path what_if findings evidence operators operator_tree key_averages kernels op_types op_details roofline runtime_api memcpy copy_curve launches unfinished queue queue_curve graph_ownership kernel_sequences user_ranges modules memory_devices memory_curve memory_alive memory_operators memory_names memory_events memory_fragmentation memory_segments memory_peak memory_stacks comm_steps comm_wait comm_ops comm_calls comm_waits comm_ranks rank_times comm_groups comm_sizes comm_clock cluster_steps cluster_communication cluster_links data_queues data_stages data_pipeline data_cpu data_queue_curve stages stages_by_step interval throughput distribution event_types stacks diff_operator_tree diff_operators diff_key_averages diff_kernels diff_runtime_api diff_memcpy diff_user_ranges diff_modules diff_comm_sizes diff_stages diff_memory hang_faults hang_ranks hang_mismatches hang_collectives hang_groups hang_wall hang_entries trust problems' ;;
        help) _tracetty_words 'explore demo summary tables check diff summarize merge sql export repair cluster record ctl doctor help' ;;
        ctl) if ((n)); then _tracetty_words 'start stop step status flush dump stacks'; else COMPREPLY=($(compgen -d -- "$cur")); fi ;;
        doctor) ;;
        '') _tracetty_words 'demo summary tables check diff summarize merge sql export repair cluster record ctl doctor help'; COMPREPLY+=($(compgen -f -- "$cur")) ;;
        *) COMPREPLY=($(compgen -f -- "$cur")) ;;
    esac
}
complete -o filenames -F _tracetty tracetty
