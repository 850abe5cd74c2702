# shellcheck shell=bash
# A Slurm of several nodes on loopback, without systemd and without touching /etc: for slurm.sh.
# Debian: apt-get install --no-install-recommends slurmctld slurmd slurm-client munge
# Source it; start_cluster FOLDER NODES, then stop_cluster. Needs root, and ports 16817 to 16829.

start_controller() {
  slurmctld -D > "$cluster/log/controller" 2>&1 &
  controller=$!
}

start_node() { # NUMBER
  setsid slurmd -D -N "n$1" > "$cluster/log/node$1" 2>&1 &
  nodes[$1]=$!
}

controller='' munged=''
start_cluster() { # FOLDER NODES
  cluster=$1
  declare -gA nodes=()
  mkdir -p "$cluster"/munge "$cluster"/state "$cluster"/log
  for i in $(seq "$2"); do mkdir -p "$cluster/spool/n$i"; done
  chmod 755 "$cluster" "$cluster/munge"
  dd if=/dev/urandom of="$cluster/munge/key" bs=1024 count=1 status=none
  chmod 600 "$cluster/munge/key"
  cat > "$cluster/slurm.conf" <<CONF
ClusterName=loop
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/s
SlurmctldPort=16817
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd-%n.pid
SlurmctldLogFile=$cluster/log/slurmctld
SlurmdLogFile=$cluster/log/slurmd-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
RequeueExit=75
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_interval=1,sched_interval=1
SlurmdParameters=config_overrides
MaxArraySize=1001
NodeName=n[1-$2] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=[16821-$((16820 + $2))] CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=batch Nodes=n[1-$2] Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF="$cluster/slurm.conf"
  munged --force --foreground --key-file="$cluster/munge/key" --socket="$cluster/munge/s" \
    --pid-file="$cluster/munge/pid" --log-file="$cluster/log/munged" --seed-file="$cluster/munge/seed" &
  munged=$!
  start_controller
  for i in $(seq "$2"); do start_node "$i"; done
  for _ in $(seq 100); do
    [ "$(sinfo -h -t idle -o %D 2> /dev/null)" = "$2" ] && return
    sleep 0.2
  done
  echo "the cluster does not start; see $cluster/log" >&2
  return 1
}

tree() { # PID: it and all that it started
  local child
  for child in $(ps -o pid= --ppid "$1"); do tree "$child"; done
  echo "$1"
}

# A node as a machine that loses power: its daemon and everything that it started.
kill_node() { # NUMBER
  local job step pids=${nodes[$1]}
  for job in $(squeue -h -t running -w "n$1" -o %A); do
    for step in $(pgrep -f "slurmstepd: \\[$job\\."); do pids="$pids $(tree "$step")"; done
  done
  kill -9 $pids 2> /dev/null || true
}

stop_cluster() {
  scancel --me 2> /dev/null || true
  for i in "${!nodes[@]}"; do kill "${nodes[$i]}" 2> /dev/null || true; done
  for pid in $controller $munged; do kill "$pid" 2> /dev/null || true; done
  wait 2> /dev/null || true
}
