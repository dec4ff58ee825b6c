#!/usr/bin/env bash
# What the library that programs load needs of the system, and what it offers: see symbols.py.
. "$(dirname "$0")/_lib.sh"
python3 tests/capture/symbols.py
