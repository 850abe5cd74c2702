#!/usr/bin/env bash
# A report in a real browser: its script runs, nothing is said on the console, nothing is fetched,
# and what it looks like, wide and narrow, light and dark, is left in a folder for people.
# usage: in_browser.sh COMMAND FOLDER        (.ci/install checks installs chromium)
set -euo pipefail
thalweg=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/terrain.yaml" <<'YAML'
thalweg: 1
size: 192
params: {talus: 16, iterations: 50}
nodes:
  noise:  {type: noise.midpoint, smoothed: true}
  eroded: {type: erosion.olsen, in: noise, talus: "${talus}", iterations: "${iterations}"}
  score:  {type: measure.score, in: eroded}
outputs: {height: eroded, score: score}
YAML
cat > "$work/talus.yaml" <<'YAML'
thalweg-experiment: 1
about: How steep may slopes be before they are levelled?
recipe: terrain.yaml
seeds: {from: 1, count: 8}
variants:
  talus-16: {}
  talus-8: {params: {talus: 8}}
  thermal: {nodes: {eroded: {type: erosion.thermal, in: noise, talus: 4, iterations: 50}}}
  matched: {params: {iterations: 25}}
measure: [score.game, score.erosion, score.unit]
baseline: talus-16
goal: {score.game: up, score.unit: up}
match: {goal: {score.erosion: {near: baseline, within: 2 %}}, seeds: 3, by: {matched: {talus: [4, 40]}}}
adjust: score.erosion
YAML
cat > "$work/parameters.yaml" <<'YAML'
thalweg-experiment: 1
about: What makes ground for a game?
recipe: terrain.yaml
size: 48
seeds: {from: 1, count: 3}
measure: [score.game, score.erosion]
sensitivity: {params: {talus: [4, 40], iterations: {from: 5, to: 60, whole: true}}, morris: 4, indices: 8, curves: 4}
tune: {params: {talus: [4, 40]}, goal: {score.erosion: 1}, budget: 24}
YAML
"$thalweg" compare "$work/parameters.yaml" -q --cache-dir "$work/cache" --html "$folder/parameters.html" > /dev/null 2> /dev/null
"$thalweg" compare "$work/talus.yaml" -q --cache-dir "$work/cache" --html "$folder/report.html" > "$folder/report.txt" 2> /dev/null

# shoot NAME PAGE WIDTH HEIGHT [OPTION...]: a picture of the page; what the console says ends the test.
shoot() {
  local name=$1 page=$2 width=$3 height=$4
  shift 4
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --disable-background-networking \
    --user-data-dir="$work/$name" --log-net-log="$work/$name.net" --enable-logging=stderr \
    --window-size="$width,$height" "$@" "file://$folder/$page.html" > "$work/$name.out" 2> "$work/$name.err"
  if grep -E 'CONSOLE' "$work/$name.err"; then
    echo "$name: the page said that on the console" >&2
    exit 1
  fi
  # Requests of pages name the page as their initiator; the browser's own have none.
  if grep '"initiator":' "$work/$name.net" | grep -v '"initiator":"not an origin"' | grep -oE '"url":"[a-z]+:[^"]{0,200}' \
      | grep -vE '"url":"(file|data|blob):'; then
    echo "$name: the page fetched that" >&2
    exit 1
  fi
}
shoot wide report 1280 2400 --screenshot="$folder/wide.png"
shoot narrow report 420 2400 --screenshot="$folder/narrow.png"
shoot dark report 1280 2400 --blink-settings=preferredColorScheme=0 --screenshot="$folder/dark.png"
shoot dom report 1280 2400 --dump-dom
shoot parameters parameters 1280 2400 --screenshot="$folder/parameters.png"
shoot parameters-narrow parameters 420 2400 --blink-settings=preferredColorScheme=0 --screenshot="$folder/parameters-narrow.png"
# The script ran: columns can be sorted, the slider has its two pictures.
grep -q '<button type="button" title="sort by this column">' "$work/dom.out"
grep -q '<img class="under" alt="View in three dimensions of talus-16' "$work/dom.out"
for picture in wide narrow dark parameters parameters-narrow; do
  size=$(stat -c %s "$folder/$picture.png")
  [ "$size" -gt 50000 ] || { echo "$picture.png has $size bytes: an empty page" >&2; exit 1; }
done
cmp -s "$folder/wide.png" "$folder/dark.png" && { echo "dark looks like light" >&2; exit 1; }
echo "report in chromium: $(stat -c %s "$folder/report.html") bytes; pictures in $2"
