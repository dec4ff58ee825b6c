"""python -m tracetty ARGUMENTS: the program, where its folder is not on the PATH."""
import os
import sys

from .program import find_program

if __name__ == "__main__":
    program = find_program()
    os.execv(program, [program] + sys.argv[1:])
