#!/usr/bin/env python3
"""check_random.py ORIEL [--cases N] [--seed S] [--case K]: random windows over random rows, against model.py.

Each case makes a file of rows (NULLs, equal times, disorder, times before 1970, awkward strings) and a query, and compares what
Oriel writes, byte for byte and in order, with the model; then runs it again with other thread counts, batch sizes, instruction sets and
a small memory limit, which must give the same bytes.
"""
import argparse
import datetime
import os
import random
import subprocess
import sys
import tempfile

import model

SECOND, MINUTE, HOUR, DAY = 1000, 60000, 3600000, 86400000
EPOCH = datetime.datetime(1970, 1, 1)
DDL = """CREATE TABLE t (place INT, shop STRING, kind INT, amount INT, big BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv', 'csv.null-literal' = 'NULL');
"""


def time_text(ms):
    moment = EPOCH + datetime.timedelta(milliseconds=ms)
    return moment.strftime('%Y').rjust(4, '0') + moment.strftime('-%m-%d %H:%M:%S') + '.%03d' % (ms % 1000)


def make_rows(rnd):
    count = rnd.choice([0, 1, 2, 10, 100, 1000, 5000])
    base = rnd.choice([0, -3 * HOUR, 1709210000000, -2208988800000, 253370764800000])
    span = rnd.choice([SECOND, MINUTE, HOUR, DAY, 40 * DAY])
    shops = [rnd.choice(['', 'a', 'b', 'shop', 'twelve bytes', 'thirteen byte', 'a longer name of a shop, quoted', 'say "hi"', '한글 가게', 'e\u0301', 'x' * 40 + str(i)]) + ('' if rnd.random() < 0.3 else str(i))
             for i in range(rnd.choice([1, 3, 20, 400]))]
    nulls = rnd.choice([0, 0, 0.1, 0.9])
    some = lambda value: None if rnd.random() < nulls else value
    times = [base + rnd.randrange(span) for _ in range(count)]
    if rnd.random() < 0.7:
        times.sort()
        for i in range(count):
            if rnd.random() < 0.1:
                times[i] = max(base, times[i] - rnd.randrange(span // 10 + 1))
    if rnd.random() < 0.5:
        times = [t - t % rnd.choice([10, SECOND, MINUTE]) for t in times]
    big = rnd.choice([1000, 2 ** 62])
    return [{'place': i, 'shop': some(rnd.choice(shops)), 'kind': some(rnd.randrange(5)), 'amount': some(rnd.randrange(-1000, 2 ** rnd.choice([10, 31]) - 1)),
             'big': some(rnd.randrange(-big, big)), 'ts': t} for i, t in enumerate(times)]


def field(value):
    if value is None:
        return 'NULL'
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n') else text


def write_rows(path, rows):
    with open(path, 'w', encoding='utf-8', newline='') as f:
        for r in rows:
            f.write(','.join([field(r['place']), field(r['shop']), field(r['kind']), field(r['amount']), field(r['big']), time_text(r['ts'])]) + '\n')


def make_window(rnd, span_hint):
    unit = rnd.choice([1, 7, SECOND, 10 * SECOND, MINUTE, HOUR, DAY])
    unit = max(unit, span_hint // 500)
    kind = rnd.choice(['TUMBLE', 'HOP', 'CUMULATE', 'SESSION'])
    slide = unit * rnd.randrange(1, 4)
    size = slide * rnd.choice([1, 2, 3, 7, 12])
    offset = rnd.choice([0, 0, 1, -1]) * rnd.randrange(size)
    if kind == 'SESSION':
        return model.Window(kind, slide, keys=rnd.choice([(), ('shop',), ('kind',), ('shop', 'kind')]))
    return model.Window(kind, slide if kind == 'TUMBLE' else size, slide, offset if kind != 'TUMBLE' else offset % slide)


def out_value(value):
    if value is None:
        return ''
    text = str(value)
    if text == '':
        return '""'
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n\r') else text


def expected(header, rows):
    lines = [','.join(header)]
    for row in rows:
        lines.append(','.join([time_text(row[0]), time_text(row[1])] + [out_value(v) for v in row[2:]]))
    return '\n'.join(lines) + '\n'


def make_case(seed):
    """-> SQL without the DDL, rows, expected CSV"""
    rnd = random.Random(seed)
    rows = make_rows(rnd)
    times = [r['ts'] for r in rows] or [0]
    window = make_window(rnd, max(times) - min(times))
    if rnd.random() < 0.7:
        keys = list(window.keys) if window.kind == 'SESSION' else rnd.choice([[], ['shop'], ['kind'], ['shop', 'kind'], ['kind', 'shop']])
        aggregates = rnd.sample(sorted(model.AGGREGATES), rnd.randrange(1, 5))
        names = ['a%d' % i for i in range(len(aggregates))]
        items = ['window_start', 'window_end'] + keys + ['%s AS %s' % pair for pair in zip(aggregates, names)]
        sql = 'SELECT %s FROM %s GROUP BY %s;' % (', '.join(items), window.tvf('t'), ', '.join(['window_start', 'window_end'] + keys))
        return sql, rows, expected(['window_start', 'window_end'] + keys + names, model.aggregate(window, rows, keys, aggregates))
    keys = rnd.choice([[], ['kind'], ['shop']])
    by, descending, low = rnd.choice(['amount', 'ts', 'shop', 'big']), rnd.random() < 0.5, rnd.choice([1, 1, 2])
    high = low + rnd.randrange(4)
    if by == 'ts' and descending and (low, high) == (1, 1):
        high = 2  # keep-last deduplication has a rule of its own for ties
    fields = ['window_start', 'window_end'] + keys + [by + ' AS v', 'place']
    sql = ('SELECT %s, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY %s ORDER BY %s %s) AS n FROM %s) WHERE n BETWEEN %d AND %d;'
           % (', '.join(fields), ', '.join(['window_start', 'window_end'] + keys), by, 'DESC' if descending else 'ASC', window.tvf('t'), low, high))
    result = model.top(window, rows, keys, by, descending, low, high)
    if by == 'ts':
        result = [r[:-3] + (time_text(r[-3]),) + r[-2:] for r in result]
    return sql, rows, expected(['window_start', 'window_end'] + keys + ['v', 'place', 'n'], result)


def run(oriel, folder, script, arguments):
    done = subprocess.run([oriel, '--format', 'csv', '-f', script] + arguments, cwd=folder, capture_output=True, timeout=120)
    return done.returncode, done.stdout.decode('utf-8', 'replace'), done.stderr.decode('utf-8', 'replace')


def first_difference(got, want):
    for number, (g, w) in enumerate(zip(got.split('\n') + [''], want.split('\n') + ['']), 1):
        if g != w:
            return 'line %d: %r, wanted %r' % (number, g, w)
    return '%d bytes, %d wanted' % (len(got), len(want))


def check_case(oriel, folder, seed, isas):
    sql, rows, want = make_case(seed)
    write_rows(os.path.join(folder, 't.csv'), rows)
    open(os.path.join(folder, 'case.sql'), 'w').write(DDL % 't.csv' + sql + '\n')
    variants = [[], ['--threads', '1'], ['--threads', '2', '--batch-rows', '64']] + [['--isa', isa] for isa in isas[:1]] + [['--memory-limit', '24MiB']]
    for arguments in variants:
        code, out, err = run(oriel, folder, 'case.sql', arguments)
        if code != 0:
            return 'exit %d with %s: %s\n  %s' % (code, arguments, err.strip()[:300], sql)
        if out != want:
            return 'other rows with %s: %s\n  %s' % (arguments, first_difference(out, want), sql)
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('oriel')
    p.add_argument('--cases', type=int, default=120)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--case', type=int, help='only this one; its files stay in the current folder')
    a = p.parse_args()
    oriel = os.path.abspath(a.oriel)
    listed = subprocess.run([oriel, '--list-isas'], capture_output=True, text=True, check=True).stdout
    isas = [line.split()[0] for line in listed.splitlines()]
    if a.case is not None:
        fault = check_case(oriel, os.getcwd(), a.case, isas)
        print(fault or 'agrees')
        return 1 if fault else 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(a.seed * 1000000, a.seed * 1000000 + a.cases):
            fault = check_case(oriel, folder, seed, isas)
            if fault:
                failed += 1
                print('case %d: %s' % (seed, fault), flush=True)
    print('%d passed, %d failed' % (a.cases - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
