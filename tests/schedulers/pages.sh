#!/usr/bin/env bash
# Runs what the pages of docs/schedulers say: blocks of shell as they are, the steps of GitHub's
# workflow (without its page, whose pictures take seconds; cli.report makes some) and the command of the
# Kubernetes job for each number. After each page what is gathered is
# what one machine computes. What the machine lacks (GNU parallel) is left out.
# usage: pages.sh COMMAND
set -euo pipefail
command=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
folder=$(mktemp -d)
trap '[ $? = 0 ] || tail -n 20 "$folder/log" >&2; rm -rf "$folder"' EXIT
cd "$folder"
mkdir bin
ln -s "$command" bin/thalweg
export PATH="$folder/bin:$PATH" XDG_CACHE_HOME="$folder/cache" GITHUB_STEP_SUMMARY="$folder/summary.md"
unset GITHUB_ACTIONS
cp -r "$root/graphs" graphs
: > log

# The blocks of a page in one language.
blocks() { awk -v start="\`\`\`$2" '$0 == start {on = 1; next} /^```/ {on = 0} on' "$root/docs/schedulers/$1.md"; }

awk '/^```yaml$/ {on = 1; next} /^```/ {if (on) exit} on' "$root/docs/experiments.md" |
  sed 's/^size: 256/size: 24/; s/count: 20/count: 7/; /^assert:/,$d' > talus.yaml
thalweg compare talus.yaml -q --csv local.csv > local.txt
thalweg compare talus.yaml -q --csv local.csv > local.txt # seconds are the cache's from now on

# What the page's commands left is gathered once more, into files that can be compared.
check_page() {
  thalweg compare talus.yaml --gather shards -q --csv gathered.csv > gathered.txt
  cmp local.csv gathered.csv
  cmp local.txt gathered.txt
  [ "$(ls shards | wc -l)" = 4 ]
  rm -rf shards
  echo "$1: as on one machine"
}

blocks parallel sh > parallel.sh
if command -v parallel > /dev/null; then
  bash -euo pipefail parallel.sh >> log 2>&1
else
  echo "GNU parallel is not here: its lines are left out"
  grep -v '^parallel ' parallel.sh | bash -euo pipefail /dev/stdin >> log 2>&1
fi
[ -s out/olsen-hills/height.png ]
check_page parallel

blocks github yaml | sed -n 's/^ *- run: //p' > steps.sh
[ "$(wc -l < steps.sh)" = 2 ]
for shard in 1 2 3 4; do
  sed -n "1s/\${{ matrix.shard }}/$shard/p" steps.sh | bash -euo pipefail >> log 2>&1
done
sed -n '2s/ --html talus.html//p' steps.sh | bash -euo pipefail >> log 2>&1
grep -q '^| ' summary.md
check_page github

blocks kubernetes yaml | sed -n "s/^ *command: \[sh, -c, '\(.*\)'\]$/\1/p" > pod.sh
[ "$(wc -l < pod.sh)" = 1 ]
for index in 0 1 2 3; do
  JOB_COMPLETION_INDEX=$index sh -c "$(cat pod.sh)" >> log 2>&1
done
blocks kubernetes sh | bash -euo pipefail >> log 2>&1
check_page kubernetes
