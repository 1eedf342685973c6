#!/bin/sh
# demo.sh BUILD: writes the lab's data, runs its seven window scripts and its report, shows the results.
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")"
"$build/datagen/oriel-datagen" lab -o windows_orders.csv
for script in assign tumble hop cumulate session top-shops top-orders; do
    "$build/oriel" -f "$script.sql" >"$script.out"
    printf '\n== examples/lab/%s.sql: the first rows of %s\n' "$script" "$(tail -n 1 "$script.out")"
    sed -n '/^SELECT/,$p' "$script.sql"
    head -n 8 "$script.out"
done
"$build/oriel" --format json -f report.sql -o report.json
printf '\n== examples/lab/report.json\n'
cat report.json
