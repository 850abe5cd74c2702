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
[ "$(grep -c '^ *run: ' "$action")" = 1 ]

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
echo "the action's steps pass and fail as they should"
