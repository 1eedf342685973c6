"""Options: each one's effect, and what is wrong with one."""
import os

from command import CREATE_ORDERS, CommandTest

ONE = 'SELECT 1 AS x;'
ONE_TABLEAU = '''+----+-------------+
| op |           x |
+----+-------------+
| +I |           1 |
+----+-------------+
1 row in set
'''


class OptionsTest(CommandTest):
    def test_help_is_the_golden_text(self):
        with open(os.path.join(os.path.dirname(__file__), 'help.txt')) as file:
            golden = file.read()
        self.assertEqual(self.output_of('--help'), golden)
        self.assertEqual(self.output_of('-h'), golden)

    def test_version(self):
        self.assertRegex(self.output_of('--version'), r'^oriel \d+\.\d+\.\d+\n$')

    def test_lists_instruction_sets_that_run(self):
        names = self.output_of('--list-isas').split()
        self.assertIn('reference', names)
        for name in names:
            self.assertEqual(self.output_of('--isa', name, '-e', ONE), ONE_TABLEAU)

    def test_usage_errors_end_with_2(self):
        for arguments, words in [
            (['--nonsense'], "unknown option '--nonsense'"),
            (['-x'], "unknown option '-x'"),
            (['--threads'], 'needs a value'),
            (['--threads', '0'], '--threads'),
            (['--threads', '-1'], '--threads'),
            (['--threads', 'two'], '--threads'),
            (['--threads=99999999999999999999'], '--threads'),
            (['--batch-rows', '0'], '--batch-rows'),
            (['--batch-rows', '65537'], '--batch-rows'),
            (['--memory-limit', '0'], '--memory-limit'),
            (['--memory-limit', '10XB'], '--memory-limit'),
            (['--memory-limit', '3999999'], 'must be 4MB or more'),
            (['--memory-limit', 'MB'], '--memory-limit'),
            (['--memory-limit', '99999999TB'], '--memory-limit'),
            (['--temp-dir', 'no/such/folder'], '--temp-dir'),
            (['--isa', 'pdp11'], 'pdp11'),
            (['--format', 'xml'], 'xml'),
            (['--sync=yes'], 'takes no value'),
            (['-o', ''], '-o'),
            (['-o', 'x.csv', '-e', "SET 'a' = 'b'"], '-o needs a SELECT'),
        ]:
            with self.subTest(arguments=arguments):
                output, errors = self.run_program(*arguments, status=2)
                self.assertEqual(output, '')
                self.assertIn(words, errors)
                self.assertIn("Try 'oriel --help'.", errors)

    def test_values_that_are_right(self):
        for arguments in [
            ['--threads', '1'], ['--threads=2'], ['--threads', '4000'], ['--batch-rows', '1'], ['--batch-rows=65536'],
            ['--memory-limit', '200MB'], ['--memory-limit', '1.5GiB'], ['--memory-limit=300 mib'], ['--memory-limit', '500000000'], ['--memory-limit', '4MB'],
            ['--temp-dir', '.'], ['--no-progress'], ['--progress'], ['--sync'],
        ]:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.output_of(*arguments, '-e', ONE), ONE_TABLEAU)

    def test_timing_and_verbose_go_to_standard_error(self):
        output, errors = self.run_program('--timing', '--verbose', '-e', CREATE_ORDERS + 'SELECT id FROM orders;')
        self.assertIn('4 rows in set', output)
        self.assertRegex(errors, r'oriel \d.*instruction set [a-z]')
        self.assertRegex(errors, r'timing: 4 rows read, 0 without time, 4 rows written, \d+\.\d+ s, peak memory \d')
        self.assertNotIn('timing', output)


if __name__ == '__main__':
    import unittest
    unittest.main()
