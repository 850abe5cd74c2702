#!/bin/sh
# No layer calls one above it: each symbol that its objects import is defined in a layer before it, in
# itself or in a library. Includes alone do not show this, since a header may be lower than its code.
# upward.sh NM OBJECTS LAYER...: OBJECTS lists object files, one a line; layers from the lowest up.
set -eu
export LC_ALL=C # one order for sort and join
nm=$1 objects=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Lines "symbol file" of a layer's objects; the nodes stand above task, whose functions they call.
symbols() { # layer, nm's option
  grep "/tw_$1\.dir/" "$objects" | xargs "$nm" -A "$2" | sed -n 's/^\(.*\.o\):.* \(tw_[a-z0-9_]*\)$/\2 \1/p'
}
echo tw_node_table > "$folder/known" # the one table by which the engine knows nodes
checked=0
for layer; do
  symbols "$layer" --defined-only | cut -d ' ' -f 1 >> "$folder/known"
  sort -u -o "$folder/known" "$folder/known"
  symbols "$layer" --undefined-only | sort > "$folder/imports"
  checked=$((checked + $(wc -l < "$folder/imports")))
  join -v 1 "$folder/imports" "$folder/known" | sed "s/^/layer $layer calls up: /" >> "$folder/faults"
done
cat "$folder/faults"
[ "$checked" -gt 2000 ] || { echo "only $checked imports were looked at"; exit 1; }
[ ! -s "$folder/faults" ]
