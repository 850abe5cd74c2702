#!/usr/bin/env bash
# Takes the pictures of reports that docs/report.md and docs/decision.md show, in the folder of this
# repository. usage: pictures.sh COMMAND        (.ci/install checks installs chromium)
set -euo pipefail
thalweg=$(realpath "$1")
cd "$(dirname "$0")/../.."
folder=$PWD/docs/pictures/report
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for page in confirm parameters; do
  "$thalweg" compare "graphs/olsen/$page.yaml" -q --cache-dir "$work/cache" --html "$work/$page.html" > /dev/null
done

# shoot NAME PAGE PART WIDTH HEIGHT: what the style PART leaves of the page, from its top.
shoot() {
  sed "s|<details class=\"part\">|<details class=\"part\" open>|; s|</head>|<style>h2{margin-top:1rem!important} $3</style></head>|" "$work/$2.html" > "$work/part.html"
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --disable-background-networking \
    --blink-settings=preferredColorScheme=1 --user-data-dir="$work/browser" --window-size="$4,$5" \
    --screenshot="$folder/$1.png" "file://$work/part.html" 2> /dev/null
}
only() { echo "header,nav,main>:not(#$1){display:none}"; }
shoot head confirm "" 1000 560
shoot slider confirm "$(only pictures) #pictures>:is(h2,p,svg){display:none}" 1000 1085
shoot measure confirm "$(only measures)" 1000 610
shoot recipes confirm "$(only recipes)" 1000 400
shoot parameters parameters "$(only sensitivity)" 1000 505
ls -l "$folder"
