#!/usr/bin/env bash
# The page of `thalweg serve` in a real Chromium: looked at, turned, steered, written from, by mouse, keys and
# fingers. Pictures of it are left in a folder for people.
# usage: in_browser.sh COMMAND FOLDER [NAME...]        (.ci/install checks installs chromium and npm)
set -euo pipefail
THALWEG_COMMAND=$(realpath "$1")
mkdir -p "$2"
PICTURES=$(realpath "$2")
shift 2
tests=$(dirname "$(realpath "$0")")
CHROMIUM=$(command -v chromium || true)
for missing in ${CHROMIUM:-chromium} node npm; do
  command -v "$missing" > /dev/null || { echo "skipped: there is no $missing here"; exit 0; }
done
if ! "$THALWEG_COMMAND" doctor | grep -q '^ok      web server'; then
  echo "skipped: this build has no web server"
  exit 0
fi
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
# For these tests alone: nothing of it is built in or shipped.
MODULES=${THALWEG_NODE_MODULES:-$SCRATCH/node_modules}
[ -d "$MODULES/playwright-core" ] || npm install --silent --no-save --prefix "$SCRATCH" playwright-core@1.65.1 axe-core@4.14.1 > /dev/null
export THALWEG_COMMAND PICTURES CHROMIUM SCRATCH MODULES
failed=0
for name in "${@:-look steer write compare access report}"; do # "budgets" measures
  for test in $name; do
    echo "== $test"
    node "$tests/$test.mjs" || failed=1
  done
done
exit "$failed"
