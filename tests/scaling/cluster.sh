# shellcheck shell=bash
# A Slurm of several nodes on loopback, without systemd and without touching /etc: for slurm.sh.
# Debian: apt-get install --no-install-recommends slurmctld slurmd slurm-client munge
# Source it; start_cluster FOLDER NODES, then stop_cluster. Needs root, and ports 16817 to 16829.
# start_server FOLDER PORT: nginx as a cache server, for slurm.sh and clients.sh (nginx-light).

start_controller() {
  slurmctld -D > "$cluster/log/controller" 2>&1 &
  controller=$!
}

start_node() { # NUMBER
  setsid slurmd -D -N "n$1" > "$cluster/log/node$1" 2>&1 &
  nodes[$1]=$!
}

# A node with a view of its own: FROM lies where others see TO, a folder or a file, as on a machine
# that shares nothing.
restart_node_apart() { # NUMBER FROM TO
  stop_node "$1"
  setsid unshare -m sh -c 'mount --make-rprivate / && mount --bind "$2" "$3" && exec slurmd -D -N "n$1"' \
    sh "$1" "$2" "$3" > "$cluster/log/node$1" 2>&1 &
  nodes[$1]=$!
  wait_for_nodes
}

stop_node() { # NUMBER
  kill "${nodes[$1]}"
  wait "${nodes[$1]}" 2> /dev/null || true
}

restart_node() { # NUMBER
  stop_node "$1"
  start_node "$1"
  wait_for_nodes
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
  wait_for_nodes
}

wait_for_nodes() {
  for _ in $(seq 300); do
    [ "$(sinfo -h -t idle -o %D 2> /dev/null)" = "${#nodes[@]}" ] && return
    scontrol update "NodeName=n[1-${#nodes[@]}]" State=RESUME 2> /dev/null || true
    sleep 0.2
  done
  echo "the cluster does not start; see $cluster/log" >&2
  return 1
}

# $server is its process, FOLDER/access its log of methods, statuses and bytes.
start_server() { # FOLDER PORT
  mkdir -p "$1/objects"
  cat > "$1/nginx.conf" << CONF
$([ "$(id -u)" = 0 ] && echo 'user root;')
daemon off; worker_processes 1; pid $1/pid; error_log $1/log;
events { worker_connections 1024; }
http {
  log_format counts '\$request_method \$status \$request_length \$body_bytes_sent';
  access_log $1/access counts;
  client_body_temp_path $1/tmp; proxy_temp_path $1/1;
  fastcgi_temp_path $1/2; uwsgi_temp_path $1/3; scgi_temp_path $1/4;
  server {
    listen 127.0.0.1:$2; root $1/objects; client_max_body_size 1g;
    location ~ "^/(ac|cas)/[0-9a-f]{64}$" {
      dav_methods PUT; create_full_put_path on; limit_except GET PUT { deny all; } }
    location / { return 404; }
  }
}
CONF
  "$(command -v nginx || echo /usr/sbin/nginx)" -c "$1/nginx.conf" -e stderr 2> "$1/nginx.err" &
  server=$!
  until curl -s -o /dev/null "http://127.0.0.1:$2/"; do sleep 0.1; done
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
