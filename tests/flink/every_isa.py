#!/usr/bin/env python3
"""every_isa.py PROGRAM CHECK [ARG ...]: runs check.py once for each instruction set that PROGRAM lists."""
import subprocess
import sys

program, check, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
listed = subprocess.run([program, '--list-isas'], capture_output=True, text=True, check=True).stdout
names = [line.split()[0] for line in listed.splitlines() if line.strip()]
if 'reference' not in names:
    sys.exit('--list-isas does not name reference: ' + listed)
failed = []
for name in names:
    print('== ' + name, flush=True)
    if subprocess.run([sys.executable, check, '--program', '%s --isa %s' % (program, name)] + rest).returncode:
        failed.append(name)
print('%d passed, %d failed' % (len(names) - len(failed), len(failed)))
sys.exit(1 if failed else 0)
