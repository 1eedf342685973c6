"""EXPLAIN: the plan as a tree, with the strategies it runs with and why."""
import re

from command import CommandTest, create_table

ORDERS = create_table('orders', 'id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts', 'orders.csv')
HOP = ("SELECT window_start, window_end, shop, SUM(amount) AS revenue FROM HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE, "
       "INTERVAL '60' MINUTE) GROUP BY window_start, window_end, shop")


class ExplainTest(CommandTest):
    def explain(self, query, before='', what='EXPLAIN'):
        return self.output_of(text=f'{ORDERS}{before}{what} {query};')

    def test_window_aggregation(self):
        text = self.explain(HOP)
        self.assertIn('  - window slices: HOP 5 min / 1 h share slices of 5 min\n', text)
        self.assertIn('  - aggregate: dense while keys are few in each slice, else hash\n', text)

    def test_top_n_over_copies(self):
        text = self.explain("SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY amount DESC) AS rn "
                            "FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '30' MINUTE)) WHERE rn <= 3")
        self.assertIn('  - topn heap: rows beyond the first 3 of a partition are dropped as they come\n', text)
        self.assertIn('    - window copies: rows with their windows are wanted\n', text)

    def test_join(self):
        text = self.explain('SELECT a.id FROM orders a JOIN orders b ON a.id = b.id')
        self.assertIn('- join hash: both sides are partitioned by the keys\n', text)
        text = self.explain("SELECT a.id FROM orders a JOIN orders b ON a.id = b.id AND a.ts BETWEEN b.ts AND b.ts + INTERVAL '1' HOUR")
        self.assertIn('- join hash: both sides are partitioned by the keys, whose rows are searched by range\n', text)

    def test_join_of_aggregations(self):
        view = ("CREATE VIEW {} AS SELECT window_start, window_end, shop, COUNT(*) AS n FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), "
                "INTERVAL '10' MINUTE) WHERE amount {} 100 GROUP BY window_start, window_end, shop;")
        before = view.format('cheap', '<') + view.format('dear', '>=')
        query = ('SELECT * FROM cheap a {} JOIN dear b ON a.window_start = b.window_start AND a.window_end = b.window_end AND '
                 'a.shop = b.shop')
        merged = '- join sort: both sides come in the order of the keys, so they are merged\n'
        self.assertIn(merged, self.explain(query.format('LEFT'), before))
        self.assertIn('- join hash: both sides are partitioned by the keys\n', self.explain(query.format('FULL'), before))
        self.assertIn('- join hash: by the setting\n', self.explain(query.format(''), before + "SET 'oriel.strategy.join' = 'hash';"))

    def test_forced_aggregation(self):
        tumble = ("SELECT window_start, {} COUNT(*) FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE) "
                  'GROUP BY window_start, window_end{}')
        keyed, plain = tumble.format('shop, ', ', shop'), tumble.format('', '')
        self.assertIn('- aggregate: dense while keys are few in each slice, else radix\n', self.explain(keyed))
        for name in ['dense', 'hash', 'radix']:
            before = f"SET 'oriel.strategy.aggregate' = '{name}';"
            self.assertIn(f'- aggregate {name}: by the setting\n', self.explain(keyed, before))
            self.assertIn('- aggregate dense: one group a slice\n', self.explain(plain, before))
        self.assertIn('- window copies: by the setting\n', self.explain(HOP, "SET 'oriel.strategy.window' = 'copies';"))
        session = ("SELECT shop, COUNT(*) FROM SESSION(TABLE orders PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '1' MINUTE) "
                   'GROUP BY window_start, window_end, shop')
        self.assertIn('- session ordered: one pass while time ascends', self.explain(session))
        for name in ['ordered', 'sort', 'hash']:
            self.assertIn(f'- session {name}: by the setting\n', self.explain(session, f"SET 'oriel.strategy.session' = '{name}';"))

    def test_forced_top_n(self):
        text = self.explain('SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY amount DESC) AS rn FROM orders) '
                            'WHERE rn = 1', "SET 'oriel.strategy.topn' = 'sort';")
        self.assertIn('- topn sort: by the setting\n', text)

    def test_a_strategy_that_there_is_not(self):
        for value in ['fast', 'heap']:
            output, errors = self.run_program(text=f"SET 'oriel.strategy.join' = '{value}';", status=1)
            self.assertEqual(output, '')
            self.assertIn(f"'{value}' is no value of oriel.strategy.join; there are 'auto', ", errors)
        self.output_of(text="SET 'oriel.strategy.join' = 'HASH'; SET 'oriel.strategy.join' = 'auto'; RESET 'oriel.strategy.join';")

    def test_every_spelling(self):
        plain = self.explain('SELECT id FROM orders')
        self.assertEqual(plain, 'Scan: orders [id]\n  - scan csv: orders.csv, 1 file, 119 B, 1 of 4 columns\n')
        for what in ['EXPLAIN PLAN FOR', 'EXPLAIN ESTIMATED_COST', 'EXPLAIN CHANGELOG_MODE', 'EXPLAIN JSON_EXECUTION_PLAN',
                     'EXPLAIN PLAN_ADVICE', 'EXPLAIN ESTIMATED_COST, CHANGELOG_MODE']:
            self.assertEqual(self.explain('SELECT id FROM orders', what=what), plain)

    def test_insert_and_statement_set(self):
        sinks = create_table('a', 'id BIGINT', 'a.csv') + create_table('b', 'shop STRING', 'parts')
        one = self.explain('INSERT INTO a SELECT id FROM orders', sinks)
        self.assertEqual(one.split('\n')[:3], ['Insert: a [id]', '  - write csv: the file a.csv', '  Scan: orders [id]'])
        both = self.explain('STATEMENT SET BEGIN INSERT INTO a SELECT id FROM orders; INSERT INTO b SELECT shop FROM orders; END', sinks)
        self.assertIn('Insert: a [id]\n  - write csv: the file a.csv\n  Scan: orders [id]\n', both)
        self.assertIn('    - scan: read once for 2 scans\n', both)
        self.assertIn('Insert: b [shop]\n  - write csv: a file more in parts\n', both)
        self.assertEqual(self.names(), ['orders.csv'])

    def test_what_cannot_be_explained(self):
        errors = self.run_program(text='EXPLAIN SELECT nope FROM (VALUES (1)) AS t (a);', status=1)[1]
        self.assertIn("'nope'", errors)
        output = self.explain('SELECT id FROM gone', before=create_table('gone', 'id INT', 'gone.csv'))
        self.assertIn('- scan csv: gone.csv, 1 of 1 columns', output)


class AnalyzeTest(CommandTest):
    """Rows are exact; times and sizes differ from run to run, the lines do not."""

    def setUp(self):
        super().setUp()
        self.write('orders.csv', ''.join('%d,s%d,%d,2024-01-01 %02d:%02d:00\n' % (i, i % 7, i % 100, i // 600 % 24, i // 10 % 60)
                                         for i in range(6000)))

    def analyze(self, query, *arguments, before='', what='EXPLAIN ANALYZE'):
        """The lines, each number of time and memory made a #."""
        text = self.output_of(*arguments, text=f'{ORDERS}{before}{what} {query};')
        text = re.sub(r'CPU [0-9.]+ (m?s)', r'CPU # \1', text)
        text = re.sub(r'[0-9.]+ %', '# %', text)
        text = re.sub(r'in [0-9.]+ s', 'in # s', text)
        return re.sub(r'memory [0-9.]+ k?M?B', 'memory #', text).rstrip('\n').split('\n')

    def test_window_aggregation(self):
        query = HOP.replace(' GROUP BY', ' WHERE amount >= 50 GROUP BY')
        minutes = [(i // 10, i % 7) for i in range(6000) if i % 100 >= 50]
        groups = len({(minute // 5 + k, shop) for minute, shop in minutes for k in range(12)})
        for threads in ['1', '2']:
            self.assertEqual(self.analyze(query, '--threads', threads)[1:], [
                '  - window slices: HOP 5 min / 1 h share slices of 5 min',
                '  - aggregate: dense while keys are few in each slice, else hash',
                '  = dense, 7 keys, 60 slices',
                f'  = rows 3000 in, {groups} out; CPU # ms, # %; peak memory #',
                '  Filter: (amount >= 50)',
                '    = rows 6000 in, 3000 out; CPU # ms, # %; peak memory #',
                '    Scan: orders [shop, amount, ts]',
                '      - scan csv: orders.csv, 1 file, 184.2 kB, 3 of 4 columns',
                '      = rows 6000 out; 184.2 kB in 1 chunk; CPU # ms, # %; peak memory #',
                f'Total: {groups} rows thrown away in # s; CPU # s on {threads} thread{"s" if threads == "2" else ""}; peak memory #'])

    def test_join_and_sort(self):
        lines = self.analyze('SELECT a.id, b.shop FROM orders a JOIN orders b ON a.amount = b.id ORDER BY a.id DESC LIMIT 3')
        rows = [re.match(r' *= rows (.*?)[;]', line).group(1) for line in lines if '= rows' in line]
        self.assertEqual(rows, ['3 in, 3 out', '3 in, 3 out', '6000 in, 3 out', '12000 in, 6000 out', '6000 in, 6000 out',
                                '6000 out', '6000 out'])
        self.assertIn('Total: 3 rows thrown away in # s', '\n'.join(lines))

    def test_insert_runs(self):
        lines = self.analyze('INSERT INTO big SELECT id FROM orders WHERE amount > 90', before=create_table('big', 'id BIGINT', 'big.csv'))
        self.assertEqual(lines[:3], ['Insert: big [id]', '  - write csv: the file big.csv', '  = rows 540 in; CPU # ms, # %; peak memory #'])
        self.assertTrue(lines[-1].startswith('Total: 540 rows written in # s'))
        self.assertEqual(len(self.read('big.csv').splitlines()), 540)

    def test_spilled_bytes(self):
        self.write('orders.csv', ''.join('%d,%s,%d,2024-01-01 00:00:00\n' % (i * 7919 % 200000, 'x' * 40, i) for i in range(200000)))
        lines = self.analyze('SELECT id, shop, amount FROM orders ORDER BY shop, id', '--memory-limit', '16MB', '--threads', '1')
        self.assertRegex('\n'.join(lines), r'Sort: \[shop, id\]\n *= rows 200000 in, 200000 out; .* MB spilled\n')

    def test_an_error_is_told(self):
        errors = self.run_program(text=f"{ORDERS}EXPLAIN ANALYZE SELECT CAST(shop AS INT) FROM orders;", status=1)[1]
        self.assertIn("s0", errors)


if __name__ == '__main__':
    import unittest
    unittest.main()
