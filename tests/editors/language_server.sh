#!/usr/bin/env bash
# What editors show of a recipe, by the language server that most of them use, which npm installs.
# usage: language_server.sh COMMAND FOLDER        (the server stays in FOLDER)
set -euo pipefail
thalweg=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
mkdir -p "$2"
folder=$(realpath "$2")
cp "$here"/package.json "$here"/ask.mjs "$folder"
(cd "$folder" && npm install --silent --no-audit --no-fund --ignore-scripts)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$thalweg" schema > "$work/thalweg.schema.json"
"$thalweg" schema snippets > "$work/thalweg.code-snippets"
timeout 120 node "$folder/ask.mjs" "$folder/node_modules/yaml-language-server/bin/yaml-language-server" "$work"
