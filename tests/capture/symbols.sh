#!/usr/bin/env bash
# Needs and exports of the library that programs load: see symbols.py.
. "$(dirname "$0")/_lib.sh"
python3 tests/capture/symbols.py
