"""Aggregates in plain Python: their SQL, the type of the result and a function of the rows of a group in the order of the input."""
import math
from collections import namedtuple
from fractions import Fraction

import expressions
from values import BIGINT, DOUBLE, FLOAT, STRING, Type, half_up, is_integer, order, quotient, single, wrap


class Aggregate(namedtuple('Aggregate', 'sql type value name of null found', defaults=(None, None, True, None))):
    """of: argument, DISTINCT, FILTER; null: whether the argument's type has NULL."""

    def has_null(self):
        return self.name != 'COUNT' and (self.null or bool(self.of[2]) or self.name not in ('SUM', 'AVG', 'MIN', 'MAX', 'FIRST_VALUE', 'LAST_VALUE', 'VAR_POP', 'STDDEV_POP'))



class Near:
    """A statistic that is cut to an integer or rounded to a scale: the exact value decides where it is far from a border."""

    def __init__(self, exact, tolerance, integer=None):
        self.exact, self.tolerance, self.integer = exact, tolerance, integer

    def accepts(self, text):
        try:
            if self.integer:
                return int(text) in (to_integer(self.exact + change, self.integer) for change in (-1, 0, 1))
            return abs(float(text) - self.exact) <= self.tolerance * max(1.0, abs(self.exact))
        except ValueError:
            return False

    def __repr__(self):
        return 'about %r' % self.exact


def to_integer(value, t):
    """A cast from DOUBLE: to the limits of INT or BIGINT, then TINYINT and SMALLINT wrap."""
    limit = 2 ** (63 if t == BIGINT else 31)
    return wrap(max(-limit, min(limit - 1, int(value))), t)


def number(value, t):
    return Fraction(value, 10 ** t.s) if t.name == 'DECIMAL' else Fraction(value)


def total(found, t):
    if not found:
        return None
    if is_integer(t):
        return wrap(sum(found), t)
    if t.name == 'DECIMAL':
        return sum(found)
    exact = math.fsum(found)
    return single(exact) if t == FLOAT else exact


def mean(found, t):
    if not found:
        return None
    if is_integer(t):
        return wrap(quotient(wrap(sum(found), BIGINT), len(found)), t)
    if t.name == 'DECIMAL':
        return half_up(sum(found) * 10 ** (max(6, t.s) - t.s), len(found))
    exact = math.fsum(found) / len(found)
    return single(exact) if t == FLOAT else exact


def spread(found, t, sample, root):
    if len(found) < (2 if sample else 1):
        return None
    exact = [number(f, t) for f in found]
    middle = sum(exact) / len(exact)
    variance = sum((f - middle) ** 2 for f in exact) / (len(exact) - (1 if sample else 0))
    value = math.sqrt(variance) if root else float(variance)
    if t.name == 'DECIMAL' and value >= 10 ** (38 - max(6, t.s)):
        return None
    scale = max(float(max(abs(f) for f in exact)) ** (1 if root else 2), 1.0)
    if is_integer(t):
        unsure = abs(value - round(value)) < 1e-9 * scale
        return Near(value, 1, t) if unsure else to_integer(value, t)
    return Near(value, (1e-7 * scale + 10.0 ** -max(6, t.s) * (t.name == 'DECIMAL')) / max(1.0, abs(value)))


SPREADS = {'VAR_POP': (False, False), 'VAR_SAMP': (True, False), 'VARIANCE': (True, False), 'STDDEV_POP': (False, True), 'STDDEV_SAMP': (True, True), 'STDDEV': (True, True)}


def over_values(name, t):
    """-> (type of the result, function of the values that are there)"""
    if name == 'COUNT':
        return BIGINT, len
    if name in ('MIN', 'MAX'):
        return t, lambda found: (min if name == 'MIN' else max)(found, key=order, default=None)
    if name == 'SUM':
        return (Type('DECIMAL', 38, t.s) if t.name == 'DECIMAL' else t), lambda found: total(found, t)
    if name == 'AVG':
        return (Type('DECIMAL', 38, max(6, t.s)) if t.name == 'DECIMAL' else t), lambda found: mean(found, t)
    if name == 'FIRST_VALUE':
        return t, lambda found: found[0] if found else None
    if name == 'LAST_VALUE':
        return t, lambda found: found[-1] if found else None
    sample, root = SPREADS[name]
    return (Type('DECIMAL', 38, max(6, t.s)) if t.name == 'DECIMAL' else t), lambda found: spread(found, t, sample, root)


def is_number(t):
    return is_integer(t) or t.name in ('DECIMAL', 'DOUBLE', 'FLOAT')


def make(rnd, columns, by_order):
    """A random aggregate; `by_order` lets in those that follow the order of the input."""
    names = ['COUNT', 'COUNT', 'SUM', 'SUM', 'AVG', 'MIN', 'MAX', 'LISTAGG', 'FIRST_VALUE', 'LAST_VALUE'] + list(SPREADS)
    name = rnd.choice(names)
    while name in ('LISTAGG', 'FIRST_VALUE', 'LAST_VALUE') and not by_order:
        name = rnd.choice(names)
    clause, test = '', None
    if rnd.random() < 0.2:
        test = expressions.condition(rnd, columns, 1)
        clause = ' FILTER (WHERE %s)' % test.sql
    chosen = (lambda rows: [r for r in rows if test.value(r)]) if test else (lambda rows: rows)
    if name == 'COUNT' and rnd.random() < 0.4:
        return Aggregate('COUNT(*)' + clause, BIGINT, lambda rows: len(chosen(rows)), 'COUNT', ('*', False, clause), False)
    if name == 'LISTAGG':
        a = expressions.text(rnd, columns, 1)
        separator = rnd.choice([',', ';', '', '--'])
        found = lambda rows: [v for v in (a.value(r) for r in chosen(rows)) if v is not None]
        return Aggregate("LISTAGG(%s%s)%s" % (a.sql, '' if separator == ',' else ", '%s'" % separator, clause), STRING, lambda rows: separator.join(found(rows)) if found(rows) else None, name, (a.sql, False, clause))
    if name in ('SUM', 'AVG') or name in SPREADS:
        a = rnd.choice([lambda: expressions.integer(rnd, columns, 1), lambda: expressions.decimal(rnd, columns), lambda: expressions.some_of(rnd, columns, is_number)])()
        a = a or expressions.integer(rnd, columns, 1)
    else:
        a = expressions.any_value(rnd, columns)
    distinct = name in ('COUNT', 'SUM', 'AVG') and rnd.random() < 0.25
    t, function = over_values(name, a.type)

    def found_in(rows):
        found = [v for v in (a.value(r) for r in chosen(rows)) if v is not None]
        return list(dict.fromkeys(found)) if distinct else found
    value = lambda rows: function(found_in(rows))
    return Aggregate('%s(%s%s)%s' % (name, 'DISTINCT ' if distinct else '', a.sql, clause), t, value, name, (a.sql, distinct, clause), a.null, found_in)


def trio(rnd, columns):
    """SUM, COUNT and AVG of one argument."""
    a = expressions.integer(rnd, columns, 1)
    out = []
    for name in ('SUM', 'COUNT', 'AVG'):
        t, function = over_values(name, a.type)
        found_in = lambda rows: [v for v in (a.value(r) for r in rows) if v is not None]
        value = lambda rows, function=function: function(found_in(rows))
        out.append(Aggregate('%s(%s)' % (name, a.sql), t, value, name, (a.sql, False, ''), a.null, found_in))
    rnd.shuffle(out)
    return out


def together(made, counted=False):
    """All AVG become quotients of SUM and COUNT where that takes fewer aggregates or one is a STDDEV or VAR; an AVG of integers then has the wrapped sum.
    `counted`: HAVING has COUNT(*)."""
    calls = {(a.name, a.of): a for a in made}
    if counted:
        calls[('COUNT', ('*', False, ''))] = Aggregate('COUNT(*)', BIGINT, len, 'COUNT', ('*', False, ''), False)
    parts = set()
    for (name, of), a in calls.items():
        count = ('COUNT', of if a.null or of[1] else ('*', False, of[2]))
        if name in ('SUM', 'AVG'):
            parts.add(('SUM', of))
        if name in ('AVG', 'COUNT') or name == 'SUM' and (a.null or of[2]):
            parts.add(count)
        if name not in ('SUM', 'AVG', 'COUNT'):
            parts.add((name, of))
    if len(parts) >= len(calls) and not any(a.name in SPREADS for a in made):
        return made
    return [a._replace(value=wrapped_mean(a)) if a.name == 'AVG' and is_integer(a.type) else a for a in made]


def wrapped_mean(a):
    def value(rows):
        found = a.found(rows)
        return quotient(wrap(sum(found), a.type), len(found)) if found else None
    return value
