#!/usr/bin/env bash
# Clients of one web server as a cache, each with an empty folder of its own, as so many machines
# would be: requests and bytes a run, from the server's log. On demand.
# usage: clients.sh COMMAND RECIPE SIZE CLIENTS [AT ONCE]
set -euo pipefail
command=$(realpath "$1") recipe=$(realpath "$2") size=$3 clients=$4 at_once=${5:-16}
. "$(dirname "$(realpath "$0")")/cluster.sh"
folder=$(mktemp -d)
finish() {
  code=$?
  set +e
  [ -n "${server:-}" ] && kill "$server" && wait "$server"
  rm -rf "$folder"
  exit $code
}
trap finish EXIT
cd "$folder"
start_server "$folder" 18090
openssl rand -hex 64 > secret
chmod 600 secret
export THALWEG_CACHE_URL=http://127.0.0.1:18090 THALWEG_CACHE_SECRET_FILE=$folder/secret
export command recipe size folder

# A client's run: what it computed. The folder goes with the client, unless it is kept.
client() { # NUMBER KEEP [OPTION...]
  local i=$1 keep=$2
  shift 2
  "$command" run "$recipe" --size "$size" -j 1 -q --json --cache-wait 60 --cache-dir "$folder/c$i" -o "$folder/o$i" "$@" |
    tr -d ' \n' | grep -o '"computed":[0-9]*' | head -1
  [ "$keep" = keep ] || rm -rf "$folder/c$i" "$folder/o$i"
}
export -f client

report() { # WHAT RUNS
  awk -v what="$1" -v runs="$2" -v computed="$(awk -F: '{s += $2} END {print s + 0}' computed)" '
    {n++; method[$1]++; sent += $1 == "PUT" ? $3 : 0; got += $1 == "GET" && $2 == 200 ? $4 : 0; miss += $2 == 404}
    END {printf "%s: %d runs, %.2f requests a run (%d GET, %d HEAD, %d PUT, %d not there), %.3f MB down, %.3f MB up, %.2f nodes computed a run\n",
         what, runs, n / runs, method["GET"], method["HEAD"], method["PUT"], miss, got / runs / 1e6, sent / runs / 1e6, computed / runs}' access
  : > access # nginx appends
}

: > access
client 0 keep > computed
report "the first client" 1
client 0 keep > computed
report "the same again" 1
start=$(date +%s)
seq "$clients" | xargs -P "$at_once" -I{} bash -c 'client {} drop' > computed
echo "($(($(date +%s) - start)) s, $at_once at once, load average $(cut -d' ' -f1 /proc/loadavg))"
report "$clients clients with empty folders" "$clients"
seq "$clients" | xargs -P "$at_once" -I{} bash -c 'cp -r "$folder/c0" "$folder/c{}"; client {} drop --set "talus=$((16 + {} / 20)).$(printf %02d $(({} % 20 * 5)))"' > computed
report "$clients clients, each with a value of its own" "$clients"
echo "objects: $(find objects -type f | wc -l), bytes: $(du -sb objects | cut -f1)"
