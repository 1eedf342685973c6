"""Random tables and random window queries, with the answers that the facts of tests/flink/README.md give (rows and order)."""
import re
from collections import defaultdict, namedtuple

import aggregates
import expressions
from values import BIGINT, BOOLEAN, DATE, DOUBLE, FLOAT, INT, MS, SMALLINT, NotNull, STRING, TINYINT, WINDOW_TIME, Type, Zone, field, is_integer, is_time, order, single, sql_type
from windows import DAY, HOUR, MINUTE, SECOND, Window

ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Europe/London', 'Asia/Kolkata', 'Asia/Seoul', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Chatham', 'Pacific/Apia',
         'America/Sao_Paulo', 'Africa/Casablanca', 'Antarctica/Troll', 'GMT+09:00', 'GMT-03:30', 'GMT+05:45']
# Seconds at which something is special: the epoch, changes of the clock in 2024, a leap day, a day that Apia never had, the far past and future.
MOMENTS = [0, -3 * 3600, 1710028800, 1711846800, 1730595600, 1729990800, 1709210000, 1325235600, 1709164800, -2208988800, -5000000000, 4102444800, 16725225600, 253370764800]
SHOPS = ['', 'a', 'b', 'ab', 'shop', 'twelve bytes', 'thirteen byte', 'a longer name, quoted', 'say "hi"', '한글 가게', 'éa', 'Z', 'x' * 30]

Relation = namedtuple('Relation', 'table columns rows time prelude')          # table: TABLE name or a query in parentheses
Query = namedtuple('Query', 'sql columns rows prelude tags')                    # columns: [(name, type)], rows: tuples in order
Windowed = namedtuple('Windowed', 'source columns rows window time prelude')  # rows with window_start, window_end, window_time


class World:
    """Two tables, a mode, a zone and names for views."""

    def __init__(self, rnd):
        self.rnd = rnd
        self.batch = rnd.random() < 0.4
        self.local = rnd.random() < 0.4
        self.zone = Zone(rnd.choice(ZONES) if self.local else 'UTC')
        precision = rnd.choice([3, 3, 3, 0, 6, 9, rnd.randrange(10)] if self.batch else [3, 3, 3, 0, 1, 2])
        self.time = Type('LTZ' if self.local else 'TIMESTAMP', precision)
        self.base, self.span = rnd.choice(MOMENTS) * 1000, rnd.choice([2 * SECOND, MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY])
        self.views = 0
        decimal = Type('DECIMAL', *rnd.choice([(4, 1), (10, 2), (18, 6), (20, 4)]))
        self.columns = {'id': BIGINT, 'k': STRING, 'g': rnd.choice([TINYINT, INT]), 'h': rnd.choice([BOOLEAN, DATE, decimal, SMALLINT]),
                        'v': rnd.choice([TINYINT, SMALLINT, INT, BIGINT]), 'd': decimal, 'f': DOUBLE, 'e': FLOAT, 's': STRING, 'ts': self.time if self.batch else self.time._replace(p=3)}
        self.tables = [self.make_table(name) for name in 'tu']

    def make_value(self, t, shops):
        rnd = self.rnd
        if is_integer(t):
            limit = rnd.choice([10, 10, 100, 2 ** ({'TINYINT': 8, 'SMALLINT': 16, 'INT': 32, 'BIGINT': 64}[t.name] - 1) - 1])
            return rnd.randrange(-limit, limit)
        if t.name == 'DECIMAL':
            return rnd.randrange(-10 ** t.p + 1, 10 ** t.p) // 10 ** rnd.randrange(t.p)
        return {'STRING': lambda: rnd.choice(shops), 'BOOLEAN': lambda: rnd.random() < 0.5, 'DATE': lambda: 19700 + rnd.randrange(4),
                'FLOAT': lambda: rnd.choice([float(rnd.randrange(-50, 50)), single(rnd.uniform(-1e4, 1e4))]),
                'DOUBLE': lambda: rnd.choice([float(rnd.randrange(-50, 50)), rnd.randrange(-1000, 1000) / 8, rnd.uniform(-1e6, 1e6)])}[t.name]()

    def make_table(self, name):
        rnd = self.rnd
        count = rnd.choice([0, 1, 3, 12, 12, 25, 25, 40])
        shops, nulls = rnd.sample(SHOPS, rnd.choice([1, 2, 4])), rnd.choice([0, 0, 0.1, 0.5])
        unit = rnd.choice([1, 1, 10, SECOND, MINUTE])
        times = [(self.base + rnd.randrange(self.span) // unit * unit) * MS for _ in range(count)]
        if rnd.random() < 0.4:
            times.sort()
        rows = []
        for place, time in enumerate(times):
            time = (time + rnd.randrange(MS)) // 10 ** (9 - self.time.p) * 10 ** (9 - self.time.p)
            row = {c: None if rnd.random() < nulls else self.make_value(t, shops) for c, t in self.columns.items() if c not in ('id', 'ts')}
            row.update(id=place, ts=None if self.batch and rnd.random() < nulls / 4 else time)
            rows.append({c: row[c] for c in self.columns})
        return Relation('TABLE ' + name, dict(self.columns), rows, 'ts', [])

    def wall(self, time):
        return self.zone.wall(time) if self.local else time

    def ddl(self):
        """-> the statements that make the tables."""
        lines = ["SET 'execution.runtime-mode' = 'batch';"] * self.batch + ["SET 'table.local-time-zone' = '%s';" % self.zone.name] * (self.zone.name != 'UTC')
        for relation in self.tables:
            fields = ['%s %s' % (c, sql_type(self.time if c == 'ts' else t)) for c, t in relation.columns.items()] + ([] if self.batch else ["WATERMARK FOR ts AS ts - INTERVAL '900' DAY(3)"])
            lines.append("CREATE TABLE %s (%s) WITH ('connector' = 'filesystem', 'path' = '%s.csv', 'format' = 'csv', 'csv.null-literal' = 'NULL');"
                         % (relation.table[6:], ', '.join(fields), relation.table[6:]))
        return lines

    def files(self):
        """-> {name: text}"""
        text = lambda row, columns: ','.join('NULL' if row[c] is None else field(row[c], t) or '""' for c, t in columns.items()) + '\n'
        return {r.table[6:] + '.csv': ''.join(text(row, r.columns) for row in r.rows) for r in self.tables}


def projected(w, relation):
    """A relation as it is, or filtered and with other columns, by a query, a view or WITH."""
    rnd = w.rnd
    if rnd.random() < 0.5:
        return relation
    test = expressions.condition(rnd, relation.columns) if rnd.random() < 0.6 else None
    kept = [c for c in relation.columns if c in ('id', relation.time) or rnd.random() < 0.7]
    items = [(c, expressions.column(c, relation.columns[c])) for c in kept]
    if rnd.random() < 0.5:
        items.append(('x', expressions.any_value(rnd, {c: t for c, t in relation.columns.items() if c != relation.time})))
    sql = 'SELECT %s FROM %s%s' % (', '.join(e.sql if e.sql == name else '%s AS %s' % (e.sql, name) for name, e in items), from_text(relation), ' WHERE ' + test.sql if test else '')
    rows = [{name: e.value(row) for name, e in items} for row in relation.rows if not test or test.value(row)]
    columns = {name: typed(e.type, e.null) for name, e in items}
    if rnd.random() < 0.5:
        return Relation('(%s)' % sql, columns, rows, relation.time, relation.prelude)
    w.views += 1
    name = 'w%d' % w.views
    return Relation('TABLE ' + name, columns, rows, relation.time, relation.prelude + ['CREATE TEMPORARY VIEW %s AS %s;' % (name, sql)])


def typed(t, null):
    return Type(*t) if null else NotNull(*t)


def from_text(relation):
    return relation.table[6:] if relation.table.startswith('TABLE ') else relation.table


def make_window(w, columns, rows, time, for_aggregate):
    rnd = w.rnd
    times = [w.wall(r[time]) // MS for r in rows if r[time] is not None] or [0]
    least = (max(times) - min(times)) // 60 + 1
    unit = max(rnd.choice([1, 7, 100, SECOND, 10 * SECOND, MINUTE, 7 * MINUTE, HOUR, DAY]), least)
    unit = next((u for u in (10, SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, HOUR, 6 * HOUR, DAY) if u >= unit), unit) if rnd.random() < 0.7 else unit
    slide, kind = unit * rnd.randrange(1, 4), rnd.choice(['TUMBLE', 'TUMBLE', 'HOP', 'HOP', 'CUMULATE', 'SESSION'])
    size = slide * rnd.choice([1, 2, 3, 7])
    if kind == 'TUMBLE':
        size = slide
    if kind == 'HOP' and rnd.random() < 0.15 and (w.batch or not for_aggregate):
        size = max(1, size + rnd.choice([-1, 1]) * rnd.randrange(slide + 1))
    offset = rnd.choice([0, 0, 1, -1]) * rnd.randrange(3 * size if rnd.random() < 0.2 else size)
    if rnd.random() < 0.5:
        offset = int(offset / SECOND) * SECOND
    if kind == 'SESSION':
        keys = [c for c, t in columns.items() if c not in ('id', time) and not is_time(t) and t not in (DOUBLE, FLOAT)]
        return Window(kind, slide, keys=rnd.sample(keys, min(len(keys), rnd.choice([0, 1, 1, 2]))))
    return Window(kind, size, slide, offset)


def windowed(w, relation, for_aggregate=False, window=None):
    window = window or make_window(w, relation.columns, relation.rows, relation.time, for_aggregate)
    t = relation.columns[relation.time]
    back = w.zone.instant if t.name == 'LTZ' else lambda time: time
    rows = [dict(row, window_start=s * MS, window_end=e * MS, window_time=back((e - 1) * MS))
            for row, s, e in window.assign(relation.rows, relation.time, w.zone.wall if t.name == 'LTZ' else lambda time: time)]
    columns = dict(relation.columns, window_start=WINDOW_TIME, window_end=WINDOW_TIME, window_time=Type(t.name, max(t.p, 3)))
    return Windowed(window.call(w.rnd, relation.table, relation.time), columns, rows, window, relation.time, relation.prelude)


def usable(columns):
    """Columns that expressions and keys may use."""
    return {c: t for c, t in columns.items() if c not in ('window_start', 'window_end', 'window_time') and not (t.name == 'LTZ')}


def select(w, items, source, rest=''):
    return 'SELECT %s FROM %s%s' % (', '.join(e.sql if e.sql == name else '%s AS %s' % (e.sql, name) for name, e in items), source, rest)


def window_items(w, columns, must=()):
    names = [c for c in ('window_start', 'window_end', 'window_time') if c in must or w.rnd.random() < 0.6]
    if 'window_time' in names and columns['window_time'].p != columns.get('ts', WINDOW_TIME).p and columns.get('ts', WINDOW_TIME).p < 3:
        names.remove('window_time')
    return [(c, expressions.column(c, columns[c])) for c in names]


def rows_query(w, relation):
    rnd, v = w.rnd, windowed(w, relation)
    items = [(c, expressions.column(c, v.columns[c])) for c in relation.columns if c == 'id' or rnd.random() < 0.3] + window_items(w, v.columns, ('window_start',))
    if rnd.random() < 0.5:
        items.append(('y', expressions.any_value(rnd, usable(v.columns))))
    test = expressions.condition(rnd, usable(v.columns)) if rnd.random() < 0.4 else None
    rows = [tuple(e.value(row) for _, e in items) for row in v.rows if not test or test.value(row)]
    return Query(select(w, items, v.source, ' WHERE ' + test.sql if test else ''), [(n, e.type) for n, e in items], rows, v.prelude, {v.window.kind} | wide(v.window))


def grouping(rnd, names):
    """-> SQL of the grouping and its sets of names"""
    kind = rnd.choice(['ROLLUP', 'CUBE', 'GROUPING SETS'])
    if kind == 'ROLLUP':
        return 'ROLLUP (%s)' % ', '.join(names), [names[:n] for n in range(len(names) + 1)]
    subsets = [[n for i, n in enumerate(names) if mask >> i & 1] for mask in range(1 << len(names))]
    if kind == 'CUBE':
        return 'CUBE (%s)' % ', '.join(names), subsets
    sets = rnd.sample(subsets, rnd.randrange(1, len(subsets) + 1))
    sets += [[n] for n in names if not any(n in s for s in sets)]
    return 'GROUPING SETS (%s)' % ', '.join('(%s)' % ', '.join(s) for s in sets), sets


def aggregate_query(w, v, for_view=False):
    """GROUP BY window_start, window_end and keys, over rows that have windows."""
    rnd, session = w.rnd, v.window.kind == 'SESSION'
    columns = usable(v.columns)
    exact = session and rnd.random() < 0.85
    if exact:
        keys = [(k, expressions.column(k, v.columns[k])) for k in v.window.keys]
    else:
        keys = []
        for i in range(rnd.choice([0, 1, 1, 2, 3])):
            e = expressions.any_value(rnd, columns) if rnd.random() < 0.3 else expressions.column(*rnd.choice([c for c in columns.items() if c[0] not in ('ts', 'rt') or rnd.random() < 0.1]))
            if e.sql not in [k.sql for _, k in keys] and (e.sql in columns or not e.sql.lstrip('-').isdigit()):
                keys.append((e.sql if e.sql in columns else ('k%d' if 'k0' not in columns and 'k1' not in columns and 'k2' not in columns else 'e%d') % i, e))
    parts = window_items(w, v.columns, ('window_start', 'window_end') + (('window_time',) if for_view else ()))
    sets, plain = None, all(e.sql == n for n, e in keys)
    group = [e.sql for _, e in keys]
    if keys and plain and not session and not for_view and rnd.random() < 0.25:
        text, sets = grouping(rnd, group)
        keys.sort(key=lambda k: next(i for i, n in enumerate(re.findall(r'\w+', text)) if n == k[0]))
        group = [text]
    made = [aggregates.make(rnd, columns, True) for _ in range(rnd.randrange(1, 4))] + (aggregates.trio(rnd, columns) if rnd.random() < 0.05 else [])
    letter = 'a' if 'a0' not in columns else 'b'
    by_window = [n for n, _ in parts]
    written = by_window + group
    if rnd.random() < 0.2:
        written = group + by_window
    groups = defaultdict(list)
    for row in v.rows:
        key = [e.value(row) for _, e in keys]
        for s in sets if sets is not None else [[n for n, _ in keys]]:
            kept = tuple(value if n in s else None for (n, _), value in zip(keys, key))
            number = sum((n not in s) << (len(keys) - 1 - i) for i, (n, _) in enumerate(keys))
            groups[(row['window_end'], row['window_start'], kept, number)].append(row)
    ordered = sorted(groups.items(), key=lambda g: (g[0][0], g[0][1], [order(k) for k in g[0][2]], g[0][3]))
    selected = parts + keys
    rnd.shuffle(selected) if rnd.random() < 0.3 and not for_view else None
    items = [('%s' % n if e.sql == n else '%s AS %s' % (e.sql, n)) for n, e in selected]
    header = [(n, typed(e.type, e.null)) for n, e in selected] + [('%s%d' % (letter, i), typed(a.type, a.has_null())) for i, a in enumerate(made)]
    items += ['%s AS %s%d' % (a.sql, letter, i) for i, a in enumerate(made)]
    if sets is not None and rnd.random() < 0.7:
        items.append('GROUPING_ID(%s) AS gid' % ', '.join(n for n, _ in keys))
        header.append(('gid', BIGINT))
    having, least = '', 0
    if rnd.random() < 0.15:
        least = rnd.choice([1, 2, 3])
        having = ' HAVING COUNT(*) >= %d' % least
    made = aggregates.together(made, bool(having))
    rows = []
    for (end, start, kept, number), members in ordered:
        if len(members) >= least:
            known = dict(zip([n for n, _ in keys], kept), window_start=start, window_end=end, window_time=members[0]['window_time'])
            row = tuple(known[n] for n, _ in selected) + tuple(a.value(members) for a in made)
            rows.append(row + (number,) if header[-1][0] == 'gid' else row)
    sql = 'SELECT %s FROM %s GROUP BY %s%s' % (', '.join(items), v.source, ', '.join(written), having)
    tags = {v.window.kind, 'aggregate'} | ({'order'} if any(a.sql.startswith(('FIRST', 'LAST', 'LIST')) for a in made) else set())
    return Query(sql, header, rows, v.prelude, tags | wide(v.window))


def wide(window):
    """The tag of what only the ruling on offsets lets in."""
    return {'wide offset'} if window.kind == 'TUMBLE' and abs(window.offset) >= window.size else set()


def cascade(w, relation):
    """A relation of aggregates whose time is window_time."""
    v = windowed(w, relation, True)
    q = aggregate_query(w, v, True)
    taken = {'window_start': 'ws', 'window_end': 'we', 'window_time': 'rt'}
    if any(n not in [c for c, _ in q.columns] for n in taken) or wide(v.window) and w.rnd.random() < 0.9:
        return relation
    w.views += 1
    name = 'c%d' % w.views
    inner = ', '.join('%s AS %s' % (n, taken[n]) if n in taken else n for n, _ in q.columns)
    # statistics have no exact value to go on with
    if any(isinstance(x, aggregates.Near) for row in q.rows for x in row):
        return relation
    prelude = q.prelude + ['CREATE TEMPORARY VIEW %s AS SELECT %s FROM (%s);' % (name, inner, q.sql)]
    columns = {taken.get(n, n): t for n, t in q.columns}
    rows = [dict(zip(columns, row)) for row in q.rows]
    columns = {c: t for c, t in columns.items() if c not in ('ws', 'we')}
    return Relation('TABLE ' + name, columns, rows, 'rt', prelude)


def order_items(w, columns):
    """ORDER BY of a rank: [(name, descending, nulls first)]"""
    rnd = w.rnd
    names = [c for c in columns if c not in ('window_start', 'window_end', 'window_time')]
    names = rnd.sample(names, min(len(names), rnd.choice([1, 1, 2])))
    out = []
    for name in names:
        descending = rnd.random() < 0.5
        out.append((name, descending, rnd.choice([not descending, not descending, True, False])))
    return out


def order_text(items):
    return ', '.join('%s%s%s' % (n, ' DESC' if d else '', '' if f != d else ' NULLS FIRST' if f else ' NULLS LAST') for n, d, f in items)


def sort_rows(rows, items):
    """Stable, by several keys."""
    rows = list(rows)
    for name, descending, nulls_first in reversed(items):
        some = sorted((r for r in rows if r[name] is not None), key=lambda r: order(r[name]), reverse=descending)
        none = [r for r in rows if r[name] is None]
        rows = none + some if nulls_first else some + none
    return rows


def ranks(kind, rows, items):
    out, number, dense = [], 0, 0
    for place, row in enumerate(rows, 1):
        same = place > 1 and all(row[n] == rows[place - 2][n] for n, _, _ in items)
        number, dense = (number if same else place), dense + (not same)
        out.append({'ROW_NUMBER': place, 'RANK': number, 'DENSE_RANK': dense}[kind])
    return out


def rank_query(w, relation):
    """Window Top-N and deduplication over rows of a table function or over aggregates."""
    rnd = w.rnd
    if rnd.random() < 0.3:
        q = aggregate_query(w, windowed(w, relation, True))
        if any(isinstance(x, aggregates.Near) for row in q.rows for x in row):
            return q
        columns, rows, source, prelude, tags = dict(q.columns), [dict(zip(dict(q.columns), row)) for row in q.rows], '(%s)' % q.sql, q.prelude, set(q.tags)
        time = None
    else:
        v = windowed(w, relation)
        columns, rows, source, prelude, tags, time = v.columns, v.rows, v.source, v.prelude, {v.window.kind} | wide(v.window), v.time
    keys = [c for c in usable(columns) if c not in ('id', time) and columns[c] not in (DOUBLE, FLOAT)]
    keys = rnd.sample(keys, min(len(keys), rnd.choice([0, 1, 1, 2])))
    items = order_items(w, columns)
    kind = rnd.choice(['ROW_NUMBER', 'ROW_NUMBER', 'ROW_NUMBER', 'RANK', 'DENSE_RANK'])
    if time and rnd.random() < 0.3:
        items, kind = [(time, rnd.random() < 0.5, None)], 'ROW_NUMBER'
        items = [(time, items[0][1], not items[0][1])]
    low, high = rnd.choice([(1, 1), (1, 2), (1, 5), (2, 3), (2, 2)])
    form = rnd.choice(['BETWEEN', '<=', '>'])
    test = 'rn = %d' % low if low == high else 'rn <= %d' % high if low == 1 and form == '<=' else 'rn > %d AND rn < %d' % (low - 1, high + 1) if form == '>' else 'rn BETWEEN %d AND %d' % (low, high)
    keep_last = not w.batch and kind == 'ROW_NUMBER' and time and items[0] == (time, True, False) and len(items) == 1 and high == 1
    groups = defaultdict(list)
    for row in rows:
        groups[(row['window_end'], row['window_start']) + tuple(row[k] for k in keys)].append(row)
    out = []
    for _, members in sorted(groups.items(), key=lambda g: [order(x) for x in g[0]]):
        members = sort_rows(reversed(members) if keep_last else members, items)
        out += [dict(row, rn=n) for row, n in zip(members, ranks(kind, members, items)) if low <= n <= high]
        if kind == 'ROW_NUMBER' and any(a == b for a, b in zip(ranks('RANK', members, items), ranks('RANK', members, items)[1:])):
            tags = tags | {'ties'}
    shown = ['window_start'] + [c for c in columns if c != 'window_start' and c != 'window_time' and (c in ('id', 'window_end') or rnd.random() < 0.4)] + (['rn'] if rnd.random() < 0.6 else [])
    by = rnd.choice([['window_start', 'window_end'] + keys, keys + ['window_end', 'window_start']]) if keys == sorted(keys) or True else keys
    over = '%s() OVER (PARTITION BY %s ORDER BY %s)' % (kind, ', '.join(by), order_text(items))
    if 'rn' not in shown and rnd.random() < 0.3 and low == 1 and not source.startswith('('):
        sql = 'SELECT %s FROM %s QUALIFY %s <= %d' % (', '.join(shown), source, over, high)
    else:
        sql = 'SELECT %s FROM (SELECT *, %s AS rn FROM %s) WHERE %s' % (', '.join(shown), over, source, test)
    types = dict(columns, rn=BIGINT)
    return Query(sql, [(c, types[c]) for c in shown], [tuple(row[c] for c in shown) for row in out], prelude, tags | {'rank', kind} | ({'keep last'} if keep_last else set()))


def join_query(w):
    """Window joins of all kinds, of rows of two table functions."""
    rnd = w.rnd
    left = windowed(w, projected(w, w.tables[0]))
    again = rnd.random() < 0.85
    right_relation = projected(w, w.tables[1]) if left.window.kind != 'SESSION' else w.tables[1]
    if left.window.kind == 'SESSION' and any(k not in right_relation.columns for k in left.window.keys):
        again = False
    right = windowed(w, right_relation, window=left.window if again else None)
    shared = [c for c in left.columns if c in right.columns and c in ('k', 'g', 'h', 's', 'v') and left.columns[c] == right.columns[c]]
    keys = rnd.sample(shared, min(len(shared), rnd.choice([0, 1, 1, 2])))
    extra = rnd.random() < 0.2
    kind = rnd.choice(['JOIN', 'INNER JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'LEFT OUTER JOIN', 'IN', 'EXISTS', 'NOT IN', 'NOT EXISTS'])
    test = ' AND '.join(['l.%s = r.%s' % (c, c) for c in keys] + ['l.window_start = r.window_start', 'l.window_end = r.window_end'] + (['l.id < r.id'] if extra else []))
    match = lambda a, b: all(a[c] is not None and a[c] == b[c] for c in keys) and (not extra or a['id'] < b['id'])
    by_window = defaultdict(lambda: ([], []))
    for side, v in enumerate((left, right)):
        for row in v.rows:
            by_window[(row['window_end'], row['window_start'])][side].append(row)
    prelude, tags = left.prelude + right.prelude, {left.window.kind, 'join', kind} | wide(left.window) | wide(right.window)
    a_text, b_text = '(SELECT * FROM %s) AS l' % left.source, '(SELECT * FROM %s) AS r' % right.source
    if kind in ('IN', 'EXISTS', 'NOT IN', 'NOT EXISTS'):
        shown = ['id', 'window_start'] + [c for c in left.columns if c not in ('id', 'window_start', 'window_time') and rnd.random() < 0.3]
        out = []
        if 'IN' in kind:
            key = keys[0] if keys else 'id'
            rest = ' AND '.join(['l.window_start = r.window_start', 'l.window_end = r.window_end'] + ['l.%s = r.%s' % (c, c) for c in keys[1:]])
            sql = 'SELECT %s FROM %s WHERE l.%s %s (SELECT r.%s FROM %s WHERE %s)' % (', '.join(shown), a_text, key, kind, key, b_text, rest)
        else:
            sql = 'SELECT %s FROM %s WHERE %s (SELECT * FROM %s WHERE %s)' % (', '.join(shown), a_text, kind, b_text, test)
        if kind == 'NOT IN' and len(keys) > 1:
            keys = keys[:1]
            sql = sql.replace(rest, ' AND '.join(['l.window_start = r.window_start', 'l.window_end = r.window_end']))
        for _, (rows, others) in sorted(by_window.items()):
            for row in rows:
                if 'IN' in kind:
                    found = [b for b in others if all(row[c] is not None and row[c] == b[c] for c in keys[1:])]
                    if any(row[key] is not None and row[key] == b[key] for b in found):
                        yes = True
                    else:
                        yes = None if found and (row[key] is None or any(b[key] is None for b in found)) else False
                    keep = yes is True if kind == 'IN' else yes is False
                else:
                    keep = any(match(row, b) for b in others) == (kind == 'EXISTS')
                if keep:
                    out.append(tuple(row[c] for c in shown))
        return Query(sql, [(c, left.columns[c]) for c in shown], out, prelude, tags)
    a_shown = ['id'] + [c for c in left.columns if c in ('window_start', 'window_end') or c not in ('id', 'window_time') and rnd.random() < 0.25]
    b_shown = ['id'] + [c for c in right.columns if c in ('window_start',) or c not in ('id', 'window_time') and rnd.random() < 0.25]
    items = ['l.%s AS l_%s' % (c, c) for c in a_shown] + ['r.%s AS r_%s' % (c, c) for c in b_shown]
    sql = 'SELECT %s FROM %s %s %s ON %s' % (', '.join(items), a_text, kind, b_text, test)
    out = []
    none_a, none_b = (None,) * len(a_shown), (None,) * len(b_shown)
    for _, (rows, others) in sorted(by_window.items()):
        matched = set()
        for a in rows:
            found = [i for i, b in enumerate(others) if match(a, b)]
            matched.update(found)
            part = tuple(a[c] for c in a_shown)
            out += [part + tuple(others[i][c] for c in b_shown) for i in found]
            if not found and kind.startswith(('LEFT', 'FULL')):
                out.append(part + none_b)
        if kind.startswith(('RIGHT', 'FULL')):
            out += [none_a + tuple(b[c] for c in b_shown) for i, b in enumerate(others) if i not in matched]
    return Query(sql, [('l_' + c, left.columns[c]) for c in a_shown] + [('r_' + c, right.columns[c]) for c in b_shown], out, prelude, tags)


def legacy_query(w, relation):
    """GROUP BY TUMBLE(ts, ...) and the like."""
    rnd = w.rnd
    window = make_window(w, relation.columns, relation.rows, relation.time, True)
    if window.kind == 'CUMULATE':
        window = Window('TUMBLE', window.size, window.size)
    columns = usable(relation.columns)
    keys = [c for c in columns if c not in ('id', relation.time) and columns[c] not in (DOUBLE, FLOAT)]
    keys = rnd.sample(keys, min(len(keys), rnd.choice([0, 1, 2])))
    window = Window(window.kind, window.size, window.slide, 0, keys if window.kind == 'SESSION' else ())
    if window.kind == 'HOP' and window.size % window.slide:
        window.size = window.slide * 2
    v = windowed(w, relation, True, window)
    arguments = ', '.join([relation.time] + window.lengths(rnd))
    made = [aggregates.make(rnd, columns, True) for _ in range(rnd.randrange(1, 3))]
    letter = 'a' if 'a0' not in columns else 'b'
    groups = defaultdict(list)
    for row in v.rows:
        groups[(row['window_end'], row['window_start']) + tuple(row[k] for k in keys)].append(row)
    ordered = sorted(groups.items(), key=lambda g: [order(x) for x in g[0]])
    made = aggregates.together(made)
    items = ['%s_START(%s) AS ws' % (window.kind, arguments), '%s_END(%s) AS we' % (window.kind, arguments)] + keys + ['%s AS %s%d' % (a.sql, letter, i) for i, a in enumerate(made)]
    sql = 'SELECT %s FROM %s GROUP BY %s' % (', '.join(items), from_text(relation), ', '.join(['%s(%s)' % (window.kind, arguments)] + keys))
    header = [('ws', WINDOW_TIME), ('we', WINDOW_TIME)] + [(k, columns[k]) for k in keys] + [('%s%d' % (letter, i), a.type) for i, a in enumerate(made)]
    rows = [(g[1], g[0]) + g[2:] + tuple(a.value(members) for a in made) for g, members in ordered]
    return Query(sql, header, rows, relation.prelude, {window.kind, 'legacy'} | ({'order'} if any(a.sql.startswith(('FIRST', 'LAST', 'LIST')) for a in made) else set()))


def plain_query(w, relation):
    """No window: GROUP BY, DISTINCT, filters, UNION ALL, ORDER BY."""
    rnd, columns = w.rnd, usable(relation.columns)
    kind = rnd.choice(['group', 'distinct', 'filter', 'union', 'sort'])
    source = from_text(relation)
    if kind in ('group', 'distinct'):
        keys = [c for c in columns if c != relation.time and columns[c] not in (DOUBLE, FLOAT)]
        keys = rnd.sample(keys, min(len(keys), 2))
        groups = defaultdict(list)
        for row in relation.rows:
            groups[tuple(row[k] for k in keys)].append(row)
        ordered = sorted(groups.items(), key=lambda g: [order(x) for x in g[0]])
        header = [(k, columns[k]) for k in keys]
        if kind == 'distinct':
            return Query('SELECT DISTINCT %s FROM %s' % (', '.join(keys), source), header, [g for g, _ in ordered], relation.prelude, {'distinct'})
        a, = aggregates.together([aggregates.make(rnd, columns, True)])
        sql = 'SELECT %s, %s AS a FROM %s GROUP BY %s' % (', '.join(keys), a.sql, source, ', '.join(keys))
        return Query(sql, header + [('a', a.type)], [g + (a.value(m),) for g, m in ordered], relation.prelude, {'group'} | ({'order'} if a.sql.startswith(('FIRST', 'LAST', 'LIST')) else set()))
    items = [('n', expressions.integer(rnd, columns)), ('y', expressions.text(rnd, columns))]
    items += [(c, expressions.column(c, columns[c])) for c in columns if rnd.random() < 0.3]
    test = expressions.condition(rnd, columns)
    header = [(n, e.type) for n, e in items]
    rows = [{n: e.value(row) for n, e in items} for row in relation.rows if test.value(row)]
    sql = select(w, items, source, ' WHERE ' + test.sql)
    if kind == 'sort' and w.batch:
        by = [(n, rnd.random() < 0.5, None) for n in rnd.sample([n for n, _ in items], 2)]
        by = [(n, d, not d) for n, d, _ in by]
        count = rnd.choice([1, 5, 100])
        rows, sql = sort_rows(rows, by)[:count], '%s ORDER BY %s LIMIT %d' % (sql, order_text(by), count)
    elif kind == 'union':
        other = expressions.condition(rnd, columns)
        rows += [{n: e.value(row) for n, e in items} for row in relation.rows if other.value(row)]
        sql += ' UNION ALL ' + select(w, items, source, ' WHERE ' + other.sql)
    return Query(sql, header, [tuple(row[n] for n, _ in items) for row in rows], relation.prelude, {'plain', kind})


def make_query(w):
    q = any_query(w)
    if q.prelude and w.rnd.random() < 0.4:
        views = [re.match(r'CREATE TEMPORARY VIEW (\w+) AS (.*);$', s).groups() for s in dict.fromkeys(q.prelude)]
        return q._replace(sql='WITH %s %s' % (', '.join('%s AS (%s)' % v for v in views), q.sql), prelude=[], tags=q.tags | {'WITH'})
    return q._replace(prelude=list(dict.fromkeys(q.prelude)))


def any_query(w):
    rnd = w.rnd
    kind = rnd.choice(['rows', 'aggregate', 'aggregate', 'aggregate', 'rank', 'rank', 'join', 'join', 'legacy', 'plain'])
    if kind == 'join':
        return join_query(w)
    relation = projected(w, w.tables[0])
    if kind == 'plain':
        return plain_query(w, relation)
    if rnd.random() < 0.2 and not (w.time.p < 3 and w.local):
        relation = cascade(w, relation)
    if kind == 'rows':
        return rows_query(w, relation)
    if kind == 'rank':
        return rank_query(w, relation)
    if kind == 'legacy' and not w.batch:
        return legacy_query(w, relation)
    return aggregate_query(w, windowed(w, relation, True))
