#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Executes the steps of .ci/Dockerfile in empty folders, without docker: the RUN lines of the first stage
# on a copy of what git has, where COPY puts it, then what the second stage copies and installs. Its
# own RUN lines change the system, so they are only read; check.sh installs the package for good.
# The compiler that the environment names builds, so CMAKE_C_COMPILER_LAUNCHER=ccache makes the next call short.
# usage: dockerfile.sh, as root or with sudo, on Debian 12
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$1" >&2
  exit 1
}

[ "$(grep -c '^FROM ' .ci/Dockerfile)" = 2 ] || fail "expected two stages"
awk -v work="$work" '/^FROM /{stage++; next} stage {print > (work "/" stage)}' .ci/Dockerfile
grep -qx 'COPY . /thalweg' "$work/1" && grep -qx 'WORKDIR /thalweg' "$work/1" || fail "the first stage copies elsewhere"
mkdir "$work/thalweg"
git archive HEAD | tar -x -C "$work/thalweg"

echo "+ the first stage"
sed -n 's/^RUN //p' "$work/1" > "$work/build.sh"
[ -s "$work/build.sh" ] || fail "the first stage runs nothing"
# The folder's name differs at each call; ccache finds what it compiled in the last one.
export CCACHE_BASEDIR="$work" CCACHE_NOHASHDIR=1
(cd "$work/thalweg" && sh -e "$work/build.sh") > "$work/log" 2>&1 || { tail -n 30 "$work/log"; exit 1; }

echo "+ the second stage"
from=$(sed -n 's|^COPY --from=build /thalweg/\([^ ]*\) /tmp/$|\1|p' "$work/2")
debs=("$work"/thalweg/$from)
[ ${#debs[@]} = 1 ] && [ -s "${debs[0]}" ] || fail "the first stage leaves no $from"
sed -n 's/^RUN //p' "$work/2" > "$work/install.sh"
sh -n "$work/install.sh"
grep -q 'apt-get install -y --no-install-recommends /tmp/thalweg_\*.deb' "$work/install.sh" || fail "the second stage does not install it"
apt-get install -s --no-install-recommends "${debs[0]}" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
dpkg -x "${debs[0]}" "$work/root"
entry=$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' "$work/2")
cd "$work"
"$work/root/usr/bin/$entry" run "$work/root/usr/share/doc/thalweg/graphs/olsen-hills.yaml" --size 64 --no-cache -q -o out
[ -n "$(ls out)" ] || fail "the command writes nothing"
echo "all steps work"
