#!/usr/bin/env python3
"""check_cases.py PROGRAM FORMAT FLINK LEFT_OUT: runs the cases of the folder FLINK (tests/flink) over Parquet or Arrow files.

The cases that LEFT_OUT names are not run; each other one must convert, and give the answer that Flink gave over CSV."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import convert_cases
except ImportError as e:
    print('skipped: ' + str(e))
    sys.exit(77)

program, form, flink, left_out_file = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3]), sys.argv[4]
more = sys.argv[5:]
left_out = {}
for line in open(left_out_file):
    name, _, reason = line.partition('#')
    if name.strip():
        left_out[name.strip()] = reason.strip()
names = sorted(os.path.relpath(f, os.path.join(flink, 'cases'))[:-6] for f in glob.glob(os.path.join(flink, 'cases', '*', '*.truth')))
faults = ['%s names no case: %s' % (left_out_file, n) for n in left_out if n not in names]
folder = tempfile.mkdtemp(prefix='oriel-interop-')
number = [0]
converted = 0
try:
    os.mkdir(os.path.join(folder, 'data'))
    shutil.copy(os.path.join(flink, 'check.py'), folder)
    for name in names:
        if name.startswith(('csv/', 'json/')) or name in left_out:
            continue
        os.makedirs(os.path.join(folder, 'cases', os.path.dirname(name)), exist_ok=True)
        try:
            script = convert_cases.convert_script(open(os.path.join(flink, 'cases', name + '.sql')).read(), flink, folder, form, number)
        except convert_cases.CannotConvert as e:
            faults.append('%s cannot be converted and is not left out: %s' % (name, e))
            continue
        converted += 1
        for f in glob.glob(os.path.join(flink, 'cases', name + '.*')):
            shutil.copy(f, os.path.join(folder, 'cases', os.path.dirname(name)))
        open(os.path.join(folder, 'cases', name + '.sql'), 'w').write(script)
    expected = os.path.join(folder, 'expected_failures.txt')
    with open(expected, 'w') as out:
        for line in open(os.path.join(flink, 'expected_failures.txt')):
            if os.path.exists(os.path.join(folder, 'cases', line.split('#')[0].strip() + '.truth')):
                out.write(line)
    for fault in faults:
        print(fault)
    print('%d cases over %d %s files, %d left out' % (converted, number[0], form, len(left_out)), flush=True)
    status = subprocess.run([sys.executable, os.path.join(folder, 'check.py'), '--program', ' '.join([program] + more), '--expected-failures', expected]).returncode
finally:
    shutil.rmtree(folder)
sys.exit(1 if faults or status or not converted else 0)
