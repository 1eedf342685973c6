"""toStartOfInterval, shop as LowCardinality (not from CSV); overlapping windows and sessions by array functions over one array a shop."""
from workloads import columns_of, GAP_S


class Engine:
    TYPES = {"BIGINT": "Int64", "INTEGER": "Int32", "VARCHAR": "LowCardinality(String)", "TIMESTAMP": "DateTime64(3)"}

    def __init__(self, threads):
        from chdb import session
        self.db, self.threads = session.Session(), threads
        self.run("CREATE DATABASE IF NOT EXISTS x")
        self.run("USE x")

    def run(self, sql):
        return str(self.db.query(sql))

    def structure(self, columns):
        return ", ".join(f"{n} {self.TYPES[t]}" for n, t in (c.split() for c in columns.split(", ")))

    def load(self, table, file):
        self.run(f"CREATE TABLE x.{table} ({self.structure(columns_of(table))}) ENGINE=Memory")
        self.run(f"INSERT INTO x.{table} SELECT * FROM file('{file}', Parquet)")
        return f"x.{table}"

    def file(self, table, file, kind):
        columns = self.structure(columns_of(table))
        if kind == "parquet":
            return f"file('{file}', Parquet, '{columns}')"
        # LowCardinality and DateTime64 in the structure of a CSV file take up to twice the time of strings and a conversion.
        columns = columns.replace("LowCardinality(String)", "String").replace("DateTime64(3)", "String")
        names = [c.split()[0] for c in columns.split(", ")]
        return f"(SELECT {', '.join(names[:-1])}, toDateTime64({names[-1]}, 3) ts FROM (SELECT * FROM file('{file}', CSV, '{columns}')))"

    def last(self, sql, prefix):
        for s in [] if isinstance(sql, str) else sql[:-1]:
            self.run(f"{s} SETTINGS max_threads={self.threads}")
        self.run(f"{prefix} {sql if isinstance(sql, str) else sql[-1]} SETTINGS max_threads={self.threads}")

    def keep(self, sql):
        self.last(sql, "CREATE TABLE x.r ENGINE=Memory AS")
        return lambda: int(self.run("SELECT count() FROM x.r"))

    def write(self, sql, out):
        self.last(sql, f"INSERT INTO FUNCTION file('{out}', CSVWithNames)")

    @staticmethod
    def slices(t, minutes, key="shop"):
        return f"SELECT toStartOfInterval(ts, INTERVAL {minutes} MINUTE) w, {key}, count() n, sum(amount) total FROM {t} GROUP BY w, {key}"

    def W1(self, t):
        return self.slices(t, 10)

    W8d = W8s = W1

    def W2(self, t):
        # One array of slices a shop, 11 empty ones in front; a window is the difference of two running sums.
        def windows(column):
            run = f"arrayCumSum(arrayResize(groupArrayInsertAt(0)({column}, toUInt32(p - lo + 11)), size, 0))"
            return f"""{run} AS c{column}, arrayMap((x, y) -> x - y, arrayConcat(arraySlice(c{column}, 12), arrayWithConstant(11, c{column}[-1])),
                arrayPopBack(arrayPushFront(c{column}, 0))) AS w{column}"""
        return [f"CREATE TABLE x.p ENGINE=Memory AS SELECT intDiv(toUnixTimestamp64Milli(ts), 300000) p, shop, count() n, sum(amount) s FROM {t} GROUP BY p, shop",
                f"""WITH assumeNotNull((SELECT min(p) FROM x.p)) AS lo, assumeNotNull((SELECT toUInt32(max(p) - min(p) + 12) FROM x.p)) AS size
            SELECT toDateTime(300 * (lo - 11 + i)) AS w, shop, n1 AS n, s1 AS total FROM (SELECT shop, {windows('n')}, {windows('s')} FROM x.p GROUP BY shop)
            ARRAY JOIN range(size) AS i, wn AS n1, ws AS s1 WHERE n1 > 0"""]

    def W3(self, t):
        return f"""SELECT w, sum(n) n, sum(total) total FROM (SELECT p - 60 * arrayJoin(range(1440)) w, n, total
            FROM (SELECT toStartOfMinute(ts) p, count() n, sum(amount) total FROM {t} GROUP BY p)) GROUP BY w"""

    def W4(self, t):
        return [f"""CREATE TABLE x.p ENGINE=Memory AS SELECT intDiv(toUnixTimestamp64Milli(ts), 86400000) d, toUInt32(intDiv(toUnixTimestamp64Milli(ts), 600000) % 144) k,
            shop, sum(amount) s FROM {t} GROUP BY d, k, shop""",
                """SELECT toDateTime(d * 86400) w, toDateTime(d * 86400 + 600 * i) w_end, shop, c1 total FROM (SELECT shop, d, min(k) k0,
            arrayCumSum(arrayResize(groupArrayInsertAt(0)(s, k), 144, 0)) c FROM x.p GROUP BY shop, d) ARRAY JOIN c AS c1, range(1, 145) AS i WHERE i > k0"""]

    def W5(self, t):
        return f"""SELECT shop, length(z) n, fromUnixTimestamp64Milli(z[1]) a, fromUnixTimestamp64Milli(z[-1]) b FROM (SELECT shop,
            arrayJoin(arraySplit((t, d) -> d > {GAP_S * 1000}, x, arrayDifference(x))) z FROM (SELECT shop, arraySort(groupArray(toUnixTimestamp64Milli(ts))) x FROM {t} GROUP BY shop))"""

    def W6(self, t):
        w = "toStartOfInterval(ts, INTERVAL 30 MINUTE)"
        return f"""SELECT {w} w, row_number() OVER (PARTITION BY w ORDER BY amount DESC) r, order_id, shop, amount, ts
            FROM (SELECT * FROM {t} ORDER BY {w}, amount DESC LIMIT 3 BY {w})"""

    def W7(self, t):
        return self.slices(t, 10, "user_id")

    def W9(self, t):
        return f"SELECT toStartOfInterval(o.ts, INTERVAL 10 MINUTE) w, shop, argMax(order_id, o.ts) order_id, argMax(amount, o.ts) amount, max(o.ts) ts FROM {t} AS o GROUP BY w, shop"

    def W10(self, a, b):
        return f"SELECT a.w w, a.shop shop, a.n n1, a.total total1, b.n n2, b.total total2 FROM ({self.slices(a, 10)}) a JOIN ({self.slices(b, 10)}) b ON a.w = b.w AND a.shop = b.shop"
