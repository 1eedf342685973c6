"""Acero's group_by over floor_temporal; it has no window functions, so only tumbling workloads."""
from workloads import columns_of


class Engine:
    def __init__(self, threads):
        import pyarrow
        import pyarrow.compute
        import pyarrow.csv
        import pyarrow.parquet
        self.pa = pyarrow
        pyarrow.set_cpu_count(threads)

    def load(self, table, file):
        return self.pa.parquet.read_table(file)

    def file(self, table, file, kind):
        pa = self.pa
        if kind == "parquet":
            return pa.parquet.read_table(file)
        types = {"BIGINT": pa.int64(), "INTEGER": pa.int32(), "VARCHAR": pa.string(), "TIMESTAMP": pa.timestamp("ms")}
        columns = {n: types[t] for n, t in (c.split() for c in columns_of(table).split(", "))}
        return pa.csv.read_csv(file, pa.csv.ReadOptions(column_names=list(columns), block_size=8 << 20), convert_options=pa.csv.ConvertOptions(column_types=columns))

    def keep(self, table):
        return lambda: table.num_rows

    def write(self, table, out):
        self.pa.csv.write_csv(table, out)

    def slices(self, t, key="shop"):
        w = self.pa.compute.floor_temporal(t["ts"], multiple=10, unit="minute")
        t = self.pa.table({"w": w, key: t[key], "amount": t["amount"]}).group_by(["w", key]).aggregate([([], "count_all"), ("amount", "sum")])
        return t.rename_columns({"count_all": "n", "amount_sum": "total"})

    def W1(self, t):
        return self.slices(t)

    W8d = W8s = W1

    def W7(self, t):
        return self.slices(t, "user_id")

    def W10(self, a, b):
        a, b = self.slices(a).rename_columns({"n": "n1", "total": "total1"}), self.slices(b).rename_columns({"n": "n2", "total": "total2"})
        return a.join(b, ["w", "shop"], join_type="inner")
