#!/usr/bin/env python3
"""run_tests.py EXTENSION PACKAGE TESTS: the Python package's tests over a package that is put together from its parts."""
import os
import subprocess
import sys
import tempfile

extension, package, tests = map(os.path.abspath, sys.argv[1:4])
with tempfile.TemporaryDirectory() as folder:
    os.mkdir(os.path.join(folder, 'oriel'))
    for name in os.listdir(package):
        if name != '__pycache__':
            os.symlink(os.path.join(package, name), os.path.join(folder, 'oriel', name))
    os.symlink(extension, os.path.join(folder, 'oriel/_oriel.abi3.so'))
    environment = {**os.environ, 'PYTHONPATH': folder, 'PYTHONDONTWRITEBYTECODE': '1'}
    run = subprocess.run([sys.executable, '-m', 'unittest', 'discover', '-s', tests], env=environment)
sys.exit(run.returncode)
