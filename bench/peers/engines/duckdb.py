"""time_bucket; windows that overlap come from slices on a complete grid and a ROWS frame."""
from workloads import columns_of, GAP_S


class Engine:
    def __init__(self, threads):
        import duckdb
        self.db = duckdb.connect()
        self.db.execute(f"SET threads={threads}; SET preserve_insertion_order=false")

    def load(self, table, file):
        self.db.execute(f"CREATE TABLE {table} AS FROM '{file}'")
        return table

    def file(self, table, file, kind):
        if kind == "parquet":
            return f"'{file}'"
        columns = ", ".join("'%s': '%s'" % tuple(c.split()) for c in columns_of(table).split(", "))
        return f"read_csv('{file}', header=false, delim=',', columns={{{columns}}})"

    def keep(self, sql):
        self.db.execute(f"CREATE TEMP TABLE r AS {sql}")
        return lambda: self.db.execute("SELECT count(*) FROM r").fetchone()[0]

    def write(self, sql, out):
        self.db.execute(f"COPY ({sql}) TO '{out}' (FORMAT csv, HEADER)")

    @staticmethod
    def slices(t, minutes, key="shop"):
        return f"SELECT time_bucket(INTERVAL '{minutes} minutes', ts) w, {key}, count(*) n, sum(amount)::BIGINT total FROM {t} GROUP BY ALL"

    def W1(self, t):
        return self.slices(t, 10)

    W8d = W8s = W1

    def W2(self, t):
        return f"""WITH p AS ({self.slices(t, 5)}), g AS (SELECT w, shop FROM (SELECT unnest(generate_series((SELECT min(w) FROM p) - INTERVAL '55 minutes',
            (SELECT max(w) FROM p), INTERVAL '5 minutes')) w), (SELECT DISTINCT shop FROM p))
            SELECT w, shop, n::BIGINT n, total::BIGINT total FROM (SELECT w, shop, sum(n) OVER z n, sum(total) OVER z total FROM g LEFT JOIN p USING (w, shop)
            WINDOW z AS (PARTITION BY shop ORDER BY w ROWS BETWEEN CURRENT ROW AND 11 FOLLOWING)) WHERE n IS NOT NULL"""

    def W3(self, t):
        return f"""WITH p AS (SELECT time_bucket(INTERVAL '1 minute', ts) w, count(*) n, sum(amount)::BIGINT total FROM {t} GROUP BY 1),
            g AS (SELECT unnest(generate_series((SELECT min(w) FROM p) - INTERVAL '1439 minutes', (SELECT max(w) FROM p), INTERVAL '1 minute')) w)
            SELECT w, n::BIGINT n, total::BIGINT total FROM (SELECT w, sum(n) OVER z n, sum(total) OVER z total FROM g LEFT JOIN p USING (w)
            WINDOW z AS (ORDER BY w ROWS BETWEEN CURRENT ROW AND 1439 FOLLOWING)) WHERE n IS NOT NULL"""

    def W4(self, t):
        return f"""WITH p AS ({self.slices(t, 10)}), g AS (SELECT w, shop FROM (SELECT unnest(generate_series(time_bucket(INTERVAL '1 day', (SELECT min(w) FROM p)),
            time_bucket(INTERVAL '1 day', (SELECT max(w) FROM p)) + INTERVAL '1430 minutes', INTERVAL '10 minutes')) w), (SELECT DISTINCT shop FROM p))
            SELECT * FROM (SELECT time_bucket(INTERVAL '1 day', w) w, w + INTERVAL '10 minutes' w_end, shop, (sum(total) OVER z)::BIGINT total FROM g LEFT JOIN p USING (w, shop)
            WINDOW z AS (PARTITION BY shop, time_bucket(INTERVAL '1 day', w) ORDER BY w ROWS UNBOUNDED PRECEDING)) WHERE total IS NOT NULL"""

    def W5(self, t):
        return f"""WITH e AS (SELECT shop, ts, lag(ts) OVER z p, lead(ts) OVER z nx, row_number() OVER z rn FROM {t} WINDOW z AS (PARTITION BY shop ORDER BY ts)),
            f AS (SELECT shop, ts, rn, (p IS NULL OR p < ts - INTERVAL '{GAP_S} seconds') st, (nx IS NULL OR nx > ts + INTERVAL '{GAP_S} seconds') en FROM e),
            g AS (SELECT shop, ts, st, en, rn, lead(ts) OVER z lt, lead(rn) OVER z lr FROM f WHERE st OR en WINDOW z AS (PARTITION BY shop ORDER BY rn))
            SELECT shop, CASE WHEN en THEN 1 ELSE lr - rn + 1 END n, ts a, CASE WHEN en THEN ts ELSE lt END b FROM g WHERE st"""

    def W6(self, t):
        return f"""SELECT w, row_number() OVER (PARTITION BY w ORDER BY amount DESC) r, order_id, shop, amount, ts FROM (SELECT w, unnest(max_by(x, amount, 3), recursive := true)
            FROM (SELECT time_bucket(INTERVAL '30 minutes', ts) w, amount, {{'order_id': order_id, 'shop': shop, 'amount': amount, 'ts': ts}} x FROM {t}) GROUP BY w)"""

    def W7(self, t):
        return self.slices(t, 10, "user_id")

    def W9(self, t):
        return f"SELECT time_bucket(INTERVAL '10 minutes', ts) w, shop, arg_max(order_id, ts) order_id, arg_max(amount, ts) amount, max(ts) ts FROM {t} GROUP BY ALL"

    def W10(self, a, b):
        return f"""SELECT w, shop, a.n n1, a.total total1, b.n n2, b.total total2 FROM ({self.slices(a, 10)}) a JOIN ({self.slices(b, 10)}) b USING (w, shop)"""
