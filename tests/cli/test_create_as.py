"""CREATE TABLE ... AS SELECT, with OR REPLACE and without; the columns and refusals are Flink's."""
import os

from command import CREATE_ORDERS, CommandTest, create_table


def options(path, kind='csv'):
    return "WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = '%s')" % (path, kind)


class CreateAsTest(CommandTest):
    def rows(self, text):
        return self.run_program('--format', 'csv', '-e', CREATE_ORDERS + text)[0]

    def described(self, text):
        """The columns as (name, type, nullable, extras)."""
        lines = self.run_program('-e', CREATE_ORDERS + text + ' DESCRIBE r;')[0].split('\n')[3:-3]
        cells = [[cell.strip() for cell in line.strip('|').split('|')] for line in lines]
        return [(c[0], c[1], c[2] == 'TRUE', c[4]) for c in cells]

    def test_the_table_has_the_columns_of_the_query(self):
        text = 'CREATE TABLE r %s AS SELECT shop, COUNT(*) AS c, MAX(id) AS m FROM orders GROUP BY shop;' % options('r.csv')
        self.assertEqual(self.described(text), [('shop', 'STRING', True, ''), ('c', 'BIGINT', False, ''), ('m', 'BIGINT', True, '')])
        errors = self.run_program('-e', CREATE_ORDERS + text)[1]
        self.assertRegex(errors, r'^note: inserted \d+ rows\n$')
        self.assertIn('seoul,', self.read('r.csv'))
        self.assertEqual(self.rows('CREATE TABLE r %s AS SELECT id, shop FROM orders WHERE id < 3; SELECT shop, id + 1 AS n FROM r;' % options('s.csv')),
                         'shop,n\nseoul,2\nbusan,3\n')

    def test_declared_columns(self):
        text = 'CREATE TABLE r (d DOUBLE, id BIGINT NOT NULL, n AS id + 1, PRIMARY KEY (id) NOT ENFORCED) %s AS SELECT shop, 7 AS id FROM orders;' % options('r.csv')
        self.assertEqual(self.described(text), [('d', 'DOUBLE', True, ''), ('n', 'BIGINT', False, 'AS `id` + 1'), ('shop', 'STRING', True, ''), ('id', 'BIGINT', False, '')])
        text = 'CREATE TABLE r (n, m) %s AS SELECT id AS m, shop AS n FROM orders WHERE id = 1;' % options('r.csv')
        self.assertEqual(self.rows(text + 'SELECT * FROM r;'), 'n,m\nseoul,1\n')
        self.assertEqual([c[0] for c in self.described('CREATE TABLE r %s AS SELECT id, shop AS id, 1 FROM orders;' % options('t.csv'))], ['id', 'id0', 'EXPR$2'])

    def test_a_watermark_makes_a_time_attribute(self):
        query = " AS SELECT id, TIMESTAMP '2026-01-01 00:00:30' AS ts FROM orders;"
        window = "SELECT COUNT(*) > 0 AS x FROM TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end;"
        self.assertEqual(self.rows('CREATE TABLE r (ts TIMESTAMP(3), WATERMARK FOR ts AS ts) %s' % options('r.csv') + query + window), 'x\ntrue\n')
        errors = self.run_program('-e', CREATE_ORDERS + 'CREATE TABLE r ' + options('r.csv') + query + window, status=1)[1]
        self.assertIn('requires the timecol is a time attribute', errors)

    def test_nested_columns_and_folders(self):
        text = "CREATE TABLE r %s AS SELECT CAST(ROW(id, shop) AS ROW<id BIGINT, shop STRING>) AS a, ARRAY[1, id] AS b, 'x' AS c FROM orders WHERE id = 1;" % options('r.json', 'json')
        self.assertEqual(self.described(text)[0][1][:3], 'ROW')
        self.assertEqual(self.rows(text + 'SELECT a.shop, b[2] AS n, c FROM r;'), 'shop,n,c\nseoul,1,x\n')
        self.rows('CREATE TABLE r PARTITIONED BY (shop) %s AS SELECT * FROM orders;' % options('parts'))
        self.assertIn('shop=seoul', os.listdir(self.path('parts')))

    def test_or_replace(self):
        text = 'CREATE TABLE r %s AS SELECT id FROM orders WHERE id < 3;' % options('a.csv')
        text += 'CREATE OR REPLACE TABLE r %s AS SELECT id + 1 AS n FROM r;' % options('b.csv')
        self.assertEqual(self.rows(text + 'SELECT n FROM r;'), 'n\n2\n3\n')
        self.assertEqual(self.rows('CREATE OR REPLACE TABLE r %s AS VALUES (1); SELECT * FROM r;' % options('c.csv')), 'EXPR$0\n1\n')
        self.assertEqual(self.described('CREATE OR REPLACE TABLE r (v INT) %s;' % options('d.csv')), [('v', 'INT', True, '')])

    def test_if_not_exists_inserts(self):
        text = create_table('r', 'a BIGINT', 'r.csv') + 'CREATE TABLE IF NOT EXISTS r %s AS SELECT id FROM orders WHERE id < 3; SELECT a FROM r;' % options('s.csv')
        self.assertEqual(self.rows(text), 'a\n1\n2\n')
        self.assertNotIn('s.csv', self.names())

    def test_explain(self):
        text = 'EXPLAIN CREATE TABLE r %s AS SELECT id FROM orders;' % options('r.csv')
        self.assertIn('Insert: r [id]', self.rows(text))
        self.assertNotIn('r.csv', self.names())
        self.assertIn("'r' not found", self.run_program('-e', CREATE_ORDERS + text + 'SELECT * FROM r;', status=1)[1])

    def test_a_failure_leaves_nothing(self):
        self.write('bad.csv', '1\nx\n')
        text = create_table('t', 'a INT', 'bad.csv') + 'CREATE TABLE r %s AS SELECT a FROM t;' % options('r.csv')
        self.run_program('-e', text, status=1)
        self.assertNotIn('r.csv', self.names())

    def test_mistakes(self):
        made = create_table('made', 'a INT', 'made.csv')
        for text, words in [
            ('CREATE TABLE made %s AS SELECT 1 AS a', "'made' already exists"),
            ('CREATE OR REPLACE TABLE made (b INT) %s', 'or write AS SELECT'),
            ('CREATE TEMPORARY TABLE r %s AS SELECT 1 AS a', 'no temporary table'),
            ('CREATE OR REPLACE TABLE IF NOT EXISTS r %s AS SELECT 1 AS a', 'no IF NOT EXISTS'),
            ('CREATE OR REPLACE TABLE v %s AS SELECT 1 AS a', "'v' is a view"),
            ('CREATE TABLE r (a, b) %s AS SELECT 1 AS a', 'must match the number of columns in the source schema'),
            ('CREATE TABLE r (b) %s AS SELECT 1 AS a', "Column 'b' not found in the source schema"),
            ('CREATE TABLE r (a SMALLINT) %s AS SELECT a FROM made', "sink column 'a' at position 1. The source column has type 'INT', while the target column has type 'SMALLINT'"),
            ('CREATE TABLE r (a INT NOT NULL) %s AS SELECT a FROM made', "'INT', while the target column has type 'INT NOT NULL'"),
            ('CREATE TABLE r (a AS 1) %s AS SELECT a FROM made', "'a' already exists"),
            ("CREATE TABLE r %s AS SELECT INTERVAL '1' DAY AS i", "'i' of the query has the type INTERVAL"),
            ('CREATE TABLE r %s AS SELECT NULL AS n', "Illegal use of 'NULL'"),
            ('CREATE TABLE r %s LIKE made AS SELECT 1 AS a', 'found AS'),
            ('CREATE TABLE r AS SELECT 1 AS a', "option key 'connector'"),
        ]:
            with self.subTest(text=text):
                errors = self.run_program('-e', made + 'CREATE VIEW v AS SELECT 1 AS x;' + (text % options('r.csv') if '%s' in text else text), status=1)[1]
                self.assertIn(words, errors)
                self.assertNotIn('r.csv', self.names())


if __name__ == '__main__':
    import unittest
    unittest.main()
