#!/usr/bin/env bash
# Every kind of terminal: colours, no colours, ASCII, names of terminals, sizes. Each shows all tabs and is restored.
# Screens must equal those of --dump, which other tests compare with stored screens.
. "$(dirname "$0")/_lib.sh"
RUN=assets/sample_gpu
ascii_only() { ! tt_screen | LC_ALL=C grep -q '[^ -~]'; }
colours() { tt_tmux capture-pane -e -p -t app | grep -cE $'\x1b\\[[0-9;:]*([34]8[;:][25]|[34][0-7]|9[0-7]|10[0-7])'; }

case_of() { # NAME W H ENVIRONMENT
    TT_ENV="env $4" tt_start "$2" "$3" "$RUN" || return
    local tab
    for tab in 2 3 4 5 6 7 8 9 1; do tt_keys $tab || return; done
    tt_expect "$1: shown" "[1 Over"
}
case_of "true colour" 120 40 "TERM=tmux-256color COLORTERM=truecolor"
tt_check "true colour: colours" [ "$(colours)" -gt 3 ] && tt_quit Q
case_of "256 colours" 80 24 "TERM=xterm-256color COLORTERM="
tt_check "256 colours: colours" [ "$(colours)" -gt 3 ] && tt_quit Q
case_of "8 colours" 80 24 "TERM=linux" && tt_quit Q
case_of "NO_COLOR" 80 24 "NO_COLOR=1"
tt_check "NO_COLOR: none" [ "$(colours)" = 0 ] && tt_quit Q
case_of "vt100" 80 24 "TERM=vt100" && tt_quit Q
# terminal names that the system does not know
case_of "unknown" 120 40 "TERM=xterm-of-tomorrow"
tt_check "unknown: colours" [ "$(colours)" -gt 3 ] && tt_quit Q
TT_ENV="env TERM=xterm-of-tomorrow" tt_start 120 24 "$RUN" && tt_expect "unknown: it is said" "'xterm-of-tomorrow' is not known here: drawing for xterm-256color" && tt_quit Q
TT_ENV="env LC_ALL= LC_CTYPE= LANG=xx_XX.UTF-8" tt_start 80 24 "$RUN" && tt_keys 4 && tt_check "a locale of UTF-8 that is not installed: UTF-8" eval '! ascii_only' && tt_quit Q
case_of "ASCII" 80 24 "LC_ALL=C"
tt_keys 4
tt_check "ASCII: nothing else on the timeline" ascii_only
tt_keys 1
tt_check "ASCII: nothing else on the overview" ascii_only
tt_quit Q
case_of "wide" 250 70 "X=" && tt_quit Q
case_of "narrow" 40 10 "X=" && tt_quit Q
for size in '80 24' '132 43'; do
    # shellcheck disable=SC2086  # two words are meant
    TT_ENV='' tt_start $size "$RUN" || continue
    tab=0
    for screen in overview operators kernels trace; do
        tt_keys $((++tab))
        # shellcheck disable=SC2086
        tt_like_dump "$size $screen: as dumped" $size $screen "$RUN"
    done
    tt_quit Q
done
tt_start 20 5 "$RUN" && tt_expect "too small: it says so" "40x10" && tt_resize 80 24 && tt_expect "grown" "── Steps" && tt_quit Q
exit 0
