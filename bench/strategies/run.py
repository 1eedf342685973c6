#!/usr/bin/env python3
"""run.py --build BUILD [--what window,aggregate,session,topn,join] [--rows N] [--threads T] [--runs R] [--out NAME]

Forces the strategies of each operator one by one over data of growing difficulty (overlap of windows, number of keys, disorder) and times the
program from a CSV file to a CSV file. All strategies must write the same bytes. Prints medians of seconds, the one that `auto` takes first;
--out writes the table and a picture to bench/results/.
"""
import argparse
import hashlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'peers'))
from report import RESULTS, processor  # noqa: E402

TABLE = """CREATE TABLE orders (order_id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');"""
AGGREGATE = "SELECT window_start, window_end, shop, COUNT(*) AS n, SUM(CAST(amount AS BIGINT)) AS total FROM %s GROUP BY window_start, window_end, shop"
TUMBLE = "TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE)"
OVERLAPS = [1, 2, 12, 60, 360, 1440]
KEYS = [1, 100, 10000, 1000000, 10000000]
DISORDERS = [['--disorder', '0'], ['--disorder', '60'], ['--disorder', '3600'], ['--shuffle']]


def hop(overlap):
    return "HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '%d' MINUTE(4))" % overlap


def rank(condition):
    return ("SELECT window_start, shop, order_id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY amount DESC, order_id) AS place FROM %s) "
            'WHERE place %s' % (TUMBLE, condition))


def join():
    side = AGGREGATE % TUMBLE
    return ('SELECT a.window_start, a.shop, a.n, b.total FROM (%s) AS a JOIN (%s) AS b ON a.window_start = b.window_start AND a.window_end = b.window_end AND a.shop = b.shop' % (side, side))


SESSION = "SELECT shop, window_start, window_end, COUNT(*) AS n FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '60' SECOND) GROUP BY shop, window_start, window_end"

# setting: (strategies, what varies, [(label, options of the data, query)])
PLANS = {
    'window': (['slices', 'copies'], 'overlap', [(str(o), ['--keys', '20'], AGGREGATE % hop(o)) for o in OVERLAPS]),
    'aggregate': (['dense', 'hash', 'radix'], 'keys', [(str(k), ['--keys', str(k)], AGGREGATE % TUMBLE) for k in KEYS]),
    'session': (['ordered', 'sort', 'hash'], 'disorder', [(' '.join(d).strip('-'), ['--keys', '1000'] + d, SESSION) for d in DISORDERS]),
    'topn': (['heap', 'sort'], 'rows kept', [(str(n), ['--keys', '1000'], rank('<= %d' % n)) for n in (1, 3, 100, 10000)]),
    'join': (['hash', 'sort'], 'keys', [(str(k), ['--keys', str(k)], join()) for k in KEYS[:4]]),
}


def generate(build, folder, options, rows):
    path = os.path.join(folder, '_'.join(options).replace('-', '') + '.csv')
    if not os.path.exists(path):
        subprocess.run([os.path.join(build, 'datagen', 'oriel-datagen'), 'orders', '--rows', str(rows), '-o', path] + options, check=True)
    return path


def run(arguments, setting, strategy, data, query, out):
    script = "%s SET 'oriel.strategy.%s' = '%s'; %s;" % (TABLE % data, setting, strategy, query)
    began = time.perf_counter()
    subprocess.run([os.path.join(arguments.build, 'oriel'), '--threads', str(arguments.threads), '-e', script, '-o', out], check=True)
    seconds = time.perf_counter() - began
    with open(out, 'rb') as f:
        digest = hashlib.file_digest(f, 'sha256').hexdigest()
    return seconds, digest


def measure(arguments, setting, folder):
    strategies, _, points = PLANS[setting]
    strategies = ['auto'] + strategies
    rows = []
    for label, options, query in points:
        data = generate(arguments.build, folder, options, arguments.rows)
        times, digests = {s: [] for s in strategies}, set()
        for _ in range(arguments.runs):
            for strategy in strategies:
                seconds, digest = run(arguments, setting, strategy, data, query, os.path.join(folder, 'out.csv'))
                times[strategy].append(seconds)
                digests.add(digest)
        if len(digests) != 1:
            sys.exit('%s: the strategies differ at %s' % (setting, label))
        rows.append((label, [statistics.median(times[s]) for s in strategies]))
        print(setting, label, ' '.join('%s %.3f' % (s, t) for s, t in zip(strategies, rows[-1][1])), file=sys.stderr, flush=True)
    return strategies, rows


def table(setting, strategies, rows):
    text = ['', '## oriel.strategy.%s' % setting, '', '| %s | %s |' % (PLANS[setting][1], ' | '.join(strategies)), '| --- |' + ' ---: |' * len(strategies)]
    return '\n'.join(text + ['| %s | %s |' % (label, ' | '.join('%.3f' % t for t in times)) for label, times in rows])


def picture(results, path):
    script = ['set terminal svg size 900,%d font "sans,12" background "white"' % (300 * len(results)), 'set output "%s"' % path, 'set multiplot layout %d,1' % len(results),
              'set style data linespoints', 'set ylabel "seconds"', 'set logscale y', 'set grid ytics', 'set key outside right']
    for setting, (strategies, rows) in results.items():
        script.append('$%s << end\n%s\nend' % (setting, '\n'.join('"%s" %s' % (label, ' '.join('%.4f' % t for t in times)) for label, times in rows)))
        script.append('set title "oriel.strategy.%s"\nset xlabel "%s"' % (setting, PLANS[setting][1]))
        script.append('plot ' + ', '.join('$%s using %d:xtic(1) title "%s"' % (setting, i + 2, s) for i, s in enumerate(strategies)))
    subprocess.run(['gnuplot'], input='\n'.join(script) + '\n', text=True, check=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--build', required=True)
    p.add_argument('--what', default=','.join(PLANS))
    p.add_argument('--rows', type=int, default=5000000)
    p.add_argument('--threads', type=int, default=len(os.sched_getaffinity(0)))
    p.add_argument('--runs', type=int, default=3)
    p.add_argument('--folder', help='keep the data there; default: a temporary folder')
    p.add_argument('--out', help='write bench/results/OUT.md and OUT.svg')
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = a.folder or temporary
        os.makedirs(folder, exist_ok=True)
        results = {setting: measure(a, setting, folder) for setting in a.what.split(',')}
    text = '%s, %d threads, %d rows; seconds, medians of %d runs in turn; all strategies wrote the same bytes\n' % (processor(), a.threads, a.rows, a.runs)
    text += '\n'.join(table(setting, *result) for setting, result in results.items()) + '\n'
    print(text)
    if a.out:
        os.makedirs(RESULTS, exist_ok=True)
        with open(os.path.join(RESULTS, a.out + '.md'), 'w') as f:
            f.write('    ./dev bench strategies --what %s --rows %d --threads %d --runs %d\n\n%s' % (a.what, a.rows, a.threads, a.runs, text))
        if shutil.which('gnuplot'):
            picture(results, os.path.join(RESULTS, a.out + '.svg'))


if __name__ == '__main__':
    main()
