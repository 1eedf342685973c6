"""Ctrl-C and its kin: a quick end, the right status, no file left behind."""
import os
import signal
import time
import unittest

from command import CommandTest, create_table

# Takes far longer than the tests wait: every row of a table of 3000 with every other, four times over.
SLOW = 'SELECT COUNT(*) AS c FROM big AS a, big AS b, big AS c, big AS d WHERE a.x + b.x + c.x + d.x < 0;'


class SignalsTest(CommandTest):
    def start_slow(self, *arguments):
        self.write('big.csv', ''.join('%d\n' % i for i in range(3000)))
        self.write('q.sql', create_table('big', 'x INT', 'big.csv') + 'SELECT 1 AS x;\n' + SLOW)
        process = self.start(*arguments, 'q.sql')
        self.assertTrue(process.stdout.readline())
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        return process

    def finish(self, process, number):
        begin = time.monotonic()
        process.send_signal(number)
        errors = process.communicate(timeout=20)[1].decode()
        self.assertLess(time.monotonic() - begin, 5)
        return process.returncode, errors

    def test_interrupt(self):
        status, errors = self.finish(self.start_slow(), signal.SIGINT)
        self.assertEqual(status, 130)
        self.assertNotIn('error', errors)

    def test_terminate(self):
        self.assertEqual(self.finish(self.start_slow(), signal.SIGTERM)[0], 143)

    def test_no_output_is_left(self):
        process = self.start_slow('-o', 'out.csv')
        self.assertEqual(self.finish(process, signal.SIGINT)[0], 130)
        self.assertEqual(self.names(), ['big.csv', 'orders.csv', 'q.sql'])

    def test_inside_a_regular_expression(self):
        process = self.start('-e', "SELECT 1 AS x; SELECT REGEXP('%s', '(a*)*b');" % ('a' * 40))
        self.assertTrue(process.stdout.readline())
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        self.assertEqual(self.finish(process, signal.SIGINT)[0], 130)

    def test_while_waiting_for_a_script(self):
        os.mkfifo(self.path('pipe'))
        process = self.start('pipe')
        time.sleep(0.3)
        self.assertEqual(self.finish(process, signal.SIGINT)[0], 130)

    @unittest.skipIf('thread' in os.environ.get('ORIEL_SANITIZER', ''), 'TSan holds a signal back while the thread waits for a mutex')
    def test_while_waiting_for_data(self):
        os.mkfifo(self.path('pipe'))
        writer = os.open(self.path('pipe'), os.O_RDWR)
        process = self.start('-e', create_table('t', 'a INT', 'pipe') + 'SELECT * FROM t;')
        time.sleep(0.5)
        self.assertEqual(self.finish(process, signal.SIGINT)[0], 130)
        os.close(writer)

    def test_while_nobody_reads(self):
        self.write('big.csv', ''.join('%d\n' % i for i in range(300000)))
        process = self.start('-e', create_table('big', 'x INT', 'big.csv') + 'SELECT x FROM big;')
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), 130)
        process.communicate()


if __name__ == '__main__':
    unittest.main()
