#!/usr/bin/env python3
"""extract_example.py HEADER OUTPUT: writes the C program in the first comment of HEADER to OUTPUT."""
import re
import sys

comment = re.match(r'/\*(.*?)\*/', open(sys.argv[1]).read(), re.S).group(1)
lines = [line[2:] for line in comment.split('\n')]
code = [line[5:] for line in lines if line.startswith('     ') or not line.strip()]
with open(sys.argv[2], 'w') as out:
    out.write('\n'.join(code).strip() + '\n')
