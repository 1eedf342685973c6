"""What the tests of the command line share: a folder of their own with small data, and a way to run the program."""
import os
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ['ORIEL_PROGRAM']

ORDERS = '''1,seoul,10,2024-01-01 09:01:00
2,busan,20,2024-01-01 09:04:00
3,seoul,30,2024-01-01 09:12:00
4,,40,2024-01-01 09:15:00
'''

CREATE_ORDERS = '''CREATE TABLE orders (id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'orders.csv',
  'format' = 'csv', 'csv.null-literal' = '');
'''


def create_table(name, columns, path, options=''):
    return "CREATE TABLE %s (%s) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv'%s);\n" % (name, columns, path, options)


class CommandTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='oriel-cli-')
        self.write('orders.csv', ORDERS)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), 'wb') as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def read(self, name):
        with open(self.path(name), 'rb') as file:
            return file.read().decode()

    def names(self):
        return sorted(os.listdir(self.folder))

    def start(self, *arguments, **options):
        settings = dict(cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        settings.update(options)
        return subprocess.Popen([PROGRAM] + list(arguments), **settings)

    def run_program(self, *arguments, text=None, status=0):
        """Runs to the end, checks the exit status, returns what went to standard output and error."""
        process = self.start(*arguments, stdin=subprocess.PIPE)
        output, errors = process.communicate(None if text is None else text.encode(), timeout=60)
        self.assertEqual(process.returncode, status, errors.decode('utf-8', 'replace'))
        return output.decode(), errors.decode()

    def output_of(self, *arguments, text=None):
        """Standard output of a run that must be right and silent."""
        output, errors = self.run_program(*arguments, text=text)
        self.assertEqual(errors, '')
        return output
