#!/usr/bin/env python3
"""ask_flink.py [--scripts N] [--seed S] [--each N]: puts random queries to Flink, compares its rows with the model's and keeps them in flink_sample/.

Left out is what Flink refuses or answers otherwise by a ruling of ../flink/README.md: sessions in batch, RANK in streaming, functions that follow the order
of rows where Flink sorts or merges them, offsets of a window or more, zones in which streaming loses rows, samples of one row of a type that has no NULL
(-1 in Flink). Needs what ../flink/ask needs, and a minute
for each hundred queries. check_flink_sample.py runs what was kept.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import aggregates
import check_queries
from check_flink_sample import FLINK, HERE, WIDE, check, differences, final_rows
from values import is_time, plain_text, time_text

ZONES_WITHOUT_LOSS = {'UTC', 'America/New_York', 'Europe/Berlin', 'Europe/London', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Chatham'}
ROWS_MAX = 25


def answers_alike(w, query):
    """Whether Flink answers the query, and as the rulings have it."""
    tags, text = query.tags, ' '.join(query.prelude) + query.sql
    follows_order = re.search(r'LISTAGG|_VALUE\(', text)
    if len(query.rows) > ROWS_MAX or 'wide offset' in tags or 'QUALIFY' in text or re.search(r'(_SAMP|VARIANCE|STDDEV)\((COALESCE|\(?CASE)', text):
        return False
    if w.batch:
        return not ('SESSION(' in text or follows_order or 'ties' in tags)
    if w.zone.name not in ZONES_WITHOUT_LOSS or tags & {'RANK', 'DENSE_RANK', 'sort'}:
        return False
    if follows_order and re.search(r'(HOP|CUMULATE|SESSION)\(', text):
        return False
    return not ('aggregate' in tags and 'rank' in tags and ('ties' in tags or 'SESSION' in tags))


def flink_text(value, t, w):
    if isinstance(value, aggregates.Near):
        return repr(value.exact)
    if value is None:
        return '<NULL>'
    if t.name == 'BOOLEAN':
        return 'TRUE' if value else 'FALSE'
    if is_time(t):
        return time_text(w.zone.wall(value) if t.name == 'LTZ' else value, t.p)
    return repr(value) if isinstance(value, float) else plain_text(value, t).strip()


def tolerance(query, column):
    t = query.columns[column][1]
    if any(isinstance(row[column], aggregates.Near) for row in query.rows):
        return 1e-6 if not t.name.endswith('INT') else 1
    return {'DOUBLE': 1e-9, 'FLOAT': 1e-2}.get(t.name, 0)


def sample_of(seed, each):
    w, found = check_queries.make_script(seed)
    chosen = [q for q in found if answers_alike(w, q)][:each]
    queries = [{'sql': q.sql, 'prelude': q.prelude, 'names': [n for n, _ in q.columns], 'tolerances': [tolerance(q, i) for i in range(len(q.columns))],
                'rows': [[flink_text(v, t, w) for v, (_, t) in zip(row, q.columns)] for row in q.rows]} for q in chosen]
    return {'seed': seed, 'ddl': w.ddl(), 'files': {name: text.split('\n')[:-1] for name, text in w.files().items()}, 'queries': queries}


def answers(path):
    """-> [(names, rows)] of a file that ask wrote, up to the first error, and the error"""
    with open(path, encoding='utf-8') as file:
        results, _ = check.parse(file.read())
    errors = [r[1] for r in results if r[0] == 'error']
    return [final_rows(r[1], r[2]) if r[1] else (None, []) for r in results if r[0] == 'rows'], errors[0] if errors else None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--scripts', type=int, default=20)
    p.add_argument('--seed', type=int, default=79000000)
    p.add_argument('--each', type=int, default=15, help='queries of a script')
    a = p.parse_args()
    agreed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        samples = [s for s in (sample_of(seed, a.each) for seed in range(a.seed, a.seed + a.scripts)) if s['queries']]
        for sample in samples:
            name = 's%d' % sample['seed']
            for file, lines in sample['files'].items():
                with open(os.path.join(folder, name + file), 'w', encoding='utf-8', newline='') as out:
                    out.write('\n'.join(lines) + ('\n' if lines else ''))
            ddl = [re.sub(r"'path' = '", "'path' = '" + name, s) for s in sample['ddl']]
            with open(os.path.join(folder, name + '.sql'), 'w', encoding='utf-8') as out:
                out.write('\n'.join([WIDE] + ddl + [s for q in sample['queries'] for s in q['prelude'] + [q['sql'] + ';']]) + '\n')
        subprocess.run([os.path.join(FLINK, 'ask')] + ['s%d.sql' % s['seed'] for s in samples], cwd=folder, check=True, stderr=subprocess.DEVNULL)
        for sample in samples:
            found, error = answers(os.path.join(folder, 's%d.expected' % sample['seed']))
            if error:
                print('%d: %s\n  %s' % (sample['seed'], error[:300], sample['queries'][len(found)]['sql'] if len(found) < len(sample['queries']) else ''))
            sample['queries'] = sample['queries'][:len(found)]
            wrong = differences(found, sample)
            failed, agreed = failed + len(wrong), agreed + len(found) - len(wrong)
            print('\n'.join('%d: Flink has %s' % (sample['seed'], text) for text in wrong), end='\n' if wrong else '')
            for query, (_, rows) in zip(sample['queries'], found):
                query['rows'] = rows
            if found:
                with open(os.path.join(HERE, 'flink_sample', '%d.json' % sample['seed']), 'w', encoding='utf-8') as out:
                    text = json.dumps(sample, ensure_ascii=False, indent=1)
                    out.write(re.sub(r'\[\n\s+("[^\n]*"|[-0-9.e]+)(,?)', r'[\1\2', re.sub(r'\n\s{5,}(?=["\]0-9])', ' ', text)) + '\n')
    print('Flink and the model agree in %d queries and differ in %d' % (agreed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
