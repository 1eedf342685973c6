"""The cases of tests/flink with their CSV files made into Parquet or Arrow files and their CREATE TABLEs changed to read
them. Values are read by this script, not by the engine, so that the two are compared."""
import csv
import datetime
import decimal
import glob
import os
import re

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet

TABLE = re.compile(r"""(CREATE\s+(?:TEMPORARY\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:\w+|`[^`]+`|\.)+\s*\()(.*?)
                   (\)\s*(?:COMMENT\s+'[^']*'\s*)?(?:PARTITIONED\s+BY\s*\([^)]*\)\s*)?WITH\s*\()(.*?)(\)\s*;)""", re.S | re.I | re.X)
OPTION = re.compile(r"'([^']*)'\s*=\s*'((?:[^']|'')*)'")
EPOCH = datetime.datetime(1970, 1, 1)


class CannotConvert(Exception):
    """The file holds what only text can hold."""


class NoSuchTable(Exception):
    """The columns are not those of the file, so no query can read it; the script is about its CREATE TABLE."""


def split_columns(text):
    """The definitions between the parentheses of CREATE TABLE."""
    text = re.sub(r'--[^\n]*', '', text)
    out, depth, quote, begin = [], 0, None, 0
    for i, c in enumerate(text):
        if quote:
            quote = None if c == quote else quote
        elif c in '\'`"':
            quote = c
        elif c in '(<':
            depth += 1
        elif c in ')>':
            depth -= 1
        elif c == ',' and not depth:
            out.append(text[begin:i])
            begin = i + 1
    return [d.strip() for d in out + [text[begin:]] if d.strip()]


def columns_of(text):
    """-> [(name, TYPE, precision, scale)] of the columns that the file has."""
    out = []
    for definition in split_columns(text):
        if re.match(r'(WATERMARK\s+FOR|PRIMARY\s+KEY|CONSTRAINT)\b', definition, re.I):
            continue
        m = re.match(r'(`[^`]+`|\w+)\s+(AS\b)?\s*(\w+)\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?(.*)', definition, re.S | re.I)
        if not m or m.group(2) or re.search(r'\bMETADATA\b', m.group(6), re.I):
            continue
        name, kind = m.group(1).strip('`'), m.group(3).upper()
        if kind in ('ARRAY', 'MAP', 'ROW', 'MULTISET') or m.group(6).lstrip().startswith('<'):
            raise CannotConvert('nested column ' + name)
        if kind == 'TIMESTAMP' and re.match(r'\s*WITH\s+LOCAL', m.group(6), re.I):
            kind = 'TIMESTAMP_LTZ'
        out.append((name, kind, m.group(4) and int(m.group(4)), m.group(5) and int(m.group(5))))
    return out


def arrow_type(kind, precision, scale):
    simple = {'BOOLEAN': pa.bool_(), 'TINYINT': pa.int8(), 'SMALLINT': pa.int16(), 'INT': pa.int32(), 'INTEGER': pa.int32(), 'BIGINT': pa.int64(),
              'FLOAT': pa.float32(), 'DOUBLE': pa.float64(), 'STRING': pa.string(), 'VARCHAR': pa.string(), 'CHAR': pa.string(), 'DATE': pa.date32(),
              'TIME': pa.time32('ms')}
    if kind in simple:
        return simple[kind]
    if kind in ('DECIMAL', 'DEC', 'NUMERIC'):
        return pa.decimal128(precision or 10, scale or 0)
    if kind in ('TIMESTAMP', 'TIMESTAMP_LTZ'):
        digits = 6 if precision is None else precision
        return pa.timestamp('ms' if digits <= 3 else 'us' if digits <= 6 else 'ns', 'UTC' if kind == 'TIMESTAMP_LTZ' else None)
    raise NoSuchTable('type ' + kind)


def parse_time(text, unit, is_zoned):
    m = re.fullmatch(r'(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z?)', text.strip())
    if not m or bool(m.group(8)) != is_zoned:
        raise ValueError(text)
    seconds = int((datetime.datetime(*(int(x) for x in m.groups()[:6])) - EPOCH).total_seconds())
    digits = {'ms': 3, 'us': 6, 'ns': 9}[unit]
    return seconds * 10 ** digits + int((m.group(7) or '').ljust(9, '0')[:digits])


def parse(text, kind, to):
    text_type = kind in ('STRING', 'VARCHAR', 'CHAR')
    if text_type:
        return text
    if pa.types.is_timestamp(to):
        return parse_time(text, to.unit, kind == 'TIMESTAMP_LTZ')
    if pa.types.is_integer(to):
        return int(text.strip())
    if pa.types.is_floating(to):
        return float(text.strip())
    if pa.types.is_decimal(to):
        return decimal.Decimal(text.strip()).quantize(decimal.Decimal(1).scaleb(-to.scale), decimal.ROUND_HALF_UP)
    if pa.types.is_boolean(to):
        return text.strip().lower() == 'true'
    if pa.types.is_date(to):
        return datetime.date.fromisoformat(text.strip())
    m = re.fullmatch(r'(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?', text.strip())
    if not m:
        raise ValueError(text)
    return ((int(m.group(1)) * 60 + int(m.group(2))) * 60 + int(m.group(3))) * 1000 + int((m.group(4) or '').ljust(3, '0'))


def read_csv(path, columns, null_literal):
    """-> pyarrow.Table"""
    values = [[] for _ in columns]
    types = [arrow_type(*c[1:]) for c in columns]
    with open(path, newline='', encoding='utf-8') as file:
        for record in csv.reader(file):
            if len(record) != len(columns):
                raise NoSuchTable('a record of %d fields' % len(record))
            for out, text, column, to in zip(values, record, columns, types):
                if null_literal is not None and text == null_literal:
                    out.append(None)
                    continue
                try:
                    out.append(parse(text, column[1], to))
                except (ValueError, OverflowError, decimal.InvalidOperation) as e:
                    raise CannotConvert('the text %r in column %s' % (text, column[0])) from e
    try:
        return pa.table([pa.array(v, t) for v, t in zip(values, types)], names=[c[0] for c in columns])
    except (pa.ArrowInvalid, OverflowError) as e:
        raise CannotConvert(str(e)) from e


def write(table, path, form, number):
    """Small row groups, and every kind of encoding in turn."""
    if form == 'parquet':
        pyarrow.parquet.write_table(table, path, row_group_size=(7, 64, 1000)[number % 3], use_dictionary=number % 2 == 0,
                                    compression=('snappy', 'zstd', 'none')[number // 2 % 3], data_page_version=('1.0', '2.0')[number // 3 % 2])
        return
    make = pyarrow.ipc.new_file if number % 2 else pyarrow.ipc.new_stream
    options = pyarrow.ipc.IpcWriteOptions(compression=(None, 'lz4', 'zstd')[number // 2 % 3])
    if number % 3 == 0:
        table = pa.table([c.combine_chunks().dictionary_encode() if pa.types.is_string(c.type) else c for c in table.columns], names=table.column_names)
    with make(path, table.schema, options=options) as out:
        out.write_table(table, max_chunksize=(5, 64, 1000)[number % 3])


def convert_folder(path, to, columns, clauses, options, form, number):
    """The files keep their names: the format is that of the option."""
    keys = re.search(r'PARTITIONED\s+BY\s*\(([^)]*)\)', clauses, re.I)
    keys = [key.strip(' `') for key in keys.group(1).split(',')] if keys else []
    for file in sorted(glob.glob(os.path.join(path, '**'), recursive=True)):
        copy = os.path.join(to, os.path.relpath(file, path))
        if os.path.isdir(file):
            os.makedirs(copy, exist_ok=True)
        else:
            write(read_csv(file, [c for c in columns if c[0] not in keys], options.get('csv.null-literal')), copy, form, number)


def convert_script(text, source, target, form, number):
    """The script with its tables over files of `form` below target/data; `source` is the folder that paths are relative to."""
    def change(m):
        options = dict(OPTION.findall(m.group(4)))
        if options.get('format') != 'csv' or options.get('connector') != 'filesystem' or 'path' not in options:
            return m.group(0)
        path = os.path.join(source, options['path'])
        to = options['path']
        columns = columns_of(m.group(2))
        if os.path.isdir(path):
            number[0] += 1
            to = 'data/%d_%s' % (number[0], os.path.basename(options['path']))
            try:
                convert_folder(path, os.path.join(target, to), columns, m.group(3), options, form, number[0])
            except NoSuchTable:
                to = 'data/none.' + form
        elif os.path.exists(path):
            number[0] += 1
            to = 'data/%d_%s.%s' % (number[0], os.path.basename(options['path'])[:-4], form)
            try:
                write(read_csv(path, columns, options.get('csv.null-literal')), os.path.join(target, to), form, number[0])
            except NoSuchTable:
                to = 'data/none.' + form
        kept = {k: v for k, v in options.items() if not k.startswith('csv.')}
        kept.update({'path': to, 'format': form})
        return m.group(1) + m.group(2) + m.group(3) + ', '.join("'%s' = '%s'" % item for item in kept.items()) + m.group(5)
    return TABLE.sub(change, text)
