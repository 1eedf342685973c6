"""--late-report: what a streaming job would have dropped, equal to what Flink did drop and to a plain model of it."""
import glob
import os
import random
import re
import unittest

from command import CommandTest

FLINK = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'flink')
LINE = re.compile(r'late: (\S+), (.*) at (\S+):(\d+):(\d+): of (\d+) rows (\d+) would have been dropped, (\d+) left out of a part of their windows '
                  r'\((\d+) places in windows\)(?:; first (.*))?')
ZERO = 1704067200  # 2024-01-01
TABLE = '''CREATE TABLE t (id BIGINT, k STRING, n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '%d' SECOND(3))
WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = '%s');
'''
WINDOWS = {
    'tumble': ("TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '60' SECOND)", ', k'),
    'hop': ("HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '20' SECOND, INTERVAL '60' SECOND)", ', k'),
    'cumulate': ("CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '15' SECOND, INTERVAL '60' SECOND)", ', k'),
    'session': ("SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '25' SECOND)", ', k'),
}


def content(path):
    with open(path) as file:
        return file.read()


def count_in(text):
    """Rows of a tableau, or the sum of its last column, called c."""
    rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in text.splitlines() if line.startswith('|')]
    head, rows = rows[0], [row for row in rows[1:] if row != rows[0]]
    if 'c' in head:
        return sum(int(row[head.index('c')]) for row in rows)
    return len(rows)


def ends_of(kind, time):
    """Window ends in ms, earliest first."""
    if kind == 'tumble':
        return [time // 60000 * 60000 + 60000]
    if kind == 'hop':
        last = time // 20000 * 20000 + 60000
        return [last - 40000, last - 20000, last]
    start = time // 60000 * 60000
    return [end for end in range(start + 15000, start + 60001, 15000) if end > time]


def model(rows, kind, delay, keep):
    """(rows, dropped, in part, missing, number of the first row missing)"""
    current = last = 0
    watermark = float('-inf')
    live = {}
    total = dropped = part = missing = first = 0
    for number, (key, n, time) in enumerate(rows, 1):
        late = 0
        if keep(key, n):
            total += 1
            if kind == 'session':
                sessions = [s for s in live.get(key, []) if s[1] - 1 > watermark]
                touching = [s for s in sessions if s[0] <= time + 25000 and s[1] >= time]
                if not touching and time + 25000 - 1 <= watermark:
                    dropped, late = dropped + 1, 1
                else:
                    merged = (min([time] + [s[0] for s in touching]), max([time + 25000] + [s[1] for s in touching]))
                    sessions = [s for s in sessions if s not in touching] + [merged]
                live[key] = sessions
            else:
                ends = ends_of(kind, time)
                late = sum(end - 1 <= watermark for end in ends)
                dropped += late == len(ends)
                part += 0 < late < len(ends)
        missing += late
        first = first or (number if late else 0)
        current = max(current, time - delay * 1000)
        if current - last > 200:
            last = watermark = current
    return total, dropped, part, missing, first


class LateTest(CommandTest):
    def report(self, *arguments):
        output, errors = self.run_program(*arguments)
        lines = [LINE.fullmatch(line) for line in errors.splitlines() if line.startswith('late: ')]
        self.assertNotIn(None, lines, errors)
        return output, [(m.group(1), m.group(2), [int(m.group(i)) for i in (6, 7, 8, 9)], m.group(10)) for m in lines]

    def test_what_flink_lost(self):
        """All of late/ but fact 21: there Flink loses rows that are not late."""
        names = [name for name in glob.glob(os.path.join(FLINK, 'cases', 'late', '*.sql')) if '/ltz_' not in name]
        self.assertGreater(len(names), 12)
        for name in names:
            process = self.start('-f', name, '--late-report', cwd=FLINK)
            output, errors = [text.decode() for text in process.communicate(timeout=60)]
            self.assertEqual(process.returncode, 0, errors)
            lost = count_in(content(name[:-4] + '.truth')) - count_in(content(name[:-4] + '.expected'))
            self.assertEqual(count_in(output), count_in(content(name[:-4] + '.truth')))
            self.assertEqual(sum(int(LINE.fullmatch(line).group(9)) for line in errors.splitlines()), lost, name + errors)

    def make(self, seed, count, disorder):
        rng = random.Random(seed)
        rows, time = [], 0
        for i in range(count):
            time += rng.choice([0, 0, 100, 150, 1500])
            late = rng.randrange(disorder * 1000) if rng.randrange(5) == 0 else 0
            rows.append((rng.choice('abcdef'), rng.randrange(100), ZERO * 1000 + max(time - late, 0)))
        return rows

    def write_rows(self, name, rows, first=1):
        def text(time):
            seconds = time // 1000 - ZERO
            return '2024-01-%02d %02d:%02d:%02d.%03d' % (1 + seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60, time % 1000)
        self.write(name, ''.join('%d,%s,%d,%s\n' % (i, k, n, text(time)) for i, (k, n, time) in enumerate(rows, first)))

    def check(self, sql, window, wanted, *arguments):
        total, dropped, part, missing, first = wanted
        _, lines = self.report('-e', sql, '--late-report', *arguments)
        self.assertEqual(len(lines), 1)
        table, text, numbers, place = lines[0]
        self.assertEqual(table, 't')
        self.assertTrue(text.lower().startswith(window))
        self.assertEqual(numbers, [total, dropped, part, missing], sql)
        return place

    def test_model(self):
        for seed in range(4):
            rows = self.make(seed, 30000, 10 ** (seed % 3 + 1))
            self.write_rows('data.csv', rows)
            for window, (function, keys) in WINDOWS.items():
                for delay, where, keep in ((0, '', lambda k, n: True), (7, ' WHERE n > 30', lambda k, n: n > 30)):
                    sql = TABLE % (delay, 'data.csv', 'csv') + 'SELECT window_start, window_end%s, COUNT(*) AS c FROM %s%s GROUP BY window_start, window_end%s;' % (
                        keys, function, where, keys)
                    wanted = model(rows, window, delay, keep)
                    for arguments in (['--threads', '1'], ['--threads', '2', '--batch-rows', '64']):
                        place = self.check(sql, window, wanted, *arguments)
                        self.assertEqual(place, 'data.csv:%d' % wanted[4] if wanted[4] else None)

    def test_several_files_bad_rows_and_json(self):
        rows = self.make(9, 3000, 100)
        os.mkdir(self.path('folder'))
        self.write_rows('folder/a.csv', rows[:1000])
        self.write_rows('folder/b.csv', rows[1000:], 1001)
        self.write('folder/a.csv', 'x,bad,1,2024-01-01 00:00:00\n' + self.read('folder/a.csv'))
        sql = 'SELECT window_start, window_end, SUM(id), COUNT(*) AS c FROM %s GROUP BY window_start, window_end;' % WINDOWS['hop'][0]
        wanted = model(rows, 'hop', 1, lambda k, n: True)
        place = self.check(TABLE % (1, 'folder', 'csv') + sql, 'hop', wanted, '--max-rejects', '1')
        self.assertEqual(place, '%s:%d' % (('folder/a.csv', wanted[4] + 1) if wanted[4] <= 1000 else ('folder/b.csv', wanted[4] - 1000)))
        self.write_rows('data.csv', rows)
        lines = [line.split(',') for line in self.read('data.csv').splitlines()]
        self.write('data.json', ''.join('{"ts": "%s", "id": %s, "k": "%s"}\n' % (line[3], line[0], line[1]) for line in lines))
        self.assertEqual(self.check(TABLE % (1, 'data.json', 'json') + sql, 'hop', wanted), 'data.json:%d' % wanted[4])

    def test_computed_time_and_watermark(self):
        rows = self.make(2, 3000, 100)
        self.write_rows('data.csv', rows)
        table = '''CREATE TABLE t (id BIGINT, k STRING, n INT, event STRING, ts AS TO_TIMESTAMP(event), WATERMARK FOR ts AS TO_TIMESTAMP(event) - INTERVAL '7' SECOND)
            WITH ('connector' = 'filesystem', 'path' = 'data.csv', 'format' = 'csv');'''
        sql = 'SELECT k, window_end, COUNT(*) AS c FROM (SELECT * FROM %s) WHERE n > 30 GROUP BY k, window_start, window_end;' % WINDOWS['cumulate'][0]
        self.check(table + sql, 'cumulate', model(rows, 'cumulate', 7, lambda k, n: n > 30))

    def test_windows_of_windows_are_never_late(self):
        rows = self.make(2, 3000, 100)
        self.write_rows('data.csv', rows)
        view = 'CREATE VIEW v AS SELECT window_time AS rt, COUNT(*) AS c FROM %s GROUP BY window_start, window_end, window_time;' % WINDOWS['tumble'][0]
        self.check(TABLE % (1, 'data.csv', 'csv') + view + "SELECT window_end, SUM(c) FROM TUMBLE(TABLE v, DESCRIPTOR(rt), INTERVAL '5' MINUTE) GROUP BY window_start, window_end;",
                   'tumble', model(rows, 'tumble', 1, lambda k, n: True))

    def test_rows_of_a_window_function_are_kept(self):
        self.write_rows('data.csv', self.make(2, 300, 100))
        _, lines = self.report('-e', TABLE % (1, 'data.csv', 'csv') + 'SELECT * FROM %s;' % WINDOWS['hop'][0], '--late-report')
        self.assertEqual(lines, [])

    def test_insert_reports(self):
        rows = self.make(2, 3000, 100)
        self.write_rows('data.csv', rows)
        sql = TABLE % (1, 'data.csv', 'csv') + '''CREATE TABLE s (e TIMESTAMP(3), c INT) WITH ('connector' = 'filesystem', 'path' = 'out.csv', 'format' = 'csv');
            INSERT INTO s SELECT window_end, CAST(COUNT(*) AS INT) FROM %s GROUP BY window_start, window_end;''' % WINDOWS['hop'][0]
        self.check(sql, 'hop', model(rows, 'hop', 1, lambda k, n: True))


if __name__ == '__main__':
    unittest.main()
