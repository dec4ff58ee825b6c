"""Reads an XSpace (*.xplane.pb) for tests: a decoder of its own, which shares nothing with parser/xplane.

Everything is turned into plain dictionaries; maps are looked at after all of a plane is read, and times are exact
fractions of picoseconds, so what a test computes of them is independent of the order of fields and of rounding."""
import gzip
import struct


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value & (2**64 - 1), at


def fields(data):
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = data[at:at + 8], at + 8
        elif kind == 5:
            value, at = data[at:at + 4], at + 4
        elif kind == 2:
            n, at = varint(data, at)
            value, at = data[at:at + n], at + n
            if len(value) < n:
                raise ValueError("cut off")
        else:
            raise ValueError(f"wire type {kind}")
        yield tag >> 3, value


def signed(value):
    return value - 2**64 if value >= 2**63 else value


def text(value):
    return bytes(value).decode("utf-8", "replace")


def stat(data):
    """(id of the name, kind, value); kind: double, uint, int, str, bytes, ref."""
    key, kind, value = 0, None, None
    for number, v in fields(data):
        if number == 1:
            key = signed(v)
        elif number == 2:
            kind, value = "double", struct.unpack("<d", v)[0]
        elif number == 3:
            kind, value = "uint", v
        elif number == 4:
            kind, value = "int", signed(v)
        elif number == 5:
            kind, value = "str", text(v)
        elif number == 6:
            kind, value = "bytes", bytes(v)
        elif number == 7:
            kind, value = "ref", signed(v)
    return key, kind, value


def entry(data):
    key, value = 0, b""
    for number, v in fields(data):
        if number == 1:
            key = signed(v)
        elif number == 2:
            value = v
    return key, value


def event_metadata(data):
    m = {"name": "", "display_name": "", "stats": []}
    for number, v in fields(data):
        if number == 2:
            m["name"] = text(v)
        elif number == 4:
            m["display_name"] = text(v)
        elif number == 5:
            m["stats"].append(stat(v))
    return m


def event(data):
    e = {"metadata": 0, "offset_ps": 0, "duration_ps": 0, "occurrences": None, "stats": []}
    for number, v in fields(data):
        if number == 1:
            e["metadata"] = signed(v)
        elif number == 2:
            e["offset_ps"], e["occurrences"] = signed(v), None
        elif number == 3:
            e["duration_ps"] = signed(v)
        elif number == 4:
            e["stats"].append(stat(v))
        elif number == 5:
            e["occurrences"] = signed(v)
    return e


def line(data):
    r = {"id": 0, "name": "", "display_name": "", "timestamp_ns": 0, "events": []}
    for number, v in fields(data):
        if number == 1:
            r["id"] = signed(v)
        elif number == 2:
            r["name"] = text(v)
        elif number == 3:
            r["timestamp_ns"] = signed(v)
        elif number == 4:
            r["events"].append(event(v))
        elif number == 11:
            r["display_name"] = text(v)
    return r


def plane(data):
    p = {"id": 0, "name": "", "lines": [], "events": {}, "stat_names": {}, "stats": []}
    for number, v in fields(data):
        if number == 1:
            p["id"] = signed(v)
        elif number == 2:
            p["name"] = text(v)
        elif number == 3:
            p["lines"].append(line(v))
        elif number == 4:
            key, value = entry(v)
            p["events"][key] = event_metadata(value)
        elif number == 5:
            key, value = entry(v)
            p["stat_names"][key] = next((text(x) for n, x in fields(value) if n == 2), "")
        elif number == 6:
            p["stats"].append(stat(v))
    return p


def named(p, stats):
    """Stats as {name: value}; references are resolved."""
    out = {}
    for key, kind, value in stats:
        out[p["stat_names"].get(key, f"stat {key}")] = p["stat_names"].get(value, "") if kind == "ref" else value
    return out


def read(path):
    """The planes in the order of the file. args() has all stats of an event."""
    with open(path, "rb") as f:
        data = f.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return [plane(v) for number, v in fields(data) if number == 1]


def args(p, e):
    """Stats of the event, over those of its kind."""
    return {**named(p, p["events"].get(e["metadata"], {"stats": []})["stats"]), **named(p, e["stats"])}


def name_of(p, e):
    m = p["events"].get(e["metadata"])
    return m["display_name"] or m["name"] if m else f"event {e['metadata']}"


def ns(ps):
    """To the nearest nanosecond, halves up."""
    return (ps + 500) // 1000
