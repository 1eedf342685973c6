"""Writes the data sets of the workloads into a folder, as CSV without a header and as Parquet; what is there stays.

orders      order_id, shop (1,000), amount, ts, ascending, 99.5 ms apart on average
users       the same with user_id (5 million numbers) in place of shop
disordered  orders, each row moved by up to one hour of event time
shuffled    orders in any order
odd, even   the rows of orders with odd and even order_id: both halves fill the same windows
"""
import os
import subprocess

from workloads import columns_of

DISORDER_S = 3600
USERS = 5000000
ROW_GROUP_ROWS = 1 << 20


def make_csv(datagen, folder, stem, rows):
    path = os.path.join(folder, stem + '.csv')
    if os.path.exists(path):
        return
    if stem in ('odd', 'even'):
        import duckdb
        make_csv(datagen, folder, 'orders', rows)
        source = "read_csv('%s', header=false, all_varchar=true)" % os.path.join(folder, 'orders.csv')
        wanted = 1 if stem == 'odd' else 0
        duckdb.execute("COPY (FROM %s WHERE column0::BIGINT %% 2 = %d) TO '%s.part' (FORMAT csv, HEADER false)" % (source, wanted, path))
    else:
        special = {'users': ['--keys', str(USERS), '--numbers'], 'disordered': ['--disorder', str(DISORDER_S)], 'shuffled': ['--shuffle']}
        subprocess.run([datagen, 'orders', '--rows', str(rows), '--seed', '1', *special.get(stem, []), '-o', path + '.part'], check=True)
    os.rename(path + '.part', path)


def make_parquet(folder, stem):
    path = os.path.join(folder, stem + '.parquet')
    if os.path.exists(path):
        return
    import polars
    types = {'BIGINT': polars.Int64, 'INTEGER': polars.Int32, 'VARCHAR': polars.String, 'TIMESTAMP': polars.String}
    schema = {name: types[kind] for name, kind in (c.split() for c in columns_of(stem).split(', '))}
    frame = polars.read_csv(os.path.join(folder, stem + '.csv'), has_header=False, schema=schema)
    frame = frame.with_columns(polars.col('ts').str.to_datetime('%Y-%m-%d %H:%M:%S%.3f', time_unit='ms'))
    frame.write_parquet(path + '.part', compression='snappy', row_group_size=ROW_GROUP_ROWS)
    os.rename(path + '.part', path)


def make(datagen, folder, stems, rows):
    os.makedirs(folder, exist_ok=True)
    for stem in sorted(stems):
        make_csv(datagen, folder, stem, rows)
        make_parquet(folder, stem)
