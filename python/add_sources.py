#!/usr/bin/env python3
"""Puts the library's sources into a source distribution, where the link to the folder above stood."""
import os
import shutil
import subprocess

source = os.path.realpath(os.path.join(os.environ['MESON_SOURCE_ROOT'], '..'))
target = os.path.join(os.environ['MESON_DIST_ROOT'], 'subprojects/oriel')
FOLDERS = ('LICENSE', 'meson.build', 'meson_options.txt', 'include', 'kernels', 'engine')

listed = subprocess.run(['git', 'ls-files', '-z', '--', *FOLDERS], cwd=source, capture_output=True, check=True).stdout
if os.path.islink(target):
    os.remove(target)
for name in filter(None, os.fsdecode(listed).split('\0')):
    path = os.path.join(target, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copy(os.path.join(source, name), path)
