"""The program itself from file to file, its start included; in memory, bench_memory: arrays in, arrays kept."""
import os
import subprocess

QUERIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'queries')
TABLES = os.path.join(QUERIES, 'tables.sql')


class Engine:
    def __init__(self, threads, build, settings=()):
        self.threads, self.build, self.settings = threads, build, settings

    def write(self, workload, files, out):
        command = [os.path.join(self.build, 'oriel'), '--threads', str(self.threads)]
        for table, file in files.items():
            command += ['--source', '%s=%s' % (table, file)]
        for setting in self.settings:
            command += ['-e', setting]
        command += ['-f', TABLES, '-f', os.path.join(QUERIES, workload.query + '.sql'), '-o', out, '--format', 'csv']
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)

    def keep(self, workload, files):
        """-> seconds, rows; `files` are CSV."""
        command = [os.path.join(self.build, 'bench', 'memory', 'bench_memory'), TABLES, os.path.join(QUERIES, workload.query + '.sql'), '--threads', str(self.threads)]
        for table, file in files.items():
            command += ['--table', '%s=%s' % (table, file)]
        line = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout
        seconds, _, rows = line.split()
        return float(seconds), int(rows)
