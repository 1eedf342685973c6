"""Windows in plain Python, row by row: TUMBLE, HOP, CUMULATE and SESSION on the wall clock of a zone."""
from collections import defaultdict

from values import MS, order

SECOND, MINUTE, HOUR, DAY = 1000, 60000, 3600000, 86400000
UNITS = [('SECOND', SECOND), ('MINUTE', MINUTE), ('HOUR', HOUR), ('DAY', DAY)]


def interval(rnd, ms):
    """One of the texts that Flink has for a length."""
    sign, size = ('-' if ms < 0 else ''), abs(ms)
    forms = ["INTERVAL '%s%d %02d:%02d:%02d.%03d' DAY(6) TO SECOND" % (sign, size // DAY, size // HOUR % 24, size // MINUTE % 60, size // SECOND % 60, size % SECOND)]
    for name, unit in UNITS:
        if size % unit == 0:
            digits = len(str(size // unit))
            forms += ["INTERVAL '%s%d' %s%s" % (sign, size // unit, name, '(%d)' % digits if digits > 2 else '')] * 2
    if size < 100 * SECOND and size % SECOND:
        forms += ["INTERVAL '%s%s' SECOND" % (sign, ('%d.%03d' % (size // SECOND, size % SECOND)).rstrip('0'))] * 2
    if size < HOUR and size % SECOND == 0:
        forms.append("INTERVAL '%s%d:%02d' MINUTE TO SECOND" % (sign, size // MINUTE, size // SECOND % 60))
    if size < 4 * DAY and size % MINUTE == 0:
        forms.append("INTERVAL '%s%d:%02d' HOUR TO MINUTE" % (sign, size // HOUR, size // MINUTE % 60))
    return rnd.choice(forms)


class Window:
    """A kind with its lengths in milliseconds; `keys` are those of SESSION."""

    def __init__(self, kind, size, slide=0, offset=0, keys=()):
        self.kind, self.size, self.slide, self.offset, self.keys = kind, size, slide, offset, list(keys)

    def lengths(self, rnd):
        parts = [] if self.kind in ('TUMBLE', 'SESSION') else [interval(rnd, self.slide)]
        return parts + [interval(rnd, self.size)]

    def call(self, rnd, table, time):
        """The call of the table function over `table`, which is TABLE name or a query in parentheses."""
        lengths = self.lengths(rnd)
        offset = [interval(rnd, self.offset)] if self.offset or self.kind != 'SESSION' and rnd.random() < 0.05 else []
        if self.kind == 'SESSION' and self.keys:
            table += ' PARTITION BY ' + (self.keys[0] if len(self.keys) == 1 else '(' + ', '.join(self.keys) + ')')
        if rnd.random() < 0.15:
            names = {'TUMBLE': ['SIZE'], 'HOP': ['SLIDE', 'SIZE'], 'CUMULATE': ['STEP', 'SIZE'], 'SESSION': ['GAP']}[self.kind]
            arguments = ['TIMECOL => DESCRIPTOR(%s)' % time] + ['%s => %s' % pair for pair in zip(names, lengths)] + ['`OFFSET` => ' + o for o in offset]
            rnd.shuffle(arguments)
            text = '%s(%s)' % (self.kind, ', '.join(['DATA => ' + table] + arguments))
        else:
            text = '%s(%s)' % (self.kind, ', '.join([table, 'DESCRIPTOR(%s)' % time] + lengths + offset))
        return 'TABLE(' + text + ')' if rnd.random() < 0.2 else text

    def of(self, t):
        """The windows of a time on the wall clock, in the order in which the table function gives them."""
        if self.kind == 'TUMBLE':
            start = t - (t - self.offset) % self.size
            return [(start, start + self.size)]
        if self.kind == 'HOP':
            last = t - (t - self.offset) % self.slide
            return [(s, s + self.size) for s in range(last, t - self.size, -self.slide)]
        start = t - (t - self.offset) % self.size
        return [(start, end) for end in range(start + self.slide, start + self.size + 1, self.slide) if end > t]

    def assign(self, rows, time, wall):
        """[(row, start ms, end ms)] in the order that the project defines; `wall` makes a wall clock of a time. Rows without a time have no window."""
        timed = [(place, row, wall(row[time]) // MS) for place, row in enumerate(rows) if row[time] is not None]
        if self.kind != 'SESSION':
            return [(row, s, e) for _, row, t in timed for s, e in self.of(t)]
        by_key = defaultdict(list)
        for member in timed:
            by_key[tuple(member[1][k] for k in self.keys)].append(member)
        out = []
        for members in by_key.values():
            session = []
            for member in sorted(members, key=lambda m: m[2]) + [None]:
                if session and (member is None or member[2] - session[-1][2] > self.size):
                    out += [(m, session[0][2], session[-1][2] + self.size) for m in session]
                    session = []
                session.append(member)
        out.sort(key=lambda x: (x[2], x[1], [order(x[0][1][k]) for k in self.keys], x[0][0]))
        return [(m[1], s, e) for m, s, e in out]
