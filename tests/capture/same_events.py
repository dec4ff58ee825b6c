#!/usr/bin/env python3
"""same_events.py VERSION EXPORT REFERENCE: compares the events of a recording with a CUPTI version's records to
those of 13.0.
Members that the version lacks are removed from the reference, and values of a real clock from both."""
import json
import sys

version, mine, reference = int(sys.argv[1]), sys.argv[2], sys.argv[3]
HOST = ("cpu_op", "user_annotation", "gpu_user_annotation")


def unknown(event):
    """Whether the version cannot have such an event."""
    cat, name = event.get("cat"), event["name"]
    return (version < 15 and (cat == "memory_pool" or name == "[memory]")
            or version < 17 and (name.startswith("CUDA Graph") or cat == "gpu_user_annotation" and event["tid"] == 11)
            or version < 26 and cat == "cuda_event")


def unknown_args():
    if version < 14:
        yield "graph id"
    if version < 17:
        yield from ("channel", "pool bytes used", "Total Reserved")


def key(event, without):
    args = {k: v for k, v in event.get("args", {}).items() if k not in without}
    device = event["pid"] if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset", "cuda_sync", "gpu_user_annotation") else 0
    return json.dumps([event["ph"], event.get("cat"), event["name"], device, event["tid"] if device == 0 and "stream" in args else 0,
                       0 if event.get("cat") in HOST else event.get("dur"), args], sort_keys=True)


def events(path):
    # ids of ranges are places in the file, and each run numbers threads anew
    without = ["External id", "Ev Idx", "thread", "queued", "submitted"] + list(unknown_args())
    return sorted(key(e, without) for e in json.load(open(path))["traceEvents"] if e["ph"] in "Xi" and not unknown(e))


a, b = events(mine), events(reference)
if a == b:
    print("ok ... %d events are those of 13.0" % len(a))
else:
    print("FAIL version %d: %d events, %d of 13.0" % (version, len(a), len(b)))
    for mark, x, y in (("only here", a, b), ("only in 13.0", b, a)):
        for line in [l for l in x if l not in set(y)][:3]:
            print("  " + mark, line[:300])
