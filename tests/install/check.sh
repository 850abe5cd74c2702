#!/bin/sh
# Installs into a folder of its own and builds the documented program against that, through
# pkg-config (shared and static) and through the CMake package. $1: build folder, $2: source folder.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/usr" >"$work/log"
export PKG_CONFIG_PATH="$(dirname "$(find "$work/usr" -name thalweg.pc)")"
libdir=$(dirname "$PKG_CONFIG_PATH")
cd "$work"
cp "$2/docs/examples/hills.c" .
line=$(grep '^    cc hills.c ' "$2/docs/embedding.md") # as documented, word for word
(eval "$line")
LD_LIBRARY_PATH=$libdir ./a.out | tail -n 1
cc "$2/docs/examples/hills.c" $(pkg-config --cflags thalweg) "$libdir/libthalweg.a" \
  $(pkg-config --static --libs-only-l thalweg | sed 's/-lthalweg//') -lpthread -o static
./static | tail -n 1
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(hills LANGUAGES C)
find_package(thalweg 0.1 REQUIRED)
add_executable(hills $2/docs/examples/hills.c)
target_link_libraries(hills PRIVATE thalweg::shared)
add_executable(hills_static $2/docs/examples/hills.c)
target_link_libraries(hills_static PRIVATE thalweg::static)
END
cmake -S . -B build -DCMAKE_PREFIX_PATH="$work/usr" >>log
cmake --build build >>log
./build/hills | tail -n 1
./build/hills_static | tail -n 1
"$work/usr/bin/thalweg" --version
for page in man/man1/thalweg.1 bash-completion/completions/thalweg zsh/site-functions/_thalweg \
  fish/vendor_completions.d/thalweg.fish; do
  grep -q -- compare "$work/usr/share/$page"
done
for page in LICENSE third-party.md; do
  test -s "$work/usr/share/doc/thalweg/$page"
done
# Release builds are hardened: bound at start, no executable stack, checked copies.
if readelf -V >/dev/null 2>&1 && grep -q '^TW_HARDEN:BOOL=ON' "$1/CMakeCache.txt"; then
  readelf -dW "$work/usr/bin/thalweg" | grep -q 'Flags: NOW PIE'
  readelf -lW "$work/usr/bin/thalweg" | grep 'GNU_STACK' | grep -qv RWE
fi
