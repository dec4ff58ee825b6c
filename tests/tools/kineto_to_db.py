#!/usr/bin/env python3
"""Writes traces of Kineto as the database of another profiler: the same kernels, copies, calls and ranges, at the
same times.

    kineto_to_db.py nsys|rocpd|rpd OUT TRACE... [--steps A-B] [--graphs N] [--shift NS]
        nsys:  [--schema 2.9|3.25] [--registered] [--domains] [--operators] [--open TEXT] [--environment TEXT]
        rocpd: [--suffix TEXT] [--no-views] [--no-events] [--no-streams] [--bare] [--environment TEXT]
        rpd:   [--no-operators] [--first-id N] [--monitors]
    kineto_to_db.py samples FOLDER     writes the sample databases of assets/ from its sample traces

Several traces become several processes of one database. --graphs makes up to N consecutive launches one launch of a
graph. The same arguments write the same bytes."""
import argparse
import os
import sys

sys.dont_write_bytecode = True
from databases import capture, nsys, rocpd, rpd  # noqa: E402

TRACE = "sample_gpu/train_rank0.1700000000000.pt.trace.json.gz"


def capture_of(args):
    found = capture.capture(*args.traces)
    if args.steps:
        found = capture.steps(found, *map(int, args.steps.split("-")))
    if args.graphs:
        found = capture.graphs(found, args.graphs)
    return capture.shifted(found, args.shift)


def write(args):
    if args.kind == "nsys":
        options = nsys.Options(args.schema, args.registered, args.domains, args.operators, args.open, args.environment)
        nsys.write(args.out, capture_of(args), options)
    elif args.kind == "rocpd":
        options = rocpd.Options(suffix=args.suffix, views=not args.no_views, events=not args.no_events, streams=not args.no_streams, full=not args.bare,
                                environment=args.environment)
        rocpd.write(args.out, capture_of(args), options)
    else:
        rpd.write(args.out, capture_of(args), rpd.Options(not args.no_operators, args.first_id, args.monitors))


def samples(folder):
    trace = os.path.join(folder, TRACE)
    found = capture.capture(trace)
    for name in "sample_nsys", "sample_rocpd", "sample_rpd":
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    nsys.write(os.path.join(folder, "sample_nsys", "train.sqlite"), capture.steps(found, 3, 4), nsys.Options(domains=True))
    rocpd.write(os.path.join(folder, "sample_rocpd", "train_results.db"), capture.steps(found, 3, 3))
    rpd.write(os.path.join(folder, "sample_rpd", "train.rpd"), capture.steps(found, 3, 3), rpd.Options(monitors=True))


def main():
    if sys.argv[1:2] == ["samples"] and len(sys.argv) == 3:
        return samples(sys.argv[2])
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("kind", choices=("nsys", "rocpd", "rpd"))
    p.add_argument("out")
    p.add_argument("traces", nargs="+")
    p.add_argument("--steps")
    p.add_argument("--graphs", type=int, default=0)
    p.add_argument("--shift", type=int, default=0)
    p.add_argument("--schema", choices=sorted(nsys.SCHEMAS), default="3.25")
    for name in "registered", "domains", "operators", "no-views", "no-events", "no-streams", "bare", "no-operators", "monitors":
        p.add_argument("--" + name, action="store_true")
    p.add_argument("--open")
    p.add_argument("--environment", default="TOKEN=never-shown")
    p.add_argument("--suffix")
    p.add_argument("--first-id", type=int, default=1)
    return write(p.parse_args())


if __name__ == "__main__":
    sys.exit(main())
