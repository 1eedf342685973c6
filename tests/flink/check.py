#!/usr/bin/env python3
"""Runs a program on the cases and compares its answers with the truth files.

  check.py --program 'PATH [ARG ...]' [TOPIC | TOPIC/NAME ...]      PATH is looked up as a shell does; e.g. 'env X=1 build/oriel'
  check.py --program ... --expected-failures FILE                  names, one a line, of cases that still fail; one that passes must leave it
  check.py --program ... --shuffle SEED                            the rows of the input files in another order; order_matters.txt names the cases left out

Each case runs as `PROGRAM ARGS -f cases/TOPIC/NAME.sql` in this folder. Standard output must hold one tableau for each
SELECT, DESCRIBE or SHOW, as NAME.truth has it, and nothing else; a script whose truth ends in an ERROR must exit with 1 and a
message on standard error. Rows compare as multisets (in order for the cases in ORDERED: Oriel's own total order is for the
project's tests); the `op` column is ignored where one side has none; FLOAT and DOUBLE columns compare within 1e-6 and 1e-12
relative. Column widths count only with --exact-print. Messages about windows must contain Flink's sentence (its class name
apart), all others must name what is wrong: the words of NAME.says, where there is one (a regexp a line, all must be found).
Prints a line for each case that differs, a line a topic, and last `N passed, N failed`; exit 1 if any failed.
"""
import argparse
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ORDERED = {'assign/order_limit', 'window_agg/batch_order_by', 'errors/order_by_time_streaming', 'errors/order_by_streaming'}
FOOT = re.compile(r'^(\d+ rows? in set|Empty set)$')
SENTENCE = re.compile(r'((?:TUMBLE|HOP|CUMULATE|SESSION) table function .*|The window function .* time attribute.*|Only constant window descriptors.*|'
                      r'.*MONTH and YEAR time unit.*|RowTime field should not be null.*)')
TOY = re.compile(r'not (yet )?(supported|implemented)|unsupported|todo', re.I)
BY_ORDER = re.compile(r'\b(FIRST_VALUE|LAST_VALUE|LISTAGG|ARRAY_AGG|JSON_ARRAYAGG)\b', re.I)
SANITIZER = re.compile(r'(Address|Thread|Leak|Memory)Sanitizer|runtime error:')


def parse(text):
    """-> ([('rows', header line or None, [row lines], footer)] or ('error', message, [], '')), stray lines)"""
    out, body, stray = [], [], []
    for ln in text.split('\n'):
        if ln.startswith('ERROR: '):
            out.append(('error', ln[7:], [], ''))
            body = []
        elif FOOT.match(ln) and (not body or body[-1].startswith('+-')):
            lines = [x for x in body if not re.match(r'^\+[-+]+\+$', x)]
            rows = []
            for x in lines[1:]:
                if x.startswith('| ') or not rows:
                    rows.append(x)
                else:
                    rows[-1] += '\n' + x  # a value with a newline in it
            out.append(('rows', lines[0] if lines else None, rows, ln))
            body = []
        elif not body and not ln.startswith('+-'):
            if ln.strip():
                stray.append(ln)
        else:
            body.append(ln)
    return out, stray + body


def cells(row):
    return [c.strip() for c in row.strip()[1:-1].split(' | ')]


def drop_op(header, rows):
    header, rows = cells(header), [cells(r) for r in rows]
    if header[0] == 'op':
        return header[1:], [(r[0], r[1:]) for r in rows]
    return header, [(None, r) for r in rows]


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def same_rows(a, b, tolerance, ordered):
    def key(row):
        exact = [c for c, t in zip(row, tolerance) if not t]
        return exact, [number(c) if number(c) is not None else float('-inf') for c, t in zip(row, tolerance) if t]
    if len(a) != len(b):
        return False
    if not ordered:
        a, b = sorted(a, key=key), sorted(b, key=key)
    for r, s in zip(a, b):
        if len(r) != len(s):
            return False
        for x, y, t in zip(r, s, tolerance):
            if x == y:
                continue
            p, q = number(x), number(y)
            if not t or p is None or q is None or not abs(p - q) <= t * max(abs(p), abs(q)):
                return False
    return True


def tolerances(base, index, width):
    for suffix in ('.types', '.batch.types'):
        try:
            lines = open(base + suffix).read().split('\n')
        except OSError:
            continue
        if index < len(lines):
            parts = [p for p in re.split(r', (?![^(<]*[)>])', lines[index]) if p]
            if len(parts) == width:
                return [1e-12 if re.search(r'\bDOUBLE\b', p) and '<' not in p else 1e-6 if re.search(r'\bFLOAT\b', p) and '<' not in p else 0 for p in parts]
    return [0] * width


def shuffle_data(folder, seed):
    """Copies data/ to `folder`; files of plain lines get their lines in another order. cases/ is linked, so that scripts run there."""
    shutil.copytree(os.path.join(HERE, 'data'), os.path.join(folder, 'data'))
    os.symlink(os.path.join(HERE, 'cases'), os.path.join(folder, 'cases'))
    for path in sorted(glob.glob(os.path.join(folder, 'data', '**', '*.*'), recursive=True)):
        if os.path.isdir(path):
            continue
        content = open(path, 'rb').read()
        plain = not re.search(b'\r|^\xef\xbb\xbf|^#|"[^"\n]*\n|\\\\', content, re.M)  # quotes that end on their line, no comments, no escapes
        if plain and content.endswith(b'\n'):
            lines = content[:-1].split(b'\n')
            random.Random('%d %s' % (seed, os.path.relpath(path, folder))).shuffle(lines)
            open(path, 'wb').write(b'\n'.join(lines) + b'\n')


def order_matters(name):
    """Whether the answer of a case depends on the order of the rows: by a function that follows it, or by name."""
    if BY_ORDER.search(open(os.path.join(HERE, 'cases', name + '.sql')).read()):
        return True
    lines = open(os.path.join(HERE, 'order_matters.txt')).read().split('\n')
    return name in {line.split()[0] for line in lines if line.strip() and not line.startswith('#')}


def check(program, name, timeout, exact, folder):
    base = os.path.join('cases', name)
    want_text = open(os.path.join(HERE, base + '.truth')).read()
    want, _ = parse(want_text)
    try:
        run = subprocess.run(program + ['-f', base + '.sql'], cwd=folder, capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 'no answer in %d s' % timeout
    out, err = run.stdout.decode('utf-8', 'replace'), run.stderr.decode('utf-8', 'replace')
    first = (err.strip().split('\n') or [''])[0][:160]
    if run.returncode not in (0, 1):
        return 'exit %d: %s' % (run.returncode, first)
    if SANITIZER.search(err):
        return 'sanitizer: ' + SANITIZER.search(err).group(0)
    got, stray = parse(out)
    tables, errors = [w for w in want if w[0] == 'rows'], [w for w in want if w[0] == 'error']
    if errors:  # the rows that Flink printed before it failed were not kept
        if run.returncode == 0:
            return 'exit 0, an error wanted: ' + errors[0][1][:120]
        if not err.strip():
            return 'no message on standard error'
        text, truth = ' '.join(err.split()), errors[0][1].split(' \\n ')[0]
        m = SENTENCE.search(truth)
        if m and m.group(1).split(': ')[-1].rstrip('. ') not in text:
            return 'message lacks: ' + m.group(1)[:140]
        if TOY.search(text) and not TOY.search(errors[0][1]):
            return 'a message of something missing, not of the mistake: ' + first
        says = os.path.join(HERE, base + '.says')
        for pattern in open(says).read().split('\n') if os.path.exists(says) else []:
            if pattern and not re.search(pattern, text, re.I):
                return 'message does not say %s: %s' % (pattern, first)
    elif run.returncode != 0:
        return 'exit %d: %s' % (run.returncode, first)
    if len(got) != len(tables):
        return '%d results, %d wanted%s' % (len(got), len(tables), ': ' + first if first else '')
    if stray and not errors:
        return 'standard output holds something else: ' + stray[0][:80]
    for i, (w, g) in enumerate(zip(tables, got)):
        if w[1] is None or g[1] is None:
            if w[2] or g[2] or w[3] != g[3]:
                return 'result %d: %s, wanted %s' % (i + 1, g[3], w[3])
            continue
        (wh, wr), (gh, gr) = drop_op(w[1], w[2]), drop_op(g[1], g[2])
        if wh != gh:
            return 'result %d: header %s, wanted %s' % (i + 1, gh, wh)
        if any(o not in (None, '+I') for o, _ in gr):
            return 'result %d: a row that is not +I' % (i + 1)
        wr, gr = [r for _, r in wr], [r for _, r in gr]
        if not same_rows(wr, gr, tolerances(os.path.join(HERE, base), i, len(wh)), name in ORDERED):
            extra, missing = [r for r in gr if r not in wr][:1], [r for r in wr if r not in gr][:1]
            return 'result %d: %d rows, %d wanted; missing %s; extra %s' % (i + 1, len(gr), len(wr), missing, extra)
        if g[3] != w[3]:
            return 'result %d: ends with %s, wanted %s' % (i + 1, g[3], w[3])
    if exact and not errors and sorted(want_text.rstrip('\n').split('\n')) != sorted(out.rstrip('\n').split('\n')):
        return 'the printed table differs in form'
    return None


def expect_failures(results, path):
    """Turns the failures that the file names into passes, and their passes into failures."""
    if not path:
        return results
    lines = [line.split('#')[0].strip() for line in open(path)]
    expected = {line for line in lines if line}
    known = {os.path.relpath(f, os.path.join(HERE, 'cases'))[:-6] for f in glob.glob(os.path.join(HERE, 'cases', '*', '*.truth'))}
    if expected - known:
        sys.exit('%s names no case: %s' % (path, ', '.join(sorted(expected - known))))
    return [(n, (None if r else 'passes now: take it off ' + os.path.basename(path)) if n in expected else r) for n, r in results]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--program', required=True)
    p.add_argument('--timeout', type=int, default=20)
    p.add_argument('--exact-print', action='store_true')
    p.add_argument('--quiet', action='store_true', help='only the summary')
    p.add_argument('--expected-failures', metavar='FILE', help='names of cases that still fail')
    p.add_argument('--shuffle', type=int, metavar='SEED', help='the rows of the input files in another order')
    p.add_argument('only', nargs='*')
    a = p.parse_args()
    program = [os.path.abspath(x) if os.sep in x and os.path.exists(x) else x for x in a.program.split()]
    if not shutil.which(program[0]):
        sys.exit('no such program: ' + program[0])
    names = sorted(f[len(HERE) + 7:-6] for f in glob.glob(os.path.join(HERE, 'cases', '*', '*.truth')))
    for o in a.only:
        if o not in names and o not in {n.split('/')[0] for n in names}:
            sys.exit('no such topic or case: ' + o)
    if a.only:
        names = [n for n in names if n in a.only or n.split('/')[0] in a.only]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        if a.shuffle is not None:
            shuffle_data(folder, a.shuffle)
            names = [n for n in names if not order_matters(n)]
        home = HERE if a.shuffle is None else folder
        results = list(pool.map(lambda n: (n, check(program, n, a.timeout, a.exact_print, home)), names))
    results = expect_failures(results, a.expected_failures)
    topics = {}
    for n, r in results:
        topics.setdefault(n.split('/')[0], [0, 0])[1 if r else 0] += 1
        if r and not a.quiet:
            print('%s: %s' % (n, r))
    for t, (ok, bad) in sorted(topics.items()):
        print('%-14s %3d of %3d' % (t, ok, ok + bad))
    bad = sum(1 for _, r in results if r)
    print('%d passed, %d failed' % (len(results) - bad, bad))
    return 1 if bad or not results else 0


if __name__ == '__main__':
    sys.exit(main())
