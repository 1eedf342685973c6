"""What the tests over Parquet and Arrow files share: a folder of their own and ways to write tables and to run the program."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import pyarrow as pa
    import pyarrow.dataset
    import pyarrow.ipc
    import pyarrow.parquet
except ImportError as e:
    print('skipped: ' + str(e))
    sys.exit(77)

PROGRAM = os.environ['ORIEL_PROGRAM']
FORMS = ('x.parquet', 'file.arrow', 'stream.arrow')


def format_of(name):
    return 'parquet' if name.endswith('.parquet') else 'arrow'


class FilesTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='oriel-interop-')

    def tearDown(self):
        shutil.rmtree(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, table, rows=1000, compression=None, **options):
        """Writes a Parquet file, a file of Arrow (NAME file...) or a stream of Arrow (NAME stream...)."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        if name.endswith('.parquet'):
            pa.parquet.write_table(table, self.path(name), row_group_size=rows, compression=compression or 'snappy', **options)
            return
        make = pa.ipc.new_stream if 'stream' in name else pa.ipc.new_file
        with make(self.path(name), table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as out:
            out.write_table(table, max_chunksize=rows)

    def read(self, name):
        if name.endswith('.parquet'):
            return pa.parquet.read_table(self.path(name))
        return pa.ipc.open_file(self.path(name)).read_all()

    def create(self, name, columns, table='t', options=''):
        return "CREATE TABLE %s (%s) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = '%s'%s);\n" % (table, columns, name, format_of(name), options)

    def run_sql(self, sql, *arguments, status=0, timeout=60):
        """-> what went to standard output; with a status above 0: to standard error."""
        run = subprocess.run([PROGRAM, '-e', sql] + list(arguments), cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
        errors = run.stderr.decode('utf-8', 'replace')
        self.assertEqual(run.returncode, status, errors)
        return errors if status else run.stdout.decode()

    def csv(self, sql, *arguments):
        return self.run_sql(sql, '--format', 'csv', '--no-header', *arguments)

    def refused(self, sql, *words, arguments=()):
        """The statement fails with a message that has these words."""
        errors = ' '.join(self.run_sql(sql, *arguments, status=1).split())
        for word in words:
            self.assertIn(word, errors)
        return errors
