#!/usr/bin/env python3
"""check_same_bytes.py ORIEL DATAGEN [--rows N] [--only WORD] [--limits SIZE,...]: queries of all kinds give the same bytes however they are run.

Every query runs once as it is; then with one and two threads, other batch sizes, every instruction set, memory limits and each strategy forced. A limit may be too
small: the error must name one that is enough, and what was written before must be the beginning of the result. `--rows 200000` is the long form.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

DDL = """CREATE TABLE a (id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), half AS CAST(amount AS DOUBLE) / 7,
  money AS CAST(amount AS DECIMAL(12, 2)) / 3, day_time AS CAST(ts AS STRING), WATERMARK FOR ts AS ts)
WITH ('connector' = 'filesystem', 'path' = 'a.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE TABLE b (id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
WITH ('connector' = 'filesystem', 'path' = 'b.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE TABLE n (id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3))
WITH ('connector' = 'filesystem', 'path' = 'n.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE VIEW many AS SELECT id, shop, amount, ts FROM a UNION ALL SELECT id + 1000000, shop, amount, ts FROM a
UNION ALL SELECT id + 2000000, shop, amount, ts FROM a;
"""


def window(kind, table='a', key=''):
    return {
        'tumble': "TUMBLE(TABLE %s, DESCRIPTOR(ts), INTERVAL '7' MINUTE, INTERVAL '3' SECOND)" % table,
        'hop': "HOP(TABLE %s, DESCRIPTOR(ts), INTERVAL '4' MINUTE, INTERVAL '20' MINUTE)" % table,
        'hop_fine': "HOP(TABLE %s, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '30' MINUTE)" % table,
        'cumulate': "CUMULATE(TABLE %s, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR)" % table,
        'session': "SESSION(TABLE %s%s, DESCRIPTOR(ts), INTERVAL '%s' SECOND)" % (table, ' PARTITION BY ' + key if key else '', '40' if key else '0.2'),
    }[kind]


def grouped(kind, items, keys='', table='a', rest=''):
    more = ', ' + keys if keys else ''
    return 'SELECT window_start, window_end%s, %s FROM %s GROUP BY window_start, window_end%s%s' % (
        more, items, window(kind, table, keys if kind == 'session' else ''), more, rest)


def top(kind, keys, by, rows, extra=''):
    partition = ', '.join(['window_start', 'window_end'] + keys)
    return ('SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY %s ORDER BY %s) AS place FROM %s%s) WHERE place %s'
            % (partition, by, window(kind), extra, rows))


SUMS = 'COUNT(*) AS c, COUNT(amount) AS ca, SUM(amount) AS s, AVG(amount) AS av, MIN(amount) AS lo, MAX(shop) AS hi'
FLOATS = 'SUM(half) AS s, AVG(half) AS av, MIN(half) AS lo, SUM(money) AS m, AVG(money) AS ma'
ORDERED = 'FIRST_VALUE(id) AS f, LAST_VALUE(shop) AS l, COUNT(DISTINCT amount) AS d, SUM(amount) FILTER (WHERE id > 500) AS p'

QUERIES = {
    'rows': 'SELECT * FROM a',
    'filter': "SELECT id, UPPER(shop) AS u, amount * 2 + id AS x, half, money FROM a WHERE amount > 40000 AND shop LIKE '%7' OR id < 50",
    'expressions': "SELECT id, CASE WHEN amount IS NULL THEN 'none' WHEN amount > 50000 THEN shop ELSE 'low ' || shop END AS k, "
                   "CHAR_LENGTH(day_time) AS n, EXTRACT(MINUTE FROM ts) AS m, COALESCE(shop, '-') AS s, SUBSTRING(day_time, 6, 8) AS part FROM a",
    'tvf_tumble': 'SELECT * FROM ' + window('tumble'),
    'tvf_hop': 'SELECT id, window_start, window_end, window_time FROM ' + window('hop'),
    'tvf_cumulate': 'SELECT id, shop, window_end FROM ' + window('cumulate'),
    'tvf_session': 'SELECT * FROM ' + window('session', key='shop'),
    'tumble': grouped('tumble', SUMS),
    'tumble_key': grouped('tumble', SUMS, 'shop'),
    'tumble_floats': grouped('tumble', FLOATS, 'shop'),
    'tumble_ordered': grouped('tumble', ORDERED, 'shop'),
    'tumble_many_keys': grouped('tumble', 'COUNT(*) AS c', 'id'),
    'tumble_more_keys_than_slices_have': "SELECT window_start, window_end, id, COUNT(*) AS c, SUM(amount) AS s FROM "
                                         "TUMBLE(TABLE many, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, id",
    'tumble_nearly_a_row_a_group': grouped('tumble', SUMS, 'shop, id / 2, CAST(amount AS DOUBLE)', 'many'),
    'tumble_rows_with_few_twins': grouped('tumble', ORDERED, 'shop, id / 5', 'many'),
    'tumble_having': grouped('tumble', SUMS, 'shop', rest=' HAVING COUNT(*) > 20'),
    'hop_key': grouped('hop', SUMS, 'shop'),
    'hop_floats': grouped('hop', FLOATS, 'shop'),
    'hop_ordered': grouped('hop', ORDERED, 'shop'),
    'hop_fine': grouped('hop_fine', SUMS),
    'hop_many_keys': grouped('hop', 'SUM(amount) AS s', 'id'),
    'cumulate_key': grouped('cumulate', SUMS, 'shop'),
    'cumulate_ordered': grouped('cumulate', ORDERED, 'shop'),
    'session_key': grouped('session', SUMS, 'shop'),
    'session_ordered': grouped('session', ORDERED, 'shop'),
    'session_floats': grouped('session', FLOATS),
    'rollup': 'SELECT window_start, window_end, shop, amount / 20000 AS k, COUNT(*) AS c, GROUPING_ID(shop, amount / 20000) AS g FROM %s '
              'GROUP BY window_start, window_end, ROLLUP (shop, amount / 20000)' % window('tumble'),
    'cube': 'SELECT shop, EXTRACT(HOUR FROM ts) AS h, SUM(amount) AS s, AVG(half) AS av FROM a GROUP BY CUBE (shop, EXTRACT(HOUR FROM ts))',
    'top_aggregate': 'SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY s DESC) AS place FROM (%s)) WHERE place <= 3'
                     % grouped('tumble', 'SUM(amount) AS s', 'shop'),
    'top_rows': top('tumble', [], 'amount DESC', '<= 5'),
    'top_keys': top('hop', ['shop'], 'amount, shop', '<= 2'),
    'top_last': top('cumulate', ['shop'], 'ts DESC', '= 1'),
    'top_second': top('tumble', ['shop'], 'amount DESC NULLS FIRST, half', '= 2'),
    'top_plain': 'SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY amount DESC) AS place FROM a) WHERE place <= 4',
    'rank': 'SELECT shop, id, RANK() OVER (PARTITION BY shop ORDER BY amount / 5000) AS r FROM b',
    'sort': 'SELECT * FROM a ORDER BY amount, shop DESC',
    'sort_limit': 'SELECT id, shop FROM a ORDER BY shop DESC, half LIMIT 500 OFFSET 100',
    'limit': 'SELECT * FROM a LIMIT 700 OFFSET 3000',
    'distinct': 'SELECT DISTINCT shop, amount / 100 AS k FROM a',
    'group': 'SELECT shop, COUNT(*) AS c, SUM(half) AS h, MAX(ts) AS t, COUNT(DISTINCT id) AS d FROM a GROUP BY shop',
    'group_many': 'SELECT id, amount, COUNT(*) AS c FROM a GROUP BY id, amount',
    'global': 'SELECT COUNT(*) AS c, SUM(half) AS h, SUM(money) AS m, MIN(shop) AS s, COUNT(DISTINCT shop) AS d FROM a',
    'union': "SELECT id, shop, 1 AS k FROM a WHERE amount < 5000 UNION ALL SELECT id, shop, 2 FROM b UNION ALL SELECT 0, 'end', 3",
    'union_distinct': 'SELECT shop, amount / 1000 AS k FROM a UNION SELECT shop, amount / 1000 FROM b',
    'intersect': 'SELECT amount FROM a INTERSECT SELECT amount FROM b',
    'except': 'SELECT id FROM a EXCEPT SELECT id * 2 FROM b',
    'join_inner': 'SELECT a.id, b.id AS other, a.shop, b.amount FROM a JOIN b ON a.id = b.id AND a.amount > b.amount',
    'join_left': 'SELECT a.id, b.shop, b.ts FROM a LEFT JOIN b ON a.id = b.id',
    'join_full': 'SELECT a.id, a.shop, b.id AS other FROM a FULL JOIN b ON a.amount = b.amount AND a.shop = b.shop',
    'join_skewed': 'SELECT COUNT(*) AS c, SUM(a.amount) AS s FROM a JOIN b ON a.shop = b.shop WHERE b.id < 40',
    'join_window': 'SELECT l.window_start, l.window_end, l.id, r.id AS other FROM (SELECT * FROM %s) AS l RIGHT JOIN (SELECT * FROM %s) AS r '
                   'ON l.id = r.id AND l.window_start = r.window_start AND l.window_end = r.window_end' % (window('tumble'), window('tumble', 'b')),
    'semi': 'SELECT * FROM a WHERE id IN (SELECT id FROM b WHERE amount > 70000)',
    'anti': 'SELECT id, ts FROM a WHERE NOT EXISTS (SELECT * FROM b WHERE b.id = a.id)',
    'two_steps': 'SELECT window_start, window_end, COUNT(*) AS shops, MAX(s) AS best FROM TUMBLE((SELECT shop, SUM(amount) AS s, window_time AS ts FROM %s '
                 "GROUP BY shop, window_start, window_end, window_time), DESCRIPTOR(ts), INTERVAL '21' MINUTE) GROUP BY window_start, window_end" % window('tumble'),
    'null_times': "SET 'execution.runtime-mode' = 'batch'; " + grouped('tumble', 'COUNT(*) AS c, SUM(amount) AS s', 'shop', 'n'),
}


def make_data(datagen, folder, rows):
    def make(name, count, *more):
        subprocess.run([datagen, 'orders', '--rows', str(count), '-o', os.path.join(folder, name)] + list(more), check=True)
    make('a.csv', rows, '--keys', '150', '--seed', '7', '--disorder', '90', '--null-share', '0.04', '--skew', '0.8')
    make('b.csv', rows // 4, '--keys', '120', '--seed', '8', '--shuffle', '--null-share', '0.1')
    make('n.csv', rows // 2, '--keys', '50', '--seed', '9', '--null-share', '0.1', '--null-times', '0.02')


def variants(isas, limits):
    yield ['--threads', '1'], False
    yield ['--threads', '2', '--batch-rows', '64'], False
    yield ['--threads', '1', '--batch-rows', '1'], False
    yield ['--batch-rows', '65536'], False
    for isa in isas:
        yield ['--isa', isa], False
    for limit in limits:
        yield ['--threads', '2', '--memory-limit', limit], True


def strategies(sql, limits):
    """-> (settings, arguments, may fail) for what the query has"""
    wanted = []
    if 'GROUP BY' in sql or 'DISTINCT' in sql:
        wanted += [['aggregate=dense'], ['aggregate=hash'], ['aggregate=radix']]
    if 'HOP(' in sql or 'CUMULATE(' in sql:
        wanted += [['window=copies'], ['window=copies', 'aggregate=radix'], ['window=copies', 'aggregate=hash']]
    if 'SESSION(' in sql:
        wanted += [['session=ordered'], ['session=sort'], ['session=hash']]
    for names in wanted:
        text = ''.join("SET 'oriel.strategy.%s' = '%s'; " % tuple(name.split('=')) for name in names)
        yield text, ['--threads', '2', '--batch-rows', '512'], False
        for limit in limits:
            yield text, ['--threads', '2', '--memory-limit', limit], True


def run(oriel, folder, sql, arguments):
    done = subprocess.run([oriel, '--format', 'csv', '-i', 'ddl.sql', '-e', sql] + arguments, cwd=folder, capture_output=True, timeout=600)
    return done.returncode, done.stdout, done.stderr.decode('utf-8', 'replace').strip()


def first_difference(got, want):
    for number, (g, w) in enumerate(zip(got.split(b'\n') + [b''], want.split(b'\n') + [b'']), 1):
        if g != w:
            return 'line %d: %r, before %r' % (number, g[:200], w[:200])
    return '%d bytes, before %d' % (len(got), len(want))


def check(oriel, folder, sql, isas, limits, counts):
    """-> what is wrong, or None"""
    code, want, errors = run(oriel, folder, sql, [])
    if code != 0 or want.count(b'\n') < 2:
        return 'exit %d, %d bytes: %s' % (code, len(want), errors[:300])
    ways = [('', arguments, may_fail) for arguments, may_fail in variants(isas, limits)] + list(strategies(sql, limits))
    for settings, arguments, may_fail in ways:
        code, got, errors = run(oriel, folder, settings + sql, arguments)
        counts[0] += 1
        arguments = [settings] + arguments
        if may_fail and code == 1 and 'memory' in errors:
            counts[1] += 1
            if not want.startswith(got):
                return '%s: wrong rows before the error: %s' % (arguments, first_difference(got, want))
            named = re.search(r'; (\d+) MiB is enough', errors)
            again = [a if a not in limits else '%sMiB' % named[1] for a in arguments[1:]] if named else []
            code, got, errors = run(oriel, folder, settings + sql, again)
            if code != 0 or got != want:
                return '%s: %s: exit %d: %s' % (arguments, again, code, errors[:300])
        elif code != 0:
            return '%s: exit %d: %s' % (arguments, code, errors[:300])
        elif got != want:
            return '%s: other bytes: %s' % (arguments, first_difference(got, want))
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('oriel')
    p.add_argument('datagen')
    p.add_argument('--rows', type=int, default=24000)
    p.add_argument('--only', default='', help='queries with this in their name')
    p.add_argument('--limits', default='6MiB,16MiB', help='memory limits')
    a = p.parse_args()
    oriel = os.path.abspath(a.oriel)
    listed = subprocess.run([oriel, '--list-isas'], capture_output=True, text=True, check=True).stdout
    isas = [line.split()[0] for line in listed.splitlines()]
    failed, counts, begin = 0, [0, 0], time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        make_data(os.path.abspath(a.datagen), folder, a.rows)
        with open(os.path.join(folder, 'ddl.sql'), 'w') as file:
            file.write(DDL)
        names = [name for name in QUERIES if a.only in name]
        for name in names:
            fault = check(oriel, folder, QUERIES[name], isas, a.limits.split(','), counts)
            if fault:
                failed += 1
                print('%s: %s\n  %s' % (name, fault, QUERIES[name]), flush=True)
    print('%d passed, %d failed; %d runs, %d of them with too little memory, %.0f s'
          % (len(names) - failed, failed, counts[0], counts[1], time.monotonic() - begin))
    return 1 if failed or not names else 0


if __name__ == '__main__':
    sys.exit(main())
