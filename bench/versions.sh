#!/bin/sh
# versions.sh PROGRAM OTHER_PROGRAM FOLDER [QUERY ...]: two builds of Oriel against each other by hyperfine, over the data of `bench peers --folder FOLDER`.
# Queries are names of bench/queries/, default tumble hop session. Their answers must be the same bytes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 3 ] || { sed -n 2,3p "$0" >&2; exit 2; }
one=$1 other=$2 folder=$3
shift 3
[ $# -gt 0 ] || set -- tumble hop session
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for query in "$@"; do
    files="--source orders=$folder/orders.csv"
    case $query in
    tumble_users) files="--source users=$folder/users.csv" ;;
    join) files="--source odd=$folder/odd.csv --source even=$folder/even.csv" ;;
    esac
    script="$files -f $here/queries/tables.sql -f $here/queries/$query.sql"
    hyperfine -N --warmup 1 --runs 10 "$one $script -o $out/one.csv" "$other $script -o $out/other.csv"
    cmp "$out/one.csv" "$out/other.csv"
done
