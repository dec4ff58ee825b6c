#!/usr/bin/env python3
"""A process that uses CUDA without torch, and its data loader processes: workers.py fork|spawn|forkserver. Each
worker leaves a mark."""
import ctypes
import multiprocessing
import sys
import time

import tracetty


def work(k):
    tracetty.mark("worker %d" % k)
    time.sleep(0.3)  # such a child ends by _exit(): events since the writer's last pass are lost


if __name__ == "__main__":
    tracetty.mark("main")
    if ctypes.CDLL("libcuda.so.1").cuInit(0):
        sys.exit("cuInit failed")
    context = multiprocessing.get_context(sys.argv[1])
    workers = [context.Process(target=work, args=(k,)) for k in range(2)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
