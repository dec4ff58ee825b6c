#!/usr/bin/env bash
# Finding who held the memory at an out-of-memory error: a way through the sample of a memory snapshot. Expected values
# are computed from the pickle here, by Python, not by the program.
. "$(dirname "$0")/_lib.sh"
SNAPSHOT=assets/sample_snapshot/memory_snapshot.pickle

facts() { # of the OOM: when, about what was asked; holder's innermost line, its MiB, share, blocks; asked, free on the device; reserved, free, pieces, largest, fragmentation; segments
    python3 - "$SNAPSHOT" <<'PY'
import collections, pickle, sys
d = pickle.load(open(sys.argv[1], "rb"))
trace, MIB = d["device_traces"][0], 1 << 20
at = next(i for i, e in enumerate(trace) if e["action"] == "oom")
live = {}
for e in trace[:at]:
    if e["action"] == "alloc":
        live[e["addr"]] = e
    elif e["action"] == "free_requested":
        live.pop(e["addr"], None)
held, blocks = collections.Counter(), collections.Counter()
for e in live.values():
    f = e["frames"][0]
    key = "%s(%d): %s" % (f["filename"], f["line"], f["name"])
    held[key] += e["size"]
    blocks[key] += 1
(name, size), = held.most_common(1)
free = [b["size"] for s in d["segments"] for b in s["blocks"] if b["state"] == "inactive"]
zero = min(trace[0]["time_us"], d["external_annotations"][0]["time_us"])
print("\t".join(map(str, ("%.3f ms" % ((trace[at]["time_us"] - zero) / 1000), "%.3g MiB" % (trace[at]["size"] / MIB), name, "%.1f MiB" % (size / MIB), "%.1f%%" % (100 * size / sum(held.values())), blocks[name], "%.1f MiB" % (trace[at]["size"] / MIB),
                          "%g MiB" % (trace[at]["device_free"] / MIB), "%g MiB" % (sum(s["total_size"] for s in d["segments"]) / MIB), "%.2f MiB" % (sum(free) / MIB),
                          len(free), "%g MiB" % (max(free) / MIB), "%.1f%%" % (100 * (1 - max(free) / sum(free))), len(d["segments"])))))
PY
}
IFS=$'\t' read -r when about holder size share blocks asked left reserved free pieces largest scattered segments < <(facts)

for terminal in "120 35" "80 24"; do
    read -r w h <<<"$terminal"
    tt_start "$w" "$h" assets/sample_snapshot || exit 1
    tt_check "$w: it begins with the memory" grep -qE '\[5 Mem(ory)?\]' <(tt_screen)
    tt_keys 1
    tt_expect "$w: the overview says that memory ran out" "Out of memory on GPU 0: $about requested, $left free"
    tt_expect "$w: and who held most" "Largest holder: $holder"
    tt_keys Enter
    tt_check "$w: Enter on it leads to that moment" tt_until tt_has "Live at $when"
    tt_keys u
    tt_keys 5 P
    tt_expect "$w: the peak names who held most" "$share $holder"
    tt_keys o
    tt_expect "$w: where it ran out: asked and free" "out of memory: $asked requested, $left free on the device"
    tt_expect "$w: the moment is marked on the curve" "out of memory"
    tt_check "$w: the table follows" tt_until tt_has "Live at $when"
    tt_check "$w: who is alive there, by stack" grep -qE "$(sed 's|[.()]|\\&|g' <<<"${holder##*/}").* $blocks +$size +$share" <(tt_screen)
    tt_keys m
    tt_expect "$w: the map: segments" "$segments segments"
    tt_expect "$w: the map: free memory in pieces" "$free free in $pieces pieces, the largest $largest: $scattered"
    tt_expect "$w: the map: its states" "pending"
    tt_expect "$w: the map: a segment with a stream of its own kind" "small"
    tt_check "$w: no line is wider than the terminal" [ "$(tt_screen | wc -L)" -le "$w" ]
    tt_keys j j
    tt_expect "$w: the map scrolls" "$segments segments"
    tt_keys m
    tt_expect "$w: and back to the curve" "$share $holder"
    tt_keys I
    tt_check "$w: the flame graph: outermost functions on top" grep -qE 'train\.py\([0-9]+\)' <(tt_screen)
    tt_expect "$w: the widest box is the holder's" "${holder##*/}"
    tt_keys I P
    tt_check "$w: the peak again" tt_until tt_has "Live at peak"
    tt_keys '?'
    tt_expect "$w: the help knows the keys" "where memory ran out"
    tt_quit q Q
done

# ---- a snapshot without such an error, of several devices
python3 tests/tools/make_snapshot.py "$TT_DIR.pickle" --devices 2 --steps 2 || exit 1
tt_start 120 35 "$TT_DIR.pickle"
tt_keys 5 o
tt_expect "without one it says so" "memory never ran out in this snapshot"
tt_keys b m
tt_expect "the map is of the device chosen" "GPU1  segments"
tt_quit Q
rm -f "$TT_DIR.pickle"
