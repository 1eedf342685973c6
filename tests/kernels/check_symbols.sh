#!/bin/sh
# What the kernel library may need from outside: the memory functions of libc, and what compilers call on
# their own. Anything else means that a kernel allocates, prints, keeps state or uses the engine.
#
#     check_symbols.sh NM LIBRARY
set -eu
nm=$1
library=$2
defined=$("$nm" --defined-only "$library" | awk 'NF == 3 { print $3 }' | sort -u)
[ -n "$defined" ] || { echo "no symbols in $library"; exit 1; }

allowed='^(mem(cpy|set|move|cmp)|strcmp|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__cpu_(model|indicator_init))$'
foreign=$("$nm" --undefined-only "$library" | awk 'NF == 2 { print $2 }' | sort -u |
    grep -Ev '^oriel_' | grep -Ev "$allowed" || true)
if [ -n "$foreign" ]; then
    echo "$library needs symbols that no kernel may need:"
    echo "$foreign"
    exit 1
fi

exported=$("$nm" --defined-only --extern-only "$library" | awk 'NF == 3 { print $3 }' |
    grep -Ev '^oriel_' || true)
if [ -n "$exported" ]; then
    echo "$library defines global symbols without the prefix oriel_:"
    echo "$exported"
    exit 1
fi

# Writable data would be state; tables are const (R, or D in .data.rel.ro: relocated, then read-only).
state=$("$nm" --defined-only "$library" | awk 'NF == 3 && $2 ~ /^[BbDdCGgSs]$/ { print $3 }' |
    grep -Ev '^(oriel_kernels_|isas$)' || true)
if [ -n "$state" ]; then
    echo "$library has writable data:"
    echo "$state"
    exit 1
fi
