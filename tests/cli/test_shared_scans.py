"""Tables that are read once for several readers: what is read is counted, and the rows are those of reading apart."""
import re

from command import CommandTest, create_table

ORDERS = create_table('orders', 'id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts', 'orders.csv')
WINDOW = "TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE)"
COUNTS = f'SELECT window_start AS ws, window_end AS we, COUNT(*) AS c FROM {WINDOW} WHERE amount >= 50 GROUP BY window_start, window_end'
SUMS = f'SELECT window_start AS ws, window_end AS we, shop, SUM(amount) AS s FROM {WINDOW} GROUP BY window_start, window_end, shop'

# Each reads the table that many times, and the file once.
QUERIES = [
    (2, f'SELECT a.ws, a.c, b.shop, b.s FROM ({COUNTS}) a JOIN ({SUMS}) b ON a.ws = b.ws AND a.we = b.we'),
    (2, "SELECT shop, COUNT(*) AS c FROM (SELECT shop FROM orders WHERE amount < 10 UNION ALL SELECT UPPER(shop) FROM orders "
        "WHERE amount > 90 UNION ALL VALUES ('x')) GROUP BY shop"),
    (2, 'WITH t AS (SELECT shop, amount FROM orders WHERE amount > 20) SELECT COUNT(*) AS c FROM t UNION ALL SELECT SUM(amount) FROM t'),
    (3, "SELECT id, n FROM (SELECT id, n, ROW_NUMBER() OVER (PARTITION BY n ORDER BY id) AS r FROM (SELECT id, 1 AS n FROM orders "
        "UNION ALL SELECT id + 1, amount FROM (SELECT * FROM orders UNION ALL SELECT * FROM orders WHERE amount = 7))) WHERE r <= 2"),
    (2, 'SELECT id, shop FROM (SELECT id, shop FROM orders WHERE amount < 3 UNION ALL SELECT amount, shop FROM orders WHERE id < 3) ORDER BY shop, id'),
    (2, f"SELECT window_end, COUNT(*) AS c FROM (SELECT * FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE) "
        "WHERE amount < 5 UNION ALL SELECT * FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE) WHERE amount > 95) "
        'GROUP BY window_end'),
]


class SharedScansTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.rows = ['%d,s%d,%d,2024-01-01 %02d:%02d:00\n' % (i, i % 7, i % 100, i // 600 % 24, i // 10 % 60) for i in range(6000)]
        self.write('orders.csv', ''.join(self.rows))
        self.write('copy.csv', ''.join(self.rows))

    def scans(self, statement, *arguments, before=''):
        """What EXPLAIN ANALYZE says of reading: the lines of the scans that read."""
        text = self.output_of(*arguments, text=f'{ORDERS}{before}EXPLAIN ANALYZE {statement};')
        return re.findall(r'= rows 6000 out; 184\.2 kB in \d+ chunk', text), text

    def apart(self, query):
        """The query with a table of its own for each time that orders stands in it."""
        tables, parts = '', re.split(r'\borders\b', query)
        for i in range(len(parts) - 1):
            tables += create_table(f'orders{i}', 'id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts', 'orders.csv')
            parts[i] += f'orders{i}'
        return tables + ''.join(parts) + ';'

    def test_the_file_is_read_once(self):
        for count, query in QUERIES:
            scans, text = self.scans(query)
            self.assertEqual(len(scans), 1, text)
            self.assertIn(f'- scan: read once for {count} scans\n', text)
            self.assertEqual(text.count('- scan: rows of the first scan of orders\n'), count - 1)

    def test_the_same_bytes_as_apart(self):
        for _, query in QUERIES:
            expected = self.output_of('--threads', '1', text=self.apart(query))
            for arguments in [['--threads', '1'], ['--threads', '2'], ['--batch-rows', '64'], ['--batch-rows', '1']]:
                self.assertEqual(self.output_of(*arguments, text=f'{ORDERS}{query};'), expected, query)

    def test_a_pipe_is_read_once(self):
        query = QUERIES[0][1]
        expected = self.output_of(text=f'{ORDERS}{query};')
        self.write('q.sql', ORDERS.replace('orders.csv', '/dev/stdin') + query + ';')
        self.assertEqual(self.output_of('-f', 'q.sql', text=''.join(self.rows)), expected)

    def test_what_is_wanted_in_order_is_read_apart(self):
        scans, text = self.scans('SELECT id FROM orders UNION ALL SELECT amount FROM orders')
        self.assertEqual(len(scans), 2, text)
        self.assertNotIn('read once', text)

    def test_tables_with_other_options_are_read_apart(self):
        query = ("SELECT COUNT(*) FROM orders UNION ALL SELECT COUNT(*) FROM orders /*+ OPTIONS('csv.ignore-parse-errors' = 'true') */")
        scans, text = self.scans(query)
        self.assertEqual(len(scans), 2, text)
        scans, text = self.scans(query.replace('FROM orders UNION', "FROM orders /*+ OPTIONS('csv.ignore-parse-errors' = 'true') */ UNION"))
        self.assertEqual(len(scans), 1, text)

    def test_the_first_row_at_fault_counts(self):
        self.rows[40] = '40,x,40,2024-01-01 00:04:00\n'
        self.rows[50] = '50,y,50,2024-01-01 00:05:00\n'
        self.write('orders.csv', ''.join(self.rows))
        query = ("SELECT SUM(a) FROM (SELECT CAST(CASE WHEN shop = 'y' THEN shop ELSE '0' END AS INT) AS a FROM orders) UNION ALL "
                 "SELECT SUM(b) FROM (SELECT CAST(CASE WHEN shop = 'x' THEN shop ELSE '0' END AS INT) AS b FROM orders)")
        for arguments in [['--threads', '1'], ['--threads', '2'], ['--batch-rows', '64'], ['--batch-rows', '1']]:
            errors = self.run_program(*arguments, text=f'{ORDERS}{query};', status=1)[1]
            self.assertIn("'x'", errors)


if __name__ == '__main__':
    import unittest
    unittest.main()
