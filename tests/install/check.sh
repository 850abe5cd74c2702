#!/bin/sh
# Installs into a folder of its own, as docs/install.md says, and looks at what is there; then builds
# the documented programs against that, through pkg-config (shared and static) and through the CMake
# package, and uninstalls. $1: build folder, $2: source folder.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$1" >&2
  exit 1
}
cmake --install "$1" --prefix "$work/usr" >"$work/log"
cp "$1/install_manifest.txt" "$work/manifest"

# ---- what is installed: the table of docs/install.md, below the prefix, and no more ----
cd "$work/usr"
find . -type f -o -type l | sed -e 's|^\./||' -e 's|^lib/[^/]*-linux-gnu[^/]*/|lib/|' | LC_ALL=C sort >../found
sed -n 's/^| `\([^`]*\)`.*/\1/p' "$2/docs/install.md" >../documented
while read -r place; do
  grep -q "^$place" ../found || fail "docs/install.md names $place, which is not installed"
done <../documented
while read -r file; do
  while read -r place; do
    case $file in "$place"*) continue 2 ;; esac
  done <../documented
  fail "$file is installed, but docs/install.md does not name it"
done <../found
diff="$(ls include/thalweg | LC_ALL=C sort | tr '\n' ' ')"
[ "$diff" = "$(ls "$2/include/thalweg" | LC_ALL=C sort | tr '\n' ' ')" ]
! grep -rlI "$work" . || fail "these files name the prefix"

# ---- each in its own language ----
cd "$work/usr/share"
bash -n bash-completion/completions/thalweg
! command -v zsh >/dev/null || zsh -n zsh/site-functions/_thalweg
! command -v fish >/dev/null || fish -n fish/vendor_completions.d/thalweg.fish
for page in man/man1/thalweg.1 bash-completion/completions/thalweg zsh/site-functions/_thalweg \
  fish/vendor_completions.d/thalweg.fish; do
  grep -q -- compare "$page"
done
if command -v man >/dev/null; then
  MANROFFSEQ='' MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z man/man1/thalweg.1 \
    2>"$work/warnings" >"$work/page"
  [ ! -s "$work/warnings" ] || fail "man: $(cat "$work/warnings")"
  grep -q EXPERIMENT "$work/page"
fi
! command -v mandoc >/dev/null || mandoc -T lint -W error man/man1/thalweg.1
for page in LICENSE third-party.md; do
  test -s "doc/thalweg/$page"
done
"$work/usr/bin/thalweg" --version
"$work/usr/bin/thalweg" run "$work/usr/share/doc/thalweg/graphs/olsen-hills.yaml" --size 32 --no-cache -q -o "$work/out"

# ---- from C ----
export PKG_CONFIG_PATH="$(dirname "$(find "$work/usr" -name thalweg.pc)")"
libdir=$(dirname "$PKG_CONFIG_PATH")
cd "$work"
pkg-config --validate thalweg
PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --cflags --libs thalweg >>log # no other library's .pc
cp "$2/docs/examples/hills.c" "$2/docs/examples/feed.c" .
for program in hills feed; do
  line=$(grep '^    cc hills.c ' "$2/docs/embedding.md") # as documented, word for word
  (eval "$(echo "$line" | sed "s/hills/$program/")")
  LD_LIBRARY_PATH=$libdir ./a.out | tail -n 1
done
cc "$2/docs/examples/hills.c" $(pkg-config --cflags thalweg) "$libdir/libthalweg.a" \
  $(pkg-config --static --libs-only-l thalweg | sed 's/-lthalweg//') -lpthread -o static
./static | tail -n 1
for header in thalweg node; do
  echo "#include <thalweg/$header.h>" >"$header.cc"
  ! command -v c++ >/dev/null || c++ -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags thalweg) "$header.cc"
done
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(hills LANGUAGES C)
find_package(thalweg 0.1 REQUIRED)
add_executable(hills $2/docs/examples/hills.c)
target_link_libraries(hills PRIVATE thalweg::shared)
add_executable(feed_static $2/docs/examples/feed.c)
target_link_libraries(feed_static PRIVATE thalweg::static)
END
cmake -S . -B build -DCMAKE_PREFIX_PATH="$work/usr" >>log
cmake --build build >>log
./build/hills | tail -n 1
./build/feed_static | tail -n 1

# Release builds are hardened: bound at start, no executable stack, checked copies.
if readelf -V >/dev/null 2>&1 && grep -q '^TW_HARDEN:BOOL=ON' "$1/CMakeCache.txt"; then
  readelf -dW "$work/usr/bin/thalweg" | grep -q 'Flags: NOW PIE'
  readelf -lW "$work/usr/bin/thalweg" | grep 'GNU_STACK' | grep -qv RWE
fi

# ---- what it needs to run: the packages of docs/install.md, which names those of Debian 12 ----
if command -v readelf >/dev/null && grep -q '^VERSION_CODENAME=bookworm' /etc/os-release; then
  named=$(grep '^    sudo apt-get install --no-install-recommends lib' "$2/docs/install.md")
  for library in $(readelf -d "$work/usr/bin/thalweg" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
    case $library in libc.so.* | libm.so.* | ld-linux*) continue ;; esac
    package=$(dpkg -S "*/$library" | sed -n '1s/:.*//p')
    case " $named " in *" $package "*) ;; *) fail "docs/install.md does not name $package, which has $library" ;; esac
  done
fi

# ---- uninstalling, as documented ----
cp manifest install_manifest.txt
line=$(grep '^    .*install_manifest.txt' "$2/docs/install.md")
(eval "$(echo "$line" | sed -e 's|build/command/||' -e 's/sudo //')")
left=$(find "$work/usr" -type f -o -type l)
[ -z "$left" ] || fail "left after uninstalling: $left"
