#!/usr/bin/env bash
# Settings in the running program: from the file, by `:set`, and remembered for the next start.
. "$(dirname "$0")/_lib.sh"
FILE=assets/sample_gpu/train_rank0.1700000000000.pt.trace.json.gz
colours() { tt_tmux capture-pane -e -p -t app | grep -cE $'\x1b\\[[0-9;:]*([34]8[;:][25]|[34][0-7]|9[0-7]|10[0-7])'; }
command_line() { tt_keys : && tt_type "$1" && tt_keys Enter; }
mkdir -p "$TT_DIR/tracetty"

printf 'theme = mono\nunit = us # always\n' >"$TT_DIR/tracetty/config"
tt_start 120 40 "$FILE" || exit 1
tt_check "the file's theme: no colours" [ "$(colours)" = 0 ]
tt_keys 3
tt_expect "the file's unit" "50293.062 µs"
command_line 'set theme=dark'
tt_check "another theme: colours" [ "$(colours)" -gt 3 ]
command_line 'set color=never'
tt_check "no colours" [ "$(colours)" = 0 ]
command_line 'set color=auto'
tt_check "colours again" [ "$(colours)" -gt 3 ]
command_line 'set unicode=ascii'
tt_check "ASCII only" [ -z "$(tt_screen | LC_ALL=C grep '[^ -~]')" ]
command_line 'set mouse=off'
tt_check "the mouse is the terminal's" [ "$(tt_tmux display-message -p -t app '#{mouse_any_flag}')" = 0 ]
command_line 'set mouse=on'
tt_check "the mouse is ours" [ "$(tt_tmux display-message -p -t app '#{mouse_any_flag}')" = 1 ]
command_line 'set'
tt_expect "all settings" "theme=dark  layout=qwerty  unit=us  color=auto  unicode=ascii  mouse=on"
tt_keys /
tt_type flash_fwd
tt_keys Enter
tt_quit Q

tt_start 120 40 "$FILE" || exit 1
tt_keys 3 / Up
tt_expect "what was looked for last time" "/flash_fwd"
tt_keys Enter
tt_expect "and is found" "flash_fwd_kernel"
tt_keys : Up Up
tt_expect "an earlier command" ":set mouse=on"
tt_keys Escape
tt_keys y
tt_expect "copied" "copied"
tt_check "the copy in a file: the whole name" grep -q 'pytorch_flash::flash_fwd_kernel<.*>' "$TT_DIR/tracetty-yank"
tt_quit Q

printf 'theme = pink\n' >"$TT_DIR/tracetty/config"
tt_start 120 40 "$FILE" || exit 1
tt_expect "a wrong line is named" "line 1"
tt_quit Q
rm -f "$TT_DIR/tracetty/config"

tt_start 120 40 --screen trace "$FILE" || exit 1
command_line 'set layout=azerty'
tt_keys z z
tt_expect "azerty: z zooms, and the key bar says so" "z zoom  q pan"
tt_check "azerty: zoomed" [ -z "$(tt_screen | grep 'window 194')" ]
tt_quit Q
exit 0
