"""On a terminal: the prompt, its history, escaped values and the progress bar."""
import os
import pty
import select
import subprocess
import time

from command import PROGRAM, CommandTest, create_table


class TerminalTest(CommandTest):
    def start_on_terminal(self, *arguments, **streams):
        self.master, slave = pty.openpty()
        self.pending = ''
        environment = dict(os.environ, XDG_STATE_HOME=self.folder, TERM='xterm', HOME=self.folder)
        settings = dict(stdin=slave, stdout=slave, stderr=slave, cwd=self.folder, env=environment, start_new_session=True)
        settings.update(streams)
        process = subprocess.Popen([PROGRAM] + list(arguments), **settings)
        os.close(slave)
        self.addCleanup(os.close, self.master)
        return process

    def read_until(self, words, seconds=15):
        """What comes up to `words` and with them; the rest is kept for the next call."""
        end = time.monotonic() + seconds
        while words not in self.pending and time.monotonic() < end:
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.pending += os.read(self.master, 65536).decode('utf-8', 'replace')
                except OSError:
                    break
        self.assertIn(words, self.pending)
        text, _, self.pending = self.pending.partition(words)
        return text + words

    def type(self, text):
        os.write(self.master, text.encode())

    def test_prompt_runs_statements(self):
        process = self.start_on_terminal()
        self.read_until('oriel> ')
        self.type('SELECT 41 + 1\n')
        self.read_until(' > ')
        self.type('AS x;\n')
        self.assertIn('42', self.read_until('1 row in set'))
        self.type('SELECT nope;\n')
        self.assertIn('error', self.read_until(' ^'))
        self.read_until('oriel> ')
        self.type('quit;\n')
        self.assertEqual(process.wait(timeout=30), 0)
        self.assertIn('SELECT', self.read('oriel/history'))

    def test_prompt_takes_every_character(self):
        """In any locale: the one of a bare container is no UTF-8."""
        for locale in ('C', 'C.UTF-8'):
            os.environ['LC_ALL'] = locale
            self.addCleanup(os.environ.pop, 'LC_ALL', None)
            process = self.start_on_terminal()
            self.read_until('oriel> ')
            self.type("SELECT CHAR_LENGTH('가게 é') AS x;\n")
            self.assertIn(' 4 |', self.read_until('1 row in set'))
            self.read_until('oriel> ')
            self.type('\x04')
            self.assertEqual(process.wait(timeout=30), 0)

    def test_end_of_input_ends_the_prompt(self):
        process = self.start_on_terminal()
        self.read_until('oriel> ')
        self.type('\x04')
        self.assertEqual(process.wait(timeout=30), 0)

    def test_control_characters_are_escaped_outside_tableau(self):
        self.write('t.csv', 'a\x1b[31mb\n')
        script = create_table('t', 's STRING', 't.csv') + 'SELECT s FROM t;'
        for name in ['csv', 'markdown', 'json']:
            process = self.start_on_terminal('--format', name, '-e', script, stdin=subprocess.DEVNULL)
            text = self.read_until('31mb')
            self.assertNotIn('\x1b', text)
            self.assertRegex(text, r'a\\(x|u00)1b\[31mb')
            self.assertEqual(process.wait(timeout=30), 0)

    def test_progress_bar_after_half_a_second(self):
        self.write('big.csv', ''.join('%d\n' % i for i in range(3000)))
        script = create_table('big', 'x INT', 'big.csv') + 'SELECT COUNT(*) AS c FROM big AS a, big AS b, big AS c WHERE a.x + b.x + c.x < 0;'
        process = self.start_on_terminal('-e', script, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.assertIn('rows/s', self.read_until('rows/s'))
        process.terminate()
        process.wait(timeout=30)

    def test_no_bar_for_quick_statements(self):
        process = self.start_on_terminal('-e', 'SELECT 1 AS x;', stdin=subprocess.DEVNULL)
        self.assertNotIn('rows/s', self.read_until('1 row in set'))
        process.wait(timeout=30)


if __name__ == '__main__':
    import unittest
    unittest.main()
