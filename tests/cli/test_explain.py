"""EXPLAIN: the plan as a tree, with the strategies it runs with and why."""
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

    def test_a_strategy_that_there_is_not(self):
        for value in ['fast', 'heap']:
            output, errors = self.run_program(text=f"SET 'oriel.strategy.join' = '{value}';", status=1)
            self.assertEqual(output, '')
            self.assertIn(f"'{value}' is no value of oriel.strategy.join; there are 'auto', ", errors)
        self.output_of(text="SET 'oriel.strategy.join' = 'HASH'; SET 'oriel.strategy.join' = 'auto'; RESET 'oriel.strategy.join';")


if __name__ == '__main__':
    import unittest
    unittest.main()
