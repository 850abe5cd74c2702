#!/usr/bin/env bash
# thalweg compare, run and verify --on slurm against a real Slurm of three nodes on this machine:
# each result must be what one machine computes, byte for byte. On demand; takes some minutes, most
# of them Slurm's own time until a dead node is noticed. Prints what it measures.
# usage: slurm.sh COMMAND [CASE]
set -euo pipefail
command=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
. "$here/cluster.sh"
folder=$(mktemp -d)
finish() {
  code=$?
  set +e # whatever of it is there goes
  [ $code = 0 ] || tail -n 3 "$folder"/away.err >&2
  cd "$folder"
  kill $(jobs -p) 2> /dev/null
  stop_cluster 2> /dev/null
  rm -rf "$folder"
  exit $code
}
trap finish EXIT
cd "$folder"
export XDG_CACHE_HOME="$folder/cache"
start_cluster "$folder/cluster" 3 2> munge.err

cat > noise.yaml << 'YAML'
thalweg: 1
size: 192
params: {talus: 4, rounds: 150}
nodes:
  a: {type: noise.perlin, frequency: 4}
  b: {type: erosion.thermal, in: a, talus: "${talus}", iterations: "${rounds}"}
  stats: {type: measure.statistics, in: b}
outputs: {height: b, stats: stats}
YAML
experiment() { # SEEDS MEASURES
  printf 'thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: {from: 1, count: %s}\nvariants: {four: {}, eight: {params: {talus: 8}}}\nbaseline: four\nmeasure: [%s]\n' "$1" "$2"
}
now() { date +%s%N; }
seconds_since() { echo $(( ($(now) - $1) / 1000000 )) | sed 's/...$/.&/; s/^\./0./'; }
submitted() { grep "^sbatch" "$folder/calls" | grep -vc thalweg-doctor || true; } # without probes

# Calls of sbatch are counted.
mkdir bin
printf '#!/bin/sh\necho "sbatch $*" >> %s/calls\nexec %s "$@"\n' "$folder" "$(command -v sbatch)" > bin/sbatch
chmod +x bin/sbatch
export PATH="$folder/bin:$PATH"
: > calls

compare_with_local() { # EXPERIMENT [OPTION...]
  local code=0 expected=0
  "$command" compare "$@" --on slurm --poll 0.5 -q > away.txt 2> away.err || code=$?
  "$command" compare "$@" -q > here.txt 2> here.err || expected=$?
  if [ "$code" != "$expected" ]; then echo "exit code $code, not $expected"; cat away.err; return 1; fi
  cmp here.txt away.txt
  cmp here.err away.err
}

equal_results() {
  experiment 24 "stats.mean, stats.deviation" > equal.yaml
  "$command" compare equal.yaml --on slurm --tasks 8 --csv away.csv --html away.html --sbatch --comment=test -q > /dev/null
  "$command" compare equal.yaml --csv here.csv --html here.html -q > /dev/null
  cmp here.csv away.csv
  cmp here.html away.html
  compare_with_local equal.yaml
}

a_failing_seed() {
  experiment 12 '{d: stats.deviation}, {odd: "1 / max(0, round(300 * (d - 0.12)))"}' > failing.yaml
  sed -i 's/{d: stats.deviation}/stats.deviation/; s/(d -/(stats.deviation -/' failing.yaml
  "$command" compare failing.yaml --on slurm --tasks 4 -q > /dev/null 2> first.err && return 1
  compare_with_local failing.yaml
  grep -q 'is left out' away.err
}

# Slurm holds requeued tasks for two minutes: here they may begin at once.
release_held_tasks() { # PID
  while kill -0 "$1" 2> /dev/null; do
    squeue -h -t pending --array -o '%i %r' | awk '$2 == "BeginTime" {print $1}' |
      while read -r task; do scontrol update "JobId=$task" StartTime=now || true; done
    sleep 1
  done
}

a_killed_node() {
  experiment 18 stats.mean > killed.yaml
  "$command" compare killed.yaml --size 640 --on slurm --tasks 6 -q > away.txt 2> away.err &
  local pid=$! victim
  until squeue -h -t running -o %N | grep -q n2; do sleep 0.1; done
  victim=$(squeue -h -t running -w n2 -o %A | head -1)
  kill_node 2
  echo "  node n2 is dead, which ran job $victim"
  release_held_tasks $pid
  wait $pid
  "$command" compare killed.yaml --size 640 -q > here.txt
  cmp here.txt away.txt
  start_node 2
}

a_restarted_controller() { # SIGNAL
  experiment 16 stats.mean > restarted.yaml
  rm -rf cache
  "$command" compare restarted.yaml --size "$2" --on slurm --tasks 8 -q > away.txt 2> away.err &
  local pid=$!
  until squeue -h -t running -o %i | grep -q .; do sleep 0.1; done
  kill -"$1" "$controller"
  wait "$controller" 2> /dev/null || true
  sleep 2
  start_controller
  # A controller that lost its state gives ids away again: its nodes drain themselves ("Duplicate
  # jobid"), and tasks are held. That is for administrators to mend, here at once.
  while [ "$1" = KILL ] && kill -0 $pid 2> /dev/null; do
    scontrol update "NodeName=n[1-3]" State=RESUME 2> /dev/null || true
    squeue -h -t pending -o '%A %r' | awk '/JobHeld|held/ {print $1}' |
      while read -r job; do scontrol release "$job" || true; done
    sleep 1
  done
  wait $pid
  "$command" compare restarted.yaml --size "$2" -q > here.txt
  cmp here.txt away.txt
}

a_cancelled_array() {
  experiment 16 stats.mean > cancelled.yaml
  "$command" compare cancelled.yaml --size 900 --on slurm --tasks 16 -q > away.txt 2> away.err &
  local pid=$! code=0
  until squeue -h --states=completed -o "%T %K %j" | grep -q -- -16-16 && squeue -h -t running | grep -q .; do sleep 0.1; done
  scancel --me
  wait $pid || code=$?
  if [ $code != 4 ]; then echo "exit code $code"; return 1; fi
  grep -q 'was cancelled' away.err
  : > calls
  "$command" compare cancelled.yaml --size 900 --on slurm --tasks 16 -q > away.txt
  [ "$(submitted)" = 1 ]
  if grep -q -- '--array=1-16 ' calls; then cat calls; return 1; fi
  echo "  went on with: $(grep -o -- '--array=[^ ]*' calls)"
  "$command" compare cancelled.yaml --size 900 -q > here.txt
  cmp here.txt away.txt
}

ctrl_c() {
  experiment 16 stats.mean > stopped.yaml
  "$command" compare stopped.yaml --size 700 --on slurm --tasks 8 -q > away.txt 2> away.err &
  local pid=$! code=0
  until squeue -h -t running -o %i | grep -q .; do sleep 0.1; done
  kill -INT $pid
  wait $pid || code=$?
  [ $code = 130 ]
  for _ in $(seq 50); do squeue -h | grep -q . || return 0; sleep 0.2; done
  return 1
}

a_thousand_seeds() {
  experiment 1000 stats.mean > thousand.yaml
  rm -rf cache
  local start
  start=$(now)
  "$command" compare thousand.yaml --size 64 --on slurm --tasks 50 -q > away.txt
  echo "  50 tasks on three nodes: $(seconds_since "$start") s; by node:" \
    "$(squeue -h --array --states=completed -o '%B' | sort | uniq -c | tr -s '\n ' ' ')"
  start=$(now)
  "$command" compare thousand.yaml --size 64 -q --no-cache -j 1 > /dev/null
  echo "  here, one thread, without cache: $(seconds_since "$start") s"
  "$command" compare thousand.yaml --size 64 -q > here.txt
  cmp here.txt away.txt
}

# Each node takes one task at a time with one thread; times say little on a machine with other work.
speed_up() {
  experiment 24 stats.mean > speed.yaml
  local start nodes excluded=n2,n3
  for nodes in 1 2 3; do
    rm -rf cache shards
    start=$(now)
    "$command" compare speed.yaml --size 512 --on slurm --tasks 12 --poll 0.2 -q --no-cache \
      --sbatch --exclusive ${excluded:+--sbatch "--exclude=$excluded"} > away.txt
    echo "  $nodes nodes: $(seconds_since "$start") s, load average $(cut -d' ' -f1 /proc/loadavg)"
    if [ $nodes = 1 ]; then excluded=n3; else excluded=; fi
  done
}

a_doctor() {
  "$command" doctor --on slurm > away.txt
  grep -E '^(ok|note|failed) +(slurm|node)' away.txt | sed 's/^/  /'
  [ "$(grep -cE '^ok +node (version|clock|digest|cache) ' away.txt)" = 4 ]
  rm -rf cache
}

# run and verify: files, what is printed, and exit codes are those of one machine, with a cache each.
write_recipes() { # COUNT ROUNDS
  mkdir -p recipes
  for i in $(seq "$1"); do
    sed "s/rounds: 150/rounds: $2/; s/frequency: 4/frequency: $((i % 7 + 2))/" noise.yaml > "recipes/r$i.yaml"
    printf 'seed: %s\nexport: {height.png: {from: height, range: [-2, 2]}, stats.json: stats}\n' "$i" >> "recipes/r$i.yaml"
  done
}

recipes_in_bulk() {
  write_recipes 24 300
  rm -rf cache out here shards
  "$command" run recipes/*.yaml -o "out/{recipe}" --on slurm --tasks 8 > away.txt 2> away.err
  grep -q '100 % 8 of 8 tasks done' away.err
  mv out here
  "$command" run recipes/*.yaml -o "out/{recipe}" --cache-dir alone -q > /dev/null
  diff -r here out
  "$command" run recipes/*.yaml -o "out2/{recipe}" --cache-dir alone > here.txt 2> /dev/null
  sed -i s/out2/out/ here.txt
  cmp here.txt away.txt
  : > calls
  "$command" run recipes/*.yaml -o "out/{recipe}" --on slurm --tasks 8 -q
  [ "$(submitted)" = 0 ]
  "$command" lock recipes/*.yaml -q
  sed -i 's/talus: 4/talus: 5/' recipes/r3.yaml
  rm -rf cache
  local code=0
  "$command" verify recipes/*.yaml -o pages --on slurm --tasks 8 > away.txt || code=$?
  [ $code = 1 ]
  "$command" verify recipes/*.yaml -o pages --cache-dir alone > here.txt || true
  cmp here.txt away.txt
}

# Nodes that see this machine's programs and none of its folders: recipes are copies, results come
# by way of nginx.
results_over_http() {
  mkdir work logs web
  local i code=0
  cp noise.yaml work
  write_recipes 12 300
  mv recipes work
  experiment 24 "stats.mean, stats.deviation" > work/apart.yaml
  openssl rand -hex 64 > work/secret
  chmod 600 work/secret
  start_server "$folder/web" 18091
  for i in 1 2 3; do
    cp -r work "copy$i"
    restart_node_apart $i "$folder/copy$i" "$folder/work"
  done
  cd work
  local away=(--on slurm --sbatch "--output=$folder/logs/%x-%a.txt")
  export XDG_CACHE_HOME="$folder/work/cache" THALWEG_CACHE_SECRET_FILE="$folder/work/secret"
  THALWEG_CACHE_URL=http://127.0.0.1:18091 "$command" compare apart.yaml "${away[@]}" --tasks 6 -q --csv away.csv > away.txt 2> ../away.err
  THALWEG_CACHE_URL=http://127.0.0.1:18091 "$command" run recipes/*.yaml -o "away/{recipe}" "${away[@]}" --tasks 4 -q 2>> ../away.err
  echo "  $(cat ../copy?/shards/*/shard-*.jsonl | grep -c '^') lines of shards on the nodes;" \
    "requests: $(cut -d' ' -f1,2 ../web/access | sort | uniq -c | tr -s '\n ' ' ')"
  [ "$(ls ../copy?/shards/*/shard-*-of-6.jsonl | wc -l)" = 6 ]
  "$command" compare apart.yaml --cache-dir alone -q --csv here.csv > here.txt
  "$command" run recipes/*.yaml -o "here/{recipe}" --cache-dir alone -q
  cmp <(sed '/seconds a run$/,$d' here.txt) <(sed '/seconds a run$/,$d' away.txt) # those are the nodes'
  cmp here.csv away.csv
  diff -r here away
  cd ..
  kill "$server"
  export XDG_CACHE_HOME="$folder/cache"
  unset THALWEG_CACHE_SECRET_FILE
  for i in 1 2 3; do restart_node $i; done
}

# A node whose program is another one: nothing but the probe is sent.
a_wrong_node() {
  printf '#!/bin/sh\necho thalweg 0.0.1\n' > other
  chmod +x other
  local i code=0
  for i in 1 2 3; do restart_node_apart $i "$folder/other" "$command"; done
  experiment 12 stats.mean > wrong.yaml
  : > calls
  "$command" compare wrong.yaml --on slurm --tasks 4 -q > away.txt 2> away.err || code=$?
  if [ $code != 4 ] || [ "$(submitted)" != 0 ]; then cat calls away.err; return 1; fi
  grep -q "there is 'thalweg 0.0.1'; expected thalweg" away.err
  for i in 1 2 3; do restart_node $i; done
}

# The same seeds in more and more tasks, on three nodes with a task each.
seeds_against_tasks() {
  experiment 24 stats.mean > blocks.yaml
  local start tasks
  for tasks in 1 3 6 12 24; do
    rm -rf cache shards
    start=$(now)
    "$command" compare blocks.yaml --size 192 --on slurm --tasks $tasks --poll 0.2 --probe 0 -q --no-cache --sbatch --exclusive > away.txt
    echo "  24 seeds in $tasks tasks: $(seconds_since "$start") s, load average $(cut -d' ' -f1 /proc/loadavg)"
  done
}

# What the scheduler costs: tasks that are over at once, with and without the probe before them.
scheduler_cost() {
  experiment 60 stats.mean > cost.yaml
  local start tasks
  for tasks in 1 60; do
    rm -rf cache shards
    start=$(now)
    "$command" compare cost.yaml --size 16 --on slurm --tasks $tasks --poll 0.2 --probe 0 -q > away.txt
    echo "  60 seeds of 16 squared, $tasks tasks: $(seconds_since "$start") s"
  done
  rm -rf shards
  start=$(now)
  "$command" compare cost.yaml --size 16 --on slurm --tasks 1 --poll 0.2 -q > away.txt
  echo "  one task, and the probe: $(seconds_since "$start") s"
}

recipes_and_a_killed_node() {
  write_recipes 18 600
  rm -rf cache out here
  "$command" run recipes/*.yaml --size 640 -o "out/{recipe}" --on slurm --tasks 6 -q 2> away.err &
  local pid=$!
  until squeue -h -t running -o %N | grep -q n2; do sleep 0.1; done
  kill_node 2
  release_held_tasks $pid
  wait $pid
  mv out here
  "$command" run recipes/*.yaml --size 640 -o "out/{recipe}" --cache-dir alone -q
  diff -r here out
  start_node 2
}

try() {
  local start
  start=$(now)
  "$@"
  echo "$*: ok, $(seconds_since "$start") s"
}
if [ $# -gt 1 ]; then
  shift
  try "$@"
  exit
fi
try a_doctor
try a_wrong_node
try equal_results
try a_failing_seed
try ctrl_c
try a_cancelled_array
try a_restarted_controller TERM 520
try a_restarted_controller KILL 540
try a_killed_node
try a_thousand_seeds
try speed_up
try seeds_against_tasks
try scheduler_cost
try results_over_http
try recipes_in_bulk
try recipes_and_a_killed_node
