"""Databases of profilers, written from the descriptions of their formats, without any reader: capture.py holds a
program's work in terms of no format, nsys.py, rocpd.py and rpd.py write it like each profiler, sql.py creates the
file."""
