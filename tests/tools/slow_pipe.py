#!/usr/bin/env python3
"""slow_pipe.py TRACE.gz FOLDER SHARE: writes the trace into FOLDER/pipe.json like a program that is still recording:
first the given SHARE of it in pieces, then little by little until FOLDER/go exists, then the rest."""
import gzip
import os
import sys
import time

trace, folder, share = sys.argv[1:]
text = gzip.open(trace).read()
with open(folder + "/pipe.json", "wb") as out:
    some, done = int(len(text) * float(share)), 0
    step = some // 30
    while done < some:
        out.write(text[done:done + step])
        out.flush()
        done += step
        time.sleep(0.05)
    for _ in range(3000):
        if os.path.exists(folder + "/go"):
            break
        out.write(text[done:done + 64])
        out.flush()
        done += 64
        time.sleep(0.05)
    out.write(text[done:])
