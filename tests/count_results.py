#!/usr/bin/env python3
"""count_results.py TESTLOG: prints `N passed, N failed` (and skipped) for a Meson log; fails when nothing ran."""
import json
import sys

passed = failed = skipped = 0
for line in open(sys.argv[1]):
    result = json.loads(line)['result']
    if result in ('OK', 'EXPECTEDFAIL'):
        passed += 1
    elif result == 'SKIP':
        skipped += 1
    else:
        failed += 1
print('%d passed, %d failed%s' % (passed, failed, ', %d skipped' % skipped if skipped else ''))
sys.exit(0 if passed and not failed else 1)
