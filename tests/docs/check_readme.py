#!/usr/bin/env python3
"""check_readme.py ORIEL ROOT: what README shows is what happens.

The terminal session: the script is the file, and every line of output that README shows stands in what the script prints, in that order.
The C program is the one of oriel.h, which is compiled and run elsewhere.
"""
import os
import re
import subprocess
import sys

ORIEL, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
README = open(os.path.join(ROOT, 'README.md')).read()
LAB = os.path.join(ROOT, 'examples', 'lab')


def blocks(text):
    """The indented blocks, without their indent."""
    found, block = [], []
    for line in text.split('\n') + ['end']:
        if line.startswith('    '):
            block.append(line[4:])
        elif not line and block:
            block.append('')
        elif block:
            found.append('\n'.join(block).rstrip())
            block = []
    return found


def check_session():
    session = next(b for b in blocks(README) if 'cat tumble.sql' in b)
    script, _, shown = session.partition('$ cat tumble.sql\n')[2].partition('$ ../../build/oriel -f tumble.sql\n')
    squeeze = lambda text: re.sub(r'\n+', '\n', text.strip())
    if squeeze(script) != squeeze(open(os.path.join(LAB, 'tumble.sql')).read()):
        return 'the script that README shows is not examples/lab/tumble.sql'
    printed = subprocess.run([ORIEL, '-f', 'tumble.sql'], cwd=LAB, capture_output=True, text=True, check=True).stdout.split('\n')
    at = 0
    for line in shown.split('\n'):
        if line == '...':
            continue
        if line not in printed[at:]:
            return 'README shows a line that tumble.sql does not print: ' + line
        at = printed.index(line, at) + 1
    if not shown.strip():
        return 'README shows no output'


def check_program():
    comment = re.match(r'/\*(.*?)\*/', open(os.path.join(ROOT, 'include', 'oriel', 'oriel.h')).read(), re.S).group(1)
    lines = [line[2:] for line in comment.split('\n')]
    code = '\n'.join(line[5:] for line in lines if line.startswith('     ') or not line.strip()).strip()
    if code not in blocks(README):
        return 'the C program of README is not that of include/oriel/oriel.h'


faults = [fault for fault in (check_session(), check_program()) if fault]
print('\n'.join(faults))
sys.exit(1 if faults else 0)
