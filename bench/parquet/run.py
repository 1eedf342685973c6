#!/usr/bin/env python3
"""run.py --build BUILD [--rows N] [--folder FOLDER] [--threads T] [--rounds R]

What reading shop, amount and ts of the Parquet file of the peers' orders into batches costs above what Arrow alone costs: see bench_parquet.c."""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'peers'))
import data  # noqa: E402


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--build', required=True)
    p.add_argument('--rows', type=int, default=20000000)
    p.add_argument('--folder', help='keep the data there (about 1.2 GB); default: a temporary folder')
    p.add_argument('--threads', type=int, default=2)
    p.add_argument('--rounds', type=int, default=5)
    a = p.parse_args()
    build = os.path.abspath(a.build)
    with tempfile.TemporaryDirectory(prefix='oriel-bench-') as scratch:
        folder = os.path.abspath(a.folder or scratch)
        data.make(os.path.join(build, 'datagen', 'oriel-datagen'), folder, {'orders'}, a.rows)
        command = [os.path.join(build, 'bench', 'parquet', 'bench_parquet'), os.path.join(folder, 'orders.parquet'), '--threads', str(a.threads), '--rounds', str(a.rounds),
                   'shop', 'STRING', 'amount', 'INT', 'ts', 'TIMESTAMP']
        return subprocess.run(command).returncode


if __name__ == '__main__':
    sys.exit(main())
