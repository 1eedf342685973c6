"""Headers of CSV files, and columns that nobody declares: names and types from the files."""
import gzip
import os
import unittest

from command import CommandTest

ALL = '''id,shop,amount,ts,ok,d,zip,note
1,a,1.5,2024-01-01 00:00:01,true,2024-01-01,007,
2,b,,2024-01-01 00:11:01.25,false,2024-01-02,010,"x,y"
'''
TABLE = "CREATE TABLE t %s WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv'%s);\n"
HEADER = ", 'oriel.csv.header' = 'true'"


class InferTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write('a.csv', ALL)

    def csv(self, text, *arguments):
        return self.output_of('--format', 'csv', *arguments, '-e', text)

    def fails(self, text, *words):
        _, errors = self.run_program('-e', text, status=1)
        for word in words:
            self.assertIn(word, errors)
        return errors

    def types(self, text, name='t'):
        """{column: type}"""
        lines = self.csv(text + 'DESCRIBE %s;' % name, '--no-header').splitlines()
        return {line.split(',')[0]: ','.join(line.split(',')[1:-4]).strip('"') for line in lines}


class CsvTest(InferTest):
    def test_from_path(self):
        self.assertEqual(self.csv("SELECT * FROM 'a.csv'"), 'id,shop,amount,ts,ok,d,zip,note\n1,a,1.5,2024-01-01 00:00:01.000,true,2024-01-01,007,\n'
                         '2,b,,2024-01-01 00:11:01.250,false,2024-01-02,010,"x,y"\n')
        self.assertEqual(self.csv("SELECT window_start, SUM(amount) AS s FROM TUMBLE(TABLE 'a.csv', DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end"),
                         'window_start,s\n2024-01-01 00:00:00.000,1.5\n2024-01-01 00:10:00.000,\n')

    def test_types(self):
        self.assertEqual(self.types(TABLE % ('', 'a.csv', HEADER)), {
            'id': 'BIGINT', 'shop': 'STRING', 'amount': 'DOUBLE', 'ts': 'TIMESTAMP(3)', 'ok': 'BOOLEAN', 'd': 'DATE', 'zip': 'STRING', 'note': 'STRING'})
        self.write('b.csv', 'a,b,c,d,e,f,g,h\n1,1,2024-01-01 00:00:00.123456,2024-01-01 00:00:00Z,9999999999999999999,1e3,-0,5\n'
                            '2,1.5,2024-01-01 00:00:00,2024-01-01 00:00:00.5Z,1,-2.5,7,x\n')
        self.assertEqual(self.types(TABLE % ('', 'b.csv', HEADER)), {
            'a': 'BIGINT', 'b': 'DOUBLE', 'c': 'TIMESTAMP(6)', 'd': 'TIMESTAMP_LTZ(3)', 'e': 'DOUBLE', 'f': 'DOUBLE', 'g': 'BIGINT', 'h': 'STRING'})

    def test_is_there_a_header(self):
        for text, names in (('1,x\n2,y\n', ['f0', 'f1']), ('name,city\nanna,rome\n', ['name', 'city']), ('a,a\nb,c\n', ['f0', 'f1']), ('x,1\ny,2\n', ['f0', 'f1']),
                            ('k,v\nk,w\n', ['f0', 'f1']), ('id\n1\n', ['id']), ('id;s\n1;x\n', ['id', 's']), ('id\ts\n1\tx\n', ['id', 's']), ('id|s\n1|"x|y"\n', ['id', 's'])):
            self.write('h.csv', text)
            self.assertEqual(self.csv("SELECT * FROM 'h.csv'").splitlines()[0].split(','), names, text)
        self.write('h.csv', '1,2\n3,4\n')
        self.assertEqual(self.csv(TABLE % ('', 'h.csv', HEADER) + 'SELECT * FROM t'), '1,2\n3,4\n')
        self.write('h.csv', 'a,b\n3,4\n')
        self.assertEqual(self.csv(TABLE % ('', 'h.csv', ", 'oriel.csv.header' = 'false'") + 'SELECT * FROM t'), 'f0,f1\na,b\n3,4\n')

    def test_declared_columns_are_found_by_name(self):
        self.assertEqual(self.csv(TABLE % ('(ts TIMESTAMP(3), id INT, WATERMARK FOR ts AS ts)', 'a.csv', HEADER) + 'SELECT * FROM t'),
                         'ts,id\n2024-01-01 00:00:01.000,1\n2024-01-01 00:11:01.250,2\n')
        errors = self.fails(TABLE % ('(idd INT, id INT)', 'a.csv', HEADER) + 'SELECT idd FROM t', "the column 'idd' is not in the header of 'a.csv'; did you mean 'id'?")
        self.assertTrue(errors.startswith('-e:1:17'), errors)
        self.assertEqual(self.csv(TABLE % ('(idd INT, id INT)', 'a.csv', HEADER) + 'SELECT id FROM t'), 'id\n1\n2\n')
        self.write('twice.csv', 'a,b,a\n1,2,3\n')
        self.fails(TABLE % ('(b INT)', 'twice.csv', HEADER) + 'SELECT b FROM t', "two columns called 'a'")

    def test_many_files(self):
        os.mkdir(self.path('in'))
        for i in range(5):
            self.write('in/%d.csv' % i, 'id,s\n' + ''.join('%d,x%d\n' % (i * 1000 + k, k) for k in range(1000)))
        self.write('in/5.csv.gz', gzip.compress(b'\xef\xbb\xbfid,s\r\n7,y\r\n'))
        self.write('in/6.csv', '')
        for arguments in (['--threads', '1'], ['--threads', '2'], ['--batch-rows', '64']):
            self.assertEqual(self.csv(TABLE % ('', 'in/*', '') + 'SELECT COUNT(*) AS c, SUM(id) AS s FROM t', *arguments), 'c,s\n5001,12497507\n')
        self.write('in/7.csv', 's,id\nx,1\n')
        errors = self.fails(TABLE % ('', 'in/*', '') + 'SELECT SUM(id) FROM t', "the header of 'in/7.csv' has 's' as column 1, where 'in/0.csv' has 'id'")
        self.assertTrue(errors.startswith('in/7.csv:1: '), errors)
        self.write('in/7.csv', 'id\n1\n')
        self.fails("SELECT SUM(id) FROM 'in'", "the header of 'in/7.csv' has 1 columns, where 'in/0.csv' has 2")

    def test_a_value_that_the_first_rows_did_not_tell(self):
        self.write('late.csv', 'id,s\n' + '1,x\n' * 300000 + 'none,x\n')
        errors = self.fails("SELECT SUM(id) FROM 'late.csv'", 'For input string: "none"; the first rows gave the column this type: declare it with CREATE TABLE')
        self.assertTrue(errors.startswith("late.csv:300002: error: column 'id' BIGINT"), errors)
        self.assertEqual(self.csv("SELECT COUNT(*) AS c FROM 'late.csv'"), 'c\n300001\n')

    def test_watermark_alone(self):
        text = TABLE % ('(WATERMARK FOR ts AS ts)', 'a.csv', '')
        self.assertEqual(self.types(text)['ts'], 'TIMESTAMP(3) *ROWTIME*')
        self.assertEqual(self.csv(text + "SELECT window_start, COUNT(*) AS c FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end"),
                         'window_start,c\n2024-01-01 00:00:00.000,2\n')
        self.fails(TABLE % ('(WATERMARK FOR tss AS tss)', 'a.csv', ''), "'tss' is not defined in the table schema; did you mean 'ts'?")
        self.fails(TABLE % ('(WATERMARK FOR shop AS shop)', 'a.csv', ''), 'Invalid data type of time field for watermark definition')

    def test_nothing_to_learn_from(self):
        self.write('empty.csv', '')
        self.fails("SELECT * FROM 'empty.csv'", "'empty.csv' is empty")
        os.mkdir(self.path('none'))
        self.fails(TABLE % ('', 'none', ''), "no file in 'none'")

    def test_replacements(self):
        text = "CREATE TABLE t (id INT, shop STRING) WITH ('connector' = 'kafka'); SELECT id, shop FROM t;"
        self.write('named.csv', 'shop,x,id\na,0,1\n')
        self.write('plain.csv', '1,a\n')
        self.assertEqual(self.csv(text, '--source', 't=named.csv'), 'id,shop\n1,a\n')
        self.assertEqual(self.csv(text, '--source', 't=plain.csv'), 'id,shop\n1,a\n')

    def test_standard_input_has_the_declared_header(self):
        text = TABLE % ('(id INT, shop STRING)', '/dev/stdin', HEADER) + 'SELECT SUM(id) AS s FROM t;'
        self.assertEqual(self.output_of('--format', 'csv', '-e', text, text='id,shop\n1,a\n2,b\n'), 's\n3\n')
        _, errors = self.run_program('-e', text, text='shop,id\na,1\n', status=1)
        self.assertIn("the header of '/dev/stdin' has 'shop' as column 1, where the table has 'id'", errors)

    def test_inserts_write_the_header_once(self):
        text = TABLE % ('(id INT, s STRING)', 'out.csv', HEADER) + "INSERT INTO t VALUES (1, 'a'); INSERT INTO t VALUES (2, 'b'); SELECT * FROM t;"
        output, _ = self.run_program('--format', 'csv', '-e', text)
        self.assertEqual(self.read('out.csv'), 'id,s\n1,a\n2,b\n')
        self.assertEqual(output, 'id,s\n1,a\n2,b\n')


class JsonTest(InferTest):
    def test_types(self):
        self.write('a.json', '{"id":1,"ts":"2024-01-01 00:00:01.5","x":1.5,"o":{"a":[1]},"b":true,"n":null,"z":"7"}\n\n{"id":2,"y":"t","d":"2024-01-01","x":2}\n')
        create = "CREATE TABLE t WITH ('connector' = 'filesystem', 'path' = 'a.json', 'format' = 'json');"
        self.assertEqual(self.types(create), {'id': 'BIGINT', 'ts': 'TIMESTAMP(3)', 'x': 'DOUBLE', 'o': 'STRING', 'b': 'BOOLEAN', 'n': 'STRING', 'z': 'STRING',
                                              'y': 'STRING', 'd': 'DATE'})
        self.write('a.json', '{"id":1,"ts":"2024-01-01 00:00:01.5","o":{"a":[1]}}\n{"id":2,"y":"t"}\n')
        self.assertEqual(self.csv("SELECT * FROM 'a.json'"), 'id,ts,o,y\n1,2024-01-01 00:00:01.500,"{""a"":[1]}",\n2,,,t\n')

    def test_times_with_a_mark(self):
        self.write('i.json', '{"t":"2024-01-01T00:00:01","z":"2024-01-01T00:00:01.25Z"}\n')
        self.assertEqual(self.csv("SELECT * FROM 'i.json'"), 't,z\n2024-01-01 00:00:01.000,2024-01-01 00:00:01.250Z\n')
        self.write('i.json', '{"t":"2024-01-01T00:00:01"}\n{"t":"2024-01-01 00:00:01"}\n')
        self.assertEqual(self.csv("SELECT * FROM 'i.json'"), 't\n2024-01-01T00:00:01\n2024-01-01 00:00:01\n')

    def test_compressed(self):
        self.write('a.jsonl.gz', gzip.compress(b'{"v":1}\n{"v":2}\n'))
        self.assertEqual(self.csv("SELECT SUM(v) AS s FROM 'a.jsonl.gz'"), 's\n3\n')

    def test_nothing_to_learn_from(self):
        self.write('a.json', '[1]\n')
        self.fails("SELECT * FROM 'a.json'", 'has no object')


if __name__ == '__main__':
    unittest.main()
