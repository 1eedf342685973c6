"""--summary: what a run read, rejected and wrote."""
import re
import unittest

from command import CREATE_ORDERS, CommandTest, create_table

LINE = re.compile(r'summary: (\d+) rows read, (\d+) rejected, (\d+) without time, (\d+) written, (\d+) windows, \d+\.\d{3} s, peak memory \d+\.\d MB')
WINDOWS = {
    'TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL \'10\' MINUTE)': 2,
    'HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL \'5\' MINUTE, INTERVAL \'10\' MINUTE)': 5,
    'CUMULATE(TABLE orders, DESCRIPTOR(ts), INTERVAL \'5\' MINUTE, INTERVAL \'10\' MINUTE)': 4,
    'SESSION(TABLE orders, DESCRIPTOR(ts), INTERVAL \'3\' MINUTE)': 2,
}


class SummaryTest(CommandTest):
    def summary(self, sql, *arguments, status=0):
        output, errors = self.run_program('-e', sql, '--format', 'csv', '--summary', *arguments, status=status)
        lines = [line for line in errors.splitlines() if line.startswith('summary: ')]
        self.assertEqual(lines, errors.splitlines()[-len(lines):])
        self.assertIsNotNone(LINE.fullmatch(lines[-1]), lines)
        return output, [int(number) for number in LINE.fullmatch(lines[-1]).groups()], lines[:-1]

    def test_windows(self):
        for window, count in WINDOWS.items():
            sql = CREATE_ORDERS + 'SELECT window_start, window_end, COUNT(*) AS c FROM %s GROUP BY window_start, window_end;' % window
            for arguments in (['--threads', '1'], ['--threads', '2', '--batch-rows', '1']):
                output, numbers, tables = self.summary(sql, *arguments)
                rows = len(output.splitlines()) - 1
                self.assertEqual(numbers, [4, 0, 0, rows, count], window)
                self.assertEqual(tables, ['summary: table orders: 4 rows read, 0 rejected'])

    def test_windows_of_many_keys_count_once(self):
        self.write('data.csv', ''.join('%d,2024-01-01 %02d:00:00\n' % (i % 5000, i // 5000) for i in range(50000)))
        sql = create_table('t', 'k INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts', 'data.csv') + \
            "SELECT k, window_end, COUNT(*) AS c FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY k, window_start, window_end;"
        for arguments in (['--threads', '1'], ['--threads', '2', '--batch-rows', '64']):
            self.assertEqual(self.summary(sql, *arguments)[1], [50000, 0, 0, 50000, 10])

    def test_several_statements_and_tables(self):
        self.write('bad.csv', '1,a\nx,b\n3,c\n')
        sql = CREATE_ORDERS + create_table('t', 'id INT, k STRING', 'bad.csv') + create_table('s', 'id BIGINT', 'out.csv') + \
            'INSERT INTO s SELECT o.id FROM orders AS o JOIN t ON o.id = t.id; SELECT id FROM t;'
        output, numbers, tables = self.summary(sql, '--max-rejects', '1')
        self.assertEqual(numbers, [8, 2, 0, 4, 0])
        self.assertEqual(sorted(tables), ['summary: table orders: 4 rows read, 0 rejected', 'summary: table t: 4 rows read, 2 rejected'])
        self.assertEqual(output, 'id\n1\n3\n')

    def test_rows_without_time(self):
        self.write('data.csv', '1,2024-01-01 00:00:00\n2,\n')
        sql = "SET 'execution.runtime-mode' = 'batch';" + create_table('t', 'id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts', 'data.csv', ", 'csv.null-literal' = ''") + \
            "SELECT window_end, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end;"
        self.assertEqual(self.summary(sql)[1], [2, 0, 1, 1, 1])

    def test_after_an_error(self):
        _, numbers, _ = self.summary(CREATE_ORDERS + 'SELECT id FROM orders; SELECT nothing FROM orders;', status=1)
        self.assertEqual(numbers, [4, 0, 0, 4, 0])


if __name__ == '__main__':
    unittest.main()
