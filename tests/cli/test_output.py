"""-o, INSERT and standard output that goes away."""
import os
import resource
import subprocess
import threading

from command import CREATE_ORDERS, PROGRAM, CommandTest, create_table

MANY = "SELECT a.x * 1000 + b.x AS n FROM big AS a, big AS b;"


class OutputTest(CommandTest):
    def test_the_last_select_goes_to_the_file(self):
        output = self.output_of('-o', 'out.csv', '-e', 'SELECT 1 AS x; SELECT 2 AS y; SHOW TABLES;')
        self.assertEqual(output, 'x\n1\n\ntable name\n')
        self.assertEqual(self.read('out.csv'), 'y\n2\n')

    def test_the_name_decides_on_the_format(self):
        for name, text in [('o.json', '{"x":1}\n'), ('o.ndjson', '{"x":1}\n'), ('o.md', '| x |\n| ---: |\n| 1 |\n'), ('o.CSV', 'x\n1\n')]:
            self.assertEqual(self.output_of('-o', name, '-e', 'SELECT 1 AS x'), '')
            self.assertEqual(self.read(name), text)
        self.output_of('-o', 'o.txt', '-e', 'SELECT 1 AS x')
        self.assertIn('1 row in set', self.read('o.txt'))
        self.output_of('--format', 'csv', '-o', 'o.txt', '-e', 'SELECT 1 AS x')
        self.assertEqual(self.read('o.txt'), 'x\n1\n')

    def test_an_error_leaves_the_file(self):
        self.write('out.csv', 'before\n')
        before = self.names()
        text = create_table('t', 'a INT', 'bad.csv') + 'SELECT a FROM t;'
        self.write('bad.csv', '1\n2\nthree\n')
        self.run_program('-o', 'out.csv', '-e', text, status=1)
        self.assertEqual(self.read('out.csv'), 'before\n')
        self.assertEqual(self.names(), sorted(before + ['bad.csv']))
        self.run_program('-o', 'fresh.csv', '-e', text, status=1)
        self.assertNotIn('fresh.csv', self.names())

    def test_outputs_that_cannot_be_written(self):
        os.mkdir(self.path('folder'))
        os.symlink('loop', self.path('loop'))
        for name, words in [('folder', 'directory'), ('none/o.csv', 'No such file'), ('loop', 'symbolic links'), ('/dev/full', 'No space left')]:
            output, errors = self.run_program('--format', 'csv', '-o', name, '-e', 'SELECT 1', status=1)
            self.assertEqual(output, '')
            self.assertIn(words, errors)
            self.assertIn(name, errors)

    def test_standard_output_that_is_full(self):
        with open('/dev/full', 'w') as full:
            process = self.start('-e', 'SELECT 1', stdout=full)
            errors = process.communicate()[1].decode()
        self.assertEqual(process.returncode, 1)
        self.assertIn('No space left', errors)

    def test_a_file_larger_than_allowed(self):
        self.write('big.csv', ''.join('%d\n' % i for i in range(40000)))
        before = self.names()
        process = self.start('-o', 'out.csv', '-e', create_table('big', 'x INT', 'big.csv') + 'SELECT x, x + 1 AS y FROM big;',
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000)))
        errors = process.communicate()[1].decode()
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn('File too large', errors)
        self.assertEqual(self.names(), before)

    def many_rows(self):
        self.write('big.csv', ''.join('%d\n' % i for i in range(1200)))
        return create_table('big', 'x INT', 'big.csv') + MANY

    def test_every_worker_writes_and_the_file_ends_too_early(self):
        """Beyond what is allocated ahead."""
        for threads in ['1', '2', '4']:
            text = self.many_rows()
            before = self.names()
            process = self.start('--threads', threads, '-o', 'out.csv', '-e', text,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8000000, 8000000)))
            errors = process.communicate()[1].decode()
            self.assertEqual(process.returncode, 1, errors)
            self.assertIn('File too large', errors)
            self.assertEqual(self.names(), before)

    def test_files_and_pipes_get_the_same_bytes(self):
        text = self.many_rows()
        self.output_of('--threads', '1', '-o', 'one.csv', '-e', text)
        one = self.read('one.csv')
        self.assertEqual(sum(1 for _ in one.splitlines()), 1440001)
        for words in [['-o', 'out.csv'], ['-o', 'one.csv'], ['--format', 'csv']]:
            for threads in ['2', '4']:
                output = self.output_of('--threads', threads, *words, '-e', text)
                self.assertTrue((self.read(words[1]) if words[0] == '-o' else output) == one, words)
        with open(self.path('redirected.csv'), 'wb') as file:
            file.write(b'before\n')
            file.flush()
            self.start('--threads', '4', '--format', 'csv', '-e', text, stdout=file).communicate()
        self.assertTrue(self.read('redirected.csv') == 'before\n' + one)
        self.assertLess(os.stat(self.path('out.csv')).st_blocks * 512, len(one) + 2 ** 21)

    def test_closed_standard_files_are_no_outputs(self):
        """Else the output file would be descriptor 2, and the bar be written into it."""
        self.write('big.csv', ''.join('%d\n' % i for i in range(2000)))
        self.write('q.sql', create_table('big', 'x INT', 'big.csv') + MANY)
        subprocess.run([PROGRAM, '--progress', '-o', 'out.csv', 'q.sql'], cwd=self.folder, check=True, preexec_fn=lambda: os.closerange(2, 3))
        with open(self.path('out.csv'), 'rb') as file:
            self.assertEqual([line for line in file if not line.strip().isdigit()], [b'n\n'])
        status = subprocess.run([PROGRAM, '-e', 'SELECT 1'], preexec_fn=lambda: os.closerange(1, 3)).returncode
        self.assertEqual(status, 1)

    def test_an_input_is_no_output(self):
        text = CREATE_ORDERS + 'SELECT * FROM orders;'
        before = self.read('orders.csv')
        os.link(self.path('orders.csv'), self.path('other.csv'))
        for name in ['orders.csv', './orders.csv', 'other.csv']:
            output, errors = self.run_program('-o', name, '-e', text, status=1)
            self.assertIn('also an input', errors)
            self.assertEqual(self.read('orders.csv'), before)

    def test_devices_and_pipes_are_written_straight(self):
        self.assertEqual(self.output_of('--format', 'csv', '-o', '/dev/stdout', '-e', 'SELECT 1 AS x'), 'x\n1\n')
        os.mkfifo(self.path('pipe'))
        got = []
        reader = threading.Thread(target=lambda: got.append(self.read('pipe')))
        reader.start()
        self.output_of('--format', 'csv', '-o', 'pipe', '-e', 'SELECT 1 AS x')
        reader.join()
        self.assertEqual(got, ['x\n1\n'])
        self.assertEqual(self.names(), ['orders.csv', 'pipe'])

    def test_a_closed_pipe_ends_quietly(self):
        self.write('big.csv', ''.join('%d\n' % i for i in range(1000)))
        self.write('q.sql', create_table('big', 'x INT', 'big.csv') + create_table('sink', 'x INT', 'sink.csv') +
                   'SELECT x FROM big; ' * 200 + 'INSERT INTO sink SELECT 5; SELECT 1;')
        process = self.start('q.sql')
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read().decode()
        process.stderr.close()
        self.assertEqual(process.wait(), 0)
        self.assertEqual(errors, 'note: inserted 1 row\n')
        self.assertEqual(self.read('sink.csv'), '5\n')

    def test_head(self):
        self.write('big.csv', ''.join('%d\n' % i for i in range(200000)))
        self.write('q.sql', create_table('big', 'x INT', 'big.csv') + 'SELECT x FROM big;')
        run = subprocess.run(['bash', '-c', 'set -o pipefail; "$0" --format csv q.sql | head -n 2', PROGRAM], cwd=self.folder, capture_output=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, b'x\n0\n', b''))

    def test_head_of_output_by_name(self):
        self.write('big.csv', ''.join('%d\n' % i for i in range(200000)))
        self.write('q.sql', create_table('big', 'x INT', 'big.csv') + 'SELECT x FROM big;')
        run = subprocess.run(['bash', '-c', 'set -o pipefail; "$0" --format csv -o /dev/stdout q.sql | head -n 2', PROGRAM], cwd=self.folder, capture_output=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, b'x\n0\n', b''))


class InsertTest(CommandTest):

    def test_into_one_file(self):
        text = create_table('sink', 'id BIGINT, name STRING', 'sink.csv')
        output, errors = self.run_program('-e', CREATE_ORDERS + text + 'INSERT INTO sink SELECT id, shop FROM orders WHERE id < 3;')
        self.assertEqual((output, errors), ('', 'note: inserted 2 rows\n'))
        self.assertEqual(self.read('sink.csv'), '1,seoul\n2,busan\n')
        self.run_program('-e', text + "INSERT INTO sink VALUES (9, 'a,b')")
        self.assertEqual(self.read('sink.csv'), '9,"a,b"\n')
        self.run_program('-e', text + "INSERT INTO sink VALUES (1, 'a b'); INSERT INTO sink VALUES (2, ''); INSERT INTO sink VALUES (3, 'twenty-five-letters-and-on')")
        self.assertEqual(self.read('sink.csv'), '1,"a b"\n2,\n3,"twenty-five-letters-and-on"\n')
        self.run_program('--sync', '-e', text + "INSERT OVERWRITE sink VALUES (10, 'x')")
        self.assertEqual(self.read('sink.csv'), '10,x\n')

    def test_values_are_written_as_flink_writes_them(self):
        columns = 'a DECIMAL(20, 3), b DECIMAL(38, 18), c DOUBLE, t TIMESTAMP(3), z TIMESTAMP_LTZ(3), y TIME(3), n INT'
        values = """(100, CAST('0.000000000000000012' AS DECIMAL(38, 18)), CAST('NaN' AS DOUBLE), TIMESTAMP '2024-01-02 03:04:00',
            CAST(TIMESTAMP '2024-01-02 03:04:05.120' AS TIMESTAMP_LTZ(3)), TIME '09:10:11', CAST(NULL AS INT))"""
        text = ("CREATE TABLE j (%s) WITH ('connector' = 'filesystem', 'path' = 'j.json', 'format' = 'json');" % columns +
                "CREATE TABLE k (%s) WITH ('connector' = 'filesystem', 'path' = 'k.jsonl', 'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601',"
                "'json.encode.decimal-as-plain-number' = 'true', 'json.encode.ignore-null-fields' = 'true');" % columns +
                create_table('c', columns, 'c.csv') + "CREATE TABLE p (%s) WITH ('connector' = 'print', 'print-identifier' = 'id');" % columns)
        output, errors = self.run_program('-e', text + ''.join('INSERT INTO %s VALUES %s;' % (name, values) for name in 'jkcp'))
        self.assertEqual(errors, 'note: inserted 1 row\n' * 4)
        self.assertEqual(self.read('j.json'), '{"a":1E+2,"b":1.2E-17,"c":"NaN","t":"2024-01-02 03:04:00","z":"2024-01-02 03:04:05.12Z","y":"09:10:11","n":null}\n')
        self.assertEqual(self.read('k.jsonl'), '{"a":100.000,"b":0.000000000000000012,"c":"NaN","t":"2024-01-02T03:04:00","z":"2024-01-02T03:04:05.12Z","y":"09:10:11"}\n')
        self.assertEqual(self.read('c.csv'), '1E+2,1.2E-17,NaN,"2024-01-02 03:04:00","2024-01-02 03:04:05.12Z",09:10:11,\n')
        self.assertEqual(output, 'id> +I[100.000, 1.2E-17, NaN, 2024-01-02T03:04, 2024-01-02T03:04:05.120Z, 09:10:11, null]\n')

    def test_nested_values_as_json_and_printed(self):
        columns = 'a ARRAY<ROW<x INT, y STRING>>, m MAP<STRING, DOUBLE>, b ARRAY<BYTES>'
        text = ("CREATE TABLE j (%s) WITH ('connector' = 'filesystem', 'path' = 'j.json', 'format' = 'json');" % columns +
                "CREATE TABLE p (%s) WITH ('connector' = 'print');" % columns)
        values = "SELECT ARRAY[ROW(1, 'a'), ROW(2, CAST(NULL AS STRING))], MAP['k', CAST(1.5 AS DOUBLE)], ARRAY[X'01ff'];"
        output = self.run_program('-e', text + 'INSERT INTO j ' + values + 'INSERT INTO p ' + values + 'INSERT INTO p SELECT * FROM j')[0]
        self.assertEqual(self.read('j.json'), '{"a":[{"x":1,"y":"a"},{"x":2,"y":null}],"m":{"k":1.5},"b":["Af8="]}\n')
        self.assertEqual(output, '+I[[+I[1, a], +I[2, null]], {k=1.5}, [[1, -1]]]\n' * 2)

    def test_print_and_blackhole(self):
        text = ("CREATE TABLE p (id BIGINT, shop STRING) WITH ('connector' = 'print');"
                "CREATE TABLE e (id BIGINT, shop STRING) WITH ('connector' = 'print', 'standard-error' = 'true');"
                "CREATE TABLE b (id BIGINT, shop STRING) WITH ('connector' = 'blackhole');")
        output, errors = self.run_program('-e', CREATE_ORDERS + text + 'BEGIN STATEMENT SET; INSERT INTO p SELECT id, shop FROM orders WHERE id > 2; INSERT INTO b SELECT id, shop FROM orders; END;')
        self.assertEqual((output, errors), ('+I[3, seoul]\n+I[4, null]\n', 'note: inserted 6 rows\n'))
        output, errors = self.run_program('-e', CREATE_ORDERS + text + 'INSERT INTO e SELECT id, shop FROM orders WHERE id = 1')
        self.assertEqual((output, errors), ('', '+I[1, seoul]\nnote: inserted 1 row\n'))
        self.run_program('-e', CREATE_ORDERS + text + 'INSERT INTO b SELECT id, shop FROM orders', '--sink', 'b=b.csv')
        self.assertEqual(self.read('b.csv'), '1,seoul\n2,busan\n3,seoul\n4,\n')
        errors = self.run_program('-e', text + 'SELECT * FROM p', status=1)[1]
        self.assertIn("Connector 'print' can only be used as a sink", errors)
        errors = self.run_program('-e', "CREATE TABLE p (a INT) WITH ('connector' = 'print', 'nope' = 'x'); INSERT INTO p VALUES (1)", status=1)[1]
        self.assertIn("Unsupported options found for 'print': 'nope'", errors)

    def test_a_set_does_not_read_what_it_writes(self):
        text = create_table('a', 'id INT', 'a.csv') + create_table('b', 'id INT', 'b.csv') + create_table('f', 'id INT', 'f')
        errors = self.run_program('-e', text + 'EXECUTE STATEMENT SET BEGIN INSERT INTO a VALUES (1); INSERT INTO b SELECT * FROM a; END;', status=1)[1]
        self.assertIn('another INSERT of the same statement set', errors)
        self.write('a.csv', '5\n')
        errors = self.run_program('-e', text + 'EXECUTE STATEMENT SET BEGIN INSERT INTO b SELECT * FROM a; INSERT INTO a VALUES (1); END;', status=1)[1]
        self.assertIn('also an input', errors)
        self.assertEqual(self.read('a.csv'), '5\n')
        self.run_program('-e', text + 'EXECUTE STATEMENT SET BEGIN INSERT INTO f VALUES (1); INSERT INTO f VALUES (2); INSERT INTO b VALUES (3); INSERT INTO b VALUES (4); END;')
        self.assertEqual(len(os.listdir(self.path('f'))), 2)
        self.assertEqual(self.read('b.csv'), '3\n4\n')

    def test_into_a_folder_gives_one_file_more(self):
        text = create_table('sink', 'id BIGINT', 'made/here')
        self.run_program('-e', text + 'INSERT INTO sink VALUES (1); INSERT INTO sink VALUES (2), (3);')
        self.assertEqual(len(os.listdir(self.path('made/here'))), 2)
        self.assertEqual(self.output_of('--format', 'csv', '-e', text + 'SELECT SUM(id) AS s FROM sink;'), 's\n6\n')
        self.run_program('-e', text + 'INSERT OVERWRITE sink VALUES (7);')
        self.assertEqual(len(os.listdir(self.path('made/here'))), 1)

    def test_statement_set(self):
        text = create_table('a', 'id INT', 'a.csv') + create_table('b', 'id INT', 'b.csv')
        errors = self.run_program('-e', text + 'EXECUTE STATEMENT SET BEGIN INSERT INTO a VALUES (1); INSERT INTO b VALUES (2), (3); END;')[1]
        self.assertEqual(errors, 'note: inserted 3 rows\n')
        self.assertEqual((self.read('a.csv'), self.read('b.csv')), ('1\n', '2\n3\n'))

    def test_columns_and_casts(self):
        text = create_table('sink', 'a BIGINT, b STRING, c DOUBLE', 'sink.csv')
        self.run_program('-e', text + "INSERT INTO sink (c, a) SELECT 1.5, CAST(7 AS SMALLINT);")
        self.assertEqual(self.read('sink.csv'), '7,,1.5\n')

    def test_mistakes(self):
        sink = create_table('sink', 'a BIGINT NOT NULL, b STRING', 'sink.csv')
        for text, words in [
            ("INSERT INTO sink SELECT 1", 'columns'),
            ("INSERT INTO sink SELECT TRUE, 'x'", "sink column 'a'"),
            ("INSERT INTO sink (a, nope) SELECT 1, 'x'", 'nope'),
            ("INSERT INTO sink (a, a) SELECT 1, 2", 'more than once'),
            ("INSERT INTO none SELECT 1", 'none'),
            ("INSERT INTO sink SELECT CAST(NULL AS BIGINT), 'x'", "'a' is NOT NULL"),
        ]:
            with self.subTest(text=text):
                errors = self.run_program('-e', sink + text, status=1)[1]
                self.assertIn(words, errors)
                self.assertNotIn('sink.csv', self.names())

    def test_an_input_is_no_sink(self):
        text = create_table('t', 'a INT', 't.csv')
        self.write('t.csv', '1\n')
        errors = self.run_program('-e', text + 'INSERT INTO t SELECT a + 1 FROM t', status=1)[1]
        self.assertIn('also an input', errors)
        self.assertEqual(self.read('t.csv'), '1\n')


if __name__ == '__main__':
    import unittest
    unittest.main()
