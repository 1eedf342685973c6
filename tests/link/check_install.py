#!/usr/bin/env python3
"""check_install.py SOURCE BUILD LIBDIR MESON: installs into a folder, then links as a user does from empty folders.

The C and C++ examples are built with pkg-config, make, CMake and Meson, dynamically and statically, and their output
is compared. Names on standard output say which ways were tried.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

source, build, libdir, meson = sys.argv[1:5]
EXAMPLES = os.path.join(source, 'examples/link')
EXAMPLE_ROWS = '1704099600000 30\n1704100200000 42\n'
TOP_ROWS = 'busan 20\nseoul 10\nseoul 30\nseoul 7\n'


def run(command, folder, **variables):
    clean = {name: value for name, value in os.environ.items() if name != 'LD_LIBRARY_PATH'}
    done = subprocess.run(command, cwd=folder, shell=isinstance(command, str), capture_output=True, text=True,
                          env={**clean, **{name: str(value) for name, value in variables.items()}})
    assert done.returncode == 0, '%s\nin %s\n%s%s' % (command, folder, done.stdout, done.stderr)
    assert 'warning' not in done.stderr.lower(), '%s\n%s' % (command, done.stderr)
    return done.stdout


def code_block(text, indent):
    """The lines that begin with `indent` in the first block of them that includes oriel.h."""
    lines = text.split('\n')
    begin = next(i for i, line in enumerate(lines) if line.startswith(indent) and '#include <oriel/oriel.h>' in line)
    end = next(i for i in range(begin, len(lines)) if lines[i].strip(' *') and not lines[i].startswith(indent))
    return '\n'.join(line[len(indent):] for line in lines[begin:end]).strip() + '\n'


def check_texts():
    """The example is the same in README, oriel.h and examples/link."""
    example = open(os.path.join(EXAMPLES, 'example.c')).read()
    assert code_block(open(os.path.join(source, 'README.md')).read(), '    ') == example, 'README.md has another example'
    header = open(os.path.join(source, 'include/oriel/oriel.h')).read()
    assert code_block(header, ' *     ') == example, 'oriel.h has another example'


def as_if_configured_for(prefix, package):
    """The build is configured for another prefix, and installed below a folder."""
    with open(package) as file:
        text = re.sub(r'^prefix=.*$', 'prefix=' + prefix, file.read(), flags=re.M)
    with open(package, 'w') as file:
        file.write(text)


def installed_files(prefix, libraries):
    """What `meson install` gave; none of it but the Arrow module may know where the build was."""
    wanted = [os.path.join(prefix, 'bin', name) for name in ('oriel', 'oriel-datagen')]
    wanted += [os.path.join(libraries, name) for name in ('liboriel.so', 'liboriel.a', 'pkgconfig/oriel.pc')]
    wanted += [os.path.join(libraries, 'cmake/Oriel', name) for name in ('OrielConfig.cmake', 'OrielConfigVersion.cmake')]
    headers = os.path.join(source, 'include/oriel')
    wanted += [os.path.join(prefix, 'include/oriel', name) for name in os.listdir(headers)]
    for path in wanted:
        assert os.path.exists(path), path + ' is not installed'
        for trace in (b'.venv', os.fsencode(os.path.realpath(source)) + b'/'):
            assert trace not in open(path, 'rb').read(), '%s names %s' % (path, trace)


def check_pkg_config(folder, packages, libraries):
    """The line of README, from an empty folder."""
    for name in ('example.c', 'orders.csv'):
        shutil.copy(os.path.join(EXAMPLES, name), folder)
    run('cc example.c -o example $(pkg-config --cflags --libs oriel)', folder, PKG_CONFIG_PATH=packages)
    assert run('./example', folder, LD_LIBRARY_PATH=libraries) == EXAMPLE_ROWS
    flags = run('pkg-config --static --cflags --libs oriel', folder, PKG_CONFIG_PATH=packages).replace('-loriel', '-l:liboriel.a')
    run('cc example.c -o static ' + flags, folder, PKG_CONFIG_PATH=packages)
    assert 'liboriel' not in run('ldd ./static', folder)
    assert run('./static', folder) == EXAMPLE_ROWS
    print('pkg-config, pkg-config --static')


def check_make(folder, packages, libraries):
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    run('make --silent', folder, PKG_CONFIG_PATH=packages, MAKEFLAGS='', CXXFLAGS='-Wall -Wextra -pedantic', CFLAGS='-Wall -Wextra -pedantic')
    assert run('./example', folder, LD_LIBRARY_PATH=libraries) == EXAMPLE_ROWS
    assert run('./top', folder, LD_LIBRARY_PATH=libraries) == TOP_ROWS
    print('make')


def check_cmake(folder, prefix):
    if not shutil.which('cmake'):
        print('no cmake: not tried')
        return
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    run(['cmake', '-S', '.', '-B', 'out', '-DCMAKE_PREFIX_PATH=' + prefix], folder)
    run(['cmake', '--build', 'out'], folder)
    for name, rows in (('example', EXAMPLE_ROWS), ('example-static', EXAMPLE_ROWS), ('top', TOP_ROWS)):
        assert run('out/' + name, folder) == rows
    text = open(os.path.join(folder, 'CMakeLists.txt')).read()
    with open(os.path.join(folder, 'CMakeLists.txt'), 'w') as file:
        file.write(re.sub(r'Oriel 0\.1 REQUIRED', 'Oriel 99 REQUIRED', text))
    refused = subprocess.run(['cmake', '-S', '.', '-B', 'wrong', '-DCMAKE_PREFIX_PATH=' + prefix], cwd=folder, capture_output=True, text=True)
    assert refused.returncode and 'version: 0.' in refused.stderr, refused.stderr
    print('cmake')


def check_meson(folder, packages):
    """With the installed library, and the sources as a subproject (configured only: it compiles as it does here)."""
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    os.mkdir(os.path.join(folder, 'subprojects'))
    os.symlink(source, os.path.join(folder, 'subprojects/oriel'))
    run([meson, 'setup', 'out'], folder, PKG_CONFIG_PATH=packages)
    with open(os.path.join(folder, 'out/build.ninja')) as file:
        assert '-loriel' in file.read() or 'liboriel.so' in open(os.path.join(folder, 'out/build.ninja')).read()
    run([meson, 'setup', 'nested', '--force-fallback-for=oriel', '-Doriel:arrow=disabled'], folder)
    with open(os.path.join(folder, 'nested/build.ninja')) as file:
        assert 'subprojects/oriel/engine/api/liboriel.a' in file.read()
    print('meson, meson subproject')


def check_arrow(folder, packages, libraries):
    """The module is found from the library."""
    if not os.path.exists(os.path.join(libraries, 'oriel/oriel_arrow.so')):
        print('no Arrow C++: files not tried')
        return
    shutil.copy(os.path.join(EXAMPLES, 'orders.csv'), folder)
    with open(os.path.join(EXAMPLES, 'example.c')) as file:
        text = file.read().replace("orders.csv', 'format' = 'csv'", "orders.parquet', 'format' = 'parquet'")
    assert 'orders.parquet' in text
    with open(os.path.join(folder, 'example.c'), 'w') as file:
        file.write(text)
    program = os.path.join(libraries[:-len(libdir)], 'bin/oriel')
    run([program, '-o', 'orders.parquet', '-e', "CREATE TABLE o (id BIGINT, shop STRING, amount INT, ts TIMESTAMP(3)) WITH ("
         "'connector'='filesystem', 'path'='orders.csv', 'format'='csv'); SELECT * FROM o"], folder)
    run('cc example.c -o example $(pkg-config --cflags --libs oriel)', folder, PKG_CONFIG_PATH=packages)
    assert run('./example', folder, LD_LIBRARY_PATH=libraries) == EXAMPLE_ROWS
    print('parquet through the module')


def main():
    check_texts()
    with tempfile.TemporaryDirectory() as top:
        run([meson, 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', os.path.join(top, 'to')], top)
        found = [folder for folder, _, files in os.walk(os.path.join(top, 'to')) if 'oriel.pc' in files]
        assert len(found) == 1, 'oriel.pc is in %s' % found
        packages = found[0]
        libraries = os.path.dirname(packages)
        assert libraries.endswith(libdir), libraries
        prefix = libraries[:-len(libdir)].rstrip('/')
        as_if_configured_for(prefix, os.path.join(packages, 'oriel.pc'))
        installed_files(prefix, libraries)
        for name in ('pkg', 'make', 'cmake', 'meson', 'arrow'):
            os.mkdir(os.path.join(top, name))
        check_pkg_config(os.path.join(top, 'pkg'), packages, libraries)
        check_make(os.path.join(top, 'make'), packages, libraries)
        check_cmake(os.path.join(top, 'cmake'), prefix)
        check_meson(os.path.join(top, 'meson'), packages)
        check_arrow(os.path.join(top, 'arrow'), packages, libraries)


main()
