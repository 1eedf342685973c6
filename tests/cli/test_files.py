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


class InsertTest(CommandTest):
    """INSERT INTO tables that are PARTITIONED BY columns, as Flink writes them."""

    CREATE = PARTITIONED.replace('(id INT, dt STRING, h INT)', '(dt STRING, id INT, h INT, s STRING)') % ('out', 'csv')

    def tree(self):
        """{folder: content of its files}, of what a reader sees."""
        found = {}
        for folder, _, names in os.walk(self.path('out')):
            for name in sorted(names):
                with open(os.path.join(folder, name)) as file:
                    found.setdefault(os.path.relpath(folder, self.path('out')), []).append(file.read())
        return {folder: ''.join(texts) for folder, texts in found.items()}

    def insert(self, text, status=0):
        return self.run_program('--format', 'csv', '--no-header', '-e', self.CREATE + text, status=status)

    def test_values(self):
        output, _ = self.insert(r"""INSERT INTO t VALUES ('2026-03-01', 1, 9, 'a'), ('x', 2, 10, 'b'), ('2026-03-01', 3, 9, 'c'), ('a/b =:"%\*?#', 4, 9, 'd'),
                                   (CAST(NULL AS STRING), 5, CAST(NULL AS INT), 'e'), ('', 6, 1, 'f'); SELECT id, dt, h, s FROM t ORDER BY id;""")
        self.assertEqual(self.tree(), {'dt=2026-03-01/h=9': '1,a\n3,c\n', 'dt=x/h=10': '2,b\n', 'dt=a%2Fb %3D%3A%22%25%5C%2A%3F%23/h=9': '4,d\n',
                                       'dt=__DEFAULT_PARTITION__/h=__DEFAULT_PARTITION__': '5,e\n', 'dt=__DEFAULT_PARTITION__/h=1': '6,f\n'})
        self.assertEqual(output, '1,2026-03-01,9,a\n2,x,10,b\n3,2026-03-01,9,c\n4,"a/b =:""%\\*?#",9,d\n5,,,e\n6,,1,f\n')

    def test_partition_clause(self):
        self.insert("INSERT INTO t PARTITION (dt = 'q') SELECT 1, 9, 'a'; INSERT INTO t PARTITION (dt = 'q', h = 5) SELECT 2, 'b'; "
                    "INSERT INTO t PARTITION (h = 7) SELECT 'z', 3, 'c'; INSERT INTO t PARTITION (dt = 'q') (id, s, h) SELECT 4, 'd', 9;")
        self.assertEqual(self.tree(), {'dt=q/h=9': '1,a\n4,d\n', 'dt=q/h=5': '2,b\n', 'dt=z/h=7': '3,c\n'})
        _, errors = self.insert("INSERT INTO t PARTITION (id = 1) SELECT 'a', 1, 's';", status=1)
        self.assertIn("Static partition column 'id' should be in the partition keys list", errors)
        _, errors = self.insert("INSERT INTO t PARTITION (dt = 'q') SELECT 'a', 1, 2, 's';", status=1)
        self.assertIn('the query has 4 columns, the table takes 3', errors)

    def test_overwrite_empties_what_it_writes(self):
        self.insert("INSERT INTO t VALUES ('a', 1, 1, 'x'), ('b', 2, 1, 'x');")
        self.insert("SET 'execution.runtime-mode' = 'batch'; INSERT OVERWRITE t VALUES ('a', 3, 1, 'x'), ('c', 4, 1, 'x');")
        self.assertEqual(self.tree(), {'dt=a/h=1': '3,x\n', 'dt=b/h=1': '2,x\n', 'dt=c/h=1': '4,x\n'})

    def test_types_come_back(self):
        text = """CREATE TABLE o (d DATE, t TIMESTAMP(3), b BOOLEAN, f DOUBLE, m DECIMAL(5, 2), id INT, tm TIME, z TIMESTAMP_LTZ(3)) PARTITIONED BY (d, t, b, f, m, tm, z)
                  WITH ('connector' = 'filesystem', 'path' = 'typed', 'format' = 'json');
                  INSERT INTO o VALUES (DATE '2026-01-02', TIMESTAMP '2026-01-02 03:04:05.6', TRUE, 1.5E10, 1.50, 7, TIME '01:02:03', TO_TIMESTAMP_LTZ(5, 3)); SELECT * FROM o;"""
        output, _ = self.run_program('--format', 'csv', '--no-header', '-e', text)
        self.assertEqual(output, '2026-01-02,2026-01-02 03:04:05.600,true,1.5E10,1.50,7,01:02:03,1970-01-01 00:00:00.005Z\n')

    def test_a_failure_leaves_nothing(self):
        self.insert("INSERT INTO t VALUES ('a', 1, 1, 'x');")
        before = self.tree()
        self.write('in.csv', 'a,1\nb,2\nc,none\n')
        _, errors = self.insert(create_table('i', 'k STRING, v STRING', 'in.csv') + "INSERT INTO t SELECT k, CAST(v AS INT), 1, 'x' FROM i;", status=1)
        self.assertIn("'none'", errors)
        self.assertEqual(self.tree(), before)
        self.assertEqual(os.listdir(self.path('out')), ['dt=a'])

    def test_a_late_failure_leaves_nothing(self):
        self.insert("INSERT INTO t VALUES ('a', 1, 1, 'x');")
        os.mkdir(self.path('out/dt=c'))
        self.write('out/dt=c/h=1', 'a file where a folder must be')
        before = self.tree()
        _, errors = self.insert("INSERT INTO t VALUES ('a', 2, 1, 'x'), ('b', 2, 1, 'x'), ('c', 2, 1, 'x');", status=1)
        self.assertIn('out/dt=c/h=1', errors)
        self.assertEqual(self.tree(), before)
        self.assertEqual(sorted(os.listdir(self.path('out'))), ['dt=a', 'dt=c'])

    def test_many_rows_keep_their_order(self):
        self.write('in.csv', ''.join('%d,k%d\n' % (i, i * 7 % 300) for i in range(30000)))
        text = create_table('i', 'v INT, k STRING', 'in.csv') + '''CREATE TABLE o (v INT, k STRING) PARTITIONED BY (k) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'csv');
            INSERT INTO o SELECT * FROM i;'''
        for threads in ('1', '2'):
            self.run_program('--threads', threads, '--batch-rows', '1000', '-e', text)
        one = {'k=k%d' % i: '' for i in range(300)}
        for i in range(30000):
            one['k=k%d' % (i * 7 % 300)] += '%d\n' % i
        self.assertEqual(self.tree(), {folder: rows * 2 for folder, rows in one.items()})

    def test_a_file_in_the_place_of_the_folder(self):
        self.write('out', 'x')
        _, errors = self.insert("INSERT INTO t VALUES ('a', 1, 1, 'x');", status=1)
        self.assertIn("'out' is a file, but the table is PARTITIONED BY", errors)


if __name__ == '__main__':
    unittest.main()
