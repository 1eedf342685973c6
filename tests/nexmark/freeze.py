#!/usr/bin/env python3
"""freeze.py DATAGEN: asks Flink for the answers of examples/nexmark/ and writes answers.json (three minutes; see tests/flink/ask).

The streaming answers count, a changelog's with its final rows. Where the batch answers differ, it says so.
"""
import json
import os
import subprocess
import sys
import tempfile

from nexmark_rows import FILES, UPSERT_KEYS, describe, file_digest, final_rows, make_folder, script_names

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, '..', '..', 'examples', 'nexmark')
SHORT_ROWS = 100  # results up to this long are kept as they are, too


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def main():
    answers = {'files': {}, 'queries': {}}
    with tempfile.TemporaryDirectory() as folder:
        make_folder(os.path.abspath(sys.argv[1]), EXAMPLES, folder)
        subprocess.run([os.path.join(HERE, '..', 'flink', 'ask'), 'scripts'], cwd=folder, check=True)
        for name in FILES:
            answers['files'][name] = file_digest(os.path.join(folder, 'data', name))
        for name in script_names(EXAMPLES):
            base = os.path.join(folder, 'scripts', name)
            text = read(base + '.expected')
            if 'ERROR' in text:
                sys.exit('%s: %s' % (name, text[:300]))
            columns, rows = final_rows(text, UPSERT_KEYS.get(name))
            answers['queries'][name] = describe(columns, rows)
            if len(rows) <= SHORT_ROWS:
                answers['queries'][name]['result'] = ['|'.join(row) for row in rows]
            batch = read(base + '.batch.expected')
            if 'ERROR' in batch:
                print('%s: no batch answer: %s' % (name, batch.strip()))
            elif final_rows(batch) != (columns, rows):
                print('%s: the batch answer differs' % name)
    with open(os.path.join(HERE, 'answers.json'), 'w') as out:
        json.dump(answers, out, indent=1)
        out.write('\n')


if __name__ == '__main__':
    main()
