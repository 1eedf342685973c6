"""What is said about mistakes: place, line, caret, and no way to steer a terminal."""
from command import CREATE_ORDERS, CommandTest, create_table


class ErrorsTest(CommandTest):
    def errors_of(self, text, name='q.sql'):
        self.write(name, text)
        output, errors = self.run_program(name, status=1)
        self.assertEqual(output, '')
        return errors.split('\n')

    def test_a_caret_below_the_mistake(self):
        lines = self.errors_of(CREATE_ORDERS + "SELECT id,\n       nope FROM orders;")
        self.assertRegex(lines[0], r"^q\.sql:5:8: error: .*nope")
        self.assertEqual(lines[1:], ['         nope FROM orders;', '         ^', ''])

    def test_wide_characters_and_tabs_before_the_caret(self):
        lines = self.errors_of("SELECT '한글' AS `가게`,\tnope;")
        self.assertEqual(lines[1], "  SELECT '한글' AS `가게`, nope;")
        self.assertEqual(lines[2], '  ' + ' ' * 25 + '^')

    def test_long_lines_are_cut_around_the_mistake(self):
        lines = self.errors_of('SELECT ' + '1, ' * 500 + 'nope' + ', 2' * 500)
        self.assertTrue(lines[0].startswith('q.sql:1:1508: error: '))
        self.assertLess(len(lines[1]), 300)
        self.assertEqual(lines[1][len(lines[2]) - 1:][:4], 'nope')

    def test_the_right_script_is_named(self):
        self.write('ddl.sql', CREATE_ORDERS)
        self.write('a.sql', 'SELECT 1 AS x;\n\n')
        output, errors = self.run_program('-i', 'ddl.sql', 'a.sql', '-e', 'SELECT\n nope', status=1)
        self.assertTrue(errors.startswith('-e:2:2: error: '), errors)
        errors = self.run_program(text='SELECT nope', status=1)[1]
        self.assertTrue(errors.startswith('stdin:1:8: error: '), errors)

    def test_data_errors_name_file_line_and_column(self):
        self.write('bad.csv', '1,a\nten,b\n')
        errors = self.errors_of(create_table('t', 'a INT, b STRING', 'bad.csv') + 'SELECT * FROM t;')[0]
        self.assertIn('bad.csv:2', errors)
        self.assertIn("ten", errors)
        self.assertRegex(errors, r"\ba\b")

    def test_control_characters_are_escaped(self):
        self.write('bad.csv', b'1\n\x1b[31mred\n')
        errors = '\n'.join(self.errors_of(create_table('t', 'a INT', 'bad.csv') + 'SELECT * FROM t;'))
        self.assertNotIn('\x1b', errors)
        self.assertIn('\\x1b[31mred', errors)
        errors = '\n'.join(self.errors_of("SELECT `a\x1b[2Jb`;"))
        self.assertNotIn('\x1b', errors)
        self.assertIn('\\x1b[5m', self.run_program('--temp-dir', '\x1b[5m', status=2)[1])

    def test_syntax_errors_say_what_was_expected(self):
        for text, place in [('SELECT FROM x', '1:8'), ('SELECT 1 FROM', '1:14'), ('FOO BAR', '1:1'), ("SELECT 'open", '1:8')]:
            with self.subTest(text=text):
                self.assertTrue(self.errors_of(text)[0].startswith('q.sql:%s: error: ' % place))

    def test_scripts_that_are_no_text(self):
        lines = self.errors_of(b'SELECT 1;\nSELECT \xff;\n')
        self.assertTrue(lines[0].startswith('q.sql:2: error: the script is not UTF-8'))

    def test_tables_that_cannot_be_read(self):
        for options, words in [
            ("'connector' = 'nope'", 'nope'),
            ("'path' = 'x'", 'connector'),
            ("'connector' = 'filesystem', 'format' = 'csv'", 'path'),
            ("'connector' = 'filesystem', 'path' = 'orders.csv'", 'format'),
            ("'connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'xml'", 'xml'),
            ("'connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv', 'colour' = 'red'", 'colour'),
            ("'connector' = 'filesystem', 'path' = 'none.csv', 'format' = 'csv'", 'none.csv'),
            ("'connector' = 'kafka', 'topic' = 'x'", 'kafka'),
            ("'connector' = 'filesystem', 'path' = 'x.parquet', 'format' = 'parquet'", 'parquet'),
        ]:
            with self.subTest(options=options):
                first = self.errors_of('CREATE TABLE t (a BIGINT) WITH (%s);\nSELECT * FROM t;' % options)[0]
                self.assertRegex(first, r'^q\.sql:[12]:\d+: error: ')
                self.assertIn(words, first)

    def test_what_is_missing_is_named(self):
        for text, words in [('CREATE FUNCTION f AS \'x\'', 'CREATE FUNCTION'), ('SHOW PARTITIONS t', 'PARTITIONS')]:
            with self.subTest(text=text):
                self.assertIn(words, self.errors_of(text)[0])

    def test_errors_in_a_view_point_to_the_view(self):
        self.write('view.sql', CREATE_ORDERS + "CREATE VIEW v AS SELECT id,\n 10 / (id - id) AS q FROM orders;\n")
        errors = self.run_program('view.sql', '-e', 'SELECT * FROM v', status=1)[1]
        self.assertIn('/ by zero', errors)


if __name__ == '__main__':
    import unittest
    unittest.main()
