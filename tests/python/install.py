#!/usr/bin/env python3
"""install.py SOURCE: `pip install .` in a fresh virtual environment, then the package's tests there.

Peers such as pyarrow are lent by the Python that runs this. Skipped, and says why, where pip reaches no index.
"""
import os
import subprocess
import sys
import sysconfig
import tempfile

source = os.path.abspath(sys.argv[1])
UNREACHABLE = ('No matching distribution found for meson', 'Could not find a version', 'Temporary failure in name resolution',
               'ConnectionError', 'NewConnectionError', 'ProxyError', 'ReadTimeoutError', 'SSLError')
EXAMPLE = '''
import oriel, pyarrow, datetime
bids = pyarrow.table({'auction': [1, 1, 2], 'price': [3, 4, 5],
                      'ts': pyarrow.array([datetime.datetime(2026, 1, 1, 9, m) for m in (1, 4, 12)], pyarrow.timestamp('ms'))})
print(oriel.sql("""
    SELECT window_start, auction, MAX(price) AS top
    FROM TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' MINUTE)
    GROUP BY window_start, window_end, auction
""", bids=bids).to_arrow()['top'].to_pylist())
'''

with tempfile.TemporaryDirectory() as folder:
    python = os.path.join(folder, 'env/bin/python')
    subprocess.run([sys.executable, '-m', 'venv', os.path.join(folder, 'env')], check=True)
    # Compiled quickly rather than to be quick.
    install = subprocess.run([python, '-m', 'pip', 'install', '--config-settings=setup-args=-Doptimization=1', '.'], cwd=os.path.join(source, 'python'),
                             capture_output=True, text=True)
    if install.returncode:
        text = install.stdout + install.stderr
        print(text[-4000:])
        if any(sign in text for sign in UNREACHABLE):
            print('skipped: pip cannot reach its index')
            sys.exit(77)
        sys.exit(1)
    lent = {**os.environ, 'PYTHONPATH': sysconfig.get_path('purelib'), 'PYTHONDONTWRITEBYTECODE': '1'}
    alone = {**lent, 'PYTHONPATH': ''}
    run = subprocess.run([python, '-c', EXAMPLE], cwd=folder, env=lent, capture_output=True, text=True)
    assert run.stdout == '[4, 5]\n', run.stdout + run.stderr
    listed = subprocess.run([python, '-m', 'pip', 'show', '--files', 'oriel'], env=alone, capture_output=True, text=True).stdout
    for name in ('oriel/py.typed', 'oriel/_oriel.abi3.so', 'oriel/_oriel.pyi'):
        assert name in listed, listed
    assert '.venv' not in listed and 'liboriel' not in listed, listed
    for environment in (alone, lent):  # without pyarrow what needs it is skipped
        subprocess.run([python, '-m', 'unittest', 'discover', '-s', os.path.join(source, 'python/tests')], cwd=folder, env=environment, check=True)
