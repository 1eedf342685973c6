"""The other engines: each runs a workload from the CSV file to a CSV file, in its fastest formulation known to us.

Run as `engines.py ENGINE WORKLOAD FILE OUT THREADS` in a process of its own; prints the seconds without start and import.
"""
import sys
import time

COLUMNS = {'order_id': 'BIGINT', 'shop': 'VARCHAR', 'amount': 'INTEGER', 'ts': 'TIMESTAMP'}


def duckdb(workload, file, out, threads):
    import duckdb as module
    db = module.connect()
    db.execute('SET threads=%d; SET preserve_insertion_order=false' % threads)
    columns = ', '.join("'%s': '%s'" % item for item in COLUMNS.items())
    table = "read_csv('%s', header=false, delim=',', columns={%s})" % (file, columns)
    queries = {
        'tumble': 'SELECT time_bucket(INTERVAL 10 minutes, ts) AS window_start, shop, count(*) AS n, sum(amount)::BIGINT AS total FROM %s GROUP BY ALL' % table,
    }
    began = time.perf_counter()
    db.execute("COPY (%s) TO '%s' (FORMAT csv, HEADER)" % (queries[workload], out))
    return time.perf_counter() - began


def datafusion(workload, file, out, threads):
    import datafusion as module
    import pyarrow
    config = module.SessionConfig().with_target_partitions(threads)
    context = module.SessionContext(config)
    schema = pyarrow.schema([('order_id', pyarrow.int64()), ('shop', pyarrow.string()), ('amount', pyarrow.int32()), ('ts', pyarrow.timestamp('ms'))])
    queries = {
        'tumble': "SELECT date_bin(INTERVAL '10 minutes', ts) AS window_start, shop, count(*) AS n, sum(amount) AS total FROM orders GROUP BY 1, 2",
    }
    began = time.perf_counter()
    context.register_csv('orders', file, schema=schema, has_header=False)
    context.sql(queries[workload]).write_csv(out, with_header=True)
    return time.perf_counter() - began


if __name__ == '__main__':
    engine, workload, file, out, threads = sys.argv[1:6]
    print(globals()[engine](workload, file, out, int(threads)))
