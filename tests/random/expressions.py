"""Random scalar expressions: each is its SQL text, its type and a function of a row (a dict) that says its value."""
import datetime
from collections import namedtuple

import values
from values import BIGINT, BOOLEAN, DATE, INT, STRING, Type, is_integer, is_time, literal, quotient, wrap

Expression = namedtuple('Expression', 'sql type value null', defaults=(True,))  # null: whether its type has NULL
RANK = ['TINYINT', 'SMALLINT', 'INT', 'BIGINT']


def column(name, t):
    return Expression(name, t, lambda row: row[name], t.null)


def some_of(rnd, columns, accepts):
    """A random column of a kind, or None."""
    found = [name for name, t in columns.items() if accepts(t)]
    name = rnd.choice(found) if found else None
    return column(name, columns[name]) if name else None


def wider(a, b):
    return a if RANK.index(a.name) >= RANK.index(b.name) else b


def strict(function):
    """A function of values that is NULL for NULL."""
    return lambda *arguments: None if any(a is None for a in arguments) else function(*arguments)


def binary(symbol, a, b, t, function):
    apply = strict(function)
    return Expression('(%s %s %s)' % (a.sql, symbol, b.sql), t, lambda row: apply(a.value(row), b.value(row)), a.null or b.null)


def integer(rnd, columns, depth=2):
    base = some_of(rnd, columns, is_integer)
    if base is None or depth == 0:
        return base or constant(rnd, INT)
    kind = rnd.randrange(9)
    number = constant(rnd, INT)
    a = integer(rnd, columns, depth - 1)
    if kind in (0, 1):
        t = wider(a.type, INT)
        symbol, function = rnd.choice([('+', lambda x, y: x + y), ('-', lambda x, y: x - y), ('*', lambda x, y: x * y)])
        return binary(symbol, a, number, t, lambda x, y: wrap(function(x, y), t))
    if kind == 2:
        divisor = rnd.choice([2, 3, 7, 10])
        return binary('/', a, Expression(str(divisor), INT, lambda row: divisor, False), wider(a.type, INT), quotient)
    if kind == 3:
        divisor = rnd.choice([2, 3, 7, 10])
        return binary('%', a, Expression(str(divisor), INT, lambda row: divisor, False), INT, lambda x, y: x - quotient(x, y) * y)
    if kind == 4:
        return Expression('COALESCE(%s, %s)' % (a.sql, number.sql), wider(a.type, INT), lambda row: number.value(row) if a.value(row) is None else a.value(row), False)
    if kind == 5:
        test = condition(rnd, columns, 1)
        return Expression('CASE WHEN %s THEN %s ELSE %s END' % (test.sql, a.sql, number.sql), wider(a.type, INT), lambda row: a.value(row) if test.value(row) else number.value(row), a.null)
    if kind == 6:
        text = some_of(rnd, columns, lambda t: t == STRING)
        if text:
            length = strict(len)
            return Expression('CHAR_LENGTH(%s)' % text.sql, INT, lambda row: length(text.value(row)), text.null)
    if kind == 7:
        apply = strict(lambda x: wrap(abs(x), a.type))
        return Expression('ABS(%s)' % a.sql, a.type, lambda row: apply(a.value(row)), a.null)
    return base


def text(rnd, columns, depth=2):
    base = some_of(rnd, columns, lambda t: t == STRING)
    if base is None or depth == 0:
        return base or constant(rnd, STRING)
    a = text(rnd, columns, depth - 1)
    kind = rnd.randrange(7)
    if kind == 0:
        name, function = rnd.choice([('UPPER', str.upper), ('LOWER', str.lower)])
        apply = strict(function)
        return Expression('%s(%s)' % (name, a.sql), STRING, lambda row: apply(a.value(row)), a.null)
    if kind == 1:
        first, count = rnd.randrange(1, 5), rnd.randrange(0, 4)
        apply = strict(lambda s: s[first - 1:first - 1 + count])
        return Expression('SUBSTRING(%s, %d, %d)' % (a.sql, first, count), STRING, lambda row: apply(a.value(row)), a.null)
    if kind == 2:
        return binary('||', a, rnd.choice([constant(rnd, STRING), base]), STRING, lambda x, y: x + y)
    if kind == 3:
        number = integer(rnd, columns, 1)
        apply = strict(str)
        return Expression('CAST(%s AS STRING)' % number.sql, STRING, lambda row: apply(number.value(row)), number.null)
    if kind == 4:
        other = constant(rnd, STRING)
        return Expression('COALESCE(%s, %s)' % (a.sql, other.sql), STRING, lambda row: other.value(row) if a.value(row) is None else a.value(row), False)
    if kind == 5:
        apply = strict(lambda s: s.replace('a', '_'))
        return Expression("REPLACE(%s, 'a', '_')" % a.sql, STRING, lambda row: apply(a.value(row)), a.null)
    return base


def constant(rnd, t):
    if is_integer(t):
        value = rnd.choice([0, 1, 2, 3, 5, 10, 100])
    elif t == STRING:
        value = rnd.choice(['', 'a', 'b', 'x', "it's", 'ab', 'é'])
    elif t.name == 'DECIMAL':
        value = rnd.randrange(-10 ** min(t.p, 5), 10 ** min(t.p, 5))
    else:
        value = rnd.randrange(-5, 50)
    return Expression(literal(value, t), t, lambda row: value, False)


def logic_not(a):
    return None if a is None else not a


def logic_and(a, b):
    return False if a is False or b is False else None if a is None or b is None else True


def logic_or(a, b):
    return logic_not(logic_and(logic_not(a), logic_not(b)))


COMPARE = [('=', lambda c: c == 0), ('<>', lambda c: c != 0), ('<', lambda c: c < 0), ('<=', lambda c: c <= 0), ('>', lambda c: c > 0), ('>=', lambda c: c >= 0)]


def compared(a, b):
    a, b = values.order(a), values.order(b)
    return (a > b) - (a < b)


def condition(rnd, columns, depth=2):
    """Of three values: True, False and None."""
    kind = rnd.randrange(9)
    if depth and kind < 3:
        a, b = condition(rnd, columns, depth - 1), condition(rnd, columns, depth - 1)
        if kind == 0:
            return Expression('(NOT %s)' % a.sql, BOOLEAN, lambda row: logic_not(a.value(row)))
        name, function = rnd.choice([('AND', logic_and), ('OR', logic_or)])
        return Expression('(%s %s %s)' % (a.sql, name, b.sql), BOOLEAN, lambda row: function(a.value(row), b.value(row)))
    a = rnd.choice([integer, text])(rnd, columns, 1) if rnd.random() < 0.7 else column(*rnd.choice(list(columns.items())))
    if kind == 4:
        name, wanted = rnd.choice([('IS NULL', True), ('IS NOT NULL', False)])
        return Expression('(%s %s)' % (a.sql, name), BOOLEAN, lambda row: (a.value(row) is None) == wanted)
    if a.type == BOOLEAN:
        name, function = rnd.choice([('IS TRUE', lambda x: x is True), ('IS NOT TRUE', lambda x: x is not True), ('IS FALSE', lambda x: x is False)])
        return Expression('(%s %s)' % (a.sql, name), BOOLEAN, lambda row: function(a.value(row)))
    if a.type == STRING and kind == 5:
        start = rnd.choice(['a', 'b', 'sh', ''])
        apply = strict(lambda s: s.startswith(start))
        return Expression("(%s LIKE '%s%%')" % (a.sql, start), BOOLEAN, lambda row: apply(a.value(row)))
    if not (is_integer(a.type) or a.type in (STRING, DATE) or a.type.name in ('DECIMAL', 'TIMESTAMP')):
        return Expression('(%s IS NOT NULL)' % a.sql, BOOLEAN, lambda row: a.value(row) is not None)
    if kind == 6 and is_integer(a.type):
        low, high = constant(rnd, INT), constant(rnd, INT)
        apply = strict(lambda x: low.value(None) <= x <= high.value(None))
        return Expression('(%s BETWEEN %s AND %s)' % (a.sql, low.sql, high.sql), BOOLEAN, lambda row: apply(a.value(row)))
    if kind == 7 and is_integer(a.type):
        found = [constant(rnd, INT) for _ in range(3)]
        apply = strict(lambda x: any(x == f.value(None) for f in found))
        return Expression('(%s IN (%s))' % (a.sql, ', '.join(f.sql for f in found)), BOOLEAN, lambda row: apply(a.value(row)))
    b = constant(rnd, a.type) if not is_time(a.type) else Expression(literal(0, Type('TIMESTAMP', min(a.type.p, 3))), a.type, lambda row: 0)
    name, function = rnd.choice(COMPARE)
    return binary(name, a, b, BOOLEAN, lambda x, y: function(compared(x, y)))


def decimal(rnd, columns):
    a = some_of(rnd, columns, lambda t: t.name == 'DECIMAL')
    kind = rnd.randrange(4)
    if a is None or kind == 0:
        return a or integer(rnd, columns)
    if kind == 1:
        return binary('*', a, Expression('3', INT, lambda row: 3, False), Type('DECIMAL', a.type.p + 11, a.type.s), lambda x, y: x * y)
    b = Expression('%d.5' % rnd.randrange(20), Type('DECIMAL', 3, 1), None)
    half = int(float(b.sql) * 10)
    scale = max(a.type.s, 1)
    symbol, sign = rnd.choice([('+', 1), ('-', -1)])
    apply = strict(lambda x: x * 10 ** (scale - a.type.s) + sign * half * 10 ** (scale - 1))
    return Expression('(%s %s %s)' % (a.sql, symbol, b.sql), Type('DECIMAL', max(a.type.p - a.type.s, 2) + scale + 1, scale), lambda row: apply(a.value(row)))


LENGTHS = {'SECOND': 1, 'MINUTE': 60, 'HOUR': 3600, 'DAY': 86400}


def moment(rnd, columns):
    """Parts of times that lie after 1970, and times rounded down."""
    a = some_of(rnd, columns, lambda t: t.name == 'TIMESTAMP')
    if a is None:
        return text(rnd, columns)
    unit = rnd.choice(['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND'])
    after = rnd.random() < 0.5 and unit in LENGTHS
    guard = "CASE WHEN %s >= TIMESTAMP '1971-01-01 00:00:00' THEN %s END"
    if after:
        whole = LENGTHS[unit] * 1000000000
        function, t, sql = (lambda x: x // whole * whole), a.type, 'FLOOR(%s TO %s)' % (a.sql, unit)
    else:
        function, t, sql = (lambda x: getattr(values.EPOCH + datetime.timedelta(seconds=x // 1000000000), unit.lower())), BIGINT, 'EXTRACT(%s FROM %s)' % (unit, a.sql)
    apply = strict(lambda x: function(x) if x >= 365 * 86400 * 1000000000 else None)
    return Expression(guard % (a.sql, sql), t, lambda row: apply(a.value(row)))


def any_value(rnd, columns):
    """An expression to select or to group by."""
    kind = rnd.randrange(8)
    if kind == 6:
        return decimal(rnd, columns)
    if kind == 7:
        return moment(rnd, columns)
    if kind == 0:
        return integer(rnd, columns)
    if kind == 1:
        return text(rnd, columns)
    if kind == 2:
        test = condition(rnd, columns, 1)
        return Expression('(CASE WHEN %s THEN 1 ELSE 2 END)' % test.sql, INT, lambda row: 1 if test.value(row) else 2, False)
    return column(*rnd.choice(list(columns.items())))
