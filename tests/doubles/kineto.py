#!/usr/bin/env python3
"""A process with Kineto, as far as a daemon can see: it registers, asks, takes a configuration, and writes the trace
to the given path.

kineto.py MODE [SECONDS]. It ends SECONDS (default 60) after its last act, and prints the configuration. Modes:
  once    behaves like PyTorch
  ask     asks, but never takes a configuration
  busy    its profiler is already running
  die     ends with the request
  silent  never asks
  nofile  takes a configuration and writes nothing
  old     writes in place, slowly, and below no folder of its own
  noise   sends invalid datagrams first, then behaves like once
  link    leaves a link to the trace
  child   does not ask itself, but a child of it does
  flood   for SECONDS, as user nobody, sends thousands of requests for invented processes, each with KINETO_CLAIM
          among its ancestors; prints their number
KINETO_LIBRARY is a library that it loads, as Python loads PyTorch's. KINETO_CLAIM is the number of another process, for which it pretends to ask. KINETO_IPC_SOCKET_DIR,
KINETO_ONDEMAND_TRACE_DIR and KINETO_USE_DAEMON have the meaning that they have for Kineto."""
import ctypes
import json
import os
import random
import socket
import struct
import subprocess
import sys
import time
import uuid

MODE = sys.argv[1]
if os.environ.get("KINETO_LIBRARY"):
    ctypes.CDLL(os.environ["KINETO_LIBRARY"])
STAY = float(sys.argv[2]) if len(sys.argv) > 2 else 60
ACTIVITIES = 2


def address(name):
    folder = os.environ.get("KINETO_IPC_SOCKET_DIR")
    return folder + "/" + name if folder else "\0" + name + "\0"


def message(kind, body):
    return struct.pack("@N32s", len(body), kind) + body


def receive(sock):
    data = sock.recv(65536)
    size, kind = struct.unpack_from("@N32s", data)
    assert len(data) == 40 + size, (len(data), size)
    return kind.rstrip(b"\0"), data[40:]


def exchange(sock, kind, body):
    """The daemon's answer; None when there is no daemon, which Kineto logs before it goes on."""
    try:
        sock.sendto(message(kind, body), address("dynolog"))
        got, text = receive(sock)
        while got != kind:  # an answer to the request before, which came too late
            got, text = receive(sock)
        return text
    except (OSError, socket.timeout):
        return None


CLAIM = [int(pid) for pid in os.environ.get("KINETO_CLAIM", "").split()]


def flood():
    os.setuid(65534)
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    sock.bind("")
    sock.setblocking(False)
    sent, end = 0, time.time() + STAY
    while time.time() < end:
        pids = [100000 + sent] + CLAIM
        try:
            for kind, body in ((b"ctxt", struct.pack("@iiq", 0, pids[0], 0)), (b"req", struct.pack("@iiq%di" % len(pids), ACTIVITIES, len(pids), 0, *pids))):
                sock.sendto(message(kind, body), address("dynolog"))
                sent += 1
        except OSError:  # no daemon yet, or its queue is full
            time.sleep(0.0005)
        try:
            while True:
                sock.recv(65536)
        except OSError:
            pass
    print(sent)


def ancestors():
    if CLAIM:
        return CLAIM
    pids, pid = [], os.getpid()
    while pid > 1 and len(pids) < 10:
        pids.append(pid)
        with open("/proc/%d/stat" % pid) as f:
            pid = int(f.read().rpartition(")")[2].split()[1])
    return pids


def trace(config):
    pid, at = os.getpid(), 1000.0
    events = [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": pid, "tid": pid, "ts": at, "dur": 500.0}]
    for i in range(5):
        events.append({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": pid, "tid": pid, "ts": at + 10 * i, "dur": 5.0,
                       "args": {"Input Dims": [[2, 3], [3, 4]]}})
    return json.dumps({"schemaVersion": 1, "config": config, "traceEvents": events})


def place(config):
    """Kineto's rules: only below an allowed folder, with _PID before the ending."""
    path, allowed = config["ACTIVITIES_LOG_FILE"], os.environ.get("KINETO_ONDEMAND_TRACE_DIR", "/tmp").rstrip("/") + "/"
    if MODE != "old" and not path.startswith(allowed):
        return "/tmp/libkineto_activities_%d.json" % os.getpid()
    return path.replace(".json", "_%d.json" % os.getpid())


def write(config):
    path, text = place(config), trace(config)
    if MODE == "link":
        with open(path + ".elsewhere", "w") as f:
            f.write(text)
        os.symlink(path + ".elsewhere", path)
    elif MODE == "old":
        with open(path, "w") as f:
            for i in range(0, len(text), 100):
                f.write(text[i:i + 100])
                f.flush()
                time.sleep(0.02)
    else:
        with open(path + ".tmp", "w") as f:
            f.write(text)
        os.rename(path + ".tmp", path)


def noise(sock):
    """Datagrams that no Kineto sends: cut off, with wrong sizes and counts, with names without an end, random bytes."""
    rng = random.Random(7)
    junk = [b"", b"x", message(b"ctxt", b"")[:20], message(b"ctxt", b"1234567"), message(b"req", b""), struct.pack("@N32s", 1 << 62, b"req") + b"\0" * 24,
            struct.pack("@N32s", 16, b"r" * 32) + b"\0" * 16, message(b"what", b"\0" * 64)]
    for n in (-1, 0, 1 << 30, -(1 << 31)):
        junk.append(message(b"req", struct.pack("@iiq2i", ACTIVITIES, n, 0, -5, 1)))
    junk += [bytes(rng.randrange(256) for _ in range(rng.randrange(200))) for _ in range(300)]
    for data in junk:
        try:
            sock.sendto(data, address("dynolog"))
            while True:
                sock.recv(65536)
        except OSError:  # no answer, or the queue is full
            pass


def main():
    if MODE == "flood":
        flood()
        return
    if MODE == "child":
        subprocess.run([sys.executable, sys.argv[0], "once", str(STAY)])
        return
    if MODE == "silent" or "KINETO_USE_DAEMON" not in os.environ:
        time.sleep(STAY)
        return
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    sock.bind(address("dynoconfigclient" + str(uuid.uuid4())))
    sock.settimeout(0.1)
    if MODE == "noise":
        sock.settimeout(0.001)
        while not os.path.exists(address("dynolog")):
            time.sleep(0.01)
        noise(sock)
        sock.settimeout(0.1)
    count = exchange(sock, b"ctxt", struct.pack("@iiq", 0, os.getpid(), 0))
    assert count is None or len(count) == 4
    pids = ancestors()
    what, text = 0 if MODE == "busy" else ACTIVITIES, None
    end = time.time() + STAY
    sock.sendto(b"no message of this protocol", address("dynolog")) if MODE == "once" and count else None
    while not text and time.time() < end:
        text = exchange(sock, b"req", struct.pack("@iiq%di" % len(pids), what, len(pids), 0, *pids))
        time.sleep(0.05)
    if not text:
        return
    print(text.decode(), flush=True)
    if MODE == "die":
        os._exit(3)
    config = dict(line.split("=", 1) for line in text.decode().splitlines())
    time.sleep(float(config.get("ACTIVITIES_DURATION_MSECS", 0)) / 1000)
    if MODE != "nofile":
        write(config)
    time.sleep(STAY if len(sys.argv) > 2 else 0)


main()
