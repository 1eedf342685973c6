#!/usr/bin/env python3
"""check_tidy.py ROOT: the project's rules as code.

Each rule is a function from a file (path, text) to the faults in it, and has one text that it accepts and one that it
refuses, which are tried first. Prints `path:line: fault`; exit 1 if there is any.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.abspath(sys.argv[1])

# Which folders the files of a folder may include, besides their own and the system's.
ALLOWED = {
    'include': ['include'],
    'kernels': [],
    'engine/base': ['include'],
    'engine/columns': ['include', 'engine/base'],
    'engine/functions': ['include', 'engine/base', 'engine/columns', 'kernels'],
    'engine/sql': ['include', 'engine/base'],
    'engine/plan': ['include', 'engine/base', 'engine/columns', 'engine/functions', 'engine/sql', 'kernels'],
    'engine/io': ['include', 'engine/base', 'engine/columns', 'kernels'],
    'engine/exec': ['include', 'engine/base', 'engine/columns', 'engine/functions', 'engine/plan', 'kernels'],
    'engine/api': ['include', 'engine/base', 'engine/columns', 'engine/functions', 'engine/sql', 'engine/plan', 'engine/io', 'engine/exec', 'kernels'],
    'cli': ['include'],
    'datagen': [],
}
# Lengths that are right for the file: lists, tables, generated or hand-kept grammars.
LONG_FILES = {'engine/sql/grammar.y', 'engine/sql/lexer.l', 'kernels/kernel_list.h'}
FILE_LINES_MAX = 600
FUNCTION_LINES_MAX = 70
LINE_COLUMNS_MAX = 100
NAME_WORDS = re.compile(r'(^|[_/.-])(utils?|helpers?|common|misc|stuff|manager|new|old)([_/.-]|$)')
BANNED = {
    'strcpy': 'memcpy with a known length', 'strcat': 'oriel_text_buffer_append', 'sprintf': 'snprintf', 'strtok': 'a loop',
    'gets': 'fgets', 'atoi': 'oriel_integer_parse', 'gmtime': 'oriel_civil_from_days', 'localtime': 'oriel_zone_to_local', 'rand': 'a seeded generator',
}
BANNED_IN_ENGINE = {
    'malloc': 'oriel_memory_allocate', 'calloc': 'oriel_memory_allocate_zeroed', 'realloc': 'oriel_memory_resize', 'printf': 'an error or a note',
    'abort': 'an error', 'exit': 'an error', 'getenv': 'an option of the engine', 'puts': 'an error or a note',
}
MACROS_ALLOWED = re.compile(r'^(kernels/(vec/|.*cpu_features\.c|dispatch\.c|isa_)|engine/base/memory\.c|engine/io/byte_source\.c|include/oriel/)')


def folder_of(path):
    parts = path.split('/')
    return '/'.join(parts[:2]) if parts[0] == 'engine' else parts[0]


def is_c(path):
    return path.endswith(('.c', '.h'))


def strip_comments(text):
    keep_lines = lambda m: ' ' + '\n' * m.group(0).count('\n')
    text = re.sub(r'/\*.*?\*/', keep_lines, text, flags=re.S)
    text = re.sub(r'//[^\n]*', '', text)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', text)


def lines_matching(text, pattern, fault):
    for number, line in enumerate(text.split('\n'), 1):
        found = re.search(pattern, line)
        if found:
            yield number, fault(found)


def rule_include_direction(path, text):
    folder = folder_of(path)
    if not is_c(path) or folder not in ALLOWED:
        return
    for number, line in enumerate(text.split('\n'), 1):
        found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if not found:
            continue
        target = found.group(1)
        of = 'include' if target.startswith('oriel/') else folder_of(target)
        if '/' not in target:
            yield number, 'includes are written from the root: "%s"' % target
        elif of != folder and of not in ALLOWED[folder]:
            yield number, '%s may not include %s' % (folder, of)


def rule_line_form(path, text):
    if not is_c(path):
        return
    for number, line in enumerate(text.split('\n'), 1):
        if '\t' in line:
            yield number, 'a tab'
        if line != line.rstrip():
            yield number, 'blanks at the end of the line'
        if len(line) > LINE_COLUMNS_MAX and 'clang-format off' not in text:
            yield number, 'longer than %d columns' % LINE_COLUMNS_MAX
        if not line.isascii() and not path.startswith('tests/'):
            yield number, 'a character that is not ASCII'
    if text and not text.endswith('\n'):
        yield text.count('\n') + 1, 'no newline at the end of the file'


def rule_file_length(path, text):
    if path.endswith(('.c', '.h', '.cc', '.y', '.l')) and path not in LONG_FILES and text.count('\n') > FILE_LINES_MAX:
        yield FILE_LINES_MAX, 'more than %d lines: two concepts in one file?' % FILE_LINES_MAX


def rule_function_length(path, text):
    if not path.endswith('.c') or path.startswith('tests/'):
        return
    start = None
    for number, line in enumerate(text.split('\n'), 1):
        if re.match(r'^[a-z_].*\)\s*\{$', line) or (re.match(r'^\s+.*\)\s*\{$', line) and start is None and re.match(r'^ {8,}', line)):
            start = number
        elif line == '}' and start is not None:
            if number - start > FUNCTION_LINES_MAX:
                yield start, 'a function of %d lines' % (number - start)
            start = None


def rule_role_comment(path, text):
    if path.endswith('.c') and not path.startswith('examples/') and not text.startswith('/*'):
        yield 1, 'a .c file opens with a comment on its role'


def rule_pragma_once(path, text):
    if path.endswith('.h') and '#pragma once' not in text and 'without include guard' not in text and not re.search(r'#define KERNEL|X-list|ISA\(', text):
        yield 1, 'no #pragma once'


def rule_banned(path, text):
    if not is_c(path):
        return
    banned = dict(BANNED)
    if path.startswith('engine/') and path != 'engine/base/memory.c':
        banned.update(BANNED_IN_ENGINE)
    pattern = r'(?<![\w.>])(%s)\s*\(' % '|'.join(banned)
    yield from lines_matching(strip_comments(text), pattern, lambda m: 'use %s instead of %s' % (banned[m.group(1)], m.group(1)))


def rule_intrinsics(path, text):
    if is_c(path) and not path.startswith('kernels/vec/'):
        yield from lines_matching(strip_comments(text), r'immintrin\.h|<simde/|\b_mm\d*_|\bsimde_mm', lambda m: 'intrinsics only in kernels/vec')


def rule_conditional_macros(path, text):
    if is_c(path) and path.startswith(('engine/', 'kernels/', 'cli/')) and not MACROS_ALLOWED.match(path):
        yield from lines_matching(text, r'^\s*#\s*if(n?def)?\b', lambda m: 'conditional compilation outside the files that may have it')


def rule_marks(path, text):
    if is_c(path) or path.endswith(('.py', '.sh', '.build')):
        if path != 'tests/tidy/check_tidy.py':
            yield from lines_matching(text, r'\b(TODO|FIXME|XXX|HACK)\b', lambda m: 'an unfinished mark: ' + m.group(1))


def rule_machine_paths(path, text):
    if path != 'tests/tidy/check_tidy.py' and not path.startswith('tests/flink/cases/'):
        yield from lines_matching(text, r'(?<![\w.])/(work|root|farm)/', lambda m: 'a path of one machine')


def rule_markdown_links(path, text):
    if not path.endswith('.md'):
        return
    for number, line in enumerate(text.split('\n'), 1):
        for target in re.findall(r'\]\(([^)#]+)(?:#[^)]*)?\)', line):
            if '://' not in target and not os.path.exists(os.path.join(ROOT, os.path.dirname(path), target)):
                yield number, 'a link to nothing: ' + target


RULES = {
    rule_include_direction: ('engine/base/x.c', '#include "oriel/error.h"\n', '#include "engine/plan/plan.h"\n'),
    rule_line_form: ('cli/x.c', 'int a;\n', 'int a; \n'),
    rule_file_length: ('cli/x.c', 'int a;\n' * 600, 'int a;\n' * 601),
    rule_function_length: ('cli/x.c', 'static int f(void) {\n' + 'x;\n' * 60 + '}\n', 'static int f(void) {\n' + 'x;\n' * 90 + '}\n'),
    rule_role_comment: ('cli/x.c', '/* Role. */\n', 'int a;\n'),
    rule_pragma_once: ('cli/x.h', '#pragma once\n', 'int a;\n'),
    rule_banned: ('engine/io/x.c', 'int f(void) { return my_printf("printf("); }\n', 'int f(void) { return printf("x"); }\n'),
    rule_intrinsics: ('engine/io/x.c', '/* _mm_x */\n', '#include <immintrin.h>\n'),
    rule_conditional_macros: ('engine/io/x.c', 'int a;\n', '#ifdef A\n'),
    rule_marks: ('cli/x.c', 'int todo;\n', '/* TODO */\n'),
    rule_machine_paths: ('README.md', 'engine/work/x\n', 'cd /work/main\n'),
    rule_markdown_links: ('README.md', '[a](https://example.org)\n', '[a](nothing/here.md)\n'),
}


def check_tree(paths):
    """Rules on the tree as a whole."""
    for path in paths:
        if not path.startswith(('tests/flink/cases/', 'tests/flink/data/')) and NAME_WORDS.search(path):
            yield path, 1, 'a name that says nothing'
    built = ''.join(open(os.path.join(ROOT, p)).read() for p in paths if p.endswith('meson.build') or p.endswith('.meson'))
    for path in paths:
        if path.endswith('.c') and not path.startswith(('examples/', 'tests/flink/')) and "'%s'" % os.path.basename(path) not in built and not any(w in built for w in (os.path.basename(path)[:-2], re.sub('^test_', '', os.path.basename(path)[:-2]))):
            yield path, 1, 'no meson.build names this file'
    architecture = 'ARCHITECTURE.md'
    if architecture in paths:
        text = open(os.path.join(ROOT, architecture)).read()
        for folder in sorted(ALLOWED):
            if folder + '/' not in text:
                yield architecture, 1, 'says nothing of ' + folder + '/'
        for target in re.findall(r'`([\w./-]+/[\w./-]*)`', text):
            if '*' not in target and '<' not in target and not os.path.exists(os.path.join(ROOT, target)):
                yield architecture, 1, 'names %s, which is not there' % target


def main():
    faults = 0
    for rule, (path, good, bad) in RULES.items():
        if list(rule(path, good)) or not list(rule(path, bad)):
            print('%s does not tell its own examples apart' % rule.__name__)
            faults += 1
    listed = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard'], cwd=ROOT, capture_output=True, text=True)
    paths = [p for p in listed.stdout.split('\n') if p and os.path.isfile(os.path.join(ROOT, p))]
    if not paths:
        print('no git checkout: skipped')
        return 77
    for path in paths:
        try:
            text = open(os.path.join(ROOT, path), encoding='utf-8').read()
        except UnicodeDecodeError:
            continue
        for rule in RULES:
            for number, fault in rule(path, text):
                print('%s:%d: %s' % (path, number, fault))
                faults += 1
    for path, number, fault in check_tree(paths):
        print('%s:%d: %s' % (path, number, fault))
        faults += 1
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
