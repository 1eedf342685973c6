#!/usr/bin/env python3
"""check_lab.py ORIEL DATAGEN EXAMPLES: the lab's five numbers, three ways.

Runs the seven scripts and the report in a copy of the folder and compares them with the files that are kept there;
takes the five numbers from the `| +I |` lines with awk, and from the CSV in plain Python; all must agree.
"""
import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile

ORIEL, DATAGEN, EXAMPLES = (os.path.abspath(p) for p in sys.argv[1:4])
SCRIPTS = ['assign', 'tumble', 'hop', 'cumulate', 'session', 'top-shops', 'top-orders']
failures = []


def check(what, got, want):
    if got != want:
        failures.append('%s: %r, wanted %r' % (what, got, want))


def awk(program, path):
    return int(subprocess.run(['awk', '-F|', '/^\\| \\+I \\|/ {%s} END {print n + 0}' % program, path], capture_output=True, text=True, check=True).stdout)


def numbers_by_hand(path):
    rows = []
    for line in open(path):
        order_id, shop, amount, ts = line.rstrip('\n').split(',')
        form = '%Y-%m-%d %H:%M:%S.%f' if '.' in ts else '%Y-%m-%d %H:%M:%S'
        moment = datetime.datetime.strptime(ts, form) - datetime.datetime(1970, 1, 1)
        rows.append((shop, round(moment.total_seconds() * 1000)))
    minute = 60000
    hop = sum(1 for _, t in rows for start in range(t - t % (5 * minute), t - 10 * minute, -5 * minute))
    ends = set()
    for _, t in rows:
        start = t - t % (60 * minute)
        ends.update((start, end) for end in range(start + 10 * minute, start + 61 * minute, 10 * minute) if end > t)
    sessions = []
    for shop in {s for s, _ in rows}:
        last = None
        for t in sorted(t for s, t in rows if s == shop):
            if last is None or t - last > 5 * minute:
                sessions.append(0)
            sessions[-1] += 1
            last = t
    return {'orders': len(rows), 'hop_assignments': hop, 'cumulate_windows': len(ends), 'sessions': len(sessions), 'max_session_orders': max(sessions)}


with tempfile.TemporaryDirectory() as folder:
    for name in SCRIPTS + ['report']:
        shutil.copy(os.path.join(EXAMPLES, name + '.sql'), folder)
    subprocess.run([DATAGEN, 'lab', '-o', 'windows_orders.csv'], cwd=folder, check=True)
    same = open(os.path.join(folder, 'windows_orders.csv'), 'rb').read() == open(os.path.join(EXAMPLES, 'windows_orders.csv'), 'rb').read()
    check('windows_orders.csv is what oriel-datagen lab writes', same, True)
    for name in SCRIPTS:
        out = subprocess.run([ORIEL, '-f', name + '.sql'], cwd=folder, capture_output=True, check=True).stdout
        open(os.path.join(folder, name + '.out'), 'wb').write(out)
        check(name + '.out is what the script prints', open(os.path.join(EXAMPLES, name + '.out'), 'rb').read() == out, True)
    report = subprocess.run([ORIEL, '--format', 'json', '-f', 'report.sql'], cwd=folder, capture_output=True, check=True, text=True).stdout
    check('report.json', open(os.path.join(EXAMPLES, 'report.json')).read(), report)
    by_awk = {
        'orders': awk('n += $6', os.path.join(folder, 'tumble.out')),
        'hop_assignments': awk('n += $5', os.path.join(folder, 'hop.out')),
        'cumulate_windows': awk('n++', os.path.join(folder, 'cumulate.out')),
        'sessions': awk('n++', os.path.join(folder, 'session.out')),
        'max_session_orders': awk('if ($6 > n) n = $6 + 0', os.path.join(folder, 'session.out')),
    }
    by_hand = numbers_by_hand(os.path.join(folder, 'windows_orders.csv'))
    check('numbers by awk', by_awk, by_hand)
    check('numbers by SQL', json.loads(report), by_hand)
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
