#!/usr/bin/env python3
"""run.py --build BUILD [--workloads W1,W2] [--peers oriel,duckdb] [--sources csv,parquet,memory] [--threads T] [--runs R] [--rows N] [--folder FOLDER] [--flink] [--out NAME]

Runs the workloads with Oriel and with what its users would run instead, in turn, each run in a process of its own, and compares the answers.
csv, parquet: from the file to a CSV file, page cache warm; Oriel as a whole process, the others timed inside theirs, without start and import.
memory: the input is loaded first and the result stays in the engine; only the query is timed.
Prints a table of medians, ratios and peak memory; --out writes it and a picture to bench/results/NAME.md and NAME.svg.
"""
import argparse
import importlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import data
import report
from workloads import WORKLOADS

PEERS = ['duckdb', 'polars', 'datafusion', 'chdb', 'pyarrow']
SECONDS_MAX = 120


def engine_of(peer, arguments):
    module = importlib.import_module('engines.' + peer)
    return module.Engine(arguments.threads, arguments.build) if peer == 'oriel' else module.Engine(arguments.threads)


def has(peer, workload):
    return peer == 'oriel' or hasattr(importlib.import_module('engines.' + peer).Engine, workload)


def files_of(workload, source, arguments, peer):
    suffix = '.csv' if source == 'csv' or (source == 'memory' and peer == 'oriel') else '.parquet'
    return {table: os.path.join(arguments.folder, stem + suffix) for table, stem in WORKLOADS[workload].inputs.items()}


def peak_mb(peer):
    """Of this process, which has the engine inside; of Oriel, of the program that it ran."""
    if peer == 'oriel':
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    with open('/proc/self/status') as f:
        return next(int(line.split()[1]) for line in f if line.startswith('VmHWM')) / 1024


def child(workload, peer, source, out, arguments):
    """One run: prints seconds, for memory the number of rows, and the peak memory in MB."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:arguments.threads])
    engine = engine_of(peer, arguments)
    files = files_of(workload, source, arguments, peer)
    rows = None
    began = time.perf_counter()
    if peer == 'oriel' and source == 'memory':
        seconds, rows = engine.keep(WORKLOADS[workload], files)
    elif peer == 'oriel':
        engine.write(WORKLOADS[workload], files, out)
        seconds = time.perf_counter() - began
    elif source == 'memory':
        tables = [engine.load(table, file) for table, file in files.items()]
        began = time.perf_counter()
        count = engine.keep(getattr(engine, workload)(*tables))
        seconds = time.perf_counter() - began
        rows = count()
    else:
        engine.write(getattr(engine, workload)(*[engine.file(table, file, source) for table, file in files.items()]), out)
        seconds = time.perf_counter() - began
    print(json.dumps([seconds, rows, peak_mb(peer)]), flush=True)
    os._exit(0)


def warm(files):
    for file in files:
        with open(file, 'rb', buffering=0) as f:
            while f.read(8 << 20):
                pass


def run_once(workload, peer, source, out, arguments):
    """-> seconds, rows or None, peak MB; seconds None: why in rows."""
    shutil.rmtree(out, ignore_errors=True)
    if os.path.exists(out):
        os.remove(out)
    warm(files_of(workload, source, arguments, peer).values())
    command = [sys.executable, os.path.abspath(__file__), '--build', arguments.build, '--folder', arguments.folder, '--threads', str(arguments.threads), '--child', workload, peer, source, out]
    with tempfile.TemporaryFile('w+') as text:
        process = subprocess.Popen(command, stdout=text, stderr=subprocess.STDOUT)
        began = time.perf_counter()
        while process.poll() is None:
            if time.perf_counter() - began > SECONDS_MAX:
                process.kill()
            time.sleep(0.01)
        text.seek(0)
        lines = text.read().strip().splitlines()
    if process.returncode or not lines:
        return None, lines[-1] if lines else 'stopped after %d s' % SECONDS_MAX, 0
    return json.loads(lines[-1])


def fingerprint(workload, out):
    """The number of rows and a sum of hashes, which no order changes, over the columns that ties do not touch."""
    import duckdb
    names = [c.split()[0] for c in workload.columns.split(', ')]
    types = dict(c.split() for c in workload.columns.split(', '))
    path = os.path.join(out, '*') if os.path.isdir(out) else out
    used = ', '.join('%s::%s' % (name, types[name]) for name in workload.tie_free or names)
    query = "SELECT count(*), sum(hash(%s)::HUGEINT) FROM read_csv('%s', header=true, all_varchar=true, names=%s)"
    return duckdb.execute(query % (used, path, names)).fetchone()


def measure(workload, source, arguments, scratch):
    """-> {peer: {'seconds': [...], 'peak': MB, 'why': text or None}}, rows"""
    peers = [p for p in arguments.peers.split(',') if has(p, workload)]
    figures = {peer: {'seconds': [], 'peak': 0, 'why': None} for peer in peers}
    answers = {}
    for run in range(arguments.runs):
        for peer in peers:
            if figures[peer]['why']:
                continue
            out = os.path.join(scratch, 'result.csv')
            seconds, rows, peak = run_once(workload, peer, source, out, arguments)
            if seconds is None:
                figures[peer]['why'] = rows
                continue
            figures[peer]['seconds'].append(seconds)
            figures[peer]['peak'] = max(figures[peer]['peak'], peak)
            if run == 0:
                answers[peer] = (rows,) if source == 'memory' else fingerprint(WORKLOADS[workload], out)
            print('%s %s %s %.3f s, %.0f MB' % (workload, source, peer, seconds, peak), file=sys.stderr, flush=True)
    if len(set(answers.values())) > 1:
        sys.exit('%s from %s: the answers differ: %s' % (workload, source, answers))
    return figures, next(iter(answers.values()))[0] if answers else 0


def measure_flink(workload, arguments):
    engine = engine_of('flink', arguments)
    if not engine.has(WORKLOADS[workload]):
        return None
    seconds = engine.blackhole(WORKLOADS[workload], files_of(workload, 'csv', arguments, 'flink'))
    print('%s csv flink %.1f s' % (workload, seconds), file=sys.stderr, flush=True)
    return {'seconds': [seconds], 'peak': 0, 'why': None}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--build', required=True)
    p.add_argument('--workloads', default=','.join(WORKLOADS))
    p.add_argument('--peers', default='oriel,' + ','.join(PEERS))
    p.add_argument('--sources', default='csv')
    p.add_argument('--threads', type=int, default=len(os.sched_getaffinity(0)))
    p.add_argument('--runs', type=int, default=3)
    p.add_argument('--rows', type=int, default=20000000)
    p.add_argument('--folder', help='keep the data there (about 6 GB); default: a temporary folder')
    p.add_argument('--flink', action='store_true', help='one run of Flink too, where it has the workload')
    p.add_argument('--out', help='write bench/results/OUT.md and OUT.svg')
    p.add_argument('--child', nargs=4, help=argparse.SUPPRESS)
    a = p.parse_args()
    a.build = os.path.abspath(a.build)
    if a.child:
        return child(*a.child, a)
    with tempfile.TemporaryDirectory() as scratch:
        a.folder = os.path.abspath(a.folder or os.path.join(scratch, 'data'))
        workloads = a.workloads.split(',')
        data.make(os.path.join(a.build, 'datagen', 'oriel-datagen'), a.folder, {stem for w in workloads for stem in WORKLOADS[w].inputs.values()}, a.rows)
        lines = []
        for source in a.sources.split(','):
            for workload in workloads:
                figures, rows = measure(workload, source, a, scratch)
                flink = measure_flink(workload, a) if a.flink and source == 'csv' else None
                if flink:
                    figures['flink'] = flink
                lines.append(report.Line(workload, source, rows, figures))
    report.write(lines, a)
    return 0


if __name__ == '__main__':
    sys.exit(main())
