"""SQL types and values in plain Python: ranges, arithmetic, order, texts in files, wall clocks of zones.

Integers are int, a DECIMAL is its unscaled int, DATE counts days, TIMESTAMP and LTZ count nanoseconds since 1970-01-01 (LTZ: of the instant), NULL is None.
"""
import datetime
import struct
import zoneinfo
from collections import namedtuple


class Type(namedtuple('Type', 'name p s', defaults=(0, 0))):
    """A type, equal to one that has no NULL."""
    null = True


class NotNull(Type):
    null = False


TINYINT, SMALLINT, INT, BIGINT = Type('TINYINT'), Type('SMALLINT'), Type('INT'), Type('BIGINT')
FLOAT, DOUBLE, BOOLEAN, STRING, DATE = Type('FLOAT'), Type('DOUBLE'), Type('BOOLEAN'), Type('STRING'), Type('DATE')
WINDOW_TIME = Type('TIMESTAMP', 3)
BITS = {'TINYINT': 8, 'SMALLINT': 16, 'INT': 32, 'BIGINT': 64}
EPOCH = datetime.datetime(1970, 1, 1)
EPOCH_UTC = EPOCH.replace(tzinfo=datetime.timezone.utc)
MS = 1000000


def sql_type(t):
    if t.name == 'DECIMAL':
        return 'DECIMAL(%d, %d)' % (t.p, t.s)
    if t.name in ('TIMESTAMP', 'LTZ'):
        return 'TIMESTAMP%s(%d)' % ('_LTZ' if t.name == 'LTZ' else '', t.p)
    return t.name


def is_integer(t):
    return t.name in BITS


def is_time(t):
    return t.name in ('TIMESTAMP', 'LTZ')


def wrap(value, t):
    bits = BITS[t.name]
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def quotient(a, b):
    """Toward zero."""
    return abs(a) // abs(b) * (1 if (a >= 0) == (b > 0) else -1)


def half_up(a, b):
    """a / b rounded to an integer, halves away from zero; b > 0."""
    return (2 * abs(a) + b) // (2 * b) * (1 if a >= 0 else -1)


def single(x):
    return struct.unpack('f', struct.pack('f', x))[0]


def order(value):
    """A key for sorted(): NULLs first, strings by their bytes."""
    if value is None:
        return (0, 0)
    return (1, value.encode() if isinstance(value, str) else value)


# Times

def fraction(ns, digits):
    return '.%09d' % (ns % 1000000000) if digits == 9 else ('.%09d' % (ns % 1000000000))[:digits + 1] if digits else ''


def time_text(ns, digits):
    moment = EPOCH + datetime.timedelta(seconds=ns // 1000000000)
    return '%04d' % moment.year + moment.strftime('-%m-%d %H:%M:%S') + fraction(ns, digits)


def date_text(days):
    return time_text(days * 86400 * 1000000000, 0)[:10]


class Zone:
    """Instants and the wall clock of a zone, in nanoseconds."""

    def __init__(self, name):
        self.name = name
        if name.startswith('GMT') and len(name) > 3:
            sign = -1 if name[3] == '-' else 1
            hours, minutes = name[4:].split(':')
            self.zone = datetime.timezone(sign * datetime.timedelta(hours=int(hours), minutes=int(minutes)))
        else:
            self.zone = zoneinfo.ZoneInfo(name)

    def wall(self, instant):
        moment = EPOCH_UTC + datetime.timedelta(seconds=instant // 1000000000)
        offset = moment.astimezone(self.zone).utcoffset()
        return instant + offset // datetime.timedelta(microseconds=1) * 1000

    def instant(self, wall):
        """In a gap the time moves forward, in an overlap the first pass counts."""
        moment = EPOCH + datetime.timedelta(seconds=wall // 1000000000)
        offset = moment.replace(tzinfo=self.zone, fold=0).utcoffset()
        return wall - offset // datetime.timedelta(microseconds=1) * 1000


# Texts

def decimal_text(value, scale):
    digits = str(abs(value)).rjust(scale + 1, '0')
    text = digits[:-scale] + '.' + digits[-scale:] if scale else digits
    return '-' + text if value < 0 else text


def plain_text(value, t):
    if t.name == 'BOOLEAN':
        return 'true' if value else 'false'
    if t.name == 'DECIMAL':
        return decimal_text(value, t.s)
    if t.name == 'DATE':
        return date_text(value)
    if t.name == 'TIMESTAMP':
        return time_text(value, t.p)
    if t.name == 'LTZ':
        return time_text(value, t.p) + 'Z'
    if t.name in ('DOUBLE', 'FLOAT'):
        return repr(value)
    return str(value)


def field(value, t):
    """As it stands in an input file whose null literal is the empty text."""
    if value is None:
        return ''
    text = plain_text(value, t)
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n\r') or t == STRING and text.strip() != text else text


def literal(value, t):
    """As it stands in a query."""
    if value is None:
        return 'CAST(NULL AS %s)' % sql_type(t)
    if t == STRING:
        return "'" + value.replace("'", "''") + "'"
    if t.name == 'DATE':
        return "DATE '%s'" % date_text(value)
    if t.name == 'TIMESTAMP':
        return "TIMESTAMP '%s'" % time_text(value, t.p)
    if t.name == 'BOOLEAN':
        return 'TRUE' if value else 'FALSE'
    if t.name == 'DOUBLE':
        return '%rE0' % value
    return plain_text(value, t)
