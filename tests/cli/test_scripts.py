"""Where scripts come from, and in which order they run."""
import os
import threading

from command import CREATE_ORDERS, CommandTest, create_table


class ScriptsTest(CommandTest):
    def test_every_source_of_a_script(self):
        self.write('q.sql', 'SELECT 7 AS x;')
        expected = 'x\n7\n'
        self.assertEqual(self.output_of('--format', 'csv', 'q.sql'), expected)
        self.assertEqual(self.output_of('--format=csv', '-f', 'q.sql'), expected)
        self.assertEqual(self.output_of('--format=csv', '-fq.sql'), expected)
        self.assertEqual(self.output_of('--format=csv', '--file=q.sql'), expected)
        self.assertEqual(self.output_of('--format=csv', '-e', 'SELECT 7 AS x'), expected)
        self.assertEqual(self.output_of('--format=csv', text='SELECT 7 AS x'), expected)
        self.assertEqual(self.output_of('--format=csv', '-', text='SELECT 7 AS x'), expected)
        self.assertEqual(self.output_of('--format=csv', '--', 'q.sql'), expected)

    def test_a_fifo_as_script(self):
        os.mkfifo(self.path('pipe'))
        writer = threading.Thread(target=lambda: self.write('pipe', 'SELECT 7 AS x;'))
        writer.start()
        self.assertEqual(self.output_of('--format', 'csv', 'pipe'), 'x\n7\n')
        writer.join()

    def test_scripts_share_one_session(self):
        self.write('ddl.sql', CREATE_ORDERS)
        self.write('a.sql', 'CREATE VIEW big AS SELECT id FROM orders WHERE amount > 15;')
        self.assertEqual(self.output_of('-i', 'ddl.sql', '--format', 'csv', 'a.sql', '-e', 'SELECT * FROM big;'), 'id\n2\n3\n4\n')

    def test_stops_at_the_first_error(self):
        self.write('q.sql', "SELECT 1 AS x;\nSELECT nope;\nSELECT 3 AS z;\n")
        output, errors = self.run_program('--format', 'csv', 'q.sql', '-e', 'SELECT 4', status=1)
        self.assertEqual(output, 'x\n1\n')
        self.assertRegex(errors, r'^q\.sql:2:8: error: ')

    def test_empty_scripts(self):
        for text in ['', ';', ' ;; -- nothing\n', '/* nothing */']:
            self.assertEqual(self.output_of(text=text), '')

    def test_a_byte_order_mark_is_skipped(self):
        self.write('q.sql', b'\xef\xbb\xbfSELECT 7 AS x;')
        self.assertEqual(self.output_of('--format', 'csv', 'q.sql'), 'x\n7\n')

    def test_missing_scripts(self):
        for name, words in [('none.sql', 'No such file'), ('.', 'directory')]:
            output, errors = self.run_program('-e', 'SELECT 1', name, status=1)
            self.assertEqual(output, '')
            self.assertIn(words, errors)
            self.assertIn(name, errors)

    def test_statements_without_rows_are_silent(self):
        text = CREATE_ORDERS + "SET 'a.b' = 'c'; CREATE VIEW v AS SELECT id FROM orders; DROP VIEW v; RESET;"
        self.assertEqual(self.output_of(text=text), '')

    def test_listings_follow_the_format(self):
        text = create_table('t', 'a INT, b STRING NOT NULL', 'x.csv') + 'SHOW TABLES; DESCRIBE t;'
        self.assertEqual(self.output_of('--format', 'json', text=text),
                         '{"table name":"t"}\n'
                         '{"name":"a","type":"INT","null":"TRUE","key":null,"extras":null,"watermark":null}\n'
                         '{"name":"b","type":"STRING","null":"FALSE","key":null,"extras":null,"watermark":null}\n')

    def test_show_create_table_can_be_run_again(self):
        text = create_table('t', 'a INT, b STRING NOT NULL, c AS a + 1', 'x.csv', ", 'csv.field-delimiter' = ';'")
        shown = self.output_of(text=text + 'SHOW CREATE TABLE t;')
        self.assertEqual(self.output_of(text=shown.rstrip() + '; SHOW CREATE TABLE t;'), shown)

    def test_explain_names_the_table(self):
        self.assertIn('orders', self.output_of(text=CREATE_ORDERS + 'EXPLAIN SELECT id FROM orders;'))


if __name__ == '__main__':
    import unittest
    unittest.main()
