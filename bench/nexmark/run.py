#!/usr/bin/env python3
"""run.py --build BUILD [--queries q5,q7,q8,q11] [--events N] [--threads T] [--out NAME]

Nexmark's window queries (examples/nexmark/) against Flink: batch mode, q11 streaming. Flink throws its rows away and its start does not count;
Oriel writes them to a CSV file, as a whole process. That the rows are the same is tested in tests/nexmark/.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'peers'))
from engines.flink import Engine  # noqa: E402
from report import RESULTS, processor  # noqa: E402

EXAMPLES = os.path.join(HERE, '..', '..', 'examples', 'nexmark')


def oriel(arguments, script, out):
    began = time.perf_counter()
    subprocess.run([os.path.join(arguments.build, 'oriel'), '--threads', str(arguments.threads), '-e', script, '-o', out], check=True)
    return time.perf_counter() - began


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--build', required=True)
    p.add_argument('--queries', default='q5,q7,q8,q11')
    p.add_argument('--events', type=int, default=10000000)
    p.add_argument('--threads', type=int, default=len(os.sched_getaffinity(0)))
    p.add_argument('--out', help='write bench/results/OUT.md')
    a = p.parse_args()
    text = '%s, %d threads, %d events\n\n| query | Oriel s | Flink s | times Oriel |\n| --- | ---: | ---: | ---: |\n' % (processor(), a.threads, a.events)
    flink = Engine(a.threads)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(a.build, 'datagen', 'oriel-datagen'), 'nexmark', '--events', str(a.events), '-o', os.path.join(folder, 'data')], check=True)
        for query in a.queries.split(','):
            with open(os.path.join(EXAMPLES, query + '.sql')) as f:
                script = f.read().replace("'data/", "'%s/data/" % folder)
            out = os.path.join(folder, 'out.csv')
            own = sorted(oriel(a, script, out) for _ in range(3))[1]
            other = flink.job(script)
            text += '| %s | %.3f | %.1f | %.0f |\n' % (query, own, other, other / own)
            print(text.splitlines()[-1], file=sys.stderr, flush=True)
    print(text)
    if a.out:
        os.makedirs(RESULTS, exist_ok=True)
        with open(os.path.join(RESULTS, a.out + '.md'), 'w') as f:
            f.write('    ./dev bench nexmark --queries %s --events %d --threads %d\n\n%s' % (a.queries, a.events, a.threads, text))


if __name__ == '__main__':
    main()
