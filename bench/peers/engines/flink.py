"""Flink itself in batch mode (SESSION: streaming, batch has none), result thrown away, without the start of its JVM and cluster.

Needs a JDK 17 and the jars that tests/flink/ask fetches (ORIEL_FLINK_HOME, FLINK_LIB: see there). One run; it takes minutes.
"""
import glob
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, '..', '..', '..')
HOME = os.environ.get('ORIEL_FLINK_HOME', os.path.expanduser('~/.cache/oriel-flink'))
OPENS = 'util lang net io nio lang.reflect text time util.concurrent util.concurrent.atomic util.concurrent.locks'.split()
WORKLOADS = ['tumble', 'hop', 'session', 'top']


def statements_of(script):
    """Of scripts whose strings have no semicolon and no two dashes."""
    lines = [line.split('--')[0] for line in script.splitlines()]
    return [s.strip() for s in '\n'.join(lines).split(';') if s.strip()]


class Engine:
    def __init__(self, threads):
        jars = glob.glob(os.path.join(os.environ.get('FLINK_LIB', os.path.join(HOME, 'lib')), '*.jar'))
        if not jars:
            raise RuntimeError('no jars of Flink: run tests/flink/ask once')
        self.threads, self.jars = threads, ':'.join(jars)
        self.classes = os.path.join(HOME, 'bench')
        os.makedirs(self.classes, exist_ok=True)
        subprocess.run(['javac', '-cp', self.jars, '-d', self.classes, os.path.join(HERE, 'FlinkBench.java')], check=True)

    @staticmethod
    def has(workload):
        return workload.query in WORKLOADS and list(workload.inputs.values()) == ['orders']

    def job(self, script):
        """-> seconds of the last statement of a script, a query, whose rows are thrown away."""
        *others, query = statements_of(script)
        opens = ['--add-opens=java.base/java.%s=ALL-UNNAMED' % p for p in OPENS] + ['--add-opens=java.base/sun.nio.ch=ALL-UNNAMED']
        mode = 'streaming' if 'SESSION(' in query else 'batch'
        log = '-Dlog4j2.configurationFile=file:' + os.path.join(ROOT, 'tests', 'flink', 'log4j2.properties')
        command = ['java', '-Xmx8g', '-Dfile.encoding=UTF-8', '-Duser.timezone=UTC', log, *opens, '-cp', self.classes + ':' + self.jars, 'FlinkBench', str(self.threads), mode]
        sink = "CREATE TABLE thrown_away WITH ('connector' = 'blackhole') AS " + query
        run = subprocess.run(command + others + [sink], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode:
            raise RuntimeError(run.stdout[-500:])
        return float(run.stdout.split()[-1])

    def blackhole(self, workload, files):
        queries = os.path.join(HERE, '..', '..', 'queries')
        with open(os.path.join(queries, 'tables.sql')) as f:
            table = statements_of(f.read())[0].replace('orders.csv', os.path.abspath(files['orders']))
        with open(os.path.join(queries, workload.query + '.sql')) as f:
            return self.job(table + ';' + f.read())
