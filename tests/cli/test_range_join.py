"""Joins with a range of time or of numbers inside a key: the answers of two nested loops, and a cost of rows and matches."""
import bisect
import random
import unittest

from command import CommandTest

COLUMNS = '(id BIGINT, k STRING, n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)'
TABLES = ''.join("CREATE TABLE %s %s WITH ('connector' = 'filesystem', 'path' = '%s.csv', 'format' = 'csv', 'csv.null-literal' = '');\n" % (t, COLUMNS, t) for t in 'ab')

# What a condition says, and the same of rows (id, k, n, time in ms); None is NULL.
CONDITIONS = [
    ("a.ts BETWEEN b.ts - INTERVAL '20' SECOND AND b.ts", lambda a, b: b[3] - 20000 <= a[3] <= b[3]),
    ("b.ts > a.ts AND b.ts <= a.ts + INTERVAL '30' SECOND", lambda a, b: a[3] < b[3] <= a[3] + 30000),
    ('a.ts < b.ts AND a.n >= b.n', lambda a, b: a[3] < b[3] and known(a, b) and a[2] >= b[2]),
    ('a.n >= b.n - 2 AND b.n + 2 > a.n', lambda a, b: known(a, b) and b[2] - 2 <= a[2] < b[2] + 2),
    ('a.n <= b.n AND a.n >= MOD(b.n, 10)', lambda a, b: known(a, b) and b[2] % 10 <= a[2] <= b[2]),
    # the range cannot be computed where it does not count
    ('b.id <> 7 AND a.n >= 100 / (b.id - 7) AND a.ts >= b.ts', lambda a, b: b[0] != 7 and a[2] is not None and a[2] >= int(100 / (b[0] - 7)) and a[3] >= b[3]),
]


def known(a, b):
    return a[2] is not None and b[2] is not None


def time(ms):
    return '2024-05-01 %02d:%02d:%02d.%03d' % (ms // 3600000, ms // 60000 % 60, ms // 1000 % 60, ms % 1000)


def lines(rows):
    return ''.join('%d,%s,%s,%s\n' % (i, k, '' if n is None else n, time(ms)) for i, k, n, ms in rows)


class RangeJoinTest(CommandTest):
    def write_tables(self, a, b):
        self.write('a.csv', lines(a))
        self.write('b.csv', lines(b))

    def answer(self, query, *arguments):
        return self.run_program('-e', TABLES + query, '--format', 'csv', *arguments)[0].splitlines()[1:]

    def test_all_kinds_are_as_two_nested_loops(self):
        random_rows = random.Random(3)
        a, b = ([(i, random_rows.choice('xyz'), random_rows.choice([None] + list(range(30))), random_rows.randrange(300000)) for i in range(count)] for count in (150, 120))
        self.write_tables(a, b)
        for condition, holds in CONDITIONS:
            pairs = [(x, y) for x in a for y in b if x[1] == y[1] and holds(x, y)]
            left, right = {x for x, _ in pairs}, {y for _, y in pairs}
            inner = ['%d,%d' % (x[0], y[0]) for x, y in pairs]
            rest = ['%d,' % x[0] for x in a if x not in left]
            expected = {
                'SELECT a.id, b.id AS other FROM a JOIN b ON ': inner,
                'SELECT a.id, b.id AS other FROM a LEFT JOIN b ON ': [line for x in a for line in ['%d,%d' % (x[0], y[0]) for z, y in pairs if z == x] or ['%d,' % x[0]]],
                'SELECT a.id, b.id AS other FROM a FULL JOIN b ON ': inner + rest + [',%d' % y[0] for y in b if y not in right],
                'SELECT id FROM a WHERE EXISTS (SELECT * FROM b WHERE ': ['%d' % x[0] for x in a if x in left],
                'SELECT id FROM a WHERE NOT EXISTS (SELECT * FROM b WHERE ': ['%d' % x[0] for x in a if x not in left],
            }
            for select, rows in expected.items():
                query = select + 'a.k = b.k AND ' + condition + (')' if 'EXISTS' in select else '')
                for options in ([], ['--threads', '1', '--batch-rows', '64']):
                    got = self.answer(query, *options)
                    if 'FULL' in select:
                        got, rows = sorted(got), sorted(rows)
                    self.assertEqual(got, rows, query)

    def test_one_key_of_200_000_rows_costs_its_matches(self):
        """Each row with each would take minutes."""
        random_rows = random.Random(4)
        a, b = ([(i, 'x', 1, random_rows.randrange(86400000)) for i in range(200000)] for _ in 'ab')
        self.write_tables(a, b)
        times = sorted((row[3], row[0]) for row in b)
        expected = []
        for row in a:
            places = range(bisect.bisect_left(times, (row[3], -1)), bisect.bisect_right(times, (row[3] + 1000, len(b))))
            expected += ['%d,%d' % (row[0], other) for other in sorted(times[place][1] for place in places)]
        got = self.answer("SELECT a.id, b.id AS other FROM a JOIN b ON a.k = b.k AND b.ts BETWEEN a.ts AND a.ts + INTERVAL '1' SECOND")
        self.assertEqual(got, expected)


if __name__ == '__main__':
    unittest.main()
