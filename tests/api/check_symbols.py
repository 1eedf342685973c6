#!/usr/bin/env python3
"""check_symbols.py NM OBJDUMP LIBRARY HEADER ...: what the library defines.

Every function that a public header declares is there and nothing else: what the layers give each other must not meet
the names of a program. No name is defined twice: a static library would take whichever comes first without a word.
There is no variable that could be written: engines share nothing.
"""
import re
import subprocess
import sys

nm, objdump, library, headers = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
is_shared = '.so' in library or library.endswith('.dylib')
listing = subprocess.run([nm, '-D' if is_shared else '-g', '--defined-only', library], capture_output=True, text=True, check=True).stdout
names = [parts[-1] for parts in map(str.split, listing.split('\n')) if len(parts) == 3 and parts[1] in 'TDBRV']
faults = ['%s is defined twice' % name for name in sorted(set(names)) if names.count(name) > 1]
if not is_shared:
    table = subprocess.run([objdump, '-t', library], capture_output=True, text=True, check=True).stdout
    variables = re.findall(r'^\S+ .{7} (?:\.data|\.bss|\.tdata|\.tbss|\*COM\*)\s+(\S+)\s+(\S+)$', table, flags=re.M)
    assert 'oriel_engine_open' in table and '.rodata' in table
    faults += ['%s is a variable of the library' % name for size, name in variables if int(size, 16)]
declared = set()
for header in headers:
    text = re.sub(r'/\*.*?\*/', '', open(header).read(), flags=re.S)
    declared |= set(re.findall(r'ORIEL_API\b[^;]*?\b(oriel_\w+)\s*\(', text))
faults += ['%s is declared in a header, but not defined' % name for name in sorted(declared - set(names))]
faults += ['%s is exported, but no header declares it' % name for name in sorted(set(names) - declared)]
if len(declared) < 20:
    faults.append('only %d declarations were found in %s' % (len(declared), headers))
print('\n'.join(faults) or '%d names, %d of them public' % (len(names), len(declared)))
sys.exit(1 if faults else 0)
