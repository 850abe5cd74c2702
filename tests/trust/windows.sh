#!/usr/bin/env bash
# All that is tested of Windows, under wine: the golden digests of every node, C tests of the layers
# that meet the operating system, the archive as its user has it, and one table of the same recipes
# from both systems.
#
#   tests/trust/windows.sh COMMAND LIBRARY [NAME=COMMAND...]
#
# COMMAND and LIBRARY are those for Linux; each NAME adds a column to the table (table.py). Needs
# .ci/install windows.
set -euo pipefail
[ $# -ge 2 ] || { sed -n 's/^# \{0,1\}//; 2,10p' "$0" >&2 && exit 2; }
cd "$(dirname "$0")/../.."
folder=build/trust-windows
log=$folder-tests.log
export WINEPREFIX=$PWD/build/windows/wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=
# A server that stays: programs start in 0.4 s instead of 4, and none waits for a server that it started.
mkdir -p "$WINEPREFIX"
wineserver -p >/dev/null 2>&1 || true # one runs already
trap 'wineserver -k || true' EXIT
wine cmd /c exit >/dev/null 2>&1
tests/trust/determinism.sh windows
cmake --build $folder --target under_wine zip >"$log" 2>&1 || { tail -n 40 "$log" && exit 1; }
echo "+ C tests"
ctest --test-dir $folder -L under_wine --timeout 300 --output-on-failure -j "$(nproc)" >"$log" 2>&1 || { tail -n 80 "$log" && exit 1; }
grep 'tests passed' "$log"
echo "+ the archive"
tests/package/windows.sh $folder/thalweg-*.zip "$1"
/usr/bin/python3 tests/trust/table.py "$1" "$2" "windows=wine $folder/thalweg.exe" "${@:3}"
