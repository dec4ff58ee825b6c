"""Makes binary traces from text, for the cases of check.py.

NAME.pb.json becomes NAME.pb, a protobuf message: a list of [field, value]; a value is a whole number, a text,
{"float": x} or a message.
NAME.ttspool.json becomes NAME.ttspool, a recording (capture/format/spool.h): a list of objects, one for each record,
with its members and times in microseconds after the first; missing members are 0. "stack": kind, ts, tid, text.
NAME.pickle.json becomes NAME.pickle with the same data."""
import json
import os
import pickle
import struct

# ---- protobuf

def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def message(fields):
    """The bytes of a message: integers as varints, {"float": x} as four bytes, texts and messages with their length."""
    out = b""
    for field, value in fields:
        if isinstance(value, int):
            out += varint(field << 3) + varint(value)
        elif isinstance(value, dict):
            out += varint(field << 3 | 5) + struct.pack("<f", value["float"])
        else:
            body = value.encode("utf-8") if isinstance(value, str) else message(value)
            out += varint(field << 3 | 2) + varint(len(body)) + body
    return out


# ---- recordings

EPOCH = 1700000000 * 10**9
META, STRING, STACK = 1, 2, 27
RECORDS = {  # type: members after the header, as letters of struct; "a" of the header is the name, or corr
    "range": (3, "qqIHHIIQ", "start end tid cat flags seq shapes external"),
    "state": (9, "q", "ts"),
    "api": (11, "qqIIIHHQ", "start end tid corr cbid kind status external"),
    "kernel": (12, "qqqIIIIiiiiiiIIIIQIIq", "start end queued device context stream corr grid_x grid_y grid_z block_x block_y block_z "
               "registers shared_static shared_dynamic graph graph_node channel reserved submitted"),
    "copy": (13, "qqQIIIIQIIIBBBB", "start end bytes device context stream graph graph_node value peer_from peer_to copy_kind src_kind "
             "dst_kind is_async"),
    "memory": (17, "qQqqIIIIqQQQ", "ts addr bytes allocated device tid corr kind held pool pool_size pool_used"),
    "device": (18, "QIIIIIIIIIIIIII", "memory_bytes id major minor sms warp_size threads_per_block warps_per_sm blocks_per_sm regs_per_block "
               "regs_per_sm shared_per_block shared_per_sm shared_optin reserved"),
    "end": (22, "q", "ts"),
}
TIMES = ("start", "end", "ts")


def record(kind, a, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("=HHI", kind, 8 + len(body), a) + body


def text(kind, a, data):
    return record(kind, a, struct.pack("=II", len(data), 0) + data)


def checksum(data):
    """The checksum of the records, like tt_spool_sum() of capture/format/spool.h."""
    a, mask = 0x9E3779B97F4A7C15 ^ len(data), (1 << 64) - 1
    for (word,) in struct.iter_unpack("=Q", data):
        a = (a ^ word) * 0xFF51AFD7ED558CCD & mask
        a ^= a >> 29
    b = 0xC2B2AE3D27D4EB4F ^ a
    return (b ^ b >> 32) & 0xFFFFFFFF


def recording(records):
    """A recording of one block."""
    body, names = text(META, 0, b"baseTimeNanoseconds\0%d" % EPOCH), {}
    for r in records:
        if r["record"] == "meta":
            body += text(META, 0, ("%s\0%s" % (r["key"], json.dumps(r["value"]))).encode("utf-8"))
            continue
        if r["record"] == "stack":
            frames = r["text"].encode("utf-8")
            body += record(STACK, r["kind"], struct.pack("=qII", EPOCH + 1000 * r["ts"], r["tid"], len(frames)) + frames)
            continue
        kind, letters, members = RECORDS[r["record"]]
        unknown = set(r) - set(members.split()) - {"record", "name", "corr", "on"}
        if unknown:
            raise ValueError("%s has no %s" % (r["record"], ", ".join(sorted(unknown))))
        a = r.get("on", 0) if "name" not in r else names.setdefault(r["name"], len(names) + 1)
        if "name" in r and a == len(names):
            body += text(STRING, a, r["name"].encode("utf-8"))
        if r["record"] == "copy":
            a = r["corr"]
        values = [EPOCH + 1000 * r.get(m, 0) if m in TIMES else r.get(m, 0) for m in members.split()]
        body += record(kind, a, struct.pack("=" + letters, *values))
    return struct.pack("=4sIII", b"TTB1", len(body), checksum(body), 0) + body


def snapshot(data):
    """A memory snapshot in torch's form."""
    return pickle.dumps(data, protocol=4)


FORMATS = {".pb.json": message, ".ttspool.json": recording, ".pickle.json": snapshot}


def ready(case, name, folder):
    """The path to open for a trace of a case; binary traces are made in another folder."""
    for ending, encode in FORMATS.items():
        if name.endswith(ending):
            made = os.path.join(folder, name[:-len(".json")].replace("../", "").replace("/", "_"))  # belongs to another case: "../CASE/NAME"
            with open(os.path.join(case, name), encoding="utf-8") as f, open(made, "wb") as out:
                out.write(encode(json.load(f)))
            return made
    return name
