#!/usr/bin/env python3
"""run.py --build BUILD [--workloads W1,W2] [--rows 1,10,100] [--threads T] [--runs R] [--out NAME]

Time from a CSV file to a CSV file as the number of rows grows (--rows in millions): the nanoseconds a row should stay the same.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'peers'))
import data  # noqa: E402
from engines.oriel import Engine  # noqa: E402
from report import RESULTS, processor  # noqa: E402
from workloads import WORKLOADS  # noqa: E402


def measure(arguments, million, folder):
    """-> {workload: nanoseconds a row}"""
    found = {}
    engine = Engine(arguments.threads, arguments.build)
    for name in arguments.workloads.split(','):
        workload = WORKLOADS[name]
        for stem in workload.inputs.values():
            data.make_csv(os.path.join(arguments.build, 'datagen', 'oriel-datagen'), folder, stem, million * 1000000)
        os.sync()  # else the disk still takes gigabytes of fresh input while the first results are written
        times = []
        result = os.path.join(folder, 'result.csv')
        for _ in range(arguments.runs):
            if os.path.exists(result):
                os.remove(result)  # to replace a file that is not on the disk yet waits for the disk
            began = time.perf_counter()
            engine.write(workload, {table: os.path.join(folder, stem + '.csv') for table, stem in workload.inputs.items()}, result)
            times.append(time.perf_counter() - began)
        found[name] = statistics.median(times) * 1e9 / (million * 1e6)
        print('%s %d million rows: %.1f ns a row' % (name, million, found[name]), file=sys.stderr, flush=True)
    return found


def picture(rows, workloads, path):
    lines = '\n'.join('%d %s' % (million, ' '.join('%.4f' % (found[w] * million / 1000) for w in workloads)) for million, found in rows)
    script = '''set terminal svg size 800,480 font "sans,12" background "white"
set output "%s"
set logscale xy
set xlabel "million rows"
set ylabel "seconds"
set grid
set key top left
$data << end
%s
end
plot %s
''' % (path, lines, ', '.join('$data using 1:%d with linespoints title "%s"' % (i + 2, w) for i, w in enumerate(workloads)))
    subprocess.run(['gnuplot'], input=script, text=True, check=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--build', required=True)
    p.add_argument('--workloads', default='W1,W2,W5,W6')
    p.add_argument('--rows', default='1,10,100', help='millions')
    p.add_argument('--threads', type=int, default=len(os.sched_getaffinity(0)))
    p.add_argument('--runs', type=int, default=3)
    p.add_argument('--out', help='write bench/results/OUT.md and OUT.svg')
    a = p.parse_args()
    rows = []
    for million in [int(r) for r in a.rows.split(',')]:
        with tempfile.TemporaryDirectory() as folder:
            rows.append((million, measure(a, million, folder)))
    workloads = a.workloads.split(',')
    text = '%s, %d threads; nanoseconds a row from a CSV file to a CSV file, medians of %d runs\n\n' % (processor(), a.threads, a.runs)
    text += '| million rows | %s |\n| ---: |%s\n' % (' | '.join(workloads), ' ---: |' * len(workloads))
    text += ''.join('| %d | %s |\n' % (million, ' | '.join('%.1f' % found[w] for w in workloads)) for million, found in rows)
    print(text)
    if a.out:
        os.makedirs(RESULTS, exist_ok=True)
        with open(os.path.join(RESULTS, a.out + '.md'), 'w') as f:
            f.write('    ./dev bench growth --workloads %s --rows %s --threads %d --runs %d\n\n%s' % (a.workloads, a.rows, a.threads, a.runs, text))
        if shutil.which('gnuplot'):
            picture(rows, workloads, os.path.join(RESULTS, a.out + '.svg'))


if __name__ == '__main__':
    main()
