"""Windows, aggregates and ranks in plain Python, row by row: slow, and independent of the program that is checked."""
import json
from collections import defaultdict


class Window:
    """kind, and the parameters in milliseconds."""

    def __init__(self, kind, size, slide=0, offset=0, keys=()):
        self.kind, self.size, self.slide, self.offset, self.keys = kind, size, slide, offset, keys

    def tvf(self, table):
        time = 'DESCRIPTOR(ts)'
        if self.kind == 'SESSION':
            by = ' PARTITION BY ' + (self.keys[0] if len(self.keys) == 1 else '(' + ', '.join(self.keys) + ')') if self.keys else ''
            return 'SESSION(TABLE %s%s, %s, %s)' % (table, by, time, interval(self.size))
        parts = [] if self.kind == 'TUMBLE' else [interval(self.slide)]
        parts.append(interval(self.size))
        if self.offset:
            parts.append(interval(self.offset))
        return '%s(TABLE %s, %s, %s)' % (self.kind, table, time, ', '.join(parts))

    def of(self, t):
        """The windows of a time, in the order in which the table function gives them."""
        if self.kind == 'TUMBLE':
            start = t - (t - self.offset) % self.size
            return [(start, start + self.size)]
        if self.kind == 'HOP':
            last = t - (t - self.offset) % self.slide
            return [(s, s + self.size) for s in range(last, t - self.size, -self.slide)]
        start = t - (t - self.offset) % self.size
        return [(start, end) for end in range(start + self.slide, start + self.size + 1, self.slide) if end > t]

    def assign(self, rows):
        """[(row, start, end)] in the order that Oriel defines."""
        if self.kind != 'SESSION':
            return [(row, s, e) for row in rows for s, e in self.of(row['ts'])]
        by_key = defaultdict(list)
        for row in rows:
            by_key[tuple(row[k] for k in self.keys)].append(row)
        out = []
        for key, members in by_key.items():
            members = sorted(members, key=lambda r: r['ts'])
            session = []
            for row in members + [None]:
                if session and (row is None or row['ts'] - session[-1]['ts'] > self.size):
                    start, end = session[0]['ts'], session[-1]['ts'] + self.size
                    out += [(r, start, end) for r in session]
                    session = []
                session.append(row)
        return sorted(out, key=lambda x: (x[2], x[1], [order(x[0][k]) for k in self.keys], x[0]['place']))


def interval(ms):
    sign, ms = ('-' if ms < 0 else ''), abs(ms)
    return "INTERVAL '%s%d %02d:%02d:%02d.%03d' DAY(6) TO SECOND" % (sign, ms // 86400000, ms // 3600000 % 24, ms // 60000 % 60, ms // 1000 % 60, ms % 1000)


def order(value):
    """NULLs first, strings by their bytes."""
    if value is None:
        return (0, 0)
    return (1, value.encode() if isinstance(value, str) else value)


def wrap(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def quotient(a, b):
    return abs(a) // b * (1 if a >= 0 else -1)


def distinct(values):
    return list(dict.fromkeys(values))


AGGREGATES = {
    'COUNT(*)': lambda rows: len(rows),
    'COUNT(amount)': lambda rows: len(present(rows, 'amount')),
    'SUM(amount)': lambda rows: wrap(sum(present(rows, 'amount')), 32) if present(rows, 'amount') else None,
    'AVG(amount)': lambda rows: quotient(sum(present(rows, 'amount')), len(present(rows, 'amount'))) if present(rows, 'amount') else None,
    'MIN(amount)': lambda rows: min(present(rows, 'amount'), default=None),
    'MAX(shop)': lambda rows: max(present(rows, 'shop'), key=lambda s: s.encode(), default=None),
    'MIN(shop)': lambda rows: min(present(rows, 'shop'), key=lambda s: s.encode(), default=None),
    'COUNT(DISTINCT shop)': lambda rows: len(set(present(rows, 'shop'))),
    'SUM(DISTINCT kind)': lambda rows: wrap(sum(set(present(rows, 'kind'))), 32) if present(rows, 'kind') else None,
    'COUNT(*) FILTER (WHERE amount > 500)': lambda rows: sum(1 for a in present(rows, 'amount') if a > 500),
    'SUM(big)': lambda rows: wrap(sum(present(rows, 'big')), 64) if present(rows, 'big') else None,
    'MAX(big)': lambda rows: max(present(rows, 'big'), default=None),
    'FIRST_VALUE(shop)': lambda rows: next(iter(arrived(rows, 'shop')), None),
    'FIRST_VALUE(place)': lambda rows: next(iter(arrived(rows, 'place')), None),
    'LAST_VALUE(shop)': lambda rows: next(reversed(arrived(rows, 'shop')), None),
    'LAST_VALUE(big)': lambda rows: next(reversed(arrived(rows, 'big')), None),
    'FIRST_VALUE(amount) FILTER (WHERE kind = 1)': lambda rows: next(iter(arrived([r for r in rows if r['kind'] == 1], 'amount')), None),
    'LISTAGG(shop)': lambda rows: ','.join(arrived(rows, 'shop')) if present(rows, 'shop') else None,
    "LISTAGG(CAST(place AS STRING), '; ')": lambda rows: '; '.join(str(p) for p in arrived(rows, 'place')),
    "LISTAGG(DISTINCT shop, '|')": lambda rows: '|'.join(distinct(arrived(rows, 'shop'))) if present(rows, 'shop') else None,
    'JSON_ARRAYAGG(kind NULL ON NULL)': lambda rows: json.dumps([r['kind'] for r in in_order(rows)], separators=(',', ':')),
    'APPROX_COUNT_DISTINCT(big)': lambda rows: len(set(present(rows, 'big'))),
}


def in_order(rows):
    """In the order of the input."""
    return sorted(rows, key=lambda r: r['place'])


def arrived(rows, column):
    return present(in_order(rows), column)


def present(rows, column):
    return [r[column] for r in rows if r[column] is not None]


def aggregate(window, rows, keys, aggregates):
    """Rows (start, end, keys ..., aggregates ...) in Oriel's order."""
    groups = defaultdict(list)
    for row, start, end in window.assign(rows):
        groups[(start, end) + tuple(row[k] for k in keys)].append(row)
    ordered = sorted(groups, key=lambda g: (g[1], g[0], [order(k) for k in g[2:]]))
    return [g + tuple(AGGREGATES[a](groups[g]) for a in aggregates) for g in ordered]


def top(window, rows, keys, by, descending, low, high):
    """(start, end, keys ..., by, position, rank): ROW_NUMBER per window and keys, ties by arrival."""
    groups = defaultdict(list)
    for place, (row, start, end) in enumerate(window.assign(rows)):
        groups[(start, end) + tuple(row[k] for k in keys)].append((place, row))
    out = []
    for g in sorted(groups, key=lambda g: (g[1], g[0], [order(k) for k in g[2:]])):
        members = sorted(groups[g], key=lambda m: m[0])
        members.sort(key=lambda m: order(m[1][by]), reverse=descending)
        for rank, (_, row) in enumerate(members, 1):
            if low <= rank <= high:
                out.append(g + (row[by], row['place'], rank))
    return out
