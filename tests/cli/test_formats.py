"""Formats of results on standard output."""
import base64
import csv
import io
import json

from command import CREATE_ORDERS, CommandTest, create_table

VALUES = "SELECT * FROM (VALUES (1, 'a,b', CAST(1.50 AS DECIMAL(5, 2))), (2, '', CAST(NULL AS DECIMAL(5, 2))), (3, 'say \"hi\"', CAST(-0.05 AS DECIMAL(5, 2)))) AS t(id, name, price);"


class FormatsTest(CommandTest):
    def test_tableau(self):
        text = CREATE_ORDERS + 'SELECT id, shop, amount FROM orders;'
        self.assertEqual(self.output_of(text=text),
                         '+----+----------------------+--------------------------------+-------------+\n'
                         '| op |                   id |                           shop |      amount |\n'
                         '+----+----------------------+--------------------------------+-------------+\n'
                         '| +I |                    1 |                          seoul |          10 |\n'
                         '| +I |                    2 |                          busan |          20 |\n'
                         '| +I |                    3 |                          seoul |          30 |\n'
                         '| +I |                    4 |                         <NULL> |          40 |\n'
                         '+----+----------------------+--------------------------------+-------------+\n'
                         '4 rows in set\n')

    def test_tableau_of_batch_mode_has_no_op(self):
        text = "SET 'execution.runtime-mode' = 'batch'; SELECT 1 AS x;"
        self.assertEqual(self.output_of(text=text),
                         '+-------------+\n|           x |\n+-------------+\n|           1 |\n+-------------+\n1 row in set\n')

    def test_tableau_without_rows(self):
        self.assertEqual(self.output_of(text=CREATE_ORDERS + 'SELECT id FROM orders WHERE id > 9;'), 'Empty set\n')

    def test_csv(self):
        self.assertEqual(self.output_of('--format', 'csv', text=VALUES),
                         'id,name,price\n1,"a,b",1.50\n2,"",\n3,"say ""hi""",-0.05\n')
        self.assertEqual(self.output_of('--format', 'csv', '--no-header', text=VALUES),
                         '1,"a,b",1.50\n2,"",\n3,"say ""hi""",-0.05\n')

    def test_csv_is_read_by_others(self):
        rows = list(csv.reader(io.StringIO(self.output_of('--format', 'csv', text=VALUES))))
        self.assertEqual(rows, [['id', 'name', 'price'], ['1', 'a,b', '1.50'], ['2', '', ''], ['3', 'say "hi"', '-0.05']])

    def test_csv_comes_back_the_same(self):
        self.write('back.csv', self.output_of('--format', 'csv', '--no-header', text=VALUES))
        text = create_table('back', 'id INT, name STRING, price DECIMAL(5, 2)', 'back.csv',
                            ", 'csv.null-literal' = '', 'oriel.csv.quoted-empty' = 'string'") + 'SELECT * FROM back;'
        self.assertEqual(self.output_of('--format', 'csv', text=text), self.output_of('--format', 'csv', text=VALUES))

    def test_several_results_are_apart(self):
        self.assertEqual(self.output_of('--format', 'csv', '-e', 'SELECT 1 AS x; SELECT 2 AS y;'), 'x\n1\n\ny\n2\n')
        self.assertEqual(self.output_of('--format', 'json', '-e', 'SELECT 1 AS x; SELECT 2 AS y;'), '{"x":1}\n{"y":2}\n')

    def test_empty_results(self):
        text = CREATE_ORDERS + 'SELECT id FROM orders WHERE id > 9;'
        self.assertEqual(self.output_of('--format', 'csv', text=text), 'id\n')
        self.assertEqual(self.output_of('--format', 'json', text=text), '')
        self.assertEqual(self.output_of('--format', 'markdown', text=text), '| id |\n| ---: |\n')

    def test_json_values(self):
        text = ("SELECT TRUE AS b, 12345678901234567.89 AS d, 9223372036854775807 AS l, CAST('NaN' AS DOUBLE) AS n, X'00ff' AS x, "
                "'q\"\\ü' AS s, TIMESTAMP '2024-01-01 00:00:00.5' AS t, CAST(NULL AS INT) AS z;")
        line = self.output_of('--format', 'json', text=text)
        value = json.loads(line)
        self.assertEqual(value['b'], True)
        self.assertIn('"d":12345678901234567.89', line)
        self.assertEqual(value['l'], 9223372036854775807)
        self.assertEqual(value['n'], 'NaN')
        self.assertEqual(base64.b64decode(value['x']), b'\0\xff')
        self.assertEqual(value['s'], 'q"\\ü')
        self.assertEqual(value['t'], '2024-01-01 00:00:00.5')
        self.assertIsNone(value['z'])

    def test_markdown(self):
        self.assertEqual(self.output_of('--format', 'markdown', '-e', "SELECT 1 AS n, 'a|b' AS s;"), '| n | s |\n| ---: | --- |\n| 1 | a\\|b |\n')

    def test_threads_and_batches_give_the_same_bytes(self):
        self.write('many.csv', ''.join('%d,shop %d,%d,2024-01-01 %02d:%02d:00\n' % (i, i % 7, i % 100, i // 60 % 24, i % 60) for i in range(20000)))
        text = CREATE_ORDERS.replace('orders.csv', 'many.csv') + '''SELECT window_start, shop, COUNT(*) AS c, SUM(amount) AS s
            FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, shop;'''
        expected = self.output_of('--format', 'csv', text=text)
        self.assertEqual(expected.count('\n'), 1 + 144 * 7)
        for arguments in [['--threads', '1'], ['--batch-rows', '64'], ['--isa', 'reference']]:
            self.assertEqual(self.output_of('--format', 'csv', *arguments, text=text), expected)


if __name__ == '__main__':
    import unittest
    unittest.main()
