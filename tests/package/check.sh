#!/usr/bin/env bash
# The Debian package as its user has it: what is in it, then installed into a fresh Debian 12,
# tried there as an ordinary user, and purged, after which nothing is left. As root, with
# debootstrap and a network; a minute and a half after the first time, which fetches Debian.
# usage: check.sh [FOLDER]: keeps the fresh Debian in FOLDER for the next time
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
base=${1:-$work/base}
root=$work/root
clean() {
  local code=$?
  mountpoint -q "$root/proc" && umount "$root/proc"
  rm -rf "$work"
  exit "$code"
}
trap clean EXIT
fail() {
  echo "$1" >&2
  exit 1
}
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }

cmake --workflow --preset package > "$work/build.log" || { tail -30 "$work/build.log"; exit 1; }
deb=$(ls build/package/thalweg_*.deb)
python_deb=$(ls build/package/python3-thalweg_*_all.deb)

echo "+ what is in $deb"
dpkg-deb --info "$deb" > "$work/info"
for line in 'Package: thalweg' 'Section: science' 'Architecture: amd64' 'Maintainer: .* <.*>' \
  'Depends: .*libc6 (>= .*libuv1 (>= .*libyaml-0-2' 'Recommends: libmeshoptimizer2d, libcurl4, libmicrohttpd12' 'Description: Dataflow'; do
  grep -q "^ $line" "$work/info" || fail "the control file has no line '$line'"
done
dpkg-deb --contents "$deb" > "$work/contents"
! grep -qv ' root/root ' "$work/contents" || fail "not all files belong to root"
for file in bin/thalweg lib/x86_64-linux-gnu/libthalweg.so lib/x86_64-linux-gnu/pkgconfig/thalweg.pc \
  share/man/man1/thalweg.1.gz share/bash-completion/completions/thalweg share/zsh/vendor-completions/_thalweg \
  share/fish/vendor_completions.d/thalweg.fish share/doc/thalweg/copyright share/doc/thalweg/changelog.gz share/doc/thalweg/third-party.md \
  share/doc/thalweg/graphs/olsen-hills.yaml include/thalweg/thalweg.h; do
  grep -q " ./usr/$file" "$work/contents" || fail "the package has no $file"
done
dpkg-deb --contents "$python_deb" > "$work/contents"
! grep -qv ' root/root ' "$work/contents" || fail "not all files of the package for Python belong to root"
grep -q ' ./usr/lib/python3/dist-packages/thalweg/__init__.py' "$work/contents" || fail "the package for Python has no module"
grep -q ' ./usr/lib/python3/dist-packages/thalweg/py.typed' "$work/contents" || fail "the package for Python hides its types"
! command -v lintian > /dev/null || lintian --fail-on error,warning "$deb" "$python_deb"

echo "+ a fresh Debian"
[ -d "$base/usr" ] || debootstrap --variant=minbase bookworm "$base" > "$work/debootstrap.log"
cp -a "$base" "$root"
mount -t proc proc "$root/proc"
in_root apt-get update -q > "$work/apt.log"
cp "$deb" "$root/tmp/thalweg.deb"
cp "$python_deb" "$root/tmp/python3-thalweg.deb"
list() { in_root find / -xdev -path /proc -prune -o -path /tmp -prune -o -path /var/cache -prune -o -path /var/lib/apt -prune \
  -o -path /var/log -prune -o -path '/var/lib/dpkg/*-old' -prune -o -print | LC_ALL=C sort; }
packages() { in_root dpkg-query -W -f '${Package} ${db:Status-Status}\n'; }
list > "$work/before"
packages > "$work/packages-before"

echo "+ install"
in_root apt-get install -y -q --no-install-recommends /tmp/thalweg.deb >> "$work/apt.log"
in_root dpkg --verify thalweg # prints what differs from the package
[ -z "$(in_root dpkg --verify thalweg)" ]

echo "+ run a recipe as an ordinary user"
in_root setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/tmp/home sh -eu -c '
  mkdir -p /tmp/home && cd /tmp/home
  thalweg --version
  thalweg run /usr/share/doc/thalweg/graphs/olsen-hills.yaml --size 64 -o out
  test -s out/height.png
  bash -n /usr/share/bash-completion/completions/thalweg
  gzip -dc /usr/share/man/man1/thalweg.1.gz | grep -q "^.SH NAME"
  ldconfig -p | grep -q libthalweg.so.0'
echo "+ a program in C, with the compiler and pkg-config"
in_root apt-get install -y -q --no-install-recommends gcc libc6-dev pkg-config >> "$work/apt.log"
cp docs/examples/feed.c "$root/tmp/"
line=$(grep '^    cc hills.c ' docs/embedding.md | sed 's/hills/feed/')
in_root sh -eu -c "cd /tmp && $line && ./a.out" | tail -n 1

echo "+ the first picture of docs/python.md"
in_root apt-get install -y -q --no-install-recommends /tmp/python3-thalweg.deb >> "$work/apt.log"
sed -n '/^```python/,/^```/p;/^```$/q' docs/python.md | grep -v '^```' > "$root/tmp/first.py"
in_root setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/tmp/home sh -eu -c '
  cd /tmp/home
  cp /usr/share/doc/thalweg/graphs/olsen-hills.yaml .
  python3 /tmp/first.py
  test -s hills.png'

echo "+ purge: nothing is left"
in_root apt-get purge -y -q python3-thalweg thalweg gcc libc6-dev pkg-config >> "$work/apt.log"
in_root apt-get autoremove -y -q --purge >> "$work/apt.log"
list > "$work/after"
packages > "$work/packages-after"
diff "$work/packages-before" "$work/packages-after"
diff "$work/before" "$work/after"
echo "the package installs, runs and leaves nothing"
