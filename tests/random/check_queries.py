#!/usr/bin/env python3
"""check_queries.py ORIEL [--queries N] [--seed S] [--only SEED]: random window queries over random tables, against plain Python.

Each script has two tables and some dozen queries, and runs with other threads, batch sizes or instructions than the one before; every result must have
the rows of the model (queries.py) in its order. What differs is shown with the query; `--only SEED` runs that script alone and leaves its files in the
current folder.
"""
import argparse
import collections
import os
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import aggregates
import queries
from values import plain_text

QUERIES_EACH = 40
WAYS = [[], ['--threads', '1'], ['--batch-rows', '7'], ['--threads', '2', '--batch-rows', '64']]


def make_script(seed):
    """-> (world, queries)"""
    rnd = random.Random(seed)
    w = queries.World(rnd)
    return w, [queries.make_query(w) for _ in range(QUERIES_EACH)]


def split_line(line):
    """Fields of a line of CSV; a quoted field is told from NULL by its quotes."""
    out, i = [], 0
    while True:
        if line.startswith('"', i):
            j = i + 1
            while line[j] != '"' or line.startswith('""', j):
                j += 2 if line.startswith('""', j) else 1
            out.append(line[i + 1:j].replace('""', '"'))
            i = j + 1
        else:
            j = line.find(',', i)
            j = len(line) if j < 0 else j
            out.append(line[i:j] or None)
            i = j
        if i >= len(line):
            return out
        i += 1
        if i == len(line):
            return out + [None]


def same_value(got, want, t):
    if want is None or got is None:
        return got is None and want is None
    if isinstance(want, aggregates.Near):
        return want.accepts(got)
    if t.name in ('DOUBLE', 'FLOAT'):
        return abs(float(got) - want) <= (1e-12 if t.name == 'DOUBLE' else 1e-6) * max(abs(want), 1e-300)
    return got == plain_text(want, t)


def difference(block, query):
    """-> what is wrong with the lines of a result, or None"""
    names = [n for n, _ in query.columns]
    if not block or split_line(block[0]) != names:
        return 'header %r, wanted %r' % (block[:1], names)
    for number, (line, want) in enumerate(zip(block[1:], query.rows)):
        got = split_line(line)
        if len(got) != len(want) or not all(same_value(g, x, t) for g, x, (_, t) in zip(got, want, query.columns)):
            return 'row %d: %r, wanted %r' % (number, line, want)
    if len(block) - 1 != len(query.rows):
        return '%d rows, wanted %d' % (len(block) - 1, len(query.rows))
    return None


def run(oriel, folder, statements, arguments):
    with open(os.path.join(folder, 'script.sql'), 'w', encoding='utf-8') as file:
        file.write('\n'.join(statements) + '\n')
    done = subprocess.run([oriel, '--format', 'csv', '-f', 'script.sql'] + arguments, cwd=folder, capture_output=True, timeout=120)
    out = done.stdout.decode('utf-8', 'replace')
    blocks = [block.rstrip('\n').split('\n') for block in out.split('\n\n')] if out else []
    return done.returncode, blocks, ' '.join(done.stderr.decode('utf-8', 'replace').split())


def check_script(oriel, seed, arguments, folder):
    """-> (number of queries, what is wrong)"""
    w, found = make_script(seed)
    for name, text in w.files().items():
        with open(os.path.join(folder, name), 'w', encoding='utf-8', newline='') as file:
            file.write(text)
    ddl = w.ddl()
    code, blocks, errors = run(oriel, folder, ddl + [s for q in found for s in q.prelude + [q.sql + ';']], arguments)
    faults = []
    alone = code != 0 or len(blocks) != len(found)
    for number, query in enumerate(found):
        if alone:
            code, blocks, errors = run(oriel, folder, ddl + query.prelude + [query.sql + ';'], arguments)
        fault = 'exit %d: %s' % (code, errors[:400]) if code else difference(blocks[0 if alone else number], query)
        if fault:
            faults.append('script %d: %s\n  %s\n  %s' % (seed, fault, ' '.join(query.prelude), query.sql))
    return len(found), collections.Counter(tag for q in found for tag in q.tags), faults


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('oriel')
    p.add_argument('--queries', type=int, default=20000)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--only', type=int, metavar='SEED', help='run this script, in the current folder')
    p.add_argument('--arguments', default='', help='for ORIEL')
    a = p.parse_args()
    oriel, arguments = os.path.abspath(a.oriel), a.arguments.split()
    listed = subprocess.run([oriel, '--list-isas'], capture_output=True, text=True, check=True).stdout
    ways = WAYS + [['--isa', line.split()[0]] for line in listed.splitlines()]
    if a.only is not None:
        _, _, faults = check_script(oriel, a.only, arguments, os.getcwd())
        print('\n'.join(faults) or 'agrees')
        return 1 if faults else 0
    print('seed %d' % a.seed, flush=True)
    total, tags, failed, begin = 0, collections.Counter(), 0, time.monotonic()

    def one(seed):
        with tempfile.TemporaryDirectory() as folder:
            return check_script(oriel, seed, ways[seed % len(ways)] + arguments, folder)
    seeds = range(a.seed * 1000000, a.seed * 1000000 + (a.queries + QUERIES_EACH - 1) // QUERIES_EACH)
    with ThreadPoolExecutor(2) as pool:
        for count, kinds, faults in pool.map(one, seeds):
            total, failed = total + count, failed + len(faults)
            tags.update(kinds)
            for fault in faults:
                print(fault, flush=True)
    print('seed %d: %d queries agree, %d differ, %.0f s; %s' % (a.seed, total - failed, failed, time.monotonic() - begin, ', '.join('%s %d' % t for t in tags.most_common())))
    return 1 if failed or not total else 0


if __name__ == '__main__':
    sys.exit(main())
