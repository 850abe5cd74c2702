#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the commands of docs/ci/ as GitLab, Jenkins and TeamCity run them, each in a folder of its own: a
# project that is as locked passes, one that differs fails and leaves JUnit and the page where the
# file looks for them.
# usage: run_files.sh COMMAND
set -euo pipefail
command=$(realpath "$1")
files=$(realpath "$(dirname "$0")/../../docs/ci")
folder=$(mktemp -d)
trap '[ $? = 0 ] || cat "$folder/log" >&2; rm -rf "$folder"' EXIT
mkdir "$folder/bin"
ln -s "$command" "$folder/bin/thalweg"
export PATH="$folder/bin:$PATH" XDG_CACHE_HOME="$folder/cache"

sed -n '/^  script:$/,/^  [a-z]/ s/^    - //p' "$files/gitlab-ci.yml" > "$folder/gitlab-ci.yml"
sed -n "s/^ *sh '\(.*\)'\$/\1/p" "$files/Jenkinsfile" > "$folder/Jenkinsfile"
sed -n 's/^ *scriptContent = "\(.*\)"$/\1/p' "$files/settings.kts" > "$folder/settings.kts"

# Each file keeps what its command writes.
for file in gitlab-ci.yml Jenkinsfile settings.kts; do
  [ "$(wc -l < "$folder/$file")" = 1 ] || { echo "$file: expected one command" >&2; exit 1; }
  [ "$(grep -v 'thalweg verify' "$files/$file" | grep -c 'thalweg.xml')" = 1 ]
  [ "$(grep -v 'thalweg verify' "$files/$file" | grep -c 'thalweg-differences')" = 1 ]
done
if python3 -c 'import yaml' 2> /dev/null; then
  python3 - "$files/gitlab-ci.yml" "$folder/gitlab-ci.yml" << 'PYTHON'
import sys, yaml
job = yaml.safe_load(open(sys.argv[1]))["terrain"]
assert job["script"] == [open(sys.argv[2]).read().rstrip("\n")], job["script"]
assert job["artifacts"]["when"] == "always" and job["image"]["entrypoint"] == [""]
PYTHON
fi

# junit TESTS FAILURES: thalweg.xml is well-formed and counts so many.
junit() {
  python3 - "$@" << 'PYTHON'
import sys, xml.etree.ElementTree as tree
root = tree.parse("thalweg.xml").getroot()
found = [root.get("tests"), root.get("failures"), root.get("errors")]
assert found == [sys.argv[1], sys.argv[2], "0"], found
assert float(root.get("time")) >= 0
PYTHON
}

for file in gitlab-ci.yml Jenkinsfile settings.kts; do
  mkdir -p "$folder/work/levels/a b" "$folder/work/levels/c"
  cd "$folder/work"
  printf 'thalweg-project: 1\nrecipes: [levels/**/terrain.yaml]\n' > thalweg-project.yaml
  for level in 'a b' c; do
    printf 'thalweg: 1\nsize: 32\nnodes:\n  map: {type: noise.perlin, frequency: 3}\noutputs: {height: map}\n' > "levels/$level/terrain.yaml"
  done
  env -u CI thalweg lock -q
  CI=true bash -e "$folder/$file" 2> "$folder/log"
  [ "$(tail -n 1 "$folder/log")" = '2 recipes: 2 as locked, 0 differ' ]
  junit 6 0
  [ ! -e thalweg-differences ]
  sed -i 's/frequency: 3/frequency: 5/' levels/c/terrain.yaml
  code=0
  CI=true bash -e "$folder/$file" 2> "$folder/log" || code=$?
  [ "$code" = 1 ]
  [ "$(tail -n 1 "$folder/log")" = '2 recipes: 1 as locked, 1 differs: levels/c/terrain.yaml' ]
  junit 6 2
  [ -s thalweg-differences/index.html ]
  cd "$folder"
  rm -rf work
done
