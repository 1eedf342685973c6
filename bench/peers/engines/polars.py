"""Streaming engine; dt.truncate + group_by (group_by_dynamic is 18 times slower here and leaves out the windows before the first row)."""
import os

from workloads import columns_of, GAP_S


class Engine:
    def __init__(self, threads):
        os.environ["POLARS_MAX_THREADS"] = str(threads)
        import polars as pl
        self.pl, self.c = pl, pl.col

    def load(self, table, file):
        return self.pl.read_parquet(file).lazy()

    def file(self, table, file, kind):
        pl = self.pl
        if kind == "parquet":
            return pl.scan_parquet(file)
        types = {"BIGINT": pl.Int64, "INTEGER": pl.Int32, "VARCHAR": pl.String, "TIMESTAMP": pl.String}
        schema = {n: types[t] for n, t in (c.split() for c in columns_of(table).split(", "))}
        return pl.scan_csv(file, has_header=False, schema=schema).with_columns(self.timestamp())

    def timestamp(self):
        """Seconds through to_datetime's cache, milliseconds as a number: half the time of '%Y-%m-%d %H:%M:%S%.3f' or of a Datetime schema."""
        ts = self.c("ts").str
        return ts.head(19).str.to_datetime("%Y-%m-%d %H:%M:%S", time_unit="ms") + ts.tail(3).cast(self.pl.Int64).cast(self.pl.Duration("ms"))

    def keep(self, lf):
        df = lf.collect(engine="streaming")
        return lambda: df.height

    def write(self, lf, out):
        lf.sink_csv(out, engine="streaming")

    def slices(self, t, every, *keys):
        c = self.c
        return t.group_by(c("ts").dt.truncate(every).alias("w"), *keys).agg(n=self.pl.len().cast(self.pl.Int64), total=c("amount").cast(self.pl.Int64).sum())

    def W1(self, t):
        return self.slices(t, "10m", "shop")

    W8d = W8s = W1

    def grid(self, p, before, after, step):
        """Every (shop, step) of the slices' span, which the slices are joined to."""
        w = p.select(self.pl.datetime_range(before, after, step, time_unit="ms").alias("w"))
        return w.join(p.select("shop").unique(), how="cross").join(p, on=["w", "shop"], how="left")

    def W2(self, t):
        from datetime import timedelta
        c = self.c
        p = self.slices(t, "5m", "shop").collect(engine="streaming").lazy()
        g = self.grid(p, c("w").min() - timedelta(minutes=55), c("w").max(), "5m").sort("shop", "w", descending=[False, True])
        return g.with_columns(c("n", "total").rolling_sum(12, min_samples=1).over("shop")).filter(c("n") > 0)

    def W3(self, t):
        from datetime import timedelta
        c = self.c
        p = self.slices(t, "1m").collect(engine="streaming").lazy()
        w = p.select(self.pl.datetime_range(c("w").min() - timedelta(minutes=1439), c("w").max(), "1m", time_unit="ms").alias("w"))
        return w.join(p, on="w", how="left").sort("w", descending=True).with_columns(c("n", "total").rolling_sum(1440, min_samples=1)).filter(c("n") > 0)

    def W4(self, t):
        from datetime import timedelta
        c = self.c
        p = self.slices(t, "10m", "shop").drop("n").collect(engine="streaming").lazy()
        g = self.grid(p, c("w").min().dt.truncate("1d"), c("w").max().dt.truncate("1d") + timedelta(minutes=1430), "10m").sort("shop", "w")
        g = g.with_columns(day=c("w").dt.truncate("1d")).with_columns(c("total").fill_null(0).cum_sum().over("shop", "day"), seen=c("total").is_not_null().cum_sum().over("shop", "day"))
        return g.filter(c("seen") > 0).select(w="day", w_end=c("w") + timedelta(minutes=10), shop="shop", total="total")

    def W5(self, t):
        from datetime import timedelta
        c, gap = self.c, timedelta(seconds=GAP_S)
        g = t.group_by("shop").agg(c("ts").sort()).explode("ts").with_row_index("i")
        g = g.with_columns(p=c("ts").shift(), z=c("ts").last(), k=self.pl.len())
        g = g.filter(((c("ts") - c("p") > gap) | (c("shop") != c("shop").shift())).fill_null(True))
        return g.select("shop", n=c("i").shift(-1).fill_null(c("k")) - c("i"), a="ts", b=c("p").shift(-1).fill_null(c("z")))

    def W6(self, t):
        c = self.c
        w = c("ts").dt.truncate("30m")
        return t.with_columns(w=w, r=c("amount").rank("ordinal", descending=True).over(w)).filter(c("r") <= 3).select("w", "r", "order_id", "shop", "amount", "ts")

    def W7(self, t):
        return self.slices(t, "10m", "user_id")

    def W9(self, t):
        c = self.c
        return t.group_by(c("ts").dt.truncate("10m").alias("w"), "shop").agg(c("order_id", "amount", "ts").last())

    def W10(self, a, b):
        a = self.slices(a, "10m", "shop").rename({"n": "n1", "total": "total1"})
        return a.join(self.slices(b, "10m", "shop").rename({"n": "n2", "total": "total2"}), on=["w", "shop"])
