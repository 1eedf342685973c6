#!/usr/bin/env python3
"""check_nexmark.py ORIEL DATAGEN EXAMPLES: on 100,000 events the scripts give Flink's rows (answers.json, written by freeze.py).

Also: the generator's bytes, proportions and skew, and the same output for one thread and several. A query that cannot pass yet
is named in EXPECTED_FAILURES with what it waits for; one that passes must leave it.
"""
import collections
import csv
import json
import os
import subprocess
import sys
import tempfile

from nexmark_rows import FILES, describe, digest, file_digest, final_rows, make_folder, script_names

ORIEL, DATAGEN, EXAMPLES = (os.path.abspath(p) for p in sys.argv[1:4])
HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED_FAILURES = {}
failures = []


def check(what, got, want):
    if got != want:
        failures.append('%s: %r, wanted %r' % (what, got, want))


def near(what, got, low, high):
    if not low <= got <= high:
        failures.append('%s: %.4f, wanted %.4f to %.4f' % (what, got, low, high))


def rows_of(folder, name):
    with open(os.path.join(folder, name), newline='') as file:
        return list(csv.reader(file))


def check_model(folder):
    """The proportions and the skew of the published benchmark."""
    persons, auctions, bids = (rows_of(folder, name) for name in FILES)
    check('events of each kind', (len(persons), len(auctions), len(bids)), (2000, 6000, 92000))
    check('columns', [{len(row) for row in rows} for rows in (persons, auctions, bids)], [{8}, {10}, {7}])
    check('person ids', [int(row[0]) for row in persons], list(range(1000, 3000)))
    check('auction ids', [int(row[0]) for row in auctions], list(range(1000, 7000)))
    for rows, column in ((persons, 6), (auctions, 5), (bids, 5)):
        times = [row[column] for row in rows]
        check('times in order', times == sorted(times), True)
        check('time of the first second', times[0][:19], '2024-12-31 23:59:55')
        check('time of the last second', times[-1][:19], '2025-01-01 00:01:34')
    check('auctions end after they begin', all(row[6] > row[5] for row in auctions), True)
    near('share of hot auctions', sum(int(row[0]) % 100 == 0 for row in bids) / len(bids), 0.50, 0.515)
    near('share of hot bidders', sum(int(row[1]) % 100 == 1 for row in bids) / len(bids), 0.75, 0.76)
    near('share of hot sellers', sum(int(row[7]) % 100 == 0 for row in auctions) / len(auctions), 0.74, 0.78)
    channels = collections.Counter(row[3] for row in bids)
    near('share of hot channels', sum(channels[name] for name in ('Google', 'Facebook', 'Baidu', 'Apple')) / len(bids), 0.49, 0.51)
    check('categories', sorted({row[8] for row in auctions}), ['10', '11', '12', '13', '14'])
    prices = sorted(int(row[2]) for row in bids)
    near('lowest price', prices[0], 100, 105)
    near('median price', prices[len(prices) // 2], 95000, 110000)
    near('highest price', prices[-1], 99000000, 100000000)
    near('bytes of extra', sum(len(row[6]) for row in bids) / len(bids), 66, 69)


def check_prefix(folder):
    """Fewer events are the first of more."""
    few = os.path.join(folder, 'few')
    subprocess.run([DATAGEN, 'nexmark', '--events', '1234', '--rate', '1000', '-o', few], check=True)
    for name in FILES:
        with open(os.path.join(few, name), 'rb') as short, open(os.path.join(folder, 'data', name), 'rb') as long:
            text = short.read()
            check('fewer events of ' + name, text == long.read(len(text)), True)


def difference(got, want):
    places = [name for name, value in want['columns'].items() if got['columns'].get(name) != value]
    return '%d rows, wanted %d; columns that differ: %s' % (got['rows'], want['rows'], ', '.join(places) or 'none apart')


def check_query(folder, name, want):
    script = os.path.join('scripts', name + '.sql')
    runs = [subprocess.run([ORIEL, '--threads', threads, '-f', script], cwd=folder, capture_output=True) for threads in ('1', '2')]
    if runs[0].returncode != 0:
        return runs[0].stderr.decode()[:300]
    if runs[0].stdout != runs[1].stdout:
        return 'one thread and two differ'
    columns, rows = final_rows(runs[0].stdout.decode())
    lines = ['|'.join(row) for row in rows]
    if columns != list(want['columns']):
        return 'columns %s, wanted %s' % (columns, list(want['columns']))
    if digest(lines) == want['digest']:
        return None
    if 'result' in want:
        return 'extra %s, missing %s' % ([x for x in lines if x not in want['result']][:2], [x for x in want['result'] if x not in lines][:2])
    return difference(describe(columns, rows), want)


def main():
    with open(os.path.join(HERE, 'answers.json')) as file:
        answers = json.load(file)
    check('scripts with an answer', script_names(EXAMPLES), list(answers['queries']))
    with tempfile.TemporaryDirectory() as folder:
        make_folder(DATAGEN, EXAMPLES, folder)
        for name in FILES:
            check('digest of ' + name, file_digest(os.path.join(folder, 'data', name)), answers['files'][name])
        check_model(os.path.join(folder, 'data'))
        check_prefix(folder)
        for name, want in answers['queries'].items():
            problem = check_query(folder, name, want)
            if name in EXPECTED_FAILURES:
                problem = None if problem else 'passes now: take it off EXPECTED_FAILURES'
            if problem:
                failures.append('%s: %s' % (name, problem))
    for failure in failures:
        print(failure)
    print('%d failures' % len(failures))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
