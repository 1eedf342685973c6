#!/usr/bin/env python3
"""run_example.py PROGRAM: runs the example of oriel.h in a folder with its orders.csv and compares what it prints."""
import os
import subprocess
import sys
import tempfile

ORDERS = '1,seoul,10,2024-01-01 09:01:00\n2,busan,20,2024-01-01 09:04:00\n3,seoul,30,2024-01-01 09:12:00\n'
EXPECTED = '1704099600000 30\n1704100200000 30\n'

with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, 'orders.csv'), 'w') as file:
        file.write(ORDERS)
    run = subprocess.run([os.path.abspath(sys.argv[1])], cwd=folder, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, EXPECTED, ''), run
    os.remove(os.path.join(folder, 'orders.csv'))
    run = subprocess.run([os.path.abspath(sys.argv[1])], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 1 and run.stderr.startswith('example:1: ') and 'orders.csv' in run.stderr, run
