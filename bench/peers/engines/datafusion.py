"""date_bin; as DuckDB, but slices are a table of their own, because DataFusion inlines a CTE."""
from workloads import columns_of, GAP_S


class Engine:
    def __init__(self, threads):
        import datafusion
        import pyarrow
        self.pa = pyarrow
        self.threads = threads
        self.db = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(threads))

    def load(self, table, file):
        import pyarrow.parquet
        batches = pyarrow.parquet.read_table(file).to_batches()
        self.db.register_record_batches(table, [batches[i::self.threads] for i in range(self.threads)])
        return table

    def file(self, table, file, kind):
        pa = self.pa
        if kind == "parquet":
            self.db.register_parquet(table, file)
        else:
            types = {"BIGINT": pa.int64(), "INTEGER": pa.int32(), "VARCHAR": pa.string(), "TIMESTAMP": pa.timestamp("ms")}
            schema = pa.schema([(n, types[t]) for n, t in (c.split() for c in columns_of(table).split(", "))])
            self.db.register_csv(table, file, has_header=False, schema=schema)
        return table

    def last(self, sql):
        for s in [] if isinstance(sql, str) else sql[:-1]:
            self.db.sql(s).collect()
        return self.db.sql(sql if isinstance(sql, str) else sql[-1])

    def keep(self, sql):
        batches = self.last(sql).collect()
        return lambda: sum(b.num_rows for b in batches)

    def write(self, sql, out):
        self.last(sql).write_csv(out, with_header=True)

    @staticmethod
    def slices(t, minutes, key="shop"):
        return f"SELECT date_bin(INTERVAL '{minutes} minutes', ts) w, {key}, count(*) n, sum(amount) total FROM {t} GROUP BY 1, 2"

    def W1(self, t):
        return self.slices(t, 10)

    W8d = W8s = W1

    def W2(self, t):
        z = "OVER (PARTITION BY shop ORDER BY w ROWS BETWEEN CURRENT ROW AND 11 FOLLOWING)"
        return [f"CREATE TABLE p AS {self.slices(t, 5)}", f"""SELECT w, shop, n, total FROM (SELECT w, shop, sum(n) {z} n, sum(total) {z} total FROM (SELECT g.w, g.shop, n, total FROM
            (SELECT w, shop FROM (SELECT unnest(generate_series((SELECT min(w) FROM p) - INTERVAL '55 minutes', (SELECT max(w) FROM p), INTERVAL '5 minutes')) w)
            CROSS JOIN (SELECT DISTINCT shop FROM p)) g LEFT JOIN p ON g.w = p.w AND g.shop = p.shop)) WHERE n IS NOT NULL"""]

    def W3(self, t):
        z = "OVER (ORDER BY w ROWS BETWEEN CURRENT ROW AND 1439 FOLLOWING)"
        return [f"CREATE TABLE p AS SELECT date_bin(INTERVAL '1 minute', ts) w, count(*) n, sum(amount) total FROM {t} GROUP BY 1",
                f"""SELECT w, n, total FROM (SELECT w, sum(n) {z} n, sum(total) {z} total FROM (SELECT g.w, n, total FROM (SELECT unnest(generate_series(
            (SELECT min(w) FROM p) - INTERVAL '1439 minutes', (SELECT max(w) FROM p), INTERVAL '1 minute')) w) g LEFT JOIN p ON g.w = p.w)) WHERE n IS NOT NULL"""]

    def W4(self, t):
        return [f"CREATE TABLE p AS {self.slices(t, 10)}", f"""SELECT d w, w + INTERVAL '10 minutes' w_end, shop, total FROM (SELECT d, w, shop,
            sum(total) OVER (PARTITION BY shop, d ORDER BY w ROWS UNBOUNDED PRECEDING) total FROM (SELECT date_bin(INTERVAL '1 day', g.w) d, g.w, g.shop, total FROM
            (SELECT w, shop FROM (SELECT unnest(generate_series(date_bin(INTERVAL '1 day', (SELECT min(w) FROM p)), date_bin(INTERVAL '1 day', (SELECT max(w) FROM p)) + INTERVAL '1430 minutes',
            INTERVAL '10 minutes')) w) CROSS JOIN (SELECT DISTINCT shop FROM p)) g LEFT JOIN p ON g.w = p.w AND g.shop = p.shop)) WHERE total IS NOT NULL"""]

    def W5(self, t):
        y, z = "OVER (PARTITION BY shop ORDER BY ts)", "OVER (PARTITION BY shop ORDER BY rn)"
        return f"""WITH e AS (SELECT shop, ts, lag(ts) {y} p, lead(ts) {y} nx, row_number() {y} rn FROM {t}),
            f AS (SELECT shop, ts, rn, (p IS NULL OR p < ts - INTERVAL '{GAP_S} seconds') st, (nx IS NULL OR nx > ts + INTERVAL '{GAP_S} seconds') en FROM e),
            g AS (SELECT shop, ts, st, en, rn, lead(ts) {z} lt, lead(rn) {z} lr FROM f WHERE st OR en)
            SELECT shop, CASE WHEN en THEN 1 ELSE lr - rn + 1 END n, ts a, CASE WHEN en THEN ts ELSE lt END b FROM g WHERE st"""

    def W6(self, t):
        return f"""SELECT w, r, order_id, shop, amount, ts FROM (SELECT date_bin(INTERVAL '30 minutes', ts) w, order_id, shop, amount, ts,
            row_number() OVER (PARTITION BY date_bin(INTERVAL '30 minutes', ts) ORDER BY amount DESC) r FROM {t}) WHERE r <= 3"""

    def W7(self, t):
        return self.slices(t, 10, "user_id")

    def W9(self, t):
        return f"SELECT date_bin(INTERVAL '10 minutes', ts) w, shop, last_value(order_id ORDER BY ts) order_id, last_value(amount ORDER BY ts) amount, max(ts) ts FROM {t} GROUP BY 1, 2"

    def W10(self, a, b):
        return f"SELECT a.w, a.shop, a.n n1, a.total total1, b.n n2, b.total total2 FROM ({self.slices(a, 10)}) a JOIN ({self.slices(b, 10)}) b ON a.w = b.w AND a.shop = b.shop"
