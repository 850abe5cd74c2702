#!/usr/bin/env bash
# thalweg mcp, driven by the public SDK of the Model Context Protocol, which npm installs.
# usage: sdk.sh COMMAND FOLDER        (the SDK stays in FOLDER)
set -euo pipefail
thalweg=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
mkdir -p "$2"
folder=$(realpath "$2")
cp "$here"/package.json "$here"/drive.mjs "$folder"
(cd "$folder" && npm install --silent --no-audit --no-fund --ignore-scripts)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
node "$folder/drive.mjs" "$thalweg" "$work"
