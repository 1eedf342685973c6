"""Prints where pyarrow keeps its headers and libraries, libarrow, libparquet and the version; exit 1 without it."""
import glob
import os
import sys

try:
    import pyarrow
except ImportError:
    sys.exit(1)
folder = os.path.dirname(pyarrow.__file__)
libraries = [sorted(glob.glob(os.path.join(folder, name + '.so.*')), key=len)[:1] for name in ('libarrow', 'libparquet')]
if not all(libraries) or not os.path.isfile(os.path.join(folder, 'include', 'parquet', 'arrow', 'reader.h')):
    sys.exit(1)
print(os.path.join(folder, 'include'), folder, *(found[0] for found in libraries), pyarrow.__version__, sep='\n')
