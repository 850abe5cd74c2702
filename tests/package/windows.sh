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
thalweg doctor >doctor.txt || fault "doctor found something: $(cat doctor.txt)"
[ "$(grep -o OpenEXRCore doctor.txt | wc -l)" = 1 ] || fault "doctor names a library that is missing not once"

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
cat >small.yaml <<'END'
thalweg: 1
size: 16
nodes: {a: {type: noise.midpoint}}
outputs: {a: a}
export: {a.npy: a}
END
find . | sort >"$folder/before.txt"
refused() { # what Windows would read or write instead of a file of this name
  ! thalweg "$@" >/dev/null 2>"$folder/refused.txt" || fault "it took: $*"
  grep -q 'Windows takes this name for a device or another file' "$folder/refused.txt" ||
    fault "$*: $(cat "$folder/refused.txt")"
}
for name in nul CON. com1 small.yaml:b small.yaml. 'small.yaml ' 'x\nul' '\\.\nul'; do
  refused run small.yaml -q --no-cache -o "$name"
  refused check "$name"
done
thalweg run small.yaml -q -o "$folder/fine" --cache-dir aux 2>"$folder/refused.txt"
grep -q 'cannot open the cache folder aux.*Windows takes this name' "$folder/refused.txt" || fault "a cache in aux"
for name in nul com1.png small.yaml:b.png 'small.png.' sub/con.png; do
  printf "thalweg: 1\nsize: 16\nnodes: {a: {type: source.image, file: '%s'}}\noutputs: {a: a}\n" "$name" >"$folder/input.yaml"
  refused run "$folder/input.yaml" -q --no-cache
done
find . | sort | cmp - "$folder/before.txt" || fault "files appeared"

echo "+ a batch file is no --checkout"
printf '@echo run > ran.txt\r\n' >edit.cmd
thalweg run small.yaml -o held -q
chmod a-w held/a.npy
! thalweg run small.yaml --seed 2 -o held -q --checkout './edit.cmd {file}' 2>batch.txt || fault "a batch file ran"
grep -q 'a batch file' batch.txt && [ ! -e ran.txt ] || fault "$(cat batch.txt)"
chmod u+w held/a.npy

echo "+ lock, verify, diff, mcp"
cp graphs/olsen-hills.yaml mine.yaml
"$command" lock mine.yaml --size 64 -q
thalweg verify mine.yaml -q || fault "a lock of Linux does not hold"
thalweg diff mine.yaml graphs/olsen-hills.yaml
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' |
  thalweg mcp >answers.txt
grep -q '"protocolVersion"' answers.txt || fault "mcp did not answer"
printf '%s\r\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' \
  '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":2,"method":"ping"}' |
  thalweg mcp >answers.txt
grep -q '"id":2,"result"' answers.txt || fault "mcp stops at carriage returns: $(cat answers.txt)"
! grep -q $'\r' answers.txt || fault "mcp writes carriage returns"

echo "+ a console: whole letters"
printf 'thalweg: 1\nnodes: {}\noutputs: {höhe日本: gone}\n' >höhe.yaml
script -qec "wine ./thalweg.exe check höhe.yaml" "$folder/console.txt" </dev/null >/dev/null || true
sed 's/\x1b\[[?0-9;]*[a-zA-Z]//g' "$folder/console.txt" | grep -q 'outputs:.*{höhe日本:' ||
  fault "a console shows: $(cat -v "$folder/console.txt")"

echo "+ serve: its page, a value, what it tells, Ctrl-C"
cat >low.yaml <<'END'
thalweg: 1
size: 64
params: {low: 0.1}
nodes:
  noise: {type: noise.perlin}
  cut: {type: shape.clamp, in: noise, low: "${low}", high: 0.9}
outputs: {h: cut}
export: {h.npy: h}
END
exec {lines}< <(exec wine ./thalweg.exe serve low.yaml --no-cache 2>&1)
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
read -r -t 120 address <&"$lines" || fault "serve gives no address"
address=$(tr -d '\r' <<<"$address")
base=${address%%/\?k=*} key=${address##*/\?k=}
curl -sf -o page.html "$address" && grep -q '<html' page.html || fault "serve gives no page at $address"
token=$(sed -n 's/.*<meta name="thalweg" content="\([0-9a-f]*\)".*/\1/p' page.html)
exec {events}< <(exec curl -sN "$base/events?k=$key")
listener=$!
expect_event() { # words of its line
  while read -r -t 120 line <&"$events"; do
    [[ "$line" != *"$1"* ]] || return 0
  done
  fault "serve did not tell: $1"
}
expect_event "data: {}"
curl -sf -H "Cookie: thalweg-${base##*:}=$key" -H "Origin: $base" -H "X-Thalweg-Token: $token" \
  -H 'Content-Type: application/json' -d '{"values": {"params.low": "0.45"}}' "$base/run" >posted.json ||
  fault "serve refuses a value"
expect_event '"pending":{"params.low":"0.45"}'
expect_event '"key":"cut.out"'
steered=$(grep -o '"digest":"[0-9a-f]*' <<<"$line" | cut -d '"' -f 4)
expect_event '"code":0'
"$command" run low.yaml -s low=0.45 --no-cache -o steered --json -q | grep -qF "\"$steered\"" ||
  fault "serve computes something else: $steered"
kill "$listener" 2>/dev/null || true
kill -INT "$server" # wine makes it Ctrl-C
code=0
wait "$server" || code=$?
[ "$code" -eq 130 ] || fault "serve ends with $code at Ctrl-C"
echo "the program for Windows works under wine"
