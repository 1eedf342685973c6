"""Bad rows of the input: passed over, written to the file of --rejects, and counted."""
import csv
import io
import os
import random
import threading
import unittest

from command import CommandTest, create_table

TABLE = create_table('t', 'id INT, k STRING, n BIGINT', 'data.csv')
COUNT = TABLE + 'SELECT COUNT(*) AS c, SUM(id) AS s, COUNT(n) AS n FROM t;'
JSON = "CREATE TABLE t (id INT, n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'data.json', 'format' = 'json');\n"


def bad_row(rng, i):
    """A row that is bad, and the column that is at fault."""
    return rng.choice([('x%d,k,1' % i, 'id'), ('%d,k,none' % i, 'n'), ('%d,k' % i, ''), ('%d,k,1,2' % i, ''),
                       ('%d,"k"k,1' % i, '')])


class RejectsTest(CommandTest):
    def rejects(self, name='r.csv'):
        rows = list(csv.reader(io.StringIO(self.read(name), newline='')))
        self.assertEqual(rows[0], ['file', 'line', 'column', 'reason', 'raw'])
        return rows[1:]

    def make(self, count, often, seed=1):
        rng = random.Random(seed)
        lines, bad, good = [], [], []
        for i in range(count):
            if rng.randrange(often) == 0:
                text, column = bad_row(rng, i)
                bad.append([str(i + 1), column, text])
            else:
                text = '%d,some text that is a bit longer,%d' % (i, i)
                good.append(i)
            lines.append(text + '\n')
        self.write('data.csv', ''.join(lines))
        return bad, good

    def test_same_bytes_for_threads_and_batches(self):
        for often in (3, 500):
            bad, good = self.make(40000, often)
            files = set()
            for arguments in (['--threads', '1'], ['--threads', '2'], ['--threads', '2', '--batch-rows', '64'], ['--batch-rows', '1']):
                output, errors = self.run_program('-e', COUNT, '--format', 'csv', '--rejects', 'r.csv', *arguments)
                self.assertEqual(output, 'c,s,n\n%d,%d,%d\n' % (len(good), sum(good), len(good)))
                self.assertIn('note: %d bad rows were rejected; see r.csv' % len(bad), errors)
                self.assertEqual([[row[1], row[2], row[4]] for row in self.rejects()], bad)
                files.add(self.read('r.csv'))
            self.assertEqual(len(files), 1)
            self.assertEqual(self.names(), ['data.csv', 'orders.csv', 'r.csv'])

    def test_limit(self):
        bad, good = self.make(40000, 100)
        for limit in (0, 1, 5, len(bad) - 1, len(bad)):
            for arguments in (['--threads', '1'], ['--threads', '2', '--batch-rows', '64']):
                status = 0 if limit == len(bad) else 1
                output, errors = self.run_program('-e', COUNT, '--rejects', 'r.csv', '--max-rejects', str(limit), *arguments, status=status)
                self.assertEqual([[row[1], row[2], row[4]] for row in self.rejects()], bad[:limit + 1])
                if status:
                    self.assertIn('data.csv:%s: error: ' % bad[limit][0], errors)
                if status and limit:
                    self.assertIn('(bad row %d; %d are allowed)' % (limit + 1, limit), errors)

    def test_without_a_file(self):
        self.write('data.csv', '1,a,1\nx,b,2\n3,c,3\n')
        output, errors = self.run_program('-e', COUNT, '--format', 'csv', '--max-rejects', '1')
        self.assertEqual(output, 'c,s,n\n2,4,2\n')
        self.assertIn('1 bad row was rejected; --rejects FILE shows them', errors)
        self.run_program('-e', COUNT, status=1)
        self.run_program('-e', COUNT, '--max-rejects', '-1', status=2)

    def test_no_bad_rows(self):
        self.write('data.csv', '1,a,1\n')
        self.run_program('-e', COUNT, '--rejects', 'r.csv')
        self.assertEqual(self.rejects(), [])

    def test_an_error_elsewhere_keeps_what_was_found(self):
        self.write('data.csv', '1,a,1\nx,b,2\n')
        self.run_program('-e', COUNT + 'SELECT nothing FROM t;', '--rejects', 'r.csv', status=1)
        self.assertEqual([row[1] for row in self.rejects()], ['2'])

    def test_limit_clause(self):
        """Only bad rows of what was wanted, for any number of threads."""
        bad, good = self.make(40000, 50)
        files = set()
        for arguments in (['--threads', '1'], ['--threads', '2'], ['--threads', '2', '--batch-rows', '64']):
            output, _ = self.run_program('-e', TABLE + 'SELECT id, n FROM t LIMIT 9000', '--format', 'csv', '--rejects', 'r.csv', *arguments)
            self.assertEqual(output.split()[1:], ['%d,%d' % (i, i) for i in good[:9000]])
            files.add(self.read('r.csv'))
        self.assertEqual(len(files), 1)

    def test_several_scans(self):
        self.write('data.csv', '1,a,1\nx,b,2\n')
        self.write('more.csv', 'y,b,2\n2,a,2\n')
        sql = TABLE + create_table('u', 'id INT, k STRING, n BIGINT', 'more.csv') + 'SELECT id FROM t UNION ALL SELECT id FROM u;'
        output, _ = self.run_program('-e', sql, '--format', 'csv', '--rejects', 'r.csv')
        self.assertEqual(output, 'id\n1\n2\n')
        self.assertEqual([row[:2] for row in self.rejects()], [['data.csv', '2'], ['more.csv', '1']])

    def test_pipe(self):
        bad, good = self.make(20000, 100)
        os.mkfifo(self.path('pipe.csv'))
        data = self.read('data.csv').encode()

        def feed():
            with open(self.path('pipe.csv'), 'wb') as file:
                file.write(data)
        thread = threading.Thread(target=feed)
        thread.start()
        self.run_program('-e', COUNT.replace('data.csv', 'pipe.csv'), '--rejects', 'r.csv')
        thread.join()
        self.assertEqual([[row[1], row[2], row[4]] for row in self.rejects()], bad)

    def test_json(self):
        lines = ['{"id": 1, "n": 1}', '{"id": "x", "n": 1}', '{"id": 2, "n"', '[{"id": 3}, {"id": {}}, 7, {"id": 4}]', '5', '', '{"id": 6}']
        self.write('data.json', '\n'.join(lines).encode() + b'\n{"id": 7, "n": 1, "z": "\xff"}\n{"id": 8}\n')
        for arguments in (['--threads', '1'], ['--threads', '2', '--batch-rows', '1']):
            output, _ = self.run_program('-e', JSON + 'SELECT id FROM t', '--format', 'csv', '--rejects', 'r.csv', *arguments)
            self.assertEqual(output, 'id\n1\n3\n4\n6\n8\n')
            self.assertEqual([[row[1], row[2], row[4]] for row in self.rejects()],
                             [['2', 'id', lines[1]], ['3', '', lines[2]], ['4', 'id', '{"id": {}}'], ['4', '', '7'], ['5', '', '5'],
                              ['8', '', '{"id": 7, "n": 1, "z": "\\xff"}']])
        _, errors = self.run_program('-e', JSON + 'SELECT id FROM t', '--max-rejects', '2', status=1)
        self.assertIn('data.json:4: error: ', errors)

    def test_json_many(self):
        rng = random.Random(3)
        lines = ['{"id": %s, "n": %d}' % ('"x"' if rng.randrange(200) == 0 else i, i) for i in range(40000)]
        self.write('data.json', '\n'.join(lines))
        bad = [[str(i + 1), 'id', line] for i, line in enumerate(lines) if '"x"' in line]
        for arguments in (['--threads', '1'], ['--threads', '2', '--batch-rows', '64']):
            self.run_program('-e', JSON + 'SELECT COUNT(id) FROM t', '--rejects', 'r.csv', *arguments)
            self.assertEqual([[row[1], row[2], row[4]] for row in self.rejects()], bad)

    def test_ignored_errors_are_none(self):
        self.write('data.csv', '1,a,1\nx,b,2\n3,c,3,4\n')
        sql = create_table('t', 'id INT, k STRING, n BIGINT', 'data.csv', ", 'csv.ignore-parse-errors' = 'true'") + 'SELECT id FROM t'
        output, _ = self.run_program('-e', sql, '--format', 'csv', '--rejects', 'r.csv')
        self.assertEqual(output, 'id\n1\n\n')
        self.assertEqual(self.rejects(), [])

    def test_file_cannot_be_written(self):
        self.write('data.csv', '1,a,1\n')
        _, errors = self.run_program('-e', COUNT, '--rejects', 'nowhere/r.csv', status=1)
        self.assertIn('cannot write nowhere/r.csv', errors)


if __name__ == '__main__':
    unittest.main()
