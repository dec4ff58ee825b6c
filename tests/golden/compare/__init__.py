"""The second implementation of comparing two runs; compare.py is its command."""
