#!/usr/bin/env python3
"""compare.py --oriel PROGRAM --datagen PROGRAM [--rows N] [--threads T] [--runs R] [--folder FOLDER]

Runs the workloads from one CSV file to a CSV file with Oriel (the whole process) and with the other engines (timed inside their
process, so without start and import), in turn, and compares the answers row by row. Prints medians, ratios and peak memory.
"""
import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ENGINES = ['duckdb', 'datafusion']
WORKLOADS = ['tumble']


def run(command, folder):
    """-> seconds, peak resident MB, standard output"""
    began = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit('%s: exit %d' % (' '.join(command), process.returncode))
    return time.perf_counter() - began, usage.ru_maxrss / 1024, out


def same_rows(a, b):
    import duckdb
    # DataFusion writes a folder of files.
    scan = lambda p: "(SELECT window_start::TIMESTAMP w, shop, n, total FROM read_csv('%s', header=true))" % (os.path.join(p, '*.csv') if os.path.isdir(p) else p)
    left, right = scan(a), scan(b)
    query = 'SELECT count(*) FROM ((%s EXCEPT ALL %s) UNION ALL (%s EXCEPT ALL %s))'
    counts = [duckdb.execute('SELECT count(*) FROM %s' % s).fetchone()[0] for s in (left, right)]
    different = duckdb.execute(query % (left, right, right, left)).fetchone()[0]
    return counts[0] == counts[1] and different == 0, counts[0]


def measure(arguments, folder):
    rows = []
    for workload in WORKLOADS:
        times, memory = {}, {}
        for _ in range(arguments.runs):
            out = os.path.join(folder, 'oriel.csv')
            seconds, peak, _ = run([arguments.oriel, '--threads', str(arguments.threads), '-f', os.path.join(HERE, workload + '.sql'), '-o', out], folder)
            times.setdefault('oriel', []).append(seconds)
            memory['oriel'] = max(peak, memory.get('oriel', 0))
            for engine in ENGINES:
                other = os.path.join(folder, engine + '.csv')
                shutil.rmtree(other, ignore_errors=True)
                _, peak, seconds = run([sys.executable, os.path.join(HERE, 'engines.py'), engine, workload, os.path.join(folder, 'orders.csv'), other, str(arguments.threads)], folder)
                times.setdefault(engine, []).append(float(seconds))
                memory[engine] = max(peak, memory.get(engine, 0))
        for engine in ENGINES:
            same, count = same_rows(os.path.join(folder, 'oriel.csv'), os.path.join(folder, engine + '.csv'))
            if not same:
                sys.exit('%s: Oriel and %s disagree' % (workload, engine))
        medians = {engine: statistics.median(t) for engine, t in times.items()}
        for engine, median in medians.items():
            rows.append((workload, engine, count, median, median / medians['oriel'], memory[engine]))
    return rows


def processor():
    for line in open('/proc/cpuinfo'):
        if line.startswith('model name'):
            return line.split(':')[1].strip()
    return platform.machine()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--oriel', required=True)
    p.add_argument('--datagen', required=True)
    p.add_argument('--rows', type=int, default=20000000)
    p.add_argument('--threads', type=int, default=os.cpu_count())
    p.add_argument('--runs', type=int, default=3)
    p.add_argument('--folder', help='keep the data there; default: a temporary folder')
    a = p.parse_args()
    a.oriel, a.datagen = os.path.abspath(a.oriel), os.path.abspath(a.datagen)
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.abspath(a.folder or temporary)
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, 'orders.csv')):
            subprocess.run([a.datagen, 'orders', '--rows', str(a.rows), '--keys', '1000', '--seed', '1', '-o', 'orders.csv'], cwd=folder, check=True)
        size = os.path.getsize(os.path.join(folder, 'orders.csv'))
        rows = measure(a, folder)
    print('%s, %d threads; %d MB of CSV; medians of %d runs in turn' % (processor(), a.threads, size / 1e6, a.runs))
    print('| workload | engine | rows out | seconds | times Oriel | peak MB |')
    print('| --- | --- | ---: | ---: | ---: | ---: |')
    for row in rows:
        print('| %s | %s | %d | %.2f | %.1f | %.0f |' % row)


if __name__ == '__main__':
    main()
