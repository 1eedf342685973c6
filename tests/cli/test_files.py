"""Many files: folders, patterns, lists, and columns in the names of folders."""
import gzip
import os
import unittest

from command import CommandTest, create_table

PARTITIONED = '''CREATE TABLE t (id INT, dt STRING, h INT) PARTITIONED BY (dt, h)
  WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = '%s');
'''


class FilesTest(CommandTest):
    def put(self, path, text):
        os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
        self.write(path, text)

    def ids(self, path, columns='id INT'):
        return self.output_of('--format', 'csv', '--no-header', '-e', create_table('t', columns, path) + 'SELECT id FROM t;').split()

    def fails(self, path, *words):
        _, errors = self.run_program('-e', create_table('t', 'id INT', path) + 'SELECT id FROM t;', status=1)
        for word in words:
            self.assertIn(word, errors)

    def setUp(self):
        super().setUp()
        for name, text in (('in/b.csv', '2\n'), ('in/a.csv', '1\n'), ('in/c.txt', '3\n'), ('in/_d.csv', '4\n'), ('in/sub/a.csv', '5\n'),
                           ('in/sub/deep/e.csv', '6\n'), ('in/.hidden/f.csv', '7\n'), ('in/x[1].csv', '8\n')):
            self.put(name, text)

    def test_patterns(self):
        self.assertEqual(self.ids('in/*.csv'), ['1', '2', '8'])
        self.assertEqual(self.ids('in/?.csv'), ['1', '2'])
        self.assertEqual(self.ids('in/[bx]*'), ['2', '8'])
        self.assertEqual(self.ids('in/**/*.csv'), ['1', '2', '5', '6', '8'])
        self.assertEqual(self.ids('in/**'), ['1', '2', '3', '5', '6', '8'])
        self.assertEqual(self.ids('**/deep/*'), ['6'])
        self.assertEqual(self.ids('in/s*'), ['5', '6'])
        self.assertEqual(self.ids('in/{b,a}.csv'), ['1', '2'])
        self.assertEqual(self.ids('in/{sub,sub/deep}/*.csv'), ['5', '6'])
        self.assertEqual(self.ids('in/_*.csv'), ['4'])
        self.assertEqual(self.ids('file://' + self.path('in/*.csv')), ['1', '2', '8'])

    def test_a_name_that_is_there_is_no_pattern(self):
        self.assertEqual(self.ids('in/x[1].csv'), ['8'])
        self.put('one,two.csv', '9\n')
        self.assertEqual(self.ids('one,two.csv'), ['9'])

    def test_lists_keep_their_order(self):
        self.assertEqual(self.ids('in/b.csv,in/a.csv'), ['2', '1'])
        self.assertEqual(self.ids('in/sub; in/a.csv'), ['5', '6', '1'])
        self.fails('in/a.csv,in/*.csv', "the file 'in/a.csv' is named twice")
        self.fails('in/a.csv,in/none.csv', "file 'in/none.csv' does not exist")

    def test_no_file(self):
        self.fails('in/*.none', "no file matches 'in/*.none'")
        os.mkdir(self.path('empty'))
        self.assertEqual(self.ids('empty'), [])

    def test_source(self):
        text = "CREATE TABLE k (id INT) WITH ('connector' = 'kafka'); SELECT SUM(id) AS s FROM k;"
        self.assertEqual(self.output_of('--format', 'csv', '--source', 'k=in/**/*.csv', '-e', text), 's\n22\n')

    def test_threads_give_the_same_rows(self):
        for i in range(40):
            rows = ''.join('%d\n' % (i * 1000 + k) for k in range(1000))
            self.put('many/%02d.csv%s' % (i, '.gz' if i % 2 else ''), gzip.compress(rows.encode()) if i % 2 else rows)
        expected = [str(i) for i in range(40000)]
        self.assertEqual(self.ids('many/*'), expected)
        self.assertEqual(self.output_of('--format', 'csv', '--no-header', '--threads', '1', '-e', create_table('t', 'id INT', 'many') + 'SELECT id FROM t;').split(),
                         expected)


class FoldersTest(CommandTest):
    def put(self, path, text):
        os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
        self.write(path, text)

    def rows(self, query, path='in', format='csv'):
        return self.output_of('--format', 'csv', '--no-header', '-e', PARTITIONED % (path, format) + query).split()

    def setUp(self):
        super().setUp()
        self.put('in/dt=a/h=1/x.csv', '1\n2\n')
        self.put('in/dt=a/h=2/x.csv', '3\n')
        self.put('in/dt=b/h=1/x.csv', '4\n')

    def test_columns(self):
        self.assertEqual(self.rows('SELECT dt, id, h FROM t;'), ['a,1,1', 'a,2,1', 'a,3,2', 'b,4,1'])
        self.assertEqual(self.rows('SELECT COUNT(*), SUM(h) FROM t;'), ['4,5'])
        self.assertEqual(self.rows('SELECT dt, SUM(id) FROM t GROUP BY dt;'), ['a,6', 'b,4'])

    def test_folders_that_cannot_match_are_not_read(self):
        self.put('in/dt=c/h=1/x.csv', 'this is no number\n')
        self.put('in/dt=d/h=1/x.csv.gz', b'\x1f\x8b\x08broken')
        for condition, expected in (("dt < 'c'", ['1', '2', '3', '4']), ("dt = 'a' AND h = 2", ['3']), ("dt IN ('b', 'x')", ['4']), ("dt = 'b' AND id > 0", ['4']),
                                    ("UPPER(dt) = 'A' AND h + 1 = 2", ['1', '2']), ("dt = 'z'", []), ("dt BETWEEN 'a' AND 'b' AND h <> 1", ['3'])):
            self.assertEqual(self.rows('SELECT id FROM t WHERE %s;' % condition), expected, condition)
        _, errors = self.run_program('-e', PARTITIONED % ('in', 'csv') + "SELECT id FROM t WHERE dt = 'c' OR id = 1;", status=1)
        self.assertIn('in/dt=c/h=1/x.csv:1', errors)

    def test_json(self):
        self.put('j/dt=a/h=7/x.json', '{"id": 5}\n')
        self.put('j/dt=__DEFAULT_PARTITION__/h=8/x.json', '{"id": 6}\n')
        self.assertEqual(self.rows('SELECT id, dt, h FROM t;', 'j', 'json'), ['6,,8', '5,a,7'])
        self.assertEqual(self.rows('SELECT id FROM t WHERE dt IS NULL;', 'j', 'json'), ['6'])

    def test_patterns_and_deeper_folders(self):
        self.assertEqual(self.rows('SELECT id FROM t;', 'in/dt=a/*'), ['1', '2', '3'])
        self.put('in/dt=a/h=1/deep/y.csv', '9\n')
        self.assertEqual(self.rows("SELECT id, dt, h FROM t WHERE id = 9;"), ['9,a,1'])

    def test_a_file_outside_of_folders(self):
        self.put('in/dt=a/x.csv', '1\n')
        _, errors = self.run_program('-e', PARTITIONED % ('in', 'csv') + 'SELECT id FROM t;', status=1)
        self.assertIn("'in/dt=a/x.csv' is not in folders dt=.../h=.../", errors)

    def test_replacements(self):
        text = "CREATE TABLE t (id INT, dt STRING) PARTITIONED BY (dt) WITH ('connector' = 'hive'); SELECT id, dt FROM t;"
        self.put('plain.csv', '1,x\n')
        self.put('p/dt=y/a.csv', '2\n')
        self.assertEqual(self.output_of('--format', 'csv', '--source', 't=plain.csv', '-e', text), 'id,dt\n1,x\n')
        self.assertEqual(self.output_of('--format', 'csv', '--source', 't=p/*/*.csv', '-e', text), 'id,dt\n2,y\n')


if __name__ == '__main__':
    unittest.main()
