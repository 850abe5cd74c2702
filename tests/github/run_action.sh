#!/usr/bin/env bash
# Runs the steps of .github/actions/verify as GitHub's runner does: each `run` block in bash -e, with
# the `env` that its inputs give. A recipe that is as locked passes; one that differs fails, with an
# annotation, a summary, and the pictures where the last step looks for them.
# usage: run_action.sh COMMAND
set -euo pipefail
thalweg=$(realpath "$1")
action=$(realpath "$(dirname "$0")/../../.github/actions/verify/action.yml")
folder=$(mktemp -d)
trap '[ $? = 0 ] || cat log >&2; rm -rf "$folder"' EXIT
cd "$folder"

# The block of the only `run: |` in the file, without its indentation.
awk '/^ *run: \|$/ {depth = match($0, /[^ ]/) + 1; found++; next}
     found && (match($0, /[^ ]/) > depth || $0 ~ /^ *$/) {print substr($0, depth + 1); next}
     {found = 0}' "$action" > step.sh
grep -q 'verify --format github' step.sh
[ "$(grep -c '^ *run: |$' "$action")" = 1 ]

default_of() { awk -v name="  $1:" '$0 == name {on = 1; next} on && /default:/ {print $2; exit}' "$action"; }
uploaded=$(sed -n 's/^ *path: \${{ inputs.\(.*\) }}$/\1/p' "$action")
[ "$uploaded" = out ]

run_step() {
  : > summary.md
  GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$folder/summary.md" XDG_CACHE_HOME="$folder/cache" \
    RECIPES="*.yaml" COMMAND="$thalweg" OUT="$(default_of out)" \
    bash --noprofile --norc -eo pipefail step.sh > log 2>&1
}

printf 'thalweg: 1\nsize: 32\nnodes:\n  map: {type: noise.perlin, frequency: 3}\noutputs: {height: map}\n' > hills.yaml
printf 'thalweg: 1\nsize: 32\nnodes:\n  map: {type: noise.spectral}\noutputs: {height: map}\n' > other.yaml
env -u CI "$thalweg" lock -q hills.yaml other.yaml
run_step
[ ! -s summary.md ] && [ ! -e "$(default_of out)" ]

sed -i 's/frequency: 3/frequency: 5/' hills.yaml
if run_step; then
  echo "a recipe that differs passes"
  exit 1
fi
grep -q '^::error file=hills.yaml,line=4,col=8,title=thalweg::.*params.frequency: 3 -> 5$' log
grep -q 'frequency 3 -> 5' summary.md
[ -s "$(default_of out)/index.html" ]
# The pictures are kept after a failure only, and a broken recipe is no difference.
grep -A1 'name: Keep the pictures' "$action" | grep -q 'if: failure()'
pictures=("$(default_of out)"/hills.yaml.height.{before,now,difference}.png)
for picture in "${pictures[@]}"; do [ -s "$picture" ]; done
[ "$(head -c 4 "${pictures[0]}" | tail -c 3)" = PNG ]

# fails_with CODE WORDS: the step ends with that code, says it and leaves no pictures.
fails_with() {
  rm -rf "$(default_of out)"
  local code=0
  run_step || code=$?
  [ "$code" = "$1" ]
  grep -q "$2" log
  [ ! -e "$(default_of out)" ]
}
sed -i 's/noise.perlin/noise.perlim/' hills.yaml
fails_with 3 "^::error file=hills.yaml,line=4,col=15,title=thalweg::there is no node type 'noise.perlim'%0Adid you mean 'noise.perlin'?"
grep -q perlim summary.md
sed -i 's/noise.perlim/noise.perlin/; s/frequency: 5/frequency: 3/' hills.yaml
run_step
sed -i 's/^thalweg-lock: 2/thalweg-lock: 9/' other.yaml.lock
fails_with 3 '^::error file=other.yaml.lock,line=1,col=15,title=thalweg::the lock has version .9.'
rm other.yaml.lock
fails_with 3 "^::error file=other.yaml.lock,title=thalweg::cannot read other.yaml.lock"
echo "the action's steps pass and fail as they should"
