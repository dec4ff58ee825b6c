"""Threads that call, return, begin and end, and make and forget functions, while a thread of C reads the stacks of all thousands of times. Every
frame that was read must be of a function that existed, at a line of it.

    stacks_churn.py LIBRARY FILE TIMES"""
import asyncio
import ctypes
import re
import sys
import threading

reader = ctypes.CDLL(sys.argv[1])
over = False


def short_1(n):
    return short_2(n) + 1 if n else 0


def short_2(n):
    return short_1(n - 1) + 1 if n else 0


def calls_once():
    short_1(30)


def calls():
    while not over:
        short_1(30)


def produce(n):
    if n:
        yield from produce(n - 1)
    yield n


def generators():
    while not over:
        for _ in produce(10):
            short_1(2)


async def leaf():
    await asyncio.sleep(0)


async def tree():
    await asyncio.gather(leaf(), leaf())


def coroutines():
    while not over:
        asyncio.run(tree())


def made():
    n = 0
    while not over:
        n += 1
        space = {"short_1": short_1}
        exec(compile("def made_%d():\n" % n + "\n" * (n % 300) + "    return short_1(3)\n", "made_%d.py" % n, "exec"), space)
        space["made_%d" % n]()


def threads():
    while not over:
        one, other = threading.Thread(target=short_1, args=(5,)), threading.Thread(target=calls_once)
        one.start(), other.start()
        one.join(), other.join()


WAYS = (calls, generators, coroutines, made, threads, calls)
workers = [threading.Thread(target=way, daemon=True) for way in WAYS]
for t in workers:
    t.start()
reader.read_stacks(sys.argv[2].encode(), int(sys.argv[3]))
failed = reader.wait_stacks()
over = True
for t in workers:
    t.join()

# ---- what was read
own = {f.__qualname__: f.__code__ for f in (short_1, short_2, calls_once, calls, produce, generators, leaf, tree, coroutines, made, threads)}
lines = {name: {line for _, _, line in code.co_lines() if line} for name, code in own.items()}
frames = moving = unread = 0
strange = set()
with open(sys.argv[2], encoding="utf-8") as f:
    for line in f.read().split("\n"):
        if not line or line.startswith("thread "):
            continue
        moving += line == "(changed while it was read)"
        unread += line == "(the rest could not be read)"
        if line.startswith("("):
            continue
        frames += 1
        m = re.fullmatch(r"(.*)\((\d+)\): (.*)", line)
        file, number, name = m.groups() if m else ("", "0", line)
        if file == __file__ and name in own:
            good = int(number) in lines[name]
        elif re.fullmatch(r"made_\d+\.py", file):
            good = name == "<module>" or name == file[:-3] and 0 < int(number) < 310
        else:
            good = file == __file__ and name == "<module>" or "/lib/python3" in file or file.startswith(("<frozen ", "<string>"))
        if not good:
            strange.add(line)
print("%d frames, %d stacks changed while they were read, %d not to their end, %d times nothing" % (frames, moving, unread, failed))
print("FAIL: " + "; ".join(sorted(strange)[:3]) if strange or failed or not frames else "every frame is one of the program")
