"""Compressed input, standard input and pipes."""
import gzip
import os
import struct
import subprocess
import threading
import unittest

from command import CREATE_ORDERS, ORDERS, PROGRAM, CommandTest, create_table

COLUMNS = 'id INT, shop STRING, amount INT, ts TIMESTAMP(3)'
MANY = ''.join('%d,"shop\n%d",%d,2024-01-01 %02d:%02d:00\n' % (i, i % 7, i % 100, i // 60 % 24, i % 60) for i in range(40000))


def pack_zstd(data):
    """A zstd frame of stored blocks."""
    blocks = [data[i:i + 100000] for i in range(0, len(data), 100000)] or [b'']
    frame = struct.pack('<IBI', 0xFD2FB528, 0xA0, len(data))
    for number, block in enumerate(blocks):
        frame += struct.pack('<I', len(block) << 3 | (number == len(blocks) - 1))[:3] + block
    return frame


def count(path, options=''):
    return create_table('t', COLUMNS, path, options) + 'SELECT COUNT(*) AS c, SUM(id) AS s, MAX(shop) AS m FROM t;'


class CompressedTest(CommandTest):
    def test_all_packings_give_the_same_rows(self):
        data = MANY.encode()
        self.write('many.csv', data)
        self.write('many.csv.gz', gzip.compress(data[:3333]) + gzip.compress(data[3333:]))
        self.write('many.csv.zst', pack_zstd(data[:200000]) + pack_zstd(data[200000:]))
        self.write('packed', gzip.compress(data))
        expected = self.output_of('--format', 'csv', '-e', create_table('t', COLUMNS, 'many.csv') + 'SELECT * FROM t')
        self.assertEqual(expected.count('\n'), 2 * 40000 + 1)
        for path in ('many.csv.gz', 'many.csv.zst', 'packed'):
            for threads in ('1', '2'):
                text = create_table('t', COLUMNS, path) + 'SELECT * FROM t'
                self.assertEqual(self.output_of('--format', 'csv', '--threads', threads, '-e', text), expected, path)

    def test_json(self):
        lines = ''.join('{"id": %d, "shop": "s"}\n' % i for i in range(30000)).encode()
        self.write('a.json', lines)
        self.write('a.json.gz', gzip.compress(lines))
        self.write('a.json.zst', pack_zstd(lines))
        for path in ('a.json', 'a.json.gz', 'a.json.zst'):
            text = create_table('t', COLUMNS, path).replace("'csv'", "'json'") + 'SELECT COUNT(*) AS c, SUM(id) AS s FROM t;'
            self.assertEqual(self.output_of('--format', 'csv', '-e', text), 'c,s\n30000,449985000\n')

    def test_a_folder_may_mix_them(self):
        os.mkdir(self.path('in'))
        self.write('in/a.csv.gz', gzip.compress(b'1,a,1,2024-01-01 00:00:00\n'))
        self.write('in/b.csv', '2,b,1,2024-01-01 00:00:00\n')
        self.write('in/c.csv.zst', pack_zstd(b'3,c,1,2024-01-01 00:00:00\n'))
        self.assertEqual(self.output_of('--format', 'csv', '-e', create_table('t', COLUMNS, 'in') + 'SELECT id, shop FROM t'), 'id,shop\n1,a\n2,b\n3,c\n')

    def test_errors_name_the_line_in_the_text(self):
        self.write('bad.csv.gz', gzip.compress(MANY.replace('39000,', 'x39000,').encode()))
        _, errors = self.run_program('-e', create_table('t', COLUMNS, 'bad.csv.gz') + 'SELECT SUM(id) FROM t', status=1)
        self.assertEqual(errors, 'bad.csv.gz:78001: error: column \'id\' INT: For input string: "x39000"\n')

    def test_cut_and_damaged_files_are_named_with_the_byte(self):
        packed = gzip.compress(MANY.encode())
        self.write('cut.csv.gz', packed[:20000])
        _, errors = self.run_program('-e', count('cut.csv.gz'), status=1)
        self.assertEqual(errors, "oriel: error: 'cut.csv.gz' ends in the midst of its gzip data, at byte 20000: it was cut\n")
        self.write('bad.csv.gz', packed[:-8] + b'01234567')
        _, errors = self.run_program('-o', 'result.csv', '-e', count('bad.csv.gz'), status=1)
        self.assertRegex(errors, "'bad.csv.gz' is damaged: its gzip data is wrong at byte %d: incorrect data check" % (len(packed) - 4))
        self.assertNotIn('result.csv', self.names())
        self.write('cut.csv.zst', pack_zstd(MANY.encode())[:100050])
        _, errors = self.run_program('-e', count('cut.csv.zst'), status=1)
        self.assertIn("'cut.csv.zst' ends in the midst of its zstd data, at byte 100050", errors)

    def test_other_packings_are_refused_by_name(self):
        self.write('a.csv', b'BZh91AY&SY\0\0')
        _, errors = self.run_program('-e', count('a.csv'), status=1)
        self.assertIn("'a.csv' is compressed with bzip2", errors)

    def test_compressed_files_are_not_written(self):
        text = create_table('t', 'id INT', 'out.csv.gz') + 'INSERT INTO t VALUES (1);'
        _, errors = self.run_program('-e', text, status=1)
        self.assertIn("'out.csv.gz' would be a compressed file", errors)
        _, errors = self.run_program('-o', 'out.csv.gz', '-e', 'SELECT 1', status=2)
        self.assertIn('out.csv.gz', errors)
        self.assertEqual(self.names(), ['orders.csv'])


class StandardInputTest(CommandTest):
    def feed(self, data, *arguments, status=0):
        run = subprocess.run([PROGRAM, '--format', 'csv'] + list(arguments), cwd=self.folder, input=data, capture_output=True, timeout=60)
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stdout.decode(), run.stderr.decode()

    def test_path_and_source(self):
        data = MANY.encode()
        expected = ('c,s,m\n40000,799980000,"shop\n6"\n', '')
        for form in (data, gzip.compress(data), pack_zstd(data)):
            self.assertEqual(self.feed(form, '-e', count('/dev/stdin')), expected)
        kafka = count('x').replace("'filesystem', 'path' = 'x'", "'kafka'")
        self.assertEqual(self.feed(gzip.compress(data), '--source', 't=-', '-e', kafka), expected)

    def test_nothing_comes(self):
        self.assertEqual(self.feed(b'', '-e', count('/dev/stdin')), ('c,s,m\n0,,\n', ''))

    def test_it_is_read_once(self):
        text = create_table('t', COLUMNS, '/dev/stdin') + 'SELECT COUNT(*) AS c FROM t; SELECT COUNT(*) AS c FROM t;'
        output, errors = self.feed(b'1,a,2,2024-01-01 00:00:00\n', '-e', text, status=1)
        self.assertEqual(output, 'c\n1\n')
        self.assertIn("'/dev/stdin' has been read already", errors)
        text = create_table('t', COLUMNS, '/dev/stdin') + 'SELECT a.id FROM t AS a, t AS b WHERE a.id = b.id;'
        _, errors = self.feed(b'1,a,2,2024-01-01 00:00:00\n', '-e', text, status=1)
        self.assertIn("'/dev/stdin' has been read already", errors)

    def test_a_redirected_file_is_a_file(self):
        text = create_table('t', 'id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3)', '/dev/stdin', ", 'csv.null-literal' = ''") + 'SELECT COUNT(*) AS c FROM t; SELECT SUM(id) AS s FROM t;'
        with open(self.path('orders.csv')) as file:
            process = self.start('--format', 'csv', '-e', text, stdin=file)
            self.assertEqual(process.communicate(timeout=60)[0], b'c\n4\n\ns\n10\n')

    def test_script_and_rows_cannot_both_come_from_it(self):
        for arguments in ([], ['-'], ['-f', '-']):
            _, errors = self.run_program('--source', 't=-', *arguments, text='SELECT 1;', status=2)
            self.assertIn('standard input cannot be both the script and the rows', errors)
        _, errors = self.run_program('--sink', 't=-', '-e', 'SELECT 1;', status=2)
        self.assertIn('--sink t=-', errors)

    def test_a_compressed_fifo(self):
        os.mkfifo(self.path('pipe'))
        data = gzip.compress(ORDERS.encode())

        def write():
            with open(self.path('pipe'), 'wb', buffering=0) as file:
                for byte in data:
                    file.write(bytes([byte]))
        writer = threading.Thread(target=write)
        writer.start()
        text = CREATE_ORDERS.replace('orders.csv', 'pipe') + 'SELECT COUNT(*) AS c, SUM(amount) AS s FROM orders;'
        self.assertEqual(self.output_of('--format', 'csv', '-e', text), 'c,s\n4,100\n')
        writer.join()


if __name__ == '__main__':
    unittest.main()
