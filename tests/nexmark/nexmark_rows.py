"""The set of events, its scripts, and printed tables as sorted rows and digests; for check_nexmark.py and freeze.py."""
import collections
import hashlib
import os
import re
import subprocess

EVENTS = ['--events', '100000', '--rate', '1000', '--seed', '1']  # 100 s: ten windows of 10 s, and midnight in it
FILES = ['person.csv', 'auction.csv', 'bid.csv']
WIDE = "SET 'table.display.max-column-width' = '120';\n"  # nothing that tells rows apart is cut
UPSERT_KEYS = {'q9': 1}  # Flink prints +U without -U here: the last row of each value of so many first columns stands


def script_names(examples):
    names = [name[:-4] for name in os.listdir(examples) if name.endswith('.sql')]
    return sorted(names, key=lambda name: int(re.sub(r'\D', '', name)))


def make_folder(datagen, examples, folder):
    """data/ and scripts/ as both programs want them."""
    subprocess.run([datagen, 'nexmark', *EVENTS, '-o', os.path.join(folder, 'data')], check=True)
    os.makedirs(os.path.join(folder, 'scripts'))
    for name in script_names(examples):
        with open(os.path.join(examples, name + '.sql')) as script, open(os.path.join(folder, 'scripts', name + '.sql'), 'w') as copy:
            copy.write(WIDE + script.read())


def final_rows(text, upsert_key=None):
    """Columns and sorted final rows of one printed table; a changelog is carried out."""
    columns, rows, latest = None, collections.Counter(), {}
    for line in text.split('\n'):
        if not line.startswith('| '):
            continue
        cells = [cell.strip() for cell in line[1:-1].split(' | ')]
        if columns is None:
            columns = cells
            continue
        op = '+I'
        if columns[0] == 'op':
            op, cells = cells[0], cells[1:]
        if upsert_key:
            key = tuple(cells[:upsert_key])
            if op[0] == '+':
                latest[key] = tuple(cells)
            else:
                latest.pop(key, None)
        else:
            rows[tuple(cells)] += 1 if op[0] == '+' else -1
    if columns and columns[0] == 'op':
        columns = columns[1:]
    if upsert_key:
        rows = collections.Counter(latest.values())
    if any(count < 0 for count in rows.values()):
        raise ValueError('a row is taken back that was never there')
    return columns or [], sorted(rows.elements())


def digest(lines):
    total = hashlib.sha256()
    for line in lines:
        total.update(line.encode() + b'\n')
    return total.hexdigest()


def describe(columns, rows):
    """Number of rows, a digest of them all, and of each column apart, so that a difference has a place."""
    apart = {name: digest(sorted(row[i] for row in rows))[:12] for i, name in enumerate(columns)}
    return {'rows': len(rows), 'digest': digest('|'.join(row) for row in rows), 'columns': apart}


def file_digest(path):
    with open(path, 'rb') as file:
        return hashlib.sha256(file.read()).hexdigest()
