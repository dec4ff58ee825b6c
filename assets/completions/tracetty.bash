# bash completion of tracetty; written by 'tracetty help --completions bash'
_tracetty() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= w
    COMPREPLY=()
    for w in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $w in
            demo|summary|tables|check|diff|summarize|merge|sql|export|repair|cluster|record|ctl|doctor|help) cmd=$w; break ;;
        esac
    done
    case $prev in
        --table) COMPREPLY=($(compgen -W "all run runs overview devices gpu_time idle_causes gpu_gaps stream_idle step_breakdown step_compare diff_summary diff_causes step_trace step_trace_summary step_collectives execution_summary critical_path what_if findings evidence operators operator_tree key_averages kernels op_types op_details roofline runtime_api memcpy copy_curve launches queue queue_curve kernel_sequences user_ranges modules memory_devices memory_curve memory_alive memory_operators memory_names memory_events memory_fragmentation memory_segments memory_peak memory_stacks comm_steps comm_wait comm_ops comm_calls comm_waits comm_ranks rank_times comm_groups comm_sizes comm_clock cluster_steps cluster_communication cluster_links data_queues data_stages data_pipeline data_cpu data_queue_curve stages stages_by_step interval throughput distribution event_types diff_operator_tree diff_operators diff_key_averages diff_kernels diff_runtime_api diff_memcpy diff_user_ranges diff_modules diff_comm_sizes diff_stages diff_memory trust problems" -- "$cur")); return ;;
        --format) COMPREPLY=($(compgen -W "text csv json markdown svg png" -- "$cur")); return ;;
        --style) COMPREPLY=($(compgen -W "auto tables paddle" -- "$cur")); return ;;
        --op-detail) COMPREPLY=($(compgen -W "on off" -- "$cur")); return ;;
        --group-by) COMPREPLY=($(compgen -W "device step operator category kernel name segment finding shape stack shape,stack launch class api allocation line kind" -- "$cur")); return ;;
        --per) COMPREPLY=($(compgen -W "step run" -- "$cur")); return ;;
        --match) COMPREPLY=($(compgen -W "exact short" -- "$cur")); return ;;
        --unit) COMPREPLY=($(compgen -W "auto ns us ms s" -- "$cur")); return ;;
        --step-source) COMPREPLY=($(compgen -W "profiler none" -- "$cur")); return ;;
        --window) COMPREPLY=($(compgen -W "account device" -- "$cur")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never 8 256 truecolor" -- "$cur")); return ;;
        --unicode) COMPREPLY=($(compgen -W "auto always never block ascii braille" -- "$cur")); return ;;
        --theme) COMPREPLY=($(compgen -W "dark light colour-blind mono" -- "$cur")); return ;;
        --anonymise) COMPREPLY=($(compgen -W "shapes" -- "$cur")); return ;;
        --stacks) COMPREPLY=($(compgen -W "time device" -- "$cur")); return ;;
        --via) COMPREPLY=($(compgen -W "cupti kineto" -- "$cur")); return ;;
        --ops) COMPREPLY=($(compgen -W "shapes" -- "$cur")); return ;;
        --at-end) COMPREPLY=($(compgen -W "open summary nothing" -- "$cur")); return ;;
        --clock) COMPREPLY=($(compgen -W "process cuda" -- "$cur")); return ;;
        --children) COMPREPLY=($(compgen -W "all exec none" -- "$cur")); return ;;
        --engine) COMPREPLY=($(compgen -W "auto srun sbatch mpirun local" -- "$cur")); return ;;
        --completions) COMPREPLY=($(compgen -W "bash zsh fish" -- "$cur")); return ;;
    esac
    if [[ $cur == -* ]]; then
        case $cmd in
            '') w='--steps --follow --range --run --worker --span --color --unicode --theme --screen --keys --no-mouse --dump --threads --max-memory --max-events --all-events --nsys-export --help --version' ;;
            'demo') w='--steps --range --worker --span --color --unicode --theme --screen --keys --no-mouse --dump --threads --max-memory --help' ;;
            'summary') w='--table --format --style --op-detail --group-by --sort --limit --filter --filter-regex --steps --range --run --worker --span --unit --step-source --window --thread-sep --samples-per-step --peak-tflops --peak-gb-per-s --what-if --stack-depth --color --unicode --theme --screen --size --keys --threads --max-memory --max-events --all-events --nsys-export --help' ;;
            'tables') w='--format --help' ;;
            'check') w='--run --worker --span --threads --max-memory --max-events --all-events --nsys-export --help' ;;
            'diff') w='--table --format --group-by --sort --limit --filter --filter-regex --steps --range --run --worker --span --base-steps --new-steps --base-range --new-range --base-run --new-run --base-worker --new-worker --base-span --new-span --per --skip --match --confidence --min-effect --fail-on --unit --color --unicode --theme --screen --size --keys --threads --max-memory --max-events --all-events --nsys-export --help' ;;
            'summarize') w='--run --threads --output --max-memory --max-events --all-events --nsys-export --part --require-all --help' ;;
            'merge') w='--output --require-all --help' ;;
            'sql') w='--query --timeout --format --limit --run --worker --span --unit --color --threads --max-memory --max-events --all-events --nsys-export --help' ;;
            'export') w='--steps --range --run --worker --span --rank --merge --threads --output --anonymise --args --stacks --all-events --nsys-export --help' ;;
            'repair') w='--output --help' ;;
            'cluster') w='--table --format --run --threads --output --max-memory --max-events --all-events --nsys-export --require-all --quiet --at-end --dry-run --engine --tasks --cpus-per-task --nodes --partition --account --time --pass --fresh --keep --help' ;;
            'record') w='--steps --live --output --force --attach --via --ops --yield-cupti --format --summarize --fsync --quiet --at-end --delay --clock --duration --kill --step-marker --capture-range --start-paused --trace --memory --noisy-api --cpu-util --gpu-util --buffers --buffer-size --device-buffer-limit --device-buffer-size --max-spool --children --only-rank --cupti --linger --status-ok --dry-run --help' ;;
            'ctl') w='--help' ;;
            'doctor') w='--help' ;;
            'help') w='--help --completions --man' ;;
        esac
        COMPREPLY=($(compgen -W "$w" -- "$cur"))
        return
    fi
    [[ $cmd == tables ]] && return
    w=
    [[ -z $cmd || $cmd == help ]] && w='demo summary tables check diff summarize merge sql export repair cluster record ctl doctor help '
    COMPREPLY=($(compgen -W "$w" -- "$cur"))
    [[ $cmd == help ]] || COMPREPLY+=($(compgen -f -- "$cur"))
}
complete -o filenames -F _tracetty tracetty
