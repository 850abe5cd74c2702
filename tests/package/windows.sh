#!/usr/bin/env bash
# Unpacks the .zip for Windows into a folder whose name has a space and an umlaut, and lets the program
# there do under wine what users do first; compares what it writes with the command for Linux.
#
#   tests/package/windows.sh ZIP COMMAND
#
# COMMAND is the one for Linux. Needs .ci/install windows. The exit code is 77 without wine.
set -euo pipefail
[ $# -eq 2 ] || { sed -n 's/^# \{0,1\}//; 2,8p' "$0" >&2 && exit 2; }
command -v wine >/dev/null || { echo "skipped: there is no wine (.ci/install windows)" && exit 77; }
zip=$(realpath "$1") command=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export WINEPREFIX=${WINEPREFIX:-$(dirname "$zip")/wine} WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=
mkdir "$folder/Mein Gelände"
cd "$folder/Mein Gelände"
unzip -q "$zip"
cd thalweg-*
thalweg() { timeout 300 wine ./thalweg.exe "$@"; }
fault() { echo "$*" >&2 && exit 1; }
same() { cmp "$1" "$2" || fault "$1 differs"; }

[ -e LICENSE ] && [ -e licences/libsodium.txt ] && [ -e docs/recipes.md ] || fault "files are missing"
thalweg --version
thalweg doctor || fault "doctor found something"

echo "+ a recipe, twice, with the cache"
thalweg run graphs/olsen-hills.yaml --size 128 -o "aus gabe ü" -q
"$command" run graphs/olsen-hills.yaml --size 128 -o linux -q --no-cache
for file in height.npy height.png preview.png relief.png score.json; do
  same "aus gabe ü/$file" "linux/$file"
done
thalweg run graphs/olsen-hills.yaml --size 128 -o "aus gabe ü" --json -q >again.json
grep -q '"computed": 0' again.json || fault "the cache answered nothing"

echo "+ line ends of Windows, an umlaut in a name, backslashes, a drive"
sed 's/$/\r/' graphs/olsen-hills.yaml >"Hügel 1.yaml"
thalweg run "Hügel 1.yaml" --size 128 -o crlf -q
same crlf/height.npy linux/height.npy
thalweg run 'graphs\olsen-hills.yaml' --size 128 -o "Z:$(pwd | tr / '\\')\\back" -q
same back/height.npy linux/height.npy

echo "+ names that only Windows takes for others"
cat >bad.yaml <<'END'
thalweg: 1
nodes: {a: {type: noise.midpoint}}
outputs: {a: a}
export: {"..\\up.png": a}
END
! thalweg check bad.yaml 2>bad.txt || fault "an export outside the folder passed"

echo "+ lock, verify, diff, mcp"
cp graphs/olsen-hills.yaml mine.yaml
"$command" lock mine.yaml --size 64 -q
thalweg verify mine.yaml -q || fault "a lock of Linux does not hold"
thalweg diff mine.yaml graphs/olsen-hills.yaml
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' |
  thalweg mcp >answers.txt
grep -q '"protocolVersion"' answers.txt || fault "mcp did not answer"
! grep -q $'\r' answers.txt || fault "mcp writes carriage returns"

echo "+ serve: its page"
wine ./thalweg.exe serve mine.yaml --size 64 >address.txt 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
until grep -qo 'http://[^ ]*' address.txt || ! kill -0 "$server" 2>/dev/null; do sleep 0.2; done
address=$(grep -o 'http://[^ ]*' address.txt | head -n 1 | tr -d '\r') || fault "serve: $(cat address.txt)"
curl -sf -o page.html "$address" && grep -q '<html' page.html || fault "serve gives no page at $address"
echo "the program for Windows works under wine"
