#!/usr/bin/env bash
# Fuzzes every target for a while, starting from its corpus, with clang's libFuzzer and sanitizers:
#
#   tests/fuzz/run.sh [SECONDS [TARGET...]]        60 seconds each without, all targets
#
# Prints how many inputs each target tried. What is found is left in build/fuzz/found; the exit code
# is 1 then.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
shift $(($# > 0))
cmake --preset fuzz >/dev/null
cmake --build build/fuzz --target fuzzers >/dev/null
mkdir -p build/fuzz/found
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Sizes are checked, memory is not kept, so what grows is the quarantine of freed blocks.
export ASAN_OPTIONS=quarantine_size_mb=16
code=0
for corpus in tests/fuzz/corpus/*/; do
  target=$(basename "$corpus")
  [ $# -eq 0 ] || [[ " $* " == *" $target "* ]] || continue
  cp -r "$corpus" "$scratch/$target"
  if build/fuzz/tests/fuzz/fuzz."$target" -max_total_time="$seconds" -max_len=4096 -timeout=5 \
    -rss_limit_mb=2048 -artifact_prefix=build/fuzz/found/"$target"- "$scratch/$target" \
    >"$scratch/log" 2>&1; then
    echo "$target: $(grep -o 'Done [0-9]* runs' "$scratch/log" | grep -o '[0-9]*') inputs, no finding"
  else
    tail -n 40 "$scratch/log"
    echo "$target: FOUND, see build/fuzz/found"
    code=1
  fi
done
exit $code
