"""Databases of profilers, written from what their formats say and from no reader: capture.py holds a program's work in words of none of them,
nsys.py, rocpd.py and rpd.py write it as each profiler does, sql.py makes the file."""
