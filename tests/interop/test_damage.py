#!/usr/bin/env python3
"""Damaged Parquet and Arrow files: an answer or a message that names the file, never a crash, a hang or a leftover."""
import concurrent.futures
import datetime
import decimal
import itertools
import os
import random
import subprocess
import unittest

from files_case import PROGRAM, FilesTest, pa

COPIES = int(os.environ.get('ORIEL_DAMAGED_COPIES', '40'))  # of each file
COLUMNS = 'n BIGINT, k STRING, u STRING, b BOOLEAN, d DECIMAL(10, 2), x DOUBLE, ts TIMESTAMP(3), w BYTES'


def make_table(count=300):
    pick = random.Random(5)
    return pa.table({
        'n': pa.array([None if i % 9 == 0 else i for i in range(count)], pa.int64()),
        'k': pa.array([None if i % 13 == 0 else 'word %d of a list' % (i % 11) for i in range(count)]),
        'u': pa.array(['unique text number %d' % i for i in range(count)]),
        'b': pa.array([pick.random() < 0.5 for _ in range(count)]),
        'd': pa.array([decimal.Decimal(i) / 4 for i in range(count)], pa.decimal128(10, 2)),
        'x': pa.array([pick.random() for _ in range(count)]),
        'ts': pa.array([datetime.datetime(2024, 1, 1) + datetime.timedelta(seconds=i) for i in range(count)], pa.timestamp('ms')),
        'w': pa.array([bytes([i % 256] * (i % 20)) for i in range(count)]),
    })


class Damage(FilesTest):
    FILES = [('snappy.parquet', {}), ('plain.parquet', {'compression': 'none', 'use_dictionary': False}),
             ('checked.parquet', {'compression': 'zstd', 'write_page_checksum': True, 'data_page_version': '2.0'}),
             ('file.arrow', {}), ('file-lz4.arrow', {'compression': 'lz4'}), ('stream.arrow', {}), ('stream-zstd.arrow', {'compression': 'zstd'})]

    def answer(self, name):
        """-> status, message; the rows go to a file."""
        out = self.path(name + '.out.csv')
        run = subprocess.run([PROGRAM, '--memory-limit', '1GB', '--threads', '2', '-o', out, '-e', self.create(name, COLUMNS) + 'SELECT * FROM t'], cwd=self.folder,
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        return run.returncode, run.stderr.decode('utf-8', 'replace'), os.path.exists(out)

    def check_copy(self, number, name, content):
        changed = '%d-%s' % (number, name)
        with open(self.path(changed), 'wb') as file:
            file.write(content)
        status, message, has_rows = self.answer(changed)
        os.remove(self.path(changed))
        self.assertIn(status, (0, 1), '%s: %s' % (changed, message))
        self.assertEqual(has_rows, status == 0)
        if status:
            self.assertTrue(changed in message or 'memory' in message, message)
        return status

    def check_all(self, copies_of):
        """Runs the copies on two threads; -> how many of them failed."""
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for name, options in self.FILES:
                self.write(name, make_table(), rows=100, **options)
                with open(self.path(name), 'rb') as file:
                    content = file.read()
                copies = list(copies_of(name, content))
                failed += sum(pool.map(self.check_copy, itertools.count(), itertools.repeat(name), copies))
        left = [name for name in os.listdir(self.folder) if 'tmp' in name or name[0] == '.']
        self.assertEqual(left, [])
        return failed

    def test_changed_bytes(self):
        def copies_of(name, content):
            pick = random.Random(name)
            for _ in range(COPIES):
                changed = bytearray(content)
                for _ in range(pick.choice((1, 1, 3, 20))):
                    changed[pick.randrange(len(changed))] = pick.randrange(256)
                yield bytes(changed)
        self.assertGreater(self.check_all(copies_of), 0)

    def test_changed_footers(self):
        def copies_of(name, content):
            pick = random.Random(name)
            for _ in range(COPIES):
                changed = bytearray(content)
                changed[-1 - pick.randrange(min(len(changed), 1500))] ^= 1 << pick.randrange(8)
                yield bytes(changed)
        self.assertGreater(self.check_all(copies_of), 0)

    def test_cut_files(self):
        def copies_of(name, content):
            for k in range(1, 12):
                yield content[:len(content) * k // 12]
            yield content[:-1]
        self.assertGreater(self.check_all(copies_of), 70)


if __name__ == '__main__':
    unittest.main()
