#!/usr/bin/env python3
"""join_objects.py ARCHIVE OUTPUT OBJCOPY AR -- COMPILER ...: makes one object of ARCHIVE and archives it as OUTPUT.

Names that only the layers give each other become local, so a program that links the static library sees the same
names as one that links the shared library, and none of them can meet a name of its own.
"""
import os
import subprocess
import sys
import tempfile

archive, output, objcopy, ar = sys.argv[1:5]
compiler = sys.argv[6:]
with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(output))) as folder:
    joined = os.path.join(folder, 'oriel.o')
    whole = ['-Wl,--whole-archive', archive, '-Wl,--no-whole-archive']
    subprocess.run(compiler + ['-r', '-nostdlib', '-o', joined] + whole, check=True)
    subprocess.run([objcopy, '--localize-hidden', joined], check=True)
    if os.path.exists(output):
        os.remove(output)
    subprocess.run([ar, 'rcs', output, joined], check=True)
