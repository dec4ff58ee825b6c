#!/usr/bin/env python3
"""Makes fuzz seeds: small traces with a few events of every category of the files given, plain, gzipped and as an array."""
import gzip
import json
import os
import sys

folder = sys.argv[1]
for path in sys.argv[2:]:
    doc = json.loads(gzip.open(path).read())
    events = doc if isinstance(doc, list) else doc["traceEvents"]
    kinds = {}
    for e in events:
        kinds.setdefault((e.get("ph"), e.get("cat"), e["name"] if e.get("ph") == "M" else ""), []).append(e)
    for n in (1, 3):
        few = [e for group in kinds.values() for e in group[:n]]
        text = json.dumps(few if isinstance(doc, list) else {"schemaVersion": 1, "traceEvents": few})
        base = os.path.join(folder, "%s-%d" % (os.path.basename(path).split(".")[0], n))
        open(base, "w", encoding="utf-8").write(text)
        open(base + "-minified", "w", encoding="utf-8").write(json.dumps(few, separators=(",", ":")))
        with open(base + "-gz", "wb") as f:
            f.write(gzip.compress(text.encode(), mtime=0))
