# fish completion of tracetty; written by 'tracetty help --completions fish'
function __tracetty_list # the words of a list, behind what is typed of it
    set -l typed (commandline -ct | string replace -r '^--[a-z-]+=' '' | string replace -r '[^,+-]*$' '')
    printf "$typed%s\n" $argv
end
function __tracetty_columns # of the first table of --table
    set -l table (string match -r -- '--table[= ]([a-z_]+)' (string join -- ' ' (commandline -opc)))
    switch "$table[2]"
        case run
            printf '%s\n' key value
        case runs
            printf '%s\n' run path workers format verdict busy_pct account_ns steps
        case overview
            printf '%s\n' what name device time_ns pct count text source
        case devices
            printf '%s\n' device name memory_bytes compute_capability utilization_pct sm_efficiency_pct achieved_occupancy_pct tensor_core_pct
        case gpu_time
            printf '%s\n' step device total_ns computation_ns communication_exposed_ns copy_exposed_ns idle_ns computation_pct communication_exposed_pct copy_exposed_pct idle_pct busy_ns communication_ns overlap_ns overlap_pct copy_ns
        case idle_causes
            printf '%s\n' step device name cause gaps idle_ns pct mean_ns longest_ns
        case gpu_gaps
            printf '%s\n' device start_at_ns duration_ns cause host_ns launch_ns queue_ns unknown_ns next operator step
        case stream_idle
            printf '%s\n' device stream cause gaps idle_ns pct mean_ns longest_ns
        case step_breakdown
            printf '%s\n' step start_at_ns total_ns kernel_ns memcpy_ns memset_ns communication_ns runtime_ns dataloader_ns cpu_exec_ns other_ns
        case engine_steps
            printf '%s\n' step iteration engine phase name start_at_ns host_ns device_start_at_ns device_end_at_ns busy_ns gap_ns time_ns requests context_requests generation_requests context_tokens generation_tokens batch context_k_sum context_qq_sum context_qk_sum generation_k_sum generation_qq_sum generation_qk_sum graph_launches complete
        case serving
            printf '%s\n' phase steps incomplete requests_mean context_tokens generation_tokens time_ns time_p50_ns time_p90_ns time_p99_ns tokens_per_s busy_ns busy_pct gap_ns gap_p50_ns communication_ns copy_ns host_ns graph_pct top top_pct
        case step_compare
            printf '%s\n' name a_ns b_ns delta_ns delta_pct a_calls b_calls a_step b_step
        case diff_summary
            printf '%s\n' metric base_steps new_steps base_ns new_ns delta_ns delta_pct low_ns high_ns base_bytes new_bytes delta_bytes low_bytes high_bytes p_value verdict
        case diff_causes
            printf '%s\n' cause base_ns new_ns delta_ns share_pct
        case step_trace
            printf '%s\n' step start_at_ns total_ns gap_ns forward_backward_ns tail_ns collectives_ns
        case step_trace_summary
            printf '%s\n' part mean_ns pct
        case step_collectives
            printf '%s\n' step stream index name offset_ns duration_ns
        case execution_summary
            printf '%s\n' category mean_ns pct
        case critical_path
            printf '%s\n' start_at_ns end_at_ns duration_ns category name track step inferred total_ns pct segments longest_ns
        case what_if
            printf '%s\n' kind name total_ns path_ns saving_ns saving_pct
        case findings
            printf '%s\n' id severity title detail cause device time_ns count longest_ns line value_pct saving_ns start_at_ns end_at_ns
        case evidence
            printf '%s\n' worker span finding id device start_at_ns end_at_ns duration_ns cause thread track line longest
        case operators
            printf '%s\n' name input_shapes stack calls replayed_calls host_self_ns host_total_ns host_mean_ns host_max_ns host_min_ns device_self_ns device_total_ns device_mean_ns device_max_ns device_min_ns tensor_core_eligible tensor_core_self_pct tensor_core_total_pct flops tflops_per_s gb_per_s
        case operator_tree
            printf '%s\n' path depth name calls host_self_ns host_total_ns host_mean_ns host_max_ns host_min_ns device_total_ns device_mean_ns device_max_ns device_min_ns is_device
        case key_averages
            printf '%s\n' side name input_shapes stack calls cpu_self_ns cpu_total_ns cpu_mean_ns cpu_self_pct cpu_total_pct cuda_self_ns cuda_total_ns cuda_mean_ns cuda_self_pct cpu_memory_bytes cpu_memory_self_bytes cuda_memory_bytes cuda_memory_self_bytes flops
        case kernels
            printf '%s\n' name core type class operator program grid block registers shared_memory_bytes tensor_core calls total_ns mean_ns max_ns min_ns ratio_pct mean_blocks_per_sm mean_occupancy_pct flops tflops_per_s accessed_bytes gb_per_s
        case op_types
            printf '%s\n' core type calls total_ns mean_ns max_ns min_ns ratio_pct
        case op_details
            printf '%s\n' core name type calls mean_ns total_ns stream block_dim input_shapes flops tflops
        case roofline
            printf '%s\n' name input_shapes kind dtype calls device_ns flops bytes intensity tflops_per_s gb_per_s peak_tflops peak_gb_per_s roof_ns bound of_roof_pct
        case runtime_api
            printf '%s\n' level name calls total_ns mean_ns max_ns min_ns ratio_pct
        case memcpy
            printf '%s\n' kind name calls bytes gb_per_s max_gb_per_s host_total_ns host_mean_ns host_max_ns host_min_ns host_ratio_pct device_total_ns device_mean_ns device_max_ns device_min_ns device_ratio_pct
        case copy_curve
            printf '%s\n' device kind at_ns gb_per_s
        case launches
            printf '%s\n' name api stream correlation call_at_ns device_at_ns works launches device_total_ns call_total_ns call_mean_ns call_max_ns delay_total_ns delay_mean_ns delay_median_ns delay_min_ns delay_max_ns short slow delayed
        case unfinished
            printf '%s\n' order device stream name launched_at_ns running_ns call correlation thread operator range
        case queue
            printf '%s\n' device stream launches max_length mean_length empty_ns empty_pct full_ns
        case queue_curve
            printf '%s\n' device stream at_ns length
        case graph_ownership
            printf '%s\n' graph source capture batch replays kernels device_ns owned_pct
        case kernel_sequences
            printf '%s\n' name kernels calls device_total_ns host_total_ns
        case user_ranges
            printf '%s\n' name calls host_total_ns host_mean_ns host_max_ns host_min_ns host_ratio_pct device_total_ns device_mean_ns device_max_ns device_min_ns device_ratio_pct
        case modules
            printf '%s\n' path depth name occurrences replayed_calls operators host_total_ns host_self_ns device_total_ns device_self_ns
        case memory_devices
            printf '%s\n' device peak_allocated_bytes peak_allocated_at_ns peak_reserved_bytes end_allocated_bytes
        case memory_curve
            printf '%s\n' device at_ns allocated_bytes reserved_bytes
        case memory_alive
            printf '%s\n' device name size_bytes share_pct allocations allocated_at_ns freed_at_ns duration_ns at_ns
        case memory_operators
            printf '%s\n' device name calls size_increase_bytes self_size_increase_bytes allocation_count self_allocation_count allocation_bytes self_allocation_bytes
        case memory_names
            printf '%s\n' device name kind allocation_count free_count allocation_bytes free_bytes increase_bytes
        case memory_events
            printf '%s\n' device kind operator size_bytes allocated_at_ns freed_at_ns duration_ns
        case memory_fragmentation
            printf '%s\n' device segments blocks reserved_bytes allocated_bytes requested_bytes rounding_bytes pending_bytes free_bytes free_blocks largest_free_bytes fragmentation_pct
        case memory_segments
            printf '%s\n' device stream type expandable address segments reserved_bytes allocated_bytes free_bytes largest_free_bytes
        case memory_peak
            printf '%s\n' device stack blocks bytes pct
        case memory_stacks
            printf '%s\n' device stack allocations allocated_bytes alive_blocks alive_bytes
        case comm_steps
            printf '%s\n' worker step computation_ns overlap_ns communication_ns other_ns
        case comm_wait
            printf '%s\n' worker step data_transfer_ns synchronizing_ns
        case comm_ops
            printf '%s\n' worker name calls size_bytes latency_ns data_transfer_ns
        case comm_calls
            printf '%s\n' name step last_worker wait_ns waits_ns together_ns size_bytes workers group start_at_ns kernel_at_ns conclusive
        case comm_waits
            printf '%s\n' worker call name step waited_ns came_last start_at_ns kernel_at_ns
        case comm_ranks
            printf '%s\n' worker calls last_calls last_pct waited_ns caused_ns together_ns inconclusive_calls
        case rank_times
            printf '%s\n' rank host steps step_ns computation_ns communication_ns waited_ns calls late_calls late_pct late_ns late_since late_until passed_calls
        case comm_groups
            printf '%s\n' group kind name workers calls size_bytes transfer_median_ns transfer_p90_ns transfer_p99_ns wait_median_ns wait_p99_ns busbw_gb_per_s inconclusive_calls
        case comm_sizes
            printf '%s\n' operation dtype group group_size in_bytes out_bytes calls total_ns mean_ns min_ns algbw_gb_per_s busbw_gb_per_s
        case comm_clock
            printf '%s\n' worker calls offset_ns spread_ns trusted
        case cluster_steps
            printf '%s\n' type index step computing_ns not_overlapped_ns overlapped_ns communication_ns free_ns stage_ns bubble_ns not_overlapped_exclude_receive_ns preparing_ns collective_ns
        case cluster_communication
            printf '%s\n' rank step kind group name elapse_ns transit_ns wait_ns synchronization_ns idle_ns wait_ratio_pct synchronization_ratio_pct size_bytes
        case cluster_links
            printf '%s\n' rank step kind op group src dst transport size_bytes transit_ns bandwidth_gbps
        case data_queues
            printf '%s\n' queue samples empty full capacity mean_size empty_pct get_mean_ns push_mean_ns batch_mean_ns
        case data_stages
            printf '%s\n' stage bottleneck
        case data_pipeline
            printf '%s\n' op_id name type workers parent_id samples queue_mean queue_capacity queue_usage_pct suspect
        case data_cpu
            printf '%s\n' scope op_id user_pct sys_pct io_pct idle_pct
        case data_queue_curve
            printf '%s\n' queue sample size
        case stages
            printf '%s\n' stage calls host_total_ns host_mean_ns host_max_ns host_min_ns host_ratio_pct device_total_ns device_mean_ns device_max_ns device_min_ns device_ratio_pct
        case stages_by_step
            printf '%s\n' step stage host_ns device_ns
        case interval
            printf '%s\n' name calls total_ns self_ns busy_ns idle_ns share_pct longest_idle_ns max_ns
        case throughput
            printf '%s\n' name mean max min unit reader_ratio_pct
        case distribution
            printf '%s\n' name total_ns ratio_pct
        case event_types
            printf '%s\n' type side calls time_ns ratio_pct
        case stacks
            printf '%s\n' pid tid thread kind frame at_ns stack
        case diff_operator_tree
            printf '%s\n' path depth name base_name match change base_calls new_calls base_host_total_ns new_host_total_ns delta_host_total_ns base_host_self_ns new_host_self_ns delta_host_self_ns base_device_total_ns new_device_total_ns delta_device_total_ns ratio accumulated_delta_ns is_device
        case diff_operators
            printf '%s\n' name input_shapes stack base_calls new_calls base_replayed_calls new_replayed_calls delta_replayed_calls base_host_self_ns new_host_self_ns delta_host_self_ns base_host_total_ns new_host_total_ns delta_host_total_ns base_host_mean_ns new_host_mean_ns delta_host_mean_ns base_host_max_ns new_host_max_ns delta_host_max_ns base_host_min_ns new_host_min_ns delta_host_min_ns base_device_self_ns new_device_self_ns delta_device_self_ns base_device_total_ns new_device_total_ns delta_device_total_ns base_device_mean_ns new_device_mean_ns delta_device_mean_ns base_device_max_ns new_device_max_ns delta_device_max_ns base_device_min_ns new_device_min_ns delta_device_min_ns base_flops new_flops delta_flops base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change
        case diff_key_averages
            printf '%s\n' side name input_shapes stack base_calls new_calls base_cpu_self_ns new_cpu_self_ns delta_cpu_self_ns base_cpu_total_ns new_cpu_total_ns delta_cpu_total_ns base_cpu_mean_ns new_cpu_mean_ns delta_cpu_mean_ns base_cuda_self_ns new_cuda_self_ns delta_cuda_self_ns base_cuda_total_ns new_cuda_total_ns delta_cuda_total_ns base_cuda_mean_ns new_cuda_mean_ns delta_cuda_mean_ns base_cpu_memory_bytes new_cpu_memory_bytes delta_cpu_memory_bytes base_cpu_memory_self_bytes new_cpu_memory_self_bytes delta_cpu_memory_self_bytes base_cuda_memory_bytes new_cuda_memory_bytes delta_cuda_memory_bytes base_cuda_memory_self_bytes new_cuda_memory_self_bytes delta_cuda_memory_self_bytes base_flops new_flops delta_flops base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change
        case diff_kernels
            printf '%s\n' name operator grid block registers shared_memory_bytes base_calls new_calls base_total_ns new_total_ns delta_total_ns base_mean_ns new_mean_ns delta_mean_ns base_max_ns new_max_ns delta_max_ns base_min_ns new_min_ns delta_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change
        case diff_runtime_api
            printf '%s\n' level name base_calls new_calls base_total_ns new_total_ns delta_total_ns base_mean_ns new_mean_ns delta_mean_ns base_max_ns new_max_ns delta_max_ns base_min_ns new_min_ns delta_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change
        case diff_memcpy
            printf '%s\n' kind name base_calls new_calls base_bytes new_bytes delta_bytes base_host_total_ns new_host_total_ns delta_host_total_ns base_host_mean_ns new_host_mean_ns delta_host_mean_ns base_host_max_ns new_host_max_ns delta_host_max_ns base_host_min_ns new_host_min_ns delta_host_min_ns base_device_total_ns new_device_total_ns delta_device_total_ns base_device_mean_ns new_device_mean_ns delta_device_mean_ns base_device_max_ns new_device_max_ns delta_device_max_ns base_device_min_ns new_device_min_ns delta_device_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change
        case diff_user_ranges
            printf '%s\n' name base_calls new_calls base_host_total_ns new_host_total_ns delta_host_total_ns base_host_mean_ns new_host_mean_ns delta_host_mean_ns base_host_max_ns new_host_max_ns delta_host_max_ns base_host_min_ns new_host_min_ns delta_host_min_ns base_device_total_ns new_device_total_ns delta_device_total_ns base_device_mean_ns new_device_mean_ns delta_device_mean_ns base_device_max_ns new_device_max_ns delta_device_max_ns base_device_min_ns new_device_min_ns delta_device_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change
        case diff_modules
            printf '%s\n' path depth name base_calls new_calls base_replayed_calls new_replayed_calls delta_replayed_calls base_operators new_operators delta_operators base_host_total_ns new_host_total_ns delta_host_total_ns base_host_self_ns new_host_self_ns delta_host_self_ns base_device_total_ns new_device_total_ns delta_device_total_ns base_device_self_ns new_device_self_ns delta_device_self_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change
        case diff_comm_sizes
            printf '%s\n' operation dtype group group_size in_bytes out_bytes base_calls new_calls base_total_ns new_total_ns delta_total_ns base_mean_ns new_mean_ns delta_mean_ns base_min_ns new_min_ns delta_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change
        case diff_stages
            printf '%s\n' stage base_calls new_calls base_host_total_ns new_host_total_ns delta_host_total_ns base_host_mean_ns new_host_mean_ns delta_host_mean_ns base_host_max_ns new_host_max_ns delta_host_max_ns base_host_min_ns new_host_min_ns delta_host_min_ns base_device_total_ns new_device_total_ns delta_device_total_ns base_device_mean_ns new_device_mean_ns delta_device_mean_ns base_device_max_ns new_device_max_ns delta_device_max_ns base_device_min_ns new_device_min_ns delta_device_min_ns base_step_ns new_step_ns delta_step_ns low_ns high_ns p_value verdict change
        case diff_memory
            printf '%s\n' device name base_peak_bytes new_peak_bytes delta_bytes base_allocations new_allocations change
        case hang_faults
            printf '%s\n' fault kind side certainty ranks group group_desc group_size group_ranks op seq p2p dtype in_sizes out_sizes waiting since_at_ns since_unix_ns frame last_frame
        case hang_ranks
            printf '%s\n' rank dump state fault waits_for group group_desc op seq open entries since_at_ns last_at_ns version file
        case hang_mismatches
            printf '%s\n' group group_desc seq kind rank known op expected_op in_sizes out_sizes expected_in_sizes expected_out_sizes dtype expected_dtype swapped open frame expected_frame
        case hang_collectives
            printf '%s\n' group group_desc size seq op called not_called no_dump completed in_sizes out_sizes dtype first_at_ns last_at_ns timeout_ns frame
        case hang_groups
            printf '%s\n' group group_desc size ranks p2p dumps enqueued_min enqueued_max completed_min completed_max behind open first_open_seq
        case hang_wall
            printf '%s\n' rank group group_desc enqueued started completed behind_enqueued behind_completed
        case hang_entries
            printf '%s\n' rank record_id group group_desc seq p2p op_id op peer state open retired created_at_ns started_at_ns completed_at_ns duration_ns in_sizes out_sizes in_dtypes out_dtypes timeout_ns frame stack
        case trust
            printf '%s\n' check verdict evidence affects
        case problems
            printf '%s\n' kind count offset example level meaning
    end
end
complete -c tracetty -n __fish_use_subcommand -a demo -d 'open a sample trace that comes with tracetty'
complete -c tracetty -n __fish_use_subcommand -a summary -d 'print tables as text, CSV, JSON or Markdown'
complete -c tracetty -n __fish_use_subcommand -a tables -d 'describe tables and their columns; without ID all tables'
complete -c tracetty -n __fish_use_subcommand -a check -d 'validate traces; exit status 1 if a file has problems'
complete -c tracetty -n __fish_use_subcommand -a diff -d 'compare two runs: what changed, beyond noise or not; on a terminal in the explorer, else as tables'
complete -c tracetty -n __fish_use_subcommand -a summarize -d 'reduce traces to a small summary file (.tts); it merges with others and opens like a trace'
complete -c tracetty -n __fish_use_subcommand -a merge -d 'merge summary files, or folders of them, into one; lists missing, damaged and duplicate ranks'
complete -c tracetty -n __fish_use_subcommand -a sql -d 'query slices, counters, memory and tables in SQL; without QUERY a prompt, or standard input'
complete -c tracetty -n __fish_use_subcommand -a export -d 'write a trace for Perfetto, folded stacks or a database; of steps, a range, a rank or all; without --output, JSON beside each spool of a recording'
complete -c tracetty -n __fish_use_subcommand -a repair -d 'rewrite a damaged trace as valid JSON'
complete -c tracetty -n __fish_use_subcommand -a cluster -d 'summarise every rank over Slurm, MPI or local cores; and merge: one command for a thousand ranks'
complete -c tracetty -n __fish_use_subcommand -a record -d 'profile a command (CUDA, NVTX, C API) and open the result'
complete -c tracetty -n __fish_use_subcommand -a ctl -d 'control a running recording; dump: freezes the last part of each process (record --keep) into a folder of its own; stacks: prints where its processes on this machine are in their Python code, also those that hang or are stopped'
complete -c tracetty -n __fish_use_subcommand -a doctor -d 'say what is here: CUPTI, driver, terminal'
complete -c tracetty -n __fish_use_subcommand -a help -d 'show help for a command'
complete -c tracetty -f -n '__fish_seen_subcommand_from demo' -a 'gpu' -d 'PyTorch training on two GPUs: one rank waits for its input'
complete -c tracetty -f -n '__fish_seen_subcommand_from demo' -a 'compare' -d 'two runs of that training, compared as '\''tracetty diff'\'' does'
complete -c tracetty -f -n '__fish_seen_subcommand_from demo' -a 'ranks' -d 'a run of 64 ranks as one summary file (.tts): one rank is late'
complete -c tracetty -f -n '__fish_seen_subcommand_from demo' -a 'serving' -d 'a language model served on one GPU: prefill, decode by graphs, waits for the CPU'
complete -c tracetty -f -n '__fish_seen_subcommand_from demo' -a 'hang' -d 'flight recorder dumps of 16 ranks that hang: one has stopped'
complete -c tracetty -f -n '__fish_seen_subcommand_from demo' -a 'snapshot' -d 'a PyTorch memory snapshot that ends out of memory'
complete -c tracetty -f -n '__fish_seen_subcommand_from demo' -a 'ascend' -d 'PyTorch training on four Ascend NPUs'
complete -c tracetty -f -n '__fish_seen_subcommand_from demo' -a 'mindspore' -d 'MindSpore training on two Ascend NPUs (MindInsight)'
complete -c tracetty -f -n '__fish_seen_subcommand_from demo' -a 'xla' -d 'steps of a model on two TPUs (XLA)'
complete -c tracetty -f -n '__fish_seen_subcommand_from tables' -a '(__tracetty_list run runs overview devices gpu_time idle_causes gpu_gaps stream_idle step_breakdown engine_steps serving step_compare diff_summary diff_causes step_trace step_trace_summary step_collectives execution_summary critical_path what_if findings evidence operators operator_tree key_averages kernels op_types op_details roofline runtime_api memcpy copy_curve launches unfinished queue queue_curve graph_ownership kernel_sequences user_ranges modules memory_devices memory_curve memory_alive memory_operators memory_names memory_events memory_fragmentation memory_segments memory_peak memory_stacks comm_steps comm_wait comm_ops comm_calls comm_waits comm_ranks rank_times comm_groups comm_sizes comm_clock cluster_steps cluster_communication cluster_links data_queues data_stages data_pipeline data_cpu data_queue_curve stages stages_by_step interval throughput distribution event_types stacks diff_operator_tree diff_operators diff_key_averages diff_kernels diff_runtime_api diff_memcpy diff_user_ranges diff_modules diff_comm_sizes diff_stages diff_memory hang_faults hang_ranks hang_mismatches hang_collectives hang_groups hang_wall hang_entries trust problems)'
complete -c tracetty -f -n '__fish_seen_subcommand_from help' -a 'explore demo summary tables check diff summarize merge sql export repair cluster record ctl doctor help'
complete -c tracetty -f -n '__fish_seen_subcommand_from ctl; and test (count (commandline -opc)) -eq 2' -a '(__fish_complete_directories)'
complete -c tracetty -f -n '__fish_seen_subcommand_from ctl; and test (count (commandline -opc)) -gt 2' -a 'start stop step status flush dump stacks'
complete -c tracetty -f -n '__fish_seen_subcommand_from doctor'
complete -c tracetty -n __fish_use_subcommand -l steps -r -d 'steps A to B, inclusive (A, A-B, A-); record: PyTorch schedule (skip_first=N,wait=N,warmup=N,active=N,repeat=N; each cycle becomes a span) or A-B (B excluded)'
complete -c tracetty -n __fish_use_subcommand -l follow -d 'follow a running recording (default for its folder); says so if it cannot be followed'
complete -c tracetty -n __fish_use_subcommand -l range -r -d 'time window, e.g. 12.5ms-80ms (units ns, us, ms, s; default ms)'
complete -c tracetty -n __fish_use_subcommand -l run -r -d 'one of several runs in a folder, by its name in messages and in the list of runs (default: the newest that can be read; check: all; diff: for both sides)'
complete -c tracetty -n __fish_use_subcommand -l worker -r -d 'load this worker only'
complete -c tracetty -n __fish_use_subcommand -l span -r -d 'load this profiled span only'
complete -c tracetty -n __fish_use_subcommand -l graph-key -r -d 'a trace of graph captures, or an eager one, that tells which operators the graphs of the run hold; repeatable (default: those beside the run)'
complete -c tracetty -n __fish_use_subcommand -l step-source -r -f -a 'profiler engine inferred none' -d 'what is a step: profiler, engine = its ranges alone; inferred = the period of the GPU'\''s work; none = the whole recording counts (default: the first of them that the trace has)'
complete -c tracetty -n __fish_use_subcommand -l color -r -f -a 'auto always never 8 256 truecolor' -d 'auto (terminal without NO_COLOR), always, never, 8, 256 or truecolor'
complete -c tracetty -n __fish_use_subcommand -l unicode -r -f -a 'auto always never block ascii braille' -d 'same as `:set unicode` (auto: by locale; braille: thin curves)'
complete -c tracetty -n __fish_use_subcommand -l theme -r -f -a 'dark light colour-blind mono' -d 'colour theme (same as `:set theme`)'
complete -c tracetty -n __fish_use_subcommand -l screen -r -f -a 'overview operators kernels hang timeline memory distributed steps data modules api idle roofline compare problems' -d 'tab to open; with summary: print this tab instead of tables'
complete -c tracetty -n __fish_use_subcommand -l keys -r -d 'run a key sequence after loading, e.g. '\''2 > Down'\''; "text" is typed'
complete -c tracetty -n __fish_use_subcommand -l no-mouse -d 'disable mouse support'
complete -c tracetty -n __fish_use_subcommand -l dump -r -d 'print the screen as text (same as summary --screen)'
complete -c tracetty -n __fish_use_subcommand -l threads -r -d 'loader threads (default: one per CPU, at most 16; cluster: one per rank)'
complete -c tracetty -n __fish_use_subcommand -l max-memory -r -d 'fail if loading needs more memory, e.g. 8G (default: free memory); sql: if a query does (default: 1G)'
complete -c tracetty -n __fish_use_subcommand -l max-events -r -d 'fail if the input has more events'
complete -c tracetty -n __fish_use_subcommand -l all-events -d 'Nsight Systems: also read system calls, scheduling and CPU samples, which are many'
complete -c tracetty -n __fish_use_subcommand -l nsys-export -d '*.nsys-rep: run '\''nsys export'\'' into a private temporary folder, and open what it wrote'
complete -c tracetty -n __fish_use_subcommand -l help -d 'show help for the command'
complete -c tracetty -n __fish_use_subcommand -l version -d 'print version, commit and features'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l steps -r -d 'steps A to B, inclusive (A, A-B, A-); record: PyTorch schedule (skip_first=N,wait=N,warmup=N,active=N,repeat=N; each cycle becomes a span) or A-B (B excluded)'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l range -r -d 'time window, e.g. 12.5ms-80ms (units ns, us, ms, s; default ms)'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l worker -r -d 'load this worker only'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l span -r -d 'load this profiled span only'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l color -r -f -a 'auto always never 8 256 truecolor' -d 'auto (terminal without NO_COLOR), always, never, 8, 256 or truecolor'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l unicode -r -f -a 'auto always never block ascii braille' -d 'same as `:set unicode` (auto: by locale; braille: thin curves)'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l theme -r -f -a 'dark light colour-blind mono' -d 'colour theme (same as `:set theme`)'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l screen -r -f -a 'overview operators kernels hang timeline memory distributed steps data modules api idle roofline compare problems' -d 'tab to open; with summary: print this tab instead of tables'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l keys -r -d 'run a key sequence after loading, e.g. '\''2 > Down'\''; "text" is typed'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l no-mouse -d 'disable mouse support'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l dump -r -d 'print the screen as text (same as summary --screen)'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l threads -r -d 'loader threads (default: one per CPU, at most 16; cluster: one per rank)'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l max-memory -r -d 'fail if loading needs more memory, e.g. 8G (default: free memory); sql: if a query does (default: 1G)'
complete -c tracetty -n '__fish_seen_subcommand_from demo' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l table -r -f -a '(__tracetty_list all run runs overview devices gpu_time idle_causes gpu_gaps stream_idle step_breakdown engine_steps serving step_compare diff_summary diff_causes step_trace step_trace_summary step_collectives execution_summary critical_path what_if findings evidence operators operator_tree key_averages kernels op_types op_details roofline runtime_api memcpy copy_curve launches unfinished queue queue_curve graph_ownership kernel_sequences user_ranges modules memory_devices memory_curve memory_alive memory_operators memory_names memory_events memory_fragmentation memory_segments memory_peak memory_stacks comm_steps comm_wait comm_ops comm_calls comm_waits comm_ranks rank_times comm_groups comm_sizes comm_clock cluster_steps cluster_communication cluster_links data_queues data_stages data_pipeline data_cpu data_queue_curve stages stages_by_step interval throughput distribution event_types stacks diff_operator_tree diff_operators diff_key_averages diff_kernels diff_runtime_api diff_memcpy diff_user_ranges diff_modules diff_comm_sizes diff_stages diff_memory hang_faults hang_ranks hang_mismatches hang_collectives hang_groups hang_wall hang_entries trust problems)' -d 'tables to print; all = every table with rows (default: the Overview tables; diff: metrics of the step, causes, kernels, operators)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l format -r -f -a 'text csv json markdown svg png' -d 'text (default), csv, json, or markdown for a pull request; with --screen: text, svg or png'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l style -r -f -a 'auto tables paddle' -d 'layout of text: auto (default) = tables, key_averages in PyTorch'\''s layout; tables = one layout for all; paddle = the views of Profiler.summary()'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l op-detail -r -f -a 'on off' -d 'with --style paddle: inner calls and kernels under each operator: on (default), off'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l group-by -r -f -a 'device step operator category kernel name segment finding shape stack shape,stack launch class api allocation line kind' -d 'group rows by KEY, for tables that list it (see '\''tracetty tables'\'')'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l sort -r -f -a '(__tracetty_columns)' -d 'sort by column :asc|desc  (default: names and times ascending, other descending)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l limit -r -d 'rows per table, 0 = all (default: text 30, markdown 10; csv and json all)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l filter -r -d 'rows whose name contains TEXT (case-insensitive)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l filter-regex -r -d 'rows whose name matches a POSIX extended regex'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l steps -r -d 'steps A to B, inclusive (A, A-B, A-); record: PyTorch schedule (skip_first=N,wait=N,warmup=N,active=N,repeat=N; each cycle becomes a span) or A-B (B excluded)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l range -r -d 'time window, e.g. 12.5ms-80ms (units ns, us, ms, s; default ms)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l run -r -d 'one of several runs in a folder, by its name in messages and in the list of runs (default: the newest that can be read; check: all; diff: for both sides)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l worker -r -d 'load this worker only'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l span -r -d 'load this profiled span only'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l graph-key -r -d 'a trace of graph captures, or an eager one, that tells which operators the graphs of the run hold; repeatable (default: those beside the run)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l fail-on -r -d 'summary: exit status 1 if a fault of a hang is certain or likely (hang), if there is any (hang=possible), if calls differ between ranks (mismatch), if anything was found (findings); diff: if METRIC>LIMIT holds, as in '\''step>5%'\'', '\''idle>2ms'\'', '\''peak_memory>100MiB'\'', '\''kernel:flash_fwd>10%'\'', '\''operator:aten::mm>1ms'\'', '\''findings>0'\'': METRIC is a row of tables diff_summary or diff_causes, or all rows whose name contains a text; may be repeated'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l unit -r -f -a 'auto ns us ms s' -d 'unit of durations in text (default: auto)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l phase -r -f -a 'prefill mixed decode draft diffusion idle warmup unknown all' -d 'only steps of a serving engine in this phase (default: all; diff: the phase with most GPU time of BASE)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l step-source -r -f -a 'profiler engine inferred none' -d 'what is a step: profiler, engine = its ranges alone; inferred = the period of the GPU'\''s work; none = the whole recording counts (default: the first of them that the trace has)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l window -r -f -a 'account device' -d 'time that gpu_time, idle_causes, gpu_gaps, stream_idle cover: account (default) = complete steps, else the recording; device = from the first to the last work of each device'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l thread-sep -d 'separate rows per thread'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l samples-per-step -r -d 'samples per step, for throughput (default: the number passed to tracetty_step())'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l peak-tflops -r -d 'device peak in TFLOP/s, for table roofline (default: data sheet)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l peak-gb-per-s -r -d 'memory peak in GB/s, for table roofline (default: data sheet)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l what-if -r -d 'table what_if: predict the steps if NAME took FACTOR (0 to 1) of its time. NAME: GPU work, CPU slices (by full name, else by a part of it) or a category of the critical path; may be repeated, all together are one row'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l stack-depth -r -d 'stack depth for --group-by stack (0 = full, default)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l color -r -f -a 'auto always never 8 256 truecolor' -d 'auto (terminal without NO_COLOR), always, never, 8, 256 or truecolor'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l unicode -r -f -a 'auto always never block ascii braille' -d 'same as `:set unicode` (auto: by locale; braille: thin curves)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l theme -r -f -a 'dark light colour-blind mono' -d 'colour theme (same as `:set theme`)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l screen -r -f -a 'overview operators kernels hang timeline memory distributed steps data modules api idle roofline compare problems' -d 'tab to open; with summary: print this tab instead of tables'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l size -r -d 'with --screen: columns x lines (default: the terminal, else 80x24)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l keys -r -d 'run a key sequence after loading, e.g. '\''2 > Down'\''; "text" is typed'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l threads -r -d 'loader threads (default: one per CPU, at most 16; cluster: one per rank)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l max-memory -r -d 'fail if loading needs more memory, e.g. 8G (default: free memory); sql: if a query does (default: 1G)'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l max-events -r -d 'fail if the input has more events'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l all-events -d 'Nsight Systems: also read system calls, scheduling and CPU samples, which are many'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l nsys-export -d '*.nsys-rep: run '\''nsys export'\'' into a private temporary folder, and open what it wrote'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l require-all -d 'exit status 1 if a trace or summary cannot be read, or a rank of the run is missing; summary: if a rank left no dump'
complete -c tracetty -n '__fish_seen_subcommand_from summary' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from tables' -l format -r -f -a 'text csv json markdown svg png' -d 'text (default), csv, json, or markdown for a pull request; with --screen: text, svg or png'
complete -c tracetty -n '__fish_seen_subcommand_from tables' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from check' -l run -r -d 'one of several runs in a folder, by its name in messages and in the list of runs (default: the newest that can be read; check: all; diff: for both sides)'
complete -c tracetty -n '__fish_seen_subcommand_from check' -l worker -r -d 'load this worker only'
complete -c tracetty -n '__fish_seen_subcommand_from check' -l span -r -d 'load this profiled span only'
complete -c tracetty -n '__fish_seen_subcommand_from check' -l threads -r -d 'loader threads (default: one per CPU, at most 16; cluster: one per rank)'
complete -c tracetty -n '__fish_seen_subcommand_from check' -l max-memory -r -d 'fail if loading needs more memory, e.g. 8G (default: free memory); sql: if a query does (default: 1G)'
complete -c tracetty -n '__fish_seen_subcommand_from check' -l max-events -r -d 'fail if the input has more events'
complete -c tracetty -n '__fish_seen_subcommand_from check' -l all-events -d 'Nsight Systems: also read system calls, scheduling and CPU samples, which are many'
complete -c tracetty -n '__fish_seen_subcommand_from check' -l nsys-export -d '*.nsys-rep: run '\''nsys export'\'' into a private temporary folder, and open what it wrote'
complete -c tracetty -n '__fish_seen_subcommand_from check' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l table -r -f -a '(__tracetty_list all run runs overview devices gpu_time idle_causes gpu_gaps stream_idle step_breakdown engine_steps serving step_compare diff_summary diff_causes step_trace step_trace_summary step_collectives execution_summary critical_path what_if findings evidence operators operator_tree key_averages kernels op_types op_details roofline runtime_api memcpy copy_curve launches unfinished queue queue_curve graph_ownership kernel_sequences user_ranges modules memory_devices memory_curve memory_alive memory_operators memory_names memory_events memory_fragmentation memory_segments memory_peak memory_stacks comm_steps comm_wait comm_ops comm_calls comm_waits comm_ranks rank_times comm_groups comm_sizes comm_clock cluster_steps cluster_communication cluster_links data_queues data_stages data_pipeline data_cpu data_queue_curve stages stages_by_step interval throughput distribution event_types stacks diff_operator_tree diff_operators diff_key_averages diff_kernels diff_runtime_api diff_memcpy diff_user_ranges diff_modules diff_comm_sizes diff_stages diff_memory hang_faults hang_ranks hang_mismatches hang_collectives hang_groups hang_wall hang_entries trust problems)' -d 'tables to print; all = every table with rows (default: the Overview tables; diff: metrics of the step, causes, kernels, operators)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l format -r -f -a 'text csv json markdown svg png' -d 'text (default), csv, json, or markdown for a pull request; with --screen: text, svg or png'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l group-by -r -f -a 'device step operator category kernel name segment finding shape stack shape,stack launch class api allocation line kind' -d 'group rows by KEY, for tables that list it (see '\''tracetty tables'\'')'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l sort -r -f -a '(__tracetty_columns)' -d 'sort by column :asc|desc  (default: names and times ascending, other descending)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l limit -r -d 'rows per table, 0 = all (default: text 30, markdown 10; csv and json all)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l filter -r -d 'rows whose name contains TEXT (case-insensitive)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l filter-regex -r -d 'rows whose name matches a POSIX extended regex'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l steps -r -d 'steps A to B, inclusive (A, A-B, A-); record: PyTorch schedule (skip_first=N,wait=N,warmup=N,active=N,repeat=N; each cycle becomes a span) or A-B (B excluded)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l range -r -d 'time window, e.g. 12.5ms-80ms (units ns, us, ms, s; default ms)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l run -r -d 'one of several runs in a folder, by its name in messages and in the list of runs (default: the newest that can be read; check: all; diff: for both sides)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l worker -r -d 'load this worker only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l span -r -d 'load this profiled span only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l graph-key -r -d 'a trace of graph captures, or an eager one, that tells which operators the graphs of the run hold; repeatable (default: those beside the run)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l base-steps -r -d 'like --steps, for BASE only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l new-steps -r -d 'like --steps, for NEW only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l base-range -r -d 'like --range, for BASE only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l new-range -r -d 'like --range, for NEW only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l base-run -r -d 'like --run, for BASE only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l new-run -r -d 'like --run, for NEW only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l base-worker -r -d 'like --worker, for BASE only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l new-worker -r -d 'like --worker, for NEW only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l base-span -r -d 'like --span, for BASE only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l new-span -r -d 'like --span, for NEW only'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l per -r -f -a 'step run' -d 'compare steps (default if both sides have steps) or totals of the scope'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l skip -r -d 'ignore the first N steps of each side: warm-up (default: 0)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l match -r -f -a 'exact short' -d 'match rows by full name (default) or kernels by base name, without templates, arguments, Triton and cuBLAS suffixes'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l confidence -r -d 'confidence of intervals and verdicts in percent (default: 95)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l min-effect -r -d 'a change below P percent of BASE is "same", however certain it is (default: 1)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l fail-on -r -d 'summary: exit status 1 if a fault of a hang is certain or likely (hang), if there is any (hang=possible), if calls differ between ranks (mismatch), if anything was found (findings); diff: if METRIC>LIMIT holds, as in '\''step>5%'\'', '\''idle>2ms'\'', '\''peak_memory>100MiB'\'', '\''kernel:flash_fwd>10%'\'', '\''operator:aten::mm>1ms'\'', '\''findings>0'\'': METRIC is a row of tables diff_summary or diff_causes, or all rows whose name contains a text; may be repeated'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l unit -r -f -a 'auto ns us ms s' -d 'unit of durations in text (default: auto)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l phase -r -f -a 'prefill mixed decode draft diffusion idle warmup unknown all' -d 'only steps of a serving engine in this phase (default: all; diff: the phase with most GPU time of BASE)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l color -r -f -a 'auto always never 8 256 truecolor' -d 'auto (terminal without NO_COLOR), always, never, 8, 256 or truecolor'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l unicode -r -f -a 'auto always never block ascii braille' -d 'same as `:set unicode` (auto: by locale; braille: thin curves)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l theme -r -f -a 'dark light colour-blind mono' -d 'colour theme (same as `:set theme`)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l screen -r -f -a 'overview operators kernels hang timeline memory distributed steps data modules api idle roofline compare problems' -d 'tab to open; with summary: print this tab instead of tables'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l size -r -d 'with --screen: columns x lines (default: the terminal, else 80x24)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l keys -r -d 'run a key sequence after loading, e.g. '\''2 > Down'\''; "text" is typed'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l threads -r -d 'loader threads (default: one per CPU, at most 16; cluster: one per rank)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l max-memory -r -d 'fail if loading needs more memory, e.g. 8G (default: free memory); sql: if a query does (default: 1G)'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l max-events -r -d 'fail if the input has more events'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l all-events -d 'Nsight Systems: also read system calls, scheduling and CPU samples, which are many'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l nsys-export -d '*.nsys-rep: run '\''nsys export'\'' into a private temporary folder, and open what it wrote'
complete -c tracetty -n '__fish_seen_subcommand_from diff' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from summarize' -l run -r -d 'one of several runs in a folder, by its name in messages and in the list of runs (default: the newest that can be read; check: all; diff: for both sides)'
complete -c tracetty -n '__fish_seen_subcommand_from summarize' -l graph-key -r -d 'a trace of graph captures, or an eager one, that tells which operators the graphs of the run hold; repeatable (default: those beside the run)'
complete -c tracetty -n '__fish_seen_subcommand_from summarize' -l threads -r -d 'loader threads (default: one per CPU, at most 16; cluster: one per rank)'
complete -c tracetty -n '__fish_seen_subcommand_from summarize' -l output -r -d 'where to write, also -o FILE; *.gz is compressed, - is standard output; a device or FIFO is written through, a link followed, an input refused. cluster: DIR.tts beside DIR. record: a directory, created with its parents; %h host, %p process, %r rank, and the letters of strftime'
complete -c tracetty -n '__fish_seen_subcommand_from summarize' -l max-memory -r -d 'fail if loading needs more memory, e.g. 8G (default: free memory); sql: if a query does (default: 1G)'
complete -c tracetty -n '__fish_seen_subcommand_from summarize' -l max-events -r -d 'fail if the input has more events'
complete -c tracetty -n '__fish_seen_subcommand_from summarize' -l all-events -d 'Nsight Systems: also read system calls, scheduling and CPU samples, which are many'
complete -c tracetty -n '__fish_seen_subcommand_from summarize' -l nsys-export -d '*.nsys-rep: run '\''nsys export'\'' into a private temporary folder, and open what it wrote'
complete -c tracetty -n '__fish_seen_subcommand_from summarize' -l part -r -d 'only part K of N (K from 0) of the traces, divided by size: one task of a job (K = SLURM_PROCID)'
complete -c tracetty -n '__fish_seen_subcommand_from summarize' -l require-all -d 'exit status 1 if a trace or summary cannot be read, or a rank of the run is missing; summary: if a rank left no dump'
complete -c tracetty -n '__fish_seen_subcommand_from summarize' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from merge' -l output -r -d 'where to write, also -o FILE; *.gz is compressed, - is standard output; a device or FIFO is written through, a link followed, an input refused. cluster: DIR.tts beside DIR. record: a directory, created with its parents; %h host, %p process, %r rank, and the letters of strftime'
complete -c tracetty -n '__fish_seen_subcommand_from merge' -l require-all -d 'exit status 1 if a trace or summary cannot be read, or a rank of the run is missing; summary: if a rank left no dump'
complete -c tracetty -n '__fish_seen_subcommand_from merge' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l query -r -d 'run these statements and exit, also -e QUERY; .tables, .schema  TABLE  and .help as at the prompt'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l timeout -r -d 'end a query that takes longer, 0 = never (default: 60)'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l format -r -f -a 'text csv json markdown svg png' -d 'text (default), csv, json, or markdown for a pull request; with --screen: text, svg or png'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l limit -r -d 'rows per table, 0 = all (default: text 30, markdown 10; csv and json all)'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l run -r -d 'one of several runs in a folder, by its name in messages and in the list of runs (default: the newest that can be read; check: all; diff: for both sides)'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l worker -r -d 'load this worker only'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l span -r -d 'load this profiled span only'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l graph-key -r -d 'a trace of graph captures, or an eager one, that tells which operators the graphs of the run hold; repeatable (default: those beside the run)'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l unit -r -f -a 'auto ns us ms s' -d 'unit of durations in text (default: auto)'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l color -r -f -a 'auto always never 8 256 truecolor' -d 'auto (terminal without NO_COLOR), always, never, 8, 256 or truecolor'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l threads -r -d 'loader threads (default: one per CPU, at most 16; cluster: one per rank)'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l max-memory -r -d 'fail if loading needs more memory, e.g. 8G (default: free memory); sql: if a query does (default: 1G)'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l max-events -r -d 'fail if the input has more events'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l all-events -d 'Nsight Systems: also read system calls, scheduling and CPU samples, which are many'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l nsys-export -d '*.nsys-rep: run '\''nsys export'\'' into a private temporary folder, and open what it wrote'
complete -c tracetty -n '__fish_seen_subcommand_from sql' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l steps -r -d 'steps A to B, inclusive (A, A-B, A-); record: PyTorch schedule (skip_first=N,wait=N,warmup=N,active=N,repeat=N; each cycle becomes a span) or A-B (B excluded)'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l range -r -d 'time window, e.g. 12.5ms-80ms (units ns, us, ms, s; default ms)'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l run -r -d 'one of several runs in a folder, by its name in messages and in the list of runs (default: the newest that can be read; check: all; diff: for both sides)'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l worker -r -d 'load this worker only'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l span -r -d 'load this profiled span only'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l rank -r -d 'only the worker with this rank'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l merge -d 'all workers in one file on a common time axis, for viewers'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l threads -r -d 'loader threads (default: one per CPU, at most 16; cluster: one per rank)'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l output -r -d 'where to write, also -o FILE; *.gz is compressed, - is standard output; a device or FIFO is written through, a link followed, an input refused. cluster: DIR.tts beside DIR. record: a directory, created with its parents; %h host, %p process, %r rank, and the letters of strftime'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l anonymise -f -a 'shapes' -d 'replace names of user code, files, folders, hosts, processes and modules by hashes under a key of your own; exact names of frameworks and of their libraries stay; =shapes: hide the shapes of inputs, too'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l args -d 'database: also write column args of slices and instants, as JSON; 1.5 times the size, 2 to 3 times the time'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l stacks -r -f -a 'time device' -d 'folded stacks for flame graph tools, in ns: CPU self time per call path (also for names in .folded), or GPU time'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l all-events -d 'Nsight Systems: also read system calls, scheduling and CPU samples, which are many'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l nsys-export -d '*.nsys-rep: run '\''nsys export'\'' into a private temporary folder, and open what it wrote'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l format -r -f -a 'trace dump' -d 'trace (default), or dump = of dumps of a flight recorder a JSON dump per rank in the folder FILE'
complete -c tracetty -n '__fish_seen_subcommand_from export' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from repair' -l output -r -d 'where to write, also -o FILE; *.gz is compressed, - is standard output; a device or FIFO is written through, a link followed, an input refused. cluster: DIR.tts beside DIR. record: a directory, created with its parents; %h host, %p process, %r rank, and the letters of strftime'
complete -c tracetty -n '__fish_seen_subcommand_from repair' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l table -r -f -a '(__tracetty_list all run runs overview devices gpu_time idle_causes gpu_gaps stream_idle step_breakdown engine_steps serving step_compare diff_summary diff_causes step_trace step_trace_summary step_collectives execution_summary critical_path what_if findings evidence operators operator_tree key_averages kernels op_types op_details roofline runtime_api memcpy copy_curve launches unfinished queue queue_curve graph_ownership kernel_sequences user_ranges modules memory_devices memory_curve memory_alive memory_operators memory_names memory_events memory_fragmentation memory_segments memory_peak memory_stacks comm_steps comm_wait comm_ops comm_calls comm_waits comm_ranks rank_times comm_groups comm_sizes comm_clock cluster_steps cluster_communication cluster_links data_queues data_stages data_pipeline data_cpu data_queue_curve stages stages_by_step interval throughput distribution event_types stacks diff_operator_tree diff_operators diff_key_averages diff_kernels diff_runtime_api diff_memcpy diff_user_ranges diff_modules diff_comm_sizes diff_stages diff_memory hang_faults hang_ranks hang_mismatches hang_collectives hang_groups hang_wall hang_entries trust problems)' -d 'tables to print; all = every table with rows (default: the Overview tables; diff: metrics of the step, causes, kernels, operators)'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l format -r -f -a 'text csv json markdown svg png' -d 'text (default), csv, json, or markdown for a pull request; with --screen: text, svg or png'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l run -r -d 'one of several runs in a folder, by its name in messages and in the list of runs (default: the newest that can be read; check: all; diff: for both sides)'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l threads -r -d 'loader threads (default: one per CPU, at most 16; cluster: one per rank)'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l output -r -d 'where to write, also -o FILE; *.gz is compressed, - is standard output; a device or FIFO is written through, a link followed, an input refused. cluster: DIR.tts beside DIR. record: a directory, created with its parents; %h host, %p process, %r rank, and the letters of strftime'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l max-memory -r -d 'fail if loading needs more memory, e.g. 8G (default: free memory); sql: if a query does (default: 1G)'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l max-events -r -d 'fail if the input has more events'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l all-events -d 'Nsight Systems: also read system calls, scheduling and CPU samples, which are many'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l nsys-export -d '*.nsys-rep: run '\''nsys export'\'' into a private temporary folder, and open what it wrote'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l require-all -d 'exit status 1 if a trace or summary cannot be read, or a rank of the run is missing; summary: if a rank left no dump'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l quiet -d 'print warnings only'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l at-end -r -f -a 'open summary nothing' -d 'after the command: open, summary or nothing (default: open on a terminal, else summary)'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l dry-run -d 'run nothing: print the environment of the command; cluster: print the script, ready for bash'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l engine -r -f -a 'auto srun sbatch mpirun local' -d 'program that starts the tasks: auto (default) = srun inside an allocation, else sbatch, else mpirun, else local = this machine'\''s CPUs'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l tasks -r -d 'tasks to start (default: srun, mpirun: their default; sbatch: one per 64 MB, 4 to 64; local: one per CPU)'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l cpus-per-task -r -d 'CPUs of a task, and ranks that it reads at a time (default: CPUs from Slurm; mpirun: 1)'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l nodes -r -d 'Slurm: use N nodes, one task on each; sbatch: whole nodes'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l partition -r -d 'sbatch: partition to submit to'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l account -r -d 'sbatch: account to charge'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l time -r -d 'sbatch: time limit of each job, as Slurm writes it'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l pass -r -d 'pass one more option to srun, sbatch or mpirun, e.g. --pass=--qos=debug; may be repeated'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l fresh -d 'compute every rank again, even if an interrupted run has done it'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l keep -d 'keep the folder with script, logs and summaries of single ranks (default: only after a failure)'
complete -c tracetty -n '__fish_seen_subcommand_from cluster' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l steps -r -d 'steps A to B, inclusive (A, A-B, A-); record: PyTorch schedule (skip_first=N,wait=N,warmup=N,active=N,repeat=N; each cycle becomes a span) or A-B (B excluded)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l live -d 'show the recording on the terminal while the command runs; the command'\''s output goes to output.txt of the recording, and its last lines to the terminal at the end; its input is empty'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l output -r -d 'where to write, also -o FILE; *.gz is compressed, - is standard output; a device or FIFO is written through, a link followed, an input refused. cluster: DIR.tts beside DIR. record: a directory, created with its parents; %h host, %p process, %r rank, and the letters of strftime'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l force -d 'replace the recording that is in the directory; replace another profiler'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l attach -r -d 'experimental; instead of a COMMAND: request a trace from PyTorch in a running process that was started with KINETO_USE_DAEMON=1, and in its children'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l via -r -f -a 'cupti kineto' -d 'recorder: cupti (default) = the library that is loaded into the command; kineto (experimental) = PyTorch'\''s own profiler, with operators, shapes, FLOPs; stack, modules with --trace'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l ops -f -a 'shapes' -d 'record PyTorch operators as ranges (emit_nvtx), no script change; =shapes: with input shapes'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l yield-cupti -d 'leave CUPTI to the program'\''s own profiler: record ranges, steps and CPU utilisation only'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l format -r -f -a '(__tracetty_list spool json json.gz)' -d 'files to write: spool, json, json.gz (default: spool,json.gz)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l summarize -d 'also write the summary (.tts) of each process, for '\''tracetty merge'\'''
complete -c tracetty -n '__fish_seen_subcommand_from record' -l fsync -d 'fsync every block'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l quiet -d 'print warnings only'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l at-end -r -f -a 'open summary nothing' -d 'after the command: open, summary or nothing (default: open on a terminal, else summary)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l delay -r -d 'begin recording this long after the start of each process (see --clock); seconds, or with a unit'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l clock -r -f -a 'process cuda' -d 'what --delay and --duration count from: the start of each process (default), or its first CUDA context, before which nothing is recorded'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l duration -r -d 'record for this long; the command continues (Kineto: default 500ms)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l kill -r -d 'end the command with this signal, e.g. TERM, after --duration'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l step-marker -r -d 'ranges or marks that begin a step; api = only tracetty_step(), auto = known names (default: ProfilerStep#*)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l on-cycle -r -d 'run COMMAND by sh when a cycle of --steps has ended and its GPU work has come (at most 30 s later): TRACETTY_CYCLE = its number, TRACETTY_TRACE = its recording, a file until COMMAND ends, TRACETTY_DIR = DIR; one at a time; output to stderr'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l cycle-limit -r -d 'end a COMMAND of --on-cycle that runs longer (default 60s)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l step-info -r -d 'print reader_cost, batch_cost and ips every N steps, as Paddle'\''s step_info() does'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l capture-range -r -d 'record only while an NVTX range of this name is open; cudaProfilerApi = from cudaProfilerStart() to cudaProfilerStop()'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l start-paused -d 'record nothing until SIGUSR2, '\''tracetty ctl DIR start'\'' or tracetty_start()'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l trace -r -f -a '(__tracetty_list kernel memcpy memset runtime driver sync overhead nvtx cpu memory mempool event graph external nvml um env latency nccl shapes stack flops modules)' -d 'what to record: kernel,memcpy,memset,runtime,driver,sync,overhead,nvtx,cpu,memory,mempool (memory pools; --memory is both),event (CUDA events),graph (whole graphs instead of their kernels; graphs=node: the kernels),external,nvml,um (unified memory: migrations, page faults),env (clocks, power, temperature from CUPTI),latency (when kernels were queued and submitted),nccl (communicators and collectives of NCCL and RCCL); for Kineto also shapes,stack,flops,modules; +WORD and -WORD change the default'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l memory -d 'record GPU allocations'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l noisy-api -d 'include high-frequency API calls (cudaGetDevice, ...)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l cpu-util -r -d 'CPU utilisation samples per second, 0 = none (default 10)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l gpu-util -r -d 'GPU samples per second, 0 = none (default 10): utilisation, memory, power, clock; once a second temperature, PCIe traffic, throttle reasons'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l buffers -r -d 'host memory for CUPTI, counted in buffers of the largest size (default 32); many threads get smaller buffers'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l buffer-size -r -d 'largest size of a host buffer for CUPTI (default 4M)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l device-buffer-limit -r -d 'CUPTI buffers in GPU memory, 3.2 MB each (default 32); lower it when the model fills the GPU'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l device-buffer-size -r -d 'size of each CUPTI buffer in GPU memory (default: CUPTI'\''s)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l keep -r -d 'record for as long as the command runs, and keep only the last TIME of each process'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l max-spool -r -d 'stop recording a process at this file size (default 4G); with --keep: keep at most so much of a process (default 256M)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l slow-step -r -d 'dump when a step took more than FACTOR times the median of the last 64, e.g. 2x; not in the first 8 steps'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l stall -r -d 'dump when for this long work was launched and none completes, or no step began after steps were seen'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l on-exit -d 'dump when a process ends'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l dump-signal -r -d 'signal that dumps, sent to the recorder, or to a process that has no handler for it (with --keep default USR2); none'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l children -r -f -a 'all exec none' -d 'child processes to record: all, exec (default) = those that run another program, none'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l only-rank -r -d 'record only these ranks, e.g. 0,4-7'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l cupti -r -d 'libcupti to use (default: the loaded one, then the usual places)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l linger -r -d 'grace period for processes that outlive the command (default 2); Kineto: wait for its answer (default 30)'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l status-ok -d 'always exit 0'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l dry-run -d 'run nothing: print the environment of the command; cluster: print the script, ready for bash'
complete -c tracetty -n '__fish_seen_subcommand_from record' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from ctl' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from doctor' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from help' -l help -d 'show help for the command'
complete -c tracetty -n '__fish_seen_subcommand_from help' -l completions -r -f -a 'bash zsh fish' -d 'print a completion script for a shell'
complete -c tracetty -n '__fish_seen_subcommand_from help' -l man -d 'print the manual page'
