"""Statements that ask for too much: a clear error or an answer, in bounded time and memory."""
import os
import resource
import threading
import unittest

from command import CommandTest

SECONDS = 20  # of processor time; far more than needed, since machines are slow at times
MEGABYTES = 900
VALUES = '(VALUES (1), (2)) AS t(x)'


def chain(words, count):
    return words * count


class HostileTest(CommandTest):
    def run_bounded(self, sql, *arguments):
        """Output, errors and status of a run that may use no more than the limits."""
        self.write('q.sql', sql)

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        process = self.start('-f', 'q.sql', '--threads', '1', *arguments, preexec_fn=limit)
        output, errors = [], []
        readers = [threading.Thread(target=lambda to=to, pipe=pipe: to.append(pipe.read())) for to, pipe in ((output, process.stdout), (errors, process.stderr))]
        for reader in readers:
            reader.start()
        _, status, used = os.wait4(process.pid, 0)
        for reader in readers:
            reader.join()
        process.stdout.close()
        process.stderr.close()
        process.returncode = os.waitstatus_to_exitcode(status)
        if not os.environ.get('ORIEL_SANITIZER', 'none').strip('none'):
            self.assertLess(used.ru_maxrss / 1024, MEGABYTES, sql[:100])
        self.assertIn(process.returncode, (0, 1), (sql[:100], errors))
        return output[0].decode(), errors[0].decode(errors='replace'), process.returncode

    def fails(self, sql, words):
        _, errors, status = self.run_bounded(sql)
        self.assertEqual(status, 1, sql[:100])
        self.assertIn(words, errors)
        self.assertNotIn('not supported', errors)
        self.assertLess(len(errors), 3000)

    def answers(self, sql, wanted):
        output, errors, status = self.run_bounded(sql, '--format', 'csv')
        self.assertEqual((status, errors), (0, ''), sql[:100])
        self.assertEqual(output.split('\n', 1)[1], wanted)

    def test_regular_expressions_have_a_time_limit(self):
        text = "'" + 'a' * 40 + "!'"
        for call in ("REGEXP(%s, '(a+)+$')", "REGEXP_REPLACE(%s, '(a|aa)+$', 'x')", "REGEXP_EXTRACT(%s, '(a*)*b')", "%s SIMILAR TO '(a|aa)*b'"):
            self.fails('SELECT ' + call % text, 'a regular expression takes too long on a text')

    def test_like_is_fast(self):
        self.answers("SELECT '%s' LIKE '%s' AS x" % ('a' * 5000, '%a' * 300 + 'b'), 'false\n')
        self.answers("SELECT REPEAT('a', 200000) LIKE '%s' AS x" % ('%a' * 200 + '%b'), 'false\n')

    def test_texts_have_a_length_limit(self):
        for call in ("REPEAT('abc', 2000000000)", "LPAD('a', 2000000000, 'b')", "RPAD('a', 2000000000, 'b')", "REPEAT(REPEAT(REPEAT('a', 1000000), 1000), 1000)",
                     "REPLACE(REPEAT('a', 1000000), 'a', REPEAT('b', 1000000))"):
            self.fails('SELECT CHAR_LENGTH(%s)' % call, 'the most is 134217728')
        doubling = ', '.join('a%d AS (SELECT s || s || s || s || s || s || s || s AS s FROM a%d)' % (i, i - 1) for i in range(1, 5))
        self.fails("WITH a0 AS (SELECT REPEAT('x', 1000000) AS s), %s SELECT CHAR_LENGTH(s) FROM a4" % doubling, 'the most is 134217728')

    def test_json_has_a_depth_limit(self):
        self.answers("SELECT JSON_VALUE('%s', '$.a') AS x" % chain('[', 100000), '\n')
        self.answers("SELECT '%s' IS JSON AS x" % chain('[', 300000), 'false\n')
        self.run_bounded("SELECT JSON_VALUE('{}', '$%s')" % chain('.a', 100000))

    def test_nesting_has_a_depth_limit(self):
        for sql in ('SELECT %s1%s' % (chain('(', 100000), chain(')', 100000)), 'SELECT %sTRUE' % chain('NOT ', 100000), 'SELECT %s1' % chain('- ', 100000),
                    'SELECT %s1%s' % (chain('CASE WHEN TRUE THEN ', 20000), chain(' END', 20000)), 'SELECT * FROM %s(VALUES (1))%s' % (chain('(SELECT * FROM ', 5000), chain(')', 5000)),
                    'SELECT %s1%s' % (chain('ARRAY[', 5000), chain(']', 5000)), 'SELECT CAST(NULL AS %sINT%s)' % (chain('ARRAY<', 5000), chain('>', 5000)), 'SELECT ' + '+'.join(['1'] * 100000)):
            self.fails(sql, 'levels deep')
        self.fails('SELECT ' + ' AND '.join(['1 = 1'] * 100000), 'The expression is too large')

    def test_queries_may_not_multiply(self):
        doubling = ', '.join('a%d AS (SELECT * FROM a%d UNION ALL SELECT * FROM a%d)' % (i, i - 1, i - 1) for i in range(1, 40))
        self.fails('WITH a0 AS (SELECT 1 AS x), %s SELECT COUNT(*) FROM a39' % doubling, 'it has more than 10000 tables')
        queries = ', '.join('a%d AS (SELECT * FROM a%d)' % (i, i - 1) for i in range(1, 3000))
        self.fails('WITH a0 AS (SELECT 1 AS x), %s SELECT * FROM a2999' % queries, 'nested deeper than 200 levels')

    def test_columns_have_a_limit(self):
        self.fails('SELECT ' + ', '.join('%d AS c%d' % (i, i) for i in range(100000)), '100000 columns are too many; the most is 10000')
        self.fails("CREATE TABLE t (%s) WITH ('connector' = 'filesystem', 'path' = 'x.csv', 'format' = 'csv');" % ', '.join('c%d INT' % i for i in range(1000000)),
                   '1000000 columns are too many')

    def test_long_lists(self):
        numbers = ', '.join(str(i) for i in range(2, 100000))
        self.answers('SELECT x FROM %s WHERE x IN (%s)' % (VALUES, numbers), '2\n')
        self.answers("SELECT x FROM %s WHERE CAST(x AS STRING) IN ('%s')" % (VALUES, numbers.replace(', ', "', '")), '2\n')
        self.answers('SELECT x FROM %s WHERE x IN (%s)' % (VALUES, ', '.join('x + %d' % i for i in range(100000))), '1\n2\n')
        self.answers('SELECT x FROM %s WHERE x NOT IN (%s)' % (VALUES, ', '.join('x + %d' % i for i in range(1, 100000))), '1\n2\n')
        self.answers('SELECT x FROM %s WHERE x IN (%s, NULL) IS NULL' % (VALUES, ', '.join('x + %d' % i for i in range(1, 1000))), '1\n2\n')

    def test_literals(self):
        self.answers("SELECT CHAR_LENGTH('%s') AS x" % ('x' * 20000000), '20000000\n')
        self.answers("SELECT '' AS x", '""\n')
        self.fails('SELECT ' + '9' * 1000000, 'out of range')
        self.fails('SELECT ' + 'a' * 10000000, 'not found')
        self.fails("SELECT '" + 'x' * 10000000, 'no closing quote')
        self.fails('/*' + '*' * 10000000, 'has no end')
        self.fails("SELECT CAST('' AS INT)", "For input string: ''")

    def test_display_width_is_bounded(self):
        for width in ('2000000000', '99999999999999999999', '-5', '0', 'x'):
            self.fails("SET 'table.display.max-column-width' = '%s'; SELECT 'a' AS x" % width, 'at most 1000000')


if __name__ == '__main__':
    unittest.main()
