"""A limit that is too small: the error names one that is enough, which then is, and the process stays within 64 MB of it."""
import os
import random
import re
import subprocess
import sys
import unittest

from command import PROGRAM, CommandTest, create_table

ROWS = 120000
COLUMNS = 'id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts'
TUMBLE = "TUMBLE(TABLE {}, DESCRIPTOR(ts), INTERVAL '10' MINUTE)"
SUMS = 'SELECT window_start, window_end, shop, COUNT(*) AS n, SUM(amount) AS s FROM ' + TUMBLE + ' GROUP BY window_start, window_end, shop'
QUERIES = {
    'aggregate': SUMS.format('a'),
    'many groups': SUMS.format('a').replace('shop', 'id'),
    'session': "SELECT shop, COUNT(*) AS n FROM SESSION(TABLE a PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '2' SECOND) GROUP BY window_start, window_end, shop",
    'top': 'SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, shop ORDER BY amount DESC) AS r FROM ' + TUMBLE.format('a') + ') WHERE r <= 3',
    'join': 'SELECT a.id, b.amount FROM a JOIN b ON a.id = b.id',
    'range join': "SELECT a.id, b.id AS other FROM a JOIN b ON a.shop = b.shop AND b.ts BETWEEN a.ts AND a.ts + INTERVAL '1' SECOND",
    'joined aggregates': 'SELECT x.window_start, x.shop, x.n, y.s FROM (' + SUMS.format('a') + ') x JOIN (' + SUMS.format('b') +
                         ') y ON x.window_start = y.window_start AND x.window_end = y.window_end AND x.shop = y.shop',
    'order': 'SELECT * FROM a ORDER BY amount, id',
    'over': 'SELECT id, SUM(amount) OVER (PARTITION BY shop ORDER BY ts ROWS BETWEEN 9 PRECEDING AND CURRENT ROW) AS s FROM a',
    'rows': 'SELECT * FROM a',
    'rows that cannot go to files': 'SELECT LISTAGG(shop) AS shops, COUNT(DISTINCT id) AS n FROM a',
}

# The figure of a process is at least that of who started it, so a small one does.
MEASURE = """import os, sys
_, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:]), 0)
print(status, usage.ru_maxrss)"""


class MemoryLimitTest(CommandTest):
    def setUp(self):
        super().setUp()
        rows = random.Random(6)
        for table in 'ab':
            self.write(table + '.csv', ''.join('%d,shop %d of a long name,%d,2024-01-01 %02d:%02d:%02d.%03d\n' % (
                i, rows.randrange(500), rows.randrange(10000), t // 3600000, t // 60000 % 60, t // 1000 % 60, t % 1000)
                for i, t in ((i, i * 700 + rows.randrange(5000)) for i in range(ROWS))))

    def tables(self, form):
        return ''.join(create_table(table, COLUMNS, table + '.' + form).replace("'csv')", "'%s')" % form) for table in 'ab')

    def measure(self, *arguments):
        """Exit status, standard error, highest memory of the process in MB."""
        run = subprocess.run([sys.executable, '-S', '-c', MEASURE, PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        status, kilobytes = run.stdout.split()
        return os.waitstatus_to_exitcode(int(status)), run.stderr, int(kilobytes) * 1024 / 1e6

    def run_until_enough(self, sql, threads):
        """The limits that errors named, from the smallest on; the last one was enough."""
        limit, limits = '4MB', []
        while True:
            status, errors, highest_mb = self.measure('-e', sql, '-o', 'limited.csv', '--threads', threads, '--memory-limit', limit)
            if status == 0:
                break
            named = re.search(r'out of memory: the limit of [\d.]+ MiB is too small .*(?:; (\d+) MiB is enough|; try (\d+) MiB)$', errors.strip())
            self.assertTrue(named, errors)
            limits.append(int(named[1] or named[2]))
            self.assertLess(limits[-2:-1], limits[-1:])
            limit = '%dMiB' % limits[-1]
        if os.environ.get('ORIEL_SANITIZER', 'none') == 'none':
            self.assertLessEqual(highest_mb, (limits[-1] * 1.048576 if limits else 4) + 64, sql)
        return limits

    def check(self, form):
        for name, query in QUERIES.items():
            sql = self.tables(form) + query
            self.run_program('-e', sql, '-o', 'all.csv')
            for threads in '12':
                with self.subTest(query=name, threads=threads):
                    limits = self.run_until_enough(sql, threads)
                    self.assertEqual(self.read('limited.csv'), self.read('all.csv'))
                    if 'cannot' not in name:
                        self.assertLessEqual(len(limits), 1, limits)

    def test_csv(self):
        self.check('csv')

    def test_parquet(self):
        for table in 'ab':
            made = subprocess.run([PROGRAM, '-e', self.tables('csv') + 'SELECT * FROM ' + table, '-o', table + '.parquet'], cwd=self.folder, capture_output=True, text=True)
            if 'oriel_arrow.so' in made.stderr or 'built without' in made.stderr:
                self.skipTest('this build has no Parquet')
            self.assertEqual(made.returncode, 0, made.stderr)
        self.check('parquet')


if __name__ == '__main__':
    unittest.main()
