"""Which of several errors is told: that of the first row, and there of the first expression, however the rows are cut."""
from command import CommandTest, create_table

ORDERS = create_table('orders', 'id BIGINT, a STRING, b STRING, c INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts', 'orders.csv')
SETTINGS = [['--threads', threads] + rows for threads in ['1', '2'] for rows in [['--batch-rows', '1'], ['--batch-rows', '64'], []]]


class FirstErrorTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.rows = [[str(i), '1', '2', '3', '2024-01-01 00:00:00'] for i in range(6000)]

    def check(self, query, words, faults, before=''):
        """`faults` maps (row, column) to a text; the error must hold `words` for every way to run."""
        for (row, column), text in faults.items():
            self.rows[row][column] = text
        self.write('orders.csv', ''.join(','.join(row) + '\n' for row in self.rows))
        found = set()
        for arguments in SETTINGS:
            output, errors = self.run_program('--format', 'csv', *arguments, text=f'{ORDERS}{before}{query};', status=1)
            self.assertIn(words, errors, arguments)
            found.add(errors)
        self.assertEqual(len(found), 1, found)

    def test_two_expressions_of_a_projection(self):
        self.check('SELECT CAST(a AS INT), CAST(b AS INT) FROM orders', "'early'", {(70, 1): 'late', (40, 2): 'early'})

    def test_two_expressions_of_one_row(self):
        self.check('SELECT CAST(b AS INT), CAST(a AS INT) FROM orders', "'second'", {(40, 1): 'first', (40, 2): 'second'})

    def test_a_filter_and_a_projection(self):
        self.check('SELECT CAST(a AS INT) FROM orders WHERE CAST(b AS INT) > 0', "'early'", {(45, 1): 'early', (50, 2): 'late'})
        self.check('SELECT CAST(a AS INT) FROM orders WHERE CAST(b AS INT) > 0', "'earlier'", {(44, 2): 'earlier'})

    def test_below_an_aggregation(self):
        self.check('SELECT SUM(x), SUM(y) FROM (SELECT CAST(a AS INT) AS x, CAST(b AS INT) AS y FROM orders) GROUP BY x', "'early'",
                   {(4000, 1): 'late', (3999, 2): 'early'})

    def test_copies_of_windows(self):
        self.check("SELECT CAST(a AS INT), CAST(b AS INT), window_start FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)",
                   "'early'", {(63, 1): 'late', (62, 2): 'early'})

    def test_bad_values_of_the_file(self):
        self.check('SELECT c, id FROM orders', '"early"', {(50, 0): 'late', (49, 3): 'early'})

    def test_a_bad_value_and_a_failing_expression(self):
        self.check('SELECT CAST(a AS INT), c FROM orders', "'early'", {(50, 3): 'late', (49, 1): 'early'})
        self.check('SELECT CAST(a AS INT), c FROM orders', '"earlier"', {(48, 3): 'earlier'})

    def test_required_columns(self):
        sink = create_table('sink', 'x INT NOT NULL, y INT NOT NULL, z INT', 'sink.csv')
        query = 'INSERT INTO sink SELECT TRY_CAST(a AS INT), TRY_CAST(b AS INT), CAST(c AS INT) FROM orders'
        self.check(query, "'y'", {(50, 1): '-', (49, 2): '-'}, before=sink)
        self.check(query.replace('CAST(c AS INT)', "CAST(CASE WHEN id = 48 THEN 'early' ELSE '1' END AS INT)"), "'early'", {}, before=sink)
        self.assertNotIn('sink.csv', self.names())

    def test_rows_before_a_limit(self):
        self.rows[100][1] = 'never'
        self.write('orders.csv', ''.join(','.join(row) + '\n' for row in self.rows))
        for arguments in SETTINGS:
            output = self.output_of('--format', 'csv', *arguments, text=f'{ORDERS}SELECT CAST(a AS INT) AS a FROM orders LIMIT 100;')
            self.assertEqual(output, 'a\n' + '1\n' * 100, arguments)


if __name__ == '__main__':
    import unittest
    unittest.main()
