"""Tables that are read once for several readers: what is read is counted, and the rows are those of reading apart."""
import os
import re
import shutil

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


class StatementSetTest(SharedScansTest):
    SINKS = (create_table('counts', 'ws TIMESTAMP(3), we TIMESTAMP(3), c BIGINT', 'counts.csv') +
             create_table('sums', 'ws TIMESTAMP(3), we TIMESTAMP(3), shop STRING, s INT', 'sums.csv') +
             create_table('few', 'id BIGINT, shop STRING', 'few.csv') + create_table('more', 'id BIGINT', 'more') +
             create_table('sorted', 'id BIGINT, amount INT', 'sorted.csv') +
             "CREATE TABLE shown (id BIGINT) WITH ('connector' = 'print');"
             "CREATE TABLE nothing (id BIGINT) WITH ('connector' = 'blackhole');")
    INSERTS = [f'INSERT INTO counts {COUNTS}', 'INSERT INTO few SELECT id, shop FROM orders WHERE amount = 50', f'INSERT INTO sums {SUMS}',
               'INSERT INTO more SELECT id FROM orders WHERE id > 5990', 'INSERT INTO sorted SELECT id, amount FROM orders ORDER BY amount, id LIMIT 50',
               'INSERT INTO few SELECT id, UPPER(shop) FROM orders WHERE amount = 51', 'INSERT INTO nothing SELECT id FROM orders']

    def files(self):
        texts = [self.read(name) for name in ['counts.csv', 'sums.csv', 'few.csv', 'sorted.csv']]
        return texts + [self.read('more/' + name) for name in self.names_in('more')]

    def names_in(self, folder):
        return sorted(os.listdir(self.path(folder))) if os.path.isdir(self.path(folder)) else []

    def clear(self):
        for name in self.names():
            if name not in ['orders.csv', 'copy.csv']:
                shutil.rmtree(self.path(name)) if os.path.isdir(self.path(name)) else os.remove(self.path(name))

    def test_the_same_files_as_apart(self):
        self.run_program(text=ORDERS + self.SINKS + ';'.join(self.INSERTS) + ';')
        expected = self.files()
        for begin in ['EXECUTE STATEMENT SET BEGIN', 'BEGIN STATEMENT SET;']:
            for arguments in [['--threads', '1'], ['--threads', '2'], ['--batch-rows', '64']]:
                self.clear()
                errors = self.run_program(*arguments, text=f'{ORDERS}{self.SINKS}{begin} {";".join(self.INSERTS)}; END;')[1]
                self.assertEqual(errors, 'note: inserted %d rows\n' % (sum(text.count('\n') for text in expected) + 6000))
                self.assertEqual(self.files(), expected)

    def test_a_set_reads_the_file_once(self):
        inserts = [insert for insert in self.INSERTS if 'INTO few' not in insert]
        scans, text = self.scans(f'STATEMENT SET BEGIN {";".join(inserts)}; END', before=self.SINKS)
        self.assertEqual(len(scans), 1, text)
        self.assertIn('- scan: read once for 5 scans\n', text)
        self.assertIn('\n  = rows 9 in; CPU', text)
        self.assertEqual(len(self.names_in('more')), 1)

    def test_all_or_nothing(self):
        self.write('few.csv', 'old\n')
        bad = "INSERT INTO more SELECT CAST(shop AS BIGINT) FROM orders"
        errors = self.run_program(text=f'{ORDERS}{self.SINKS}EXECUTE STATEMENT SET BEGIN {";".join(self.INSERTS + [bad])}; END;', status=1)[1]
        self.assertIn("s0", errors)
        self.assertEqual(self.read('few.csv'), 'old\n')
        self.assertEqual([name for name in self.names() if name.endswith('.csv')], ['copy.csv', 'few.csv', 'orders.csv'])
        self.assertEqual(self.names_in('more'), [])

    def test_folders_by_columns_and_a_file(self):
        sinks = self.SINKS + create_table('parts', 'id BIGINT, shop STRING', 'parts').replace(' WITH', ' PARTITIONED BY (shop) WITH')
        inserts = 'INSERT INTO parts SELECT id, shop FROM orders WHERE amount < 10; INSERT INTO few SELECT id, shop FROM orders WHERE amount = 3;'
        scans, text = self.scans(f'STATEMENT SET BEGIN {inserts} END', before=sinks)
        self.assertEqual(len(scans), 1, text)
        self.assertEqual(self.names_in('parts'), ['shop=s%d' % i for i in range(7)])
        self.assertEqual(sum(len(self.read(f'parts/{folder}/{name}').splitlines())
                             for folder in self.names_in('parts') for name in self.names_in(f'parts/{folder}')), 600)
        self.assertEqual(self.read('few.csv'), ''.join('%d,s%d\n' % (i, i % 7) for i in range(3, 6000, 100)))

    def test_print_keeps_its_order(self):
        inserts = ['INSERT INTO shown SELECT id FROM orders WHERE amount = 99', 'INSERT INTO shown SELECT amount FROM orders WHERE id < 3',
                   'INSERT INTO few SELECT id, shop FROM orders WHERE amount = 50']
        output = self.run_program(text=f'{ORDERS}{self.SINKS}BEGIN STATEMENT SET; {";".join(inserts)}; END;')[0]
        self.assertEqual(output, ''.join('+I[%d]\n' % i for i in range(99, 6000, 100)) + '+I[0]\n+I[1]\n+I[2]\n')

    def test_overwrite_in_a_set(self):
        inserts = ['INSERT INTO few SELECT id, shop FROM orders WHERE id = 1', 'INSERT OVERWRITE few SELECT id, shop FROM orders WHERE id = 2',
                   'INSERT INTO few SELECT id, shop FROM orders WHERE id = 3']
        self.run_program(text=f'{ORDERS}{self.SINKS}BEGIN STATEMENT SET; {";".join(inserts)}; END;')
        self.assertEqual(self.read('few.csv'), '2,s2\n3,s3\n')


if __name__ == '__main__':
    import unittest
    unittest.main()
