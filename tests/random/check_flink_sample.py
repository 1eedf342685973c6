#!/usr/bin/env python3
"""check_flink_sample.py ORIEL: random queries whose rows Flink gave (ask_flink.py); Oriel must give the same rows.

A file of flink_sample/ is one script: its tables, and for each query the columns with their tolerance and Flink's rows as it prints them.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FLINK = os.path.join(HERE, '..', 'flink')
sys.path.insert(0, FLINK)
import check  # noqa: E402  (tests/flink/check.py)

WIDE = "SET 'table.display.max-column-width' = '200';"


def final_rows(header, rows):
    """-> (names, rows) of a printed table; what a changelog takes back is taken out."""
    names, found = check.drop_op(header, rows)
    out = []
    for op, row in found:
        if op in (None, '+I', '+U'):
            out.append(row)
        else:
            out.reverse()
            out.remove(row)
            out.reverse()
    return names, out


def same_cell(a, b, tolerance):
    x, y = check.number(a), check.number(b)
    return a == b or bool(tolerance) and x is not None and y is not None and abs(x - y) <= tolerance * max(1.0, abs(x), abs(y))


def same_rows(got, want, tolerances):
    """As multisets: exact columns sort, the others follow."""
    def key(row):
        return [c for c, t in zip(row, tolerances) if not t], [check.number(c) or 0.0 for c, t in zip(row, tolerances) if t]
    return len(got) == len(want) and all(len(g) == len(w) and all(same_cell(*c) for c in zip(g, w, tolerances)) for g, w in zip(sorted(got, key=key), sorted(want, key=key)))


def run(oriel, sample):
    """-> [(names, rows)] or the message of an error"""
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in sample['files'].items():
            with open(os.path.join(folder, name), 'w', encoding='utf-8', newline='') as file:
                file.write('\n'.join(lines) + ('\n' if lines else ''))
        statements = [WIDE] + sample['ddl'] + [s for q in sample['queries'] for s in q['prelude'] + [q['sql'] + ';']]
        done = subprocess.run([oriel, '-f', '-'], input='\n'.join(statements).encode(), cwd=folder, capture_output=True, timeout=120)
    if done.returncode:
        return done.stderr.decode('utf-8', 'replace')
    results, _ = check.parse(done.stdout.decode('utf-8', 'replace'))
    return [final_rows(r[1], r[2]) if r[1] else (None, []) for r in results]


def differences(results, sample):
    if isinstance(results, str):
        return [results]
    if len(results) != len(sample['queries']):
        return ['%d results, wanted %d' % (len(results), len(sample['queries']))]
    out = []
    for (names, rows), query in zip(results, sample['queries']):
        if names and names != query['names'] or not same_rows(rows, query['rows'], query['tolerances']):
            extra, missing = [r for r in rows if r not in query['rows']][:2], [r for r in query['rows'] if r not in rows][:2]
            out.append('%d rows, wanted %d; missing %s; extra %s\n  %s %s' % (len(rows), len(query['rows']), missing, extra, ' '.join(query['prelude']), query['sql']))
    return out


def main():
    oriel, count, failed = os.path.abspath(sys.argv[1]), 0, 0
    for path in sorted(glob.glob(os.path.join(HERE, 'flink_sample', '*.json'))):
        with open(path, encoding='utf-8') as file:
            sample = json.load(file)
        found = differences(run(oriel, sample), sample)
        count, failed = count + len(sample['queries']), failed + len(found)
        for text in found:
            print('%s: %s' % (os.path.basename(path), text))
    print('%d queries have the rows of Flink, %d differ' % (count - failed, failed))
    return 1 if failed or not count else 0


if __name__ == '__main__':
    sys.exit(main())
