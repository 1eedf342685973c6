#!/usr/bin/env python3
"""check_sql.py ORIEL ROOT: docs/sql.md is true.

Each line of its tables has a state; yes and differs name tests that exist and are not expected to fail, and a ruling that exists; no says what happens.
Functions marked yes are known to the program, and all that the program knows stand there, not marked no."""
import glob
import os
import re
import subprocess
import sys

ORIEL, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CASES = os.path.join(ROOT, 'tests', 'flink', 'cases')
LINE = re.compile(r'^\| (.+) \| (.+?) \| (.*) \|$')
KNOWN = {'POS': '+x', 'NEG': '-x', '[]': 'a[n], m[k]', '.': 'r.f, r.*', 'ARRAY': 'ARRAY[x, ...]', 'MAP': 'MAP[k, v, ...]', 'OVERLAPS': '(a, b) OVERLAPS (c, d)', 'MINUS': '(a - b) unit'}
faults = []


def read(*path):
    with open(os.path.join(ROOT, *path), encoding='utf-8') as f:
        return f.read()


def names_of(cell):
    """The names of functions that the first cell of a line gives."""
    for text in re.findall(r'`([^`]+)`', cell.replace('\\|', '|')):
        if text in KNOWN.values():
            yield next(name for name, shown in KNOWN.items() if shown == text)
        elif re.match(r'[A-Z_0-9]+(?![\w*])( \.\.\.|\(|$)', text):
            yield re.match(r'[A-Z_0-9]+', text).group()
        else:  # an operator: the words between its operands
            yield re.sub(r'^(x|s) ', '', re.sub(r' (y|p|a AND b|\(a, b, \.\.\.\))?( ?\[.*)?$', '', text)).removesuffix(' x')


def functions_of_program():
    """-> names in the tables of functions and aggregates, names that are there only to be refused"""
    names, refused = set(), set()
    for path in glob.glob(os.path.join(ROOT, 'engine', 'functions', '*.c')):
        text = read(path)
        for table in re.findall(r'^(?:static )?const struct oriel_(?:function|aggregate) \w+\[\] = \{\n(.*?)^\};', text, re.S | re.M):
            found = re.findall(r'^    (?:(?:UNAVAILABLE|BITMAP)\(|\{\s*)"([^"]+)"', table, re.M)
            (refused if os.path.basename(path) == 'unavailable.c' else names).update(found)
    return names, refused | {'PROCTIME'}


def is_known(name):
    """A name that is not known gives this sentence, whatever its arguments are."""
    said = subprocess.run([ORIEL, '-e', 'SELECT %s(1, 1, 1, 1, 1, 1, 1)' % name], capture_output=True, text=True).stderr
    return 'No match found' not in said and 'is not supported' not in said and 'cannot be run' not in said and 'that there is not' not in said


def check_tests(number, state, cell):
    failing = {line.split('#')[0].strip() for line in read('tests', 'flink', 'expected_failures.txt').split('\n')}
    tests = [t for t in re.findall(r'`([a-z][\w./]*/[\w.-]+)`', cell)]
    for test in tests:
        path = os.path.join(ROOT, test) if test.startswith('tests/') else os.path.join(CASES, test + '.sql')
        if not os.path.isfile(path):
            faults.append('line %d: the test %s does not exist' % (number, test))
        if test in failing:
            faults.append('line %d: the test %s is expected to fail' % (number, test))
    if state != 'no' and not tests:
        faults.append('line %d: %s, but no test is named' % (number, state))
    if state == 'no' and not cell.strip():
        faults.append('line %d: no, but what is said is missing' % number)


rulings = re.findall(r'^(\d+)\. ', read('tests', 'flink', 'README.md').partition('## Rulings')[2].partition('## Facts')[0], re.M)
heading, stated = '', {}
for number, line in enumerate(read('docs', 'sql.md').split('\n'), 1):
    if line.startswith('## '):
        heading = line[3:]
    m = LINE.match(line)
    if not m or m.group(2) in ('state', '---'):
        continue
    state = m.group(2)
    ruling = re.fullmatch(r'differs \((\d+)\)', state)
    if state not in ('yes', 'no') and not (ruling and ruling.group(1) in rulings):
        faults.append('line %d: the state %s is none of yes, no, differs (a ruling)' % (number, state))
    check_tests(number, state, m.group(3))
    if heading in ('Functions', 'Aggregates'):
        for name in names_of(m.group(1)):
            stated.setdefault(name, set()).add(state)

known, refused = functions_of_program()
if len(known) < 150:
    faults.append('only %d functions were found in engine/functions' % len(known))
for name in sorted(known | refused):
    if name not in stated:
        faults.append('the program knows %s, which docs/sql.md does not have' % name)
    elif ('no' in stated[name]) != (name in refused):
        faults.append('docs/sql.md marks %s %s' % (name, 'no, but the program knows it' if name not in refused else 'yes, but the program refuses it'))
for name in sorted(set(stated) - known):
    if 'no' not in stated[name] and re.fullmatch(r'[A-Z_0-9]+', name) and name not in ('ROW_NUMBER', 'RANK', 'DENSE_RANK') and not is_known(name):
        faults.append('docs/sql.md marks %s yes, but the program does not know it' % name)
if is_known('NO_SUCH_FUNCTION') or not is_known('ABS'):
    faults.append('the check cannot tell an unknown function')
print('\n'.join(faults) if faults else '%d functions, all true' % len(stated))
sys.exit(1 if faults else 0)
